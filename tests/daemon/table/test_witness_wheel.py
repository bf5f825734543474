"""A second sensor on a wheel: it supplies no result, and holds the one that it contradicts."""

from __future__ import annotations

from support.table_bench import found, kinds
from support.witness_bench import WAIT_S, Watched, falling, missing

from daemon.table.witness import NO_STATEMENT
from protocols.commands import OpenRound
from protocols.events import DeviceRecovered, ViolationRaised
from protocols.readings import WheelNumber
from protocols.refusals import Refusal

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
    for phase in ("before_game", "place_bets", "ball_in_rim", "no_more_bets"):
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
