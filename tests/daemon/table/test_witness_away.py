"""A witness that is away, and what else happens while a result waits for it."""

from __future__ import annotations

from dataclasses import replace

import pytest
from support.table_bench import found, kinds
from support.witness_bench import WAIT_S, Watched, falling, missing

from daemon.runtime.codec import StateCodec
from daemon.table.inputs import LinkDown, LinkUp, Restarted, RolledBack
from protocols.commands import Decide, EnrolDevice, OpenRound
from protocols.events import RoundOpened
from protocols.refusals import Refusal

# --- a witness that is not there ---------------------------------------------------------------


def test_an_absent_witness_keeps_no_round_from_opening_and_is_told() -> None:
    bench = Watched()
    lost = bench.put(LinkDown("witness", "second", "lost: unplugged"))
    assert kinds(lost) == ["device.disconnected"]
    bench.until_it_falls()
    told = bench.lands()
    assert kinds(told) == ["spin.landed", "round.completed", "device.faulted"]
    assert missing(told) == ("R1: the result leaves without its statement: it is absent")


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
