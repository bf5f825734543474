"""Sic Bo: which throw decides a round, when, and once."""

from __future__ import annotations

import pytest
from support.dice_bench import SicBoBench, dice
from support.table_bench import found, kinds

from protocols.cards import Card
from protocols.commands import BurnCards, ChangeDealer, CloseBets, LoadShoe, OpenRound
from protocols.events import DiceLanded, RoundBetsClosed, RoundCompleted, RoundOpened
from protocols.readings import CardDrawn, WheelNumber
from protocols.refusals import Refusal

# --- a healthy round ------------------------------------------------------------------------


def test_a_throw_decides_its_round() -> None:
    bench = SicBoBench()
    assert kinds(bench.open()) == ["round.opened"]
    assert kinds(bench.close()) == ["round.bets_closed"]
    assert bench.shake() == []
    heard = bench.show("442")
    assert kinds(heard) == ["dice.landed", "round.completed"]
    assert found(heard, DiceLanded) == [DiceLanded("R1", (4, 4, 2))]
    (completed,) = found(heard, RoundCompleted)
    assert completed.round_id == "R1"
    assert (completed.outcome.total, completed.outcome.size) == (10, "small")


def test_round_after_round() -> None:
    bench = SicBoBench()
    for number, text in enumerate(("442", "555", "614")):
        bench.deal(f"R{number}")
        bench.throw(text)
    assert bench.results == [dice("442"), dice("555"), dice("614")]
    assert bench.codes == []


def test_the_same_faces_in_the_next_round_are_another_throw() -> None:
    bench = SicBoBench()
    bench.deal("R1")
    bench.throw("131")
    bench.deal("R2")
    bench.throw("131")
    assert [one.round_id for one in found(bench.events, DiceLanded)] == ["R1", "R2"]


def test_dice_are_due_from_no_more_bets_until_they_are_shaken() -> None:
    bench = SicBoBench()
    assert not bench.dice_are_due()
    bench.open()
    assert not bench.dice_are_due()
    bench.close()
    assert bench.dice_are_due()
    bench.shake()
    assert not bench.dice_are_due()
    bench.show("442")
    assert not bench.dice_are_due()


@pytest.mark.parametrize("shaken_at", ["before the round", "while bets are open", "after"])
def test_a_covered_shaker_may_be_shaken_early_as_long_as_the_dice_are_seen_late(
    shaken_at: str,
) -> None:
    bench = SicBoBench()
    if shaken_at == "before the round":
        bench.shake()
    bench.open()
    if shaken_at == "while bets are open":
        bench.shake()
    bench.close()
    if shaken_at == "after":
        bench.shake()
    bench.show("236")
    assert (bench.results, bench.codes) == ([dice("236")], [])


def test_dice_may_be_shaken_several_times_before_they_are_shown() -> None:
    bench = SicBoBench()
    bench.deal()
    for _ in range(3):
        bench.shake()
    bench.show("236")
    assert (bench.results, bench.codes) == ([dice("236")], [])


# --- said again -----------------------------------------------------------------------------


def test_the_same_throw_said_again_is_one_throw() -> None:
    bench = SicBoBench()
    bench.deal()
    bench.throw("442")
    assert bench.show("442") == []
    assert bench.show("44-") == []
    assert bench.codes == []


def test_a_look_at_the_last_throw_decides_no_later_round() -> None:
    bench = SicBoBench()
    bench.deal("R1")
    bench.throw("442")
    bench.open("R2")
    assert bench.show("442") == []
    bench.close("R2")
    assert bench.show("442") == []
    assert bench.dice_are_due()
    bench.throw("153")
    assert bench.results == [dice("442"), dice("153")]


# --- a wire without a check value -----------------------------------------------------------


def test_one_statement_is_not_sure_where_frames_have_no_check_value() -> None:
    bench = SicBoBench()
    bench.deal()
    bench.shake()
    assert bench.show("442", checked=False) == []
    assert kinds(bench.show("442", checked=False)) == ["dice.landed", "round.completed"]


def test_two_statements_that_differ_are_a_conflict() -> None:
    bench = SicBoBench()
    bench.deal()
    bench.shake()
    bench.show("442", checked=False)
    bench.show("443", checked=False)
    assert bench.codes == ["dice_conflict"]
    assert bench.show("442", checked=False) == []
    assert bench.results == []


@pytest.mark.parametrize("bets_end", ["announced", "throw"])
def test_a_result_stated_once_only_is_not_known(bets_end: str) -> None:
    bench = SicBoBench(bets_end=bets_end)
    bench.deal()
    bench.shake()
    bench.show("442", checked=False)
    bench.shake()
    assert bench.codes == ["dice_unread"]
    bench.resolve("dice_unread", "accept")
    bench.show("111", checked=False)
    bench.show("111", checked=False)
    assert bench.results == [dice("111")]


def test_dice_seen_before_no_more_bets_are_early_even_if_they_are_sure_only_later() -> None:
    bench = SicBoBench()
    bench.open()
    bench.shake()
    bench.show("442", checked=False)
    bench.close()
    bench.show("442", checked=False)
    assert bench.codes == ["dice_before_no_more_bets"]


def test_one_odd_statement_after_a_result_is_noise_and_two_alike_are_a_conflict() -> None:
    bench = SicBoBench()
    bench.deal()
    bench.throw("442")
    assert bench.show("443", checked=False) == []
    assert bench.show("442", checked=False) == []
    assert bench.show("443", checked=False) == []
    bench.show("443", checked=False)
    assert bench.codes == ["result_conflict"]


# --- the shaker opens the rounds --------------------------------------------------------------


def test_where_the_device_has_the_rounds_a_throw_is_a_round() -> None:
    bench = SicBoBench("device")
    heard = bench.throw("614")
    assert kinds(heard) == [
        "round.opened",
        "round.bets_closed",
        "dice.landed",
        "round.completed",
    ]
    assert found(heard, RoundOpened)[0].round_id == "T-1-1"
    assert found(heard, RoundBetsClosed)[0].by == "device"


def test_a_voided_throw_of_the_device_opens_nothing_by_landing() -> None:
    bench = SicBoBench("device")
    bench.shake()
    bench.void()
    assert bench.show("614") == []
    assert bench.throw("615")[-1].kind == "round.completed"


def test_shaking_closes_the_bets_where_the_house_has_no_call() -> None:
    bench = SicBoBench(bets_end="throw")
    bench.open()
    (closed,) = bench.shake()
    assert closed == RoundBetsClosed("R1", "device")
    bench.show("236")
    assert (bench.results, bench.codes) == ([dice("236")], [])


# --- commands -------------------------------------------------------------------------------


def test_what_a_table_of_dice_refuses() -> None:
    bench = SicBoBench()
    assert bench.refused(LoadShoe("S1", 8)) == Refusal.NOT_THIS_GAME
    assert bench.refused(BurnCards(1, "discretion")) == Refusal.NOT_THIS_GAME
    assert bench.refused(CloseBets("R1")) == Refusal.WRONG_ROUND
    bench.open()
    assert bench.refused(OpenRound("R2")) == Refusal.ROUND_OPEN
    assert bench.refused(CloseBets("R2")) == Refusal.WRONG_ROUND
    bench.close()
    assert bench.refused(CloseBets("R1")) == Refusal.WRONG_PHASE
    assert SicBoBench("device").refused(OpenRound("R1")) == Refusal.ROUNDS_BY_DEVICE


def test_the_dealer_may_change_at_any_time() -> None:
    bench = SicBoBench()
    bench.deal()
    assert kinds(bench.obey(ChangeDealer("77"))) == ["dealer.changed"]
    bench.throw("236")
    assert bench.results == [dice("236")]


def test_cards_and_balls_mean_nothing_here() -> None:
    bench = SicBoBench()
    bench.deal()
    assert bench.hear(CardDrawn(Card("K", "S"))) == []
    assert bench.hear(WheelNumber("17")) == []
