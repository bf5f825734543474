"""A second sensor on a wheel: it supplies no result, and holds the one that it contradicts."""

from __future__ import annotations

from dataclasses import replace

import pytest
from support.roulette_bench import RouletteBench, line
from support.table_bench import found, kinds

from daemon.runtime.codec import StateCodec
from daemon.table.inputs import DeviceSaid, LinkDown, LinkUp, Restarted, RolledBack
from daemon.table.witness import NO_STATEMENT
from protocols.commands import Decide, EnrolDevice, OpenRound, Refusal
from protocols.events import (
    DeviceFaulted,
    DeviceRecovered,
    Event,
    RoundCompleted,
    RoundOpened,
    SpinLanded,
    ViolationRaised,
)
from protocols.readings import Reading, WheelFlag, WheelNumber, WheelPhase
from protocols.table_terms import RoundControl
from protocols.wheels.napsa import DEVICE as SECOND

WAIT_S = 3.0
BALL: tuple[WheelPhase, ...] = ("ball_in_rim", "no_more_bets")


class Watched(RouletteBench):
    """A wheel with a witness that is connected, and a round whose ball is about to land."""

    def __init__(self, wait_s: float = WAIT_S, control: RoundControl = "server") -> None:
        super().__init__(control=control)
        devices = {**self.setup.devices, "witness": SECOND}
        self.setup = replace(self.setup, devices=devices, witness_wait_s=wait_s)
        self.put(LinkUp("witness", "second", "bench"))

    def says(self, reading: Reading) -> list[Event]:
        """Let the witness say something."""
        return self.put(DeviceSaid("witness", "second", reading, None, ""))

    def sees(
        self, phase: WheelPhase, pocket: str | None = "34", flags: tuple[WheelFlag, ...] = ()
    ) -> list[Event]:
        """Let the witness say a status line; it counts spins of its own."""
        return self.says(line(phase, 203, pocket, flags=flags))

    def until_it_falls(self, round_id: str = "R1", spin: int = 11) -> None:
        """Open a round and spin up to the first of the two lines that decide it."""
        self.open(round_id)
        for phase in ("place_bets", "ball_in_rim"):
            self.say(phase, spin, "34", after=4.0)  # type: ignore[arg-type] # a tuple of literals widens to str
            self.sees(phase)  # type: ignore[arg-type] # as above
        self.close(round_id)
        self.say("no_more_bets", spin, "34", after=4.0)
        self.sees("no_more_bets")
        assert self.say("winning_number", spin, "27", after=26.0) == []

    def lands(self, spin: int = 11) -> list[Event]:
        """Let the wheel say its number for the second time: 27 is sure."""
        return self.say("winning_number", spin, "27")

    @property
    def results(self) -> list[Event]:
        return [one for one in self.events if isinstance(one, SpinLanded | RoundCompleted)]


def falling(wait_s: float = WAIT_S) -> Watched:
    bench = Watched(wait_s)
    bench.until_it_falls()
    return bench


def missing(events: list[Event]) -> str | None:
    """Return what is told of a statement that is missing."""
    told = [one for one in found(events, DeviceFaulted) if one.condition == NO_STATEMENT]
    return told[0].detail if told else None


# --- before it is published --------------------------------------------------------------------


def test_a_result_waits_until_the_witness_states_it() -> None:
    bench = falling()
    assert bench.lands() == []
    assert bench.state.round is not None
    assert bench.wait(WAIT_S - 1.0) == []
    assert kinds(bench.sees("winning_number", "27")) == ["spin.landed", "round.completed"]
    assert bench.pockets == ["27"]
    bench.wait(WAIT_S)
    assert missing(bench.events) is None
    assert bench.codes == []


def test_a_witness_that_has_stated_it_before_keeps_nobody_waiting() -> None:
    bench = falling()
    assert bench.sees("winning_number", "27") == []
    assert kinds(bench.lands()) == ["spin.landed", "round.completed"]


def test_without_a_wait_a_result_leaves_at_once() -> None:
    bench = falling(wait_s=0.0)
    assert kinds(bench.lands()) == ["spin.landed", "round.completed"]
    assert bench.sees("winning_number", "27") == []


def test_a_witness_that_never_states_it_is_told_when_the_wait_is_over() -> None:
    bench = falling()
    bench.lands()
    told = bench.wait(WAIT_S)
    assert kinds(told) == ["spin.landed", "round.completed", "device.faulted"]
    assert missing(told) == (
        "R1: the result leaves without its statement: it stated nothing within 3 s"
    )
    assert bench.codes == []


def test_the_number_alone_is_a_statement() -> None:
    bench = falling()
    bench.lands()
    assert kinds(bench.says(WheelNumber("27"))) == ["spin.landed", "round.completed"]


def test_another_pocket_stated_twice_holds_the_result() -> None:
    bench = falling()
    bench.lands()
    assert bench.sees("winning_number", "5") == [], "one odd line may be noise"
    told = bench.sees("winning_number", "5")
    assert kinds(told) == ["violation.raised", "round.held"]
    (violation,) = found(told, ViolationRaised)
    assert (violation.code, violation.round_id) == ("result_conflict", "R1")
    assert (violation.expected, violation.read) == ("27", "5")
    assert violation.resolutions == ("void", "accept")
    bench.wait(600.0)
    assert bench.results == []


def test_a_contradicted_result_leaves_when_a_person_accepts_it() -> None:
    bench = falling()
    bench.lands()
    for _ in range(2):
        bench.sees("winning_number", "5")
    told = bench.resolve("result_conflict", "accept")
    assert kinds(told) == [
        "violation.resolved",
        "round.resumed",
        "spin.landed",
        "round.completed",
    ]
    assert bench.pockets == ["27"], "a witness never supplies a result"


def test_a_contradicted_result_that_is_voided_never_leaves() -> None:
    bench = falling()
    bench.lands()
    for _ in range(2):
        bench.sees("winning_number", "5")
    assert kinds(bench.resolve("result_conflict", "void")) == ["violation.resolved", "round.voided"]
    bench.wait(60.0)
    assert bench.results == []
    assert bench.state.round is None


def test_it_is_held_before_it_leaves_where_the_witness_contradicts_it_already() -> None:
    bench = falling(wait_s=0.0)
    for _ in range(2):
        bench.sees("winning_number", "5")
    assert kinds(bench.lands()) == ["violation.raised", "round.held"]
    assert bench.results == []


def test_an_odd_line_that_an_equal_one_follows_is_noise() -> None:
    bench = falling()
    bench.lands()
    assert bench.sees("winning_number", "5") == []
    assert kinds(bench.sees("winning_number", "27")) == ["spin.landed", "round.completed"]
    assert bench.codes == []


def test_an_odd_line_that_stands_alone_when_the_wait_is_over_holds_the_result() -> None:
    bench = falling()
    bench.lands()
    bench.sees("winning_number", "5")
    assert kinds(bench.wait(WAIT_S)) == ["violation.raised", "round.held"]
    assert bench.codes == ["result_conflict"]
    assert bench.results == []


def test_no_statement_is_taken_of_a_line_that_says_that_its_sensor_is_at_fault() -> None:
    bench = falling()
    bench.lands()
    for _ in range(2):
        assert bench.sees("winning_number", "27", ("sensor_or_motor",)) == []
    assert "device.faulted" in kinds(bench.wait(WAIT_S))


def test_what_it_says_again_changes_nothing() -> None:
    bench = falling()
    for pocket in ("27", "27"):
        bench.sees("winning_number", pocket)
    state = bench.state
    for _ in range(10):
        assert bench.sees("winning_number", "27") == []
    assert bench.state == state, "so nothing of it is journalled"


# --- another spin ------------------------------------------------------------------------------


def test_the_number_of_an_older_spin_said_over_and_over_is_no_statement() -> None:
    bench = falling()
    bench.sees("winning_number", "27")
    bench.lands()
    bench.open("R2")
    for _ in range(3):
        bench.sees("winning_number", "27")  # it hangs
    for phase in ("before_game", "place_bets", *BALL):
        bench.say(phase, 12, "27", after=2.0)  # type: ignore[arg-type] # a tuple of literals widens to str
        bench.sees("winning_number", "27")
    bench.close("R2")
    for _ in range(3):
        bench.sees("winning_number", "27")
    bench.say("winning_number", 12, "9", after=20.0)
    assert bench.say("winning_number", 12, "9") == []
    told = bench.wait(WAIT_S)
    assert kinds(told) == ["spin.landed", "round.completed", "device.faulted"]
    assert bench.codes == []
    assert bench.pockets == ["27", "9"]


def test_a_statement_while_nothing_is_played_is_of_no_round() -> None:
    bench = Watched(wait_s=0.0)
    bench.sees("no_more_bets")
    for _ in range(3):
        assert bench.sees("winning_number", "5") == []
    bench.until_it_falls()
    assert kinds(bench.lands()) == ["spin.landed", "round.completed"]
    assert bench.sees("winning_number", "27") == []


# --- after it is published ---------------------------------------------------------------------


def test_a_late_contradiction_holds_the_table() -> None:
    bench = falling(wait_s=0.0)
    bench.lands()
    bench.sees("winning_number", "5")
    told = bench.sees("winning_number", "5")
    (violation,) = found(told, ViolationRaised)
    assert (violation.code, violation.round_id) == ("result_conflict", None)
    assert (violation.expected, violation.read) == ("27", "5")
    assert violation.detail.startswith("R1: ")
    assert bench.refused(OpenRound("R2")) is Refusal.HELD
    assert kinds(bench.resolve("result_conflict", "accept")) == [
        "violation.resolved",
        "round.resumed",
    ]


def test_a_witness_that_takes_its_statement_back_contradicts_as_well() -> None:
    bench = falling()
    bench.lands()
    bench.sees("winning_number", "27")
    bench.sees("winning_number", "5")
    assert "violation.raised" in kinds(bench.sees("winning_number", "5"))
    assert bench.sees("winning_number", "5") == [], "once"


def test_a_late_statement_ends_what_was_told_of_the_missing_one() -> None:
    bench = falling()
    bench.lands()
    bench.wait(WAIT_S)
    told = bench.sees("winning_number", "27")
    assert [(one.role, one.condition) for one in found(told, DeviceRecovered)] == [
        ("witness", NO_STATEMENT)
    ]


def test_without_a_wait_a_missing_statement_is_told_when_the_next_bets_are_closed() -> None:
    bench = falling(wait_s=0.0)
    bench.lands()
    bench.open("R2")
    assert missing(bench.close("R2")) == (
        "R1: the result leaves without its statement: it stated nothing before the bets of the"
        " next round were closed"
    )


# --- a witness that is not there ---------------------------------------------------------------


def test_an_absent_witness_keeps_no_round_from_opening_and_is_told() -> None:
    bench = Watched()
    lost = bench.put(LinkDown("witness", "second", "lost: unplugged"))
    assert kinds(lost) == ["device.disconnected"]
    bench.until_it_falls()
    told = bench.lands()
    assert kinds(told) == ["spin.landed", "round.completed", "device.faulted"]
    assert missing(told) == ("R1: the result leaves without its statement: it is not connected")


def test_a_witness_that_was_never_connected_keeps_no_round_from_opening() -> None:
    bench = Watched()
    bench.state = replace(bench.state, devices={"primary": "connected", "witness": "absent"})
    assert kinds(bench.open()) == ["round.opened"]


def test_a_witness_that_is_unplugged_during_the_wait_is_waited_for_all_the_same() -> None:
    bench = falling()
    bench.lands()
    bench.put(LinkDown("witness", "second", "lost: unplugged"))
    assert bench.results == []
    bench.put(LinkUp("witness", "second", "bench"))
    assert kinds(bench.sees("winning_number", "27")) == ["spin.landed", "round.completed"]


def test_an_unenrolled_witness_states_nothing_and_keeps_no_round_from_opening() -> None:
    bench = Watched()
    bench.setup = replace(bench.setup, enrolment=True)
    bench.put(LinkUp("primary", "wheel", "bench", wire="usb A"))
    assert bench.refused(OpenRound("R1")) is Refusal.NOT_ENROLLED, "the wheel has to be"
    bench.obey(EnrolDevice("primary", "anna", "it is ours"))
    bench.until_it_falls()
    bench.lands()
    for _ in range(3):
        assert bench.sees("winning_number", "27") == []
    assert missing(bench.wait(WAIT_S)) is not None


# --- what else happens meanwhile ---------------------------------------------------------------


def test_the_next_round_opens_when_the_result_has_left() -> None:
    bench = falling()
    bench.lands()
    assert bench.refused(OpenRound("R2")) is Refusal.ROUND_OPEN
    assert bench.refused(Decide("R1", 1, 1, 2, "hit")) is Refusal.HELD
    bench.wait(WAIT_S)
    assert kinds(bench.open("R2")) == ["round.opened"]


def test_where_the_wheel_opens_rounds_the_next_one_opens_after_the_wait() -> None:
    bench = Watched(control="device")
    bench.spin_to("winning_number")
    bench.lands()
    assert bench.say("before_game", 12, "27") == []
    assert bench.say("place_bets", 12, "27") == []
    told = bench.wait(WAIT_S)
    assert kinds(told)[:2] == ["spin.landed", "round.completed"]
    assert found(bench.say("place_bets", 12, "27"), RoundOpened)


def test_what_befalls_the_wheel_during_the_wait_holds_no_result_that_is_there() -> None:
    bench = falling()
    bench.lands()
    assert kinds(bench.put(LinkDown("primary", "wheel", "lost: unplugged"))) == [
        "device.disconnected"
    ]
    assert "round.completed" in kinds(bench.wait(WAIT_S))


def test_a_hold_for_another_reason_keeps_the_result_until_it_is_resolved() -> None:
    bench = falling()
    bench.lands()
    bench.put(RolledBack("the bus knows more"))
    told = bench.wait(WAIT_S)
    assert kinds(told) == ["device.faulted"]
    resolved = bench.resolve("journal_rolled_back", "accept")
    assert kinds(resolved)[-2:] == ["spin.landed", "round.completed"]


def test_a_hold_that_is_resolved_during_the_wait_ends_no_wait() -> None:
    bench = falling()
    bench.lands()
    bench.put(RolledBack("the bus knows more"))
    assert kinds(bench.resolve("journal_rolled_back", "accept")) == [
        "violation.resolved",
        "round.resumed",
    ]
    assert kinds(bench.sees("winning_number", "27")) == ["spin.landed", "round.completed"]


def test_a_round_that_is_voided_during_the_wait_has_no_result() -> None:
    bench = falling()
    bench.lands()
    assert kinds(bench.void()) == ["round.voided"]
    bench.wait(60.0)
    assert bench.sees("winning_number", "27") == []
    assert bench.results == []


def test_a_result_that_a_person_enters_is_held_against_nothing() -> None:
    bench = falling()
    for _ in range(2):
        bench.sees("winning_number", "5")
    bench.say("winning_number", 11, "30")  # the wheel's own statements differ
    assert bench.codes == ["pocket_conflict"]
    told = bench.resolve("pocket_conflict", "correct", "27")
    assert kinds(told)[-2:] == ["result.entered_manually", "round.completed"]
    assert bench.codes == ["pocket_conflict"]


# --- recovery ----------------------------------------------------------------------------------


@pytest.mark.parametrize("rebooted", [False, True])
def test_a_restart_in_the_middle_of_the_wait_begins_it_anew(*, rebooted: bool) -> None:
    bench = falling()
    bench.lands()
    bench.wait(WAIT_S - 0.5)
    codec = StateCodec(bench.setup.game)
    bench.state = codec.load(codec.dump(bench.state))
    if rebooted:
        bench.reboot()
    bench.put(Restarted("restart", 5))
    bench.put(LinkUp("primary", "wheel", "bench"))
    bench.put(LinkUp("witness", "second", "bench"))
    assert bench.say("winning_number", 11, "27") == []
    assert bench.wait(WAIT_S - 1.0) == []
    assert kinds(bench.sees("winning_number", "27")) == ["spin.landed", "round.completed"]
    assert bench.codes == [], "the result was there: nothing of it can be missing"


def test_a_wait_that_was_begun_anew_comes_to_its_end() -> None:
    bench = falling()
    bench.lands()
    bench.put(Restarted("restart", 5))
    told = bench.wait(WAIT_S)
    assert kinds(told) == ["spin.landed", "round.completed", "device.faulted"]


def test_a_contradicted_result_is_held_over_a_restart() -> None:
    bench = falling()
    bench.lands()
    for _ in range(2):
        bench.sees("winning_number", "5")
    codec = StateCodec(bench.setup.game)
    bench.state = codec.load(codec.dump(bench.state))
    bench.put(Restarted("restart", 5))
    assert bench.results == []
    assert kinds(bench.resolve("result_conflict", "accept"))[-2:] == [
        "spin.landed",
        "round.completed",
    ]


def test_a_state_from_before_there_were_witnesses_is_read() -> None:
    bench = falling()
    codec = StateCodec(bench.setup.game)
    old = codec.dump(bench.state)
    del old["witness"], old["withheld"]
    assert codec.load(old).withheld == ()
