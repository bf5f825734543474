"""Sic Bo: what is against the rules, what holds, and what a supervisor may do about it."""

from __future__ import annotations

import pytest
from support.dice_bench import SicBoBench, dice
from support.table_bench import found, kinds

from daemon.games.sic_bo.violations import VIOLATIONS
from protocols.commands import FinishMaintenance, OpenRound, StartMaintenance
from protocols.events import (
    DiceLanded,
    ResultEnteredManually,
    RoundBetsClosed,
    RoundHeld,
    ViolationRaised,
)
from protocols.refusals import Refusal

# --- before no more bets --------------------------------------------------------------------


def test_dice_that_land_before_no_more_bets_hold_the_round() -> None:
    bench = SicBoBench()
    bench.open()
    bench.shake()
    heard = bench.show("442")
    (raised,) = found(heard, ViolationRaised)
    assert (raised.code, raised.slot, raised.read) == ("dice_before_no_more_bets", "dice", "4 4 2")
    assert raised.resolutions == ("void", "accept")
    assert found(heard, RoundHeld)
    assert bench.results == []


def test_accepted_they_close_the_bets_and_land() -> None:
    bench = SicBoBench()
    bench.open()
    bench.throw("442")
    heard = bench.resolve("dice_before_no_more_bets", "accept")
    assert kinds(heard) == [
        "violation.resolved",
        "round.resumed",
        "round.bets_closed",
        "dice.landed",
        "round.completed",
    ]
    (closed,), (early,) = found(heard, RoundBetsClosed), found(bench.events, ViolationRaised)
    assert (closed.by, closed.violation_id) == ("supervisor", early.violation_id)


def test_voided_they_decide_nothing() -> None:
    bench = SicBoBench()
    bench.open("R1")
    bench.throw("442")
    bench.resolve("dice_before_no_more_bets", "void")
    bench.deal("R2")
    assert bench.show("442") == []
    bench.throw("153")
    assert bench.results == [dice("153")]


def test_unread_before_no_more_bets_they_are_thrown_again() -> None:
    bench = SicBoBench()
    bench.open()
    bench.throw("4-2")
    assert bench.codes == ["dice_before_no_more_bets"]
    bench.resolve("dice_before_no_more_bets", "accept")
    bench.close()
    assert bench.show("442") == []
    bench.throw("531")
    assert bench.results == [dice("531")]


def test_dice_seen_between_rounds_are_on_record_and_decide_no_round() -> None:
    bench = SicBoBench()
    bench.throw("442")
    assert bench.codes == ["late_result"]
    assert not bench.state.held
    bench.deal()
    assert bench.show("442") == []
    bench.throw("531")
    assert bench.results == [dice("531")]


def test_dice_unread_between_rounds_and_read_after_no_more_bets_were_seen_too_early() -> None:
    bench = SicBoBench()
    bench.throw("-42")
    bench.deal()
    bench.show("442")
    assert bench.codes == ["dice_before_no_more_bets"]


# --- unread ---------------------------------------------------------------------------------


def test_a_die_that_is_not_recognised_holds_the_round() -> None:
    bench = SicBoBench()
    bench.deal()
    bench.shake()
    (raised,) = found(bench.show("-62"), ViolationRaised)
    assert (raised.code, raised.read) == ("dice_unread", "? 6 2")
    assert bench.show("-62") == []


def test_a_supervisor_gives_the_faces() -> None:
    bench = SicBoBench()
    bench.deal()
    bench.throw("-62")
    assert bench.refused(bench.decision("dice_unread", "correct")) == Refusal.VALUE_MISSING
    assert bench.refused(bench.decision("dice_unread", "burn")) == Refusal.ACTION_NOT_ALLOWED
    heard = bench.resolve("dice_unread", "correct", "362")
    assert kinds(heard)[2:] == ["result.entered_manually", "round.completed"]
    (entered,) = found(heard, ResultEnteredManually)
    assert (entered.slot, entered.value, entered.who) == ("dice", "3 6 2", "anna")
    assert bench.results == [dice("362")]
    assert bench.show("162") == []


def test_accepted_the_dice_are_thrown_again() -> None:
    bench = SicBoBench()
    bench.deal()
    bench.throw("-62")
    bench.resolve("dice_unread", "accept")
    assert bench.dice_are_due()
    bench.throw("111")
    assert bench.results == [dice("111")]


def test_a_die_pushed_over_after_that_is_no_throw() -> None:
    bench = SicBoBench()
    bench.deal()
    bench.throw("-62")
    bench.resolve("dice_unread", "accept")
    bench.show("162")
    assert bench.codes == ["dice_unread", "dice_not_thrown"]
    assert bench.results == []


def test_a_better_look_at_the_held_throw_lands_once_accepted() -> None:
    bench = SicBoBench()
    bench.deal()
    bench.throw("-62")
    assert bench.show("362") == []
    heard = bench.resolve("dice_unread", "accept")
    assert found(heard, DiceLanded) == [DiceLanded("R1", (3, 6, 2))]
    assert bench.results == [dice("362")]


# --- a second result ------------------------------------------------------------------------


def test_a_second_different_result_in_the_round_is_a_conflict_that_holds() -> None:
    bench = SicBoBench()
    bench.open()
    bench.throw("442")
    bench.close()
    (raised,) = found(bench.throw("443"), ViolationRaised)
    assert (raised.code, raised.expected, raised.read) == ("dice_conflict", "4 4 2", "4 4 3")
    bench.resolve("dice_before_no_more_bets", "accept")
    assert bench.results == []
    assert bench.refused(bench.decision("dice_conflict", "accept")) == Refusal.ACTION_NOT_ALLOWED
    bench.resolve("dice_conflict", "correct", "443")
    assert bench.results == [dice("443")]


def test_a_result_entered_while_bets_are_open_closes_them() -> None:
    bench = SicBoBench()
    bench.open()
    bench.throw("442")
    bench.throw("443")
    bench.resolve("dice_before_no_more_bets", "accept")
    assert kinds(bench.resolve("dice_conflict", "correct", "443"))[2:] == [
        "round.bets_closed",
        "result.entered_manually",
        "round.completed",
    ]


def test_the_same_result_twice_in_the_round_is_no_conflict() -> None:
    bench = SicBoBench()
    bench.open()
    bench.throw("442")
    bench.throw("442")
    assert bench.codes == ["dice_before_no_more_bets"]
    bench.resolve("dice_before_no_more_bets", "accept")
    assert bench.results == [dice("442")]


def test_a_held_result_that_is_then_stated_otherwise_is_a_conflict() -> None:
    bench = SicBoBench()
    bench.deal()
    bench.shake()
    bench.unplug()
    bench.show("442")
    bench.show("443")
    assert bench.codes == ["device_lost", "dice_conflict"]
    bench.resolve("device_lost", "accept")
    bench.resolve("dice_conflict", "void")
    assert bench.results == []
    assert bench.state.round is None


@pytest.mark.parametrize("next_round", [False, True])
def test_a_published_result_that_is_then_stated_otherwise_is_a_conflict(
    next_round: bool,
) -> None:
    bench = SicBoBench()
    bench.deal("R1")
    bench.throw("442")
    if next_round:
        bench.open("R2")
    (raised,) = found(bench.show("443"), ViolationRaised)
    assert (raised.code, raised.expected, raised.read) == ("result_conflict", "4 4 2", "4 4 3")
    assert bench.show("445") == []
    assert bench.results == [dice("442")]
    bench.resolve("result_conflict", "accept")
    if not next_round:
        bench.open("R2")
    bench.close("R2")
    bench.throw("531")
    assert bench.results == [dice("442"), dice("531")]


# --- dice that nobody threw -----------------------------------------------------------------


def test_dice_turned_by_hand_decide_no_round() -> None:
    bench = SicBoBench()
    bench.deal("R1")
    bench.throw("442")
    bench.deal("R2")
    (raised,) = found(bench.show("666"), ViolationRaised)
    assert (raised.code, raised.read) == ("dice_not_thrown", "6 6 6")
    assert bench.results == [dice("442")]


def test_dice_that_lie_when_the_table_opens_are_of_no_throw() -> None:
    bench = SicBoBench()
    assert bench.show("442") == []
    bench.deal()
    assert bench.show("442") == []
    bench.show("443")
    assert bench.codes == ["dice_not_thrown"]


@pytest.mark.parametrize(
    ("action", "text", "result"), [("accept", None, "666"), ("correct", "531", "531")]
)
def test_a_supervisor_who_saw_the_throw_says_so(action: str, text: str | None, result: str) -> None:
    bench = SicBoBench()
    bench.deal()
    bench.show("666")
    bench.resolve("dice_not_thrown", action, text)  # type: ignore[arg-type] # of the table above
    assert bench.results == [dice(result)]


# --- void, gap, restart -----------------------------------------------------------------------


def test_the_throw_of_a_voided_round_counts_for_nobody() -> None:
    bench = SicBoBench()
    bench.deal("R1")
    bench.shake()
    bench.void()
    bench.deal("R2")
    bench.show("442")
    assert bench.codes == ["dice_not_thrown"]


def test_a_void_forgets_what_waited() -> None:
    bench = SicBoBench()
    bench.deal("R1")
    bench.shake()
    bench.unplug()
    bench.show("442")
    bench.void()
    bench.deal("R2")
    assert bench.show("442") == []
    bench.throw("111")
    assert bench.results == [dice("111")]


def test_what_was_read_while_held_lands_when_the_hold_ends() -> None:
    bench = SicBoBench()
    bench.deal()
    bench.unplug()
    assert bench.throw("442") == []
    assert bench.refused(OpenRound("R2")) == Refusal.HELD
    heard = bench.resolve("device_lost", "accept")
    assert kinds(heard)[1:] == ["round.resumed", "dice.landed", "round.completed"]


def test_a_hole_in_the_numbers_holds_a_round() -> None:
    bench = SicBoBench()
    bench.deal()
    bench.shake("1")
    bench.show("442", "3")
    assert bench.codes == ["reading_gap"]
    bench.resolve("reading_gap", "accept")
    assert bench.results == [dice("442")]


def test_after_a_hole_that_hid_the_shaking_the_dice_were_not_seen_thrown() -> None:
    bench = SicBoBench()
    bench.deal("R1")
    bench.shake("1")
    bench.show("111", "2")
    bench.deal("R2")
    bench.show("442", "4")
    assert bench.codes == ["reading_gap", "dice_not_thrown"]
    bench.resolve("reading_gap", "accept")
    bench.resolve("dice_not_thrown", "accept")
    assert bench.results == [dice("111"), dice("442")]


def test_the_published_result_is_not_held_against_dice_that_a_hole_may_have_thrown() -> None:
    bench = SicBoBench()
    bench.deal()
    bench.shake("1")
    bench.show("111", "2")
    bench.show("442", "4")
    assert bench.codes == []


def test_covered_dice_that_nobody_watched_are_of_no_throw() -> None:
    bench = SicBoBench()
    bench.shake()
    bench.obey(StartMaintenance("anna", "new lid"))
    bench.obey(FinishMaintenance("anna", "done"))
    bench.deal()
    bench.show("442")
    assert bench.codes == ["dice_not_thrown"]


def test_numbers_that_go_on_after_a_restart_prove_that_nothing_was_missed() -> None:
    bench = SicBoBench()
    bench.deal()
    bench.shake("1")
    bench.restart()
    bench.show("442", "2")
    assert (bench.results, bench.codes) == ([dice("442")], [])


def test_numbers_that_do_not_go_on_after_a_restart_hold_the_round() -> None:
    bench = SicBoBench()
    bench.deal()
    bench.shake("1")
    bench.restart()
    bench.show("442", "4")
    assert bench.codes == ["reading_gap"]
    assert bench.results == []


# --- the vocabulary ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("code", "resolutions"),
    [
        ("dice_before_no_more_bets", ("void", "accept")),
        ("dice_not_thrown", ("void", "accept", "correct")),
        ("dice_unread", ("void", "accept", "correct")),
        ("dice_conflict", ("void", "correct")),
    ],
)
def test_what_may_be_decided(code: str, resolutions: tuple[str, ...]) -> None:
    assert VIOLATIONS[code].holds
    assert VIOLATIONS[code].resolutions == resolutions
