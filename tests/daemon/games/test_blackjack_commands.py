"""Blackjack: what the table server says, and why it is refused (docs/rules/blackjack.md)."""

from __future__ import annotations

import pytest
from support.blackjack_bench import BlackjackBench, profile
from support.table_bench import ROUND

from protocols.commands import (
    CloseBets,
    CloseInsurance,
    Command,
    Decide,
    OpenRound,
    PeekHoleCard,
    RevealCard,
)
from protocols.refusals import Refusal

WORDS: list[Command] = [
    Decide(ROUND, 1, 1, "hit", 2),
    Decide(ROUND, 1, 1, "insurance", 2),
    CloseInsurance(ROUND),
    PeekHoleCard(ROUND),
]


def playing(
    *cards: str, house: str = "blackjack-lv", boxes: tuple[int, ...] = (1,)
) -> BlackjackBench:
    """Return a table whose first cards are dealt."""
    bench = BlackjackBench(house)
    bench.bet(*boxes)
    bench.draw(*cards)
    return bench


def refused(bench: BlackjackBench, command: Command) -> Refusal | None:
    """Return why a command is refused; it changes nothing."""
    before = bench.state
    assert bench.ask(command) == [], "a refused command says nothing to the world"
    assert bench.state is before
    return bench.refusal


# --- the boxes -----------------------------------------------------------------------------


@pytest.mark.parametrize("boxes", [(0,), (8,), (1, 1), (3, 9), (-1, 2)], ids=str)
def test_boxes_that_the_table_has_not_are_refused_at_either_word(boxes: tuple[int, ...]) -> None:
    bench = BlackjackBench()
    assert refused(bench, OpenRound(ROUND, boxes)) == Refusal.BOXES_NOT_STATED
    bench.ask(OpenRound(ROUND))
    assert refused(bench, CloseBets(ROUND, boxes)) == Refusal.BOXES_NOT_STATED


def test_boxes_are_dealt_by_number_however_they_are_listed() -> None:
    bench = BlackjackBench()
    bench.ask(OpenRound(ROUND, (6, 2)))
    bench.ask(CloseBets(ROUND))
    assert bench.due is not None
    assert bench.due.slot == "box2.hand1.card1"


# --- whose round, and when -----------------------------------------------------------------


@pytest.mark.parametrize("word", WORDS, ids=lambda word: word.kind)
def test_nothing_is_played_between_rounds(word: Command) -> None:
    assert refused(BlackjackBench(), word) == Refusal.WRONG_ROUND


def test_nothing_is_played_in_another_round() -> None:
    bench = playing("TS", "7C", "6H", "2D")
    for word in (Decide("R2", 1, 1, "hit", 2), CloseInsurance("R2"), RevealCard("dealer.2", "R2")):
        assert refused(bench, word) == Refusal.WRONG_ROUND


@pytest.mark.parametrize("word", WORDS, ids=lambda word: word.kind)
def test_nothing_is_played_while_bets_run(word: Command) -> None:
    bench = BlackjackBench()
    bench.ask(OpenRound(ROUND, (1,)))
    assert refused(bench, word) == Refusal.WRONG_PHASE


@pytest.mark.parametrize("word", WORDS, ids=lambda word: word.kind)
def test_nothing_is_played_while_the_table_is_held(word: Command) -> None:
    bench = playing("TS", "7C", "6H", "2D", "3S")
    assert bench.codes == ["card_without_decision"]
    assert refused(bench, word) == Refusal.HELD
    assert refused(bench, RevealCard("dealer.2", ROUND)) == Refusal.HELD


def test_nobody_decides_in_the_first_deal() -> None:
    bench = playing("TS", "7C", house="blackjack-ru")
    assert refused(bench, Decide(ROUND, 1, 1, "stand", 1)) == Refusal.WRONG_PHASE


def test_nobody_decides_before_the_hole_card_is_sealed() -> None:
    bench = playing("TS", "7C", "6H")
    for action in ("hit", "stand", "double", "split", "surrender"):
        word = Decide(ROUND, 1, 1, action, 2)  # type: ignore[arg-type] # each is a player's action
        assert refused(bench, word) == Refusal.HOLE_CARD_UNSCANNED
    bench.draw("2D")
    bench.decide("1", "hit")
    assert bench.refusal is None


def test_a_hand_that_waits_for_its_card_decides_nothing() -> None:
    bench = playing("TS", "7C", "3H", "2D")
    bench.decide("1", "hit")
    assert refused(bench, Decide(ROUND, 1, 1, "stand", 2)) == Refusal.WRONG_PHASE


# --- whose turn ----------------------------------------------------------------------------


def test_the_hand_whose_turn_it_is_decides() -> None:
    bench = playing("TS", "9S", "7C", "6H", "9H", "2D", boxes=(1, 4))
    for word in (
        Decide(ROUND, 4, 1, "hit", 2),
        Decide(ROUND, 1, 2, "hit", 2),
        Decide(ROUND, 3, 1, "hit", 2),
    ):
        assert refused(bench, word) == Refusal.NOT_ITS_TURN
    bench.decide("1", "stand")
    assert refused(bench, Decide(ROUND, 1, 1, "hit", 2)) == Refusal.NOT_ITS_TURN
    bench.decide("4", "stand")
    assert bench.refusal is None


def test_the_server_must_have_seen_as_many_cards_as_we_have() -> None:
    bench = playing("TS", "7C", "6H", "2D")
    for seen in (0, 1, 3):
        assert refused(bench, Decide(ROUND, 1, 1, "hit", seen)) == Refusal.HAND_DIFFERS
    bench.decide("1", "hit", seen=None)
    assert bench.refusal is None


# --- what the house allows -----------------------------------------------------------------


def test_unequal_cards_are_not_split_and_ten_and_king_are_equal_in_value() -> None:
    bench = playing("TS", "7C", "9H", "2D")
    assert refused(bench, Decide(ROUND, 1, 1, "split", 2)) == Refusal.RULES_FORBID
    bench = playing("TS", "7C", "KH", "2D")
    bench.decide("1", "split")
    assert bench.refusal is None


def test_a_box_splits_as_often_as_the_house_allows() -> None:
    bench = playing("8S", "7C", "8H", "2D")
    bench.decide("1", "split")
    bench.draw("8D", "9C")
    assert refused(bench, Decide(ROUND, 1, 1, "split", 2)) == Refusal.RULES_FORBID


def test_a_double_is_of_two_cards_and_after_a_split_only_where_the_house_says_so() -> None:
    bench = playing("2S", "7C", "3H", "2D")
    bench.decide("1", "hit")
    bench.draw("2C")
    assert refused(bench, Decide(ROUND, 1, 1, "double", 3)) == Refusal.RULES_FORBID
    bench = playing("8S", "7C", "8H", "2D")
    bench.decide("1", "split")
    bench.draw("3D", "9C")
    assert refused(bench, Decide(ROUND, 1, 1, "double", 2)) == Refusal.RULES_FORBID


@pytest.mark.parametrize(
    ("second", "dark"), [("6H", True), ("7H", False)], ids=["hard 11", "hard 12"]
)
def test_dark_is_a_double_that_cannot_bust(second: str, dark: bool) -> None:
    bench = playing("5S", "7C", second, house="blackjack-ru")
    bench.decide("1", "double", dark=True)
    assert (bench.refusal is None) == dark
    assert bench.refusal in (None, Refusal.RULES_FORBID)


def test_only_a_double_is_dark_and_only_where_the_house_has_it() -> None:
    bench = playing("5S", "7C", "6H", house="blackjack-ru")
    for action in ("hit", "stand", "surrender"):
        word = Decide(ROUND, 1, 1, action, 2, dark=True)  # type: ignore[arg-type] # each is a player's action
        assert refused(bench, word) == Refusal.RULES_FORBID
    bench = playing("5S", "7C", "6H", "2D")
    assert refused(bench, Decide(ROUND, 1, 1, "double", 2, dark=True)) == Refusal.RULES_FORBID


def test_surrender_is_over_with_the_tables_first_third_card() -> None:
    bench = playing("TS", "9S", "7C", "4H", "9H", house="blackjack-ru", boxes=(1, 2))
    bench.decide("1", "hit")
    bench.decide("2", "surrender")
    assert bench.refusal is None, "the third card is due, and not dealt yet"
    bench = playing("TS", "9S", "7C", "4H", "9H", house="blackjack-ru", boxes=(1, 2))
    bench.decide("1", "hit")
    bench.draw("2C")
    assert refused(bench, Decide(ROUND, 2, 1, "surrender", 2)) == Refusal.WRONG_PHASE


def test_who_surrendered_cannot_insure_and_nobody_insures_twice() -> None:
    bench = playing("TS", "9S", "AC", "4H", "9H", house="blackjack-ru", boxes=(1, 2))
    bench.decide("1", "surrender")
    bench.decide("2", "insurance")
    assert refused(bench, Decide(ROUND, 1, 1, "insurance", 2)) == Refusal.RULES_FORBID
    assert refused(bench, Decide(ROUND, 2, 1, "insurance", 2)) == Refusal.RULES_FORBID, "once"


def test_a_blackjack_is_offered_even_money_in_the_place_of_insurance() -> None:
    bench = playing("TS", "AC", "AH", house="blackjack-ru")
    assert refused(bench, Decide(ROUND, 1, 1, "insurance", 2)) == Refusal.RULES_FORBID
    bench.decide("1", "even_money")
    assert bench.refusal is None
    bench = playing("TS", "9S", "AC", "AH", "9H", "2D", boxes=(1, 2))
    assert refused(bench, Decide(ROUND, 1, 1, "even_money", 2)) == Refusal.RULES_FORBID


def test_there_is_no_insurance_but_under_an_ace() -> None:
    bench = playing("TS", "KC", "6H", "2D")
    assert refused(bench, Decide(ROUND, 1, 1, "insurance", 2)) == Refusal.WRONG_PHASE
    assert refused(bench, CloseInsurance(ROUND)) == Refusal.WRONG_PHASE


# --- the hole card -------------------------------------------------------------------------


def test_the_hole_card_is_asked_once_under_an_ace_when_the_insurance_is_over() -> None:
    bench = playing("TS", "AC", "6H", "2D")
    assert refused(bench, PeekHoleCard(ROUND)) == Refusal.PEEK_NOT_ALLOWED
    bench.close_insurance()
    assert refused(bench, Decide(ROUND, 1, 1, "hit", 2)) == Refusal.WRONG_PHASE
    bench.peek()
    assert bench.refusal is None
    assert refused(bench, PeekHoleCard(ROUND)) == Refusal.PEEK_NOT_ALLOWED


@pytest.mark.parametrize("house", ["blackjack-lv", "blackjack-ru"])
def test_there_is_no_peek_under_a_ten_nor_where_there_is_no_hole_card(house: str) -> None:
    bench = playing("TS", "KC", "6H", house=house)
    if bench.setup.profile.hole_card:
        bench.draw("AD")
    assert refused(bench, PeekHoleCard(ROUND)) == Refusal.PEEK_NOT_ALLOWED


def test_the_hole_card_is_turned_when_the_boxes_are_done() -> None:
    bench = playing("TS", "7C", "6H", "2D")
    assert refused(bench, RevealCard("dealer.2", ROUND)) == Refusal.WRONG_PHASE
    for slot in ("dealer.1", "dealer.3", "box1.hand1.card1", "nowhere"):
        assert refused(bench, RevealCard(slot, ROUND)) == Refusal.NOT_FACE_DOWN
    assert refused(bench, RevealCard("dealer.2")) == Refusal.NOT_FACE_DOWN, "that names a burn"
    bench.decide("1", "stand")
    bench.reveal()
    assert bench.refusal is None
    assert refused(bench, RevealCard("dealer.2", ROUND)) == Refusal.NOT_FACE_DOWN


def test_where_no_hand_is_to_play_the_hole_card_may_be_turned_without_a_peek() -> None:
    bench = playing("TS", "AC", "AH", "9D")
    bench.close_insurance()
    assert {one.kind for one in bench.legal_commands} == {"hole_card.peek", "card.reveal"}
    bench.reveal()
    assert bench.outcome is not None
    assert [one.result for one in bench.outcome.hands] == ["blackjack"]


def test_a_card_dealt_in_the_dark_is_turned_at_any_time() -> None:
    bench = playing("5S", "9S", "7C", "6H", "9H", house="blackjack-ru", boxes=(1, 2))
    bench.decide("1", "double", dark=True)
    assert refused(bench, RevealCard("box1.hand1.card3", ROUND)) == Refusal.NOT_FACE_DOWN
    bench.draw("TD")
    bench.reveal("box1.hand1.card3")
    assert bench.refusal is None


def test_aces_that_may_be_split_once_more_stand_or_split() -> None:
    bench = BlackjackBench(profile("blackjack-ru", split_aces_once=False))
    bench.bet(1)
    bench.draw("AS", "7C", "AH")
    bench.decide("1", "split")
    bench.draw("AD")
    assert refused(bench, Decide(ROUND, 1, 1, "hit", 2)) == Refusal.RULES_FORBID
    assert refused(bench, Decide(ROUND, 1, 1, "double", 2)) == Refusal.RULES_FORBID
    bench.decide("1", "split")
    assert bench.refusal is None


def test_two_aces_for_which_no_split_is_left_stand_by_themselves() -> None:
    """Found by the oracle: they were asked, and could say nothing but stand."""
    rules = {"split_aces_once": False, "splits_allowed": 2, "after_split": "both_then_play"}
    bench = BlackjackBench(profile("blackjack-ru", **rules))
    bench.bet(1, 2)
    bench.draw("AS", "9S", "7C", "AH", "9H")
    bench.decide("1", "split")
    bench.draw("AD", "AC")
    bench.decide("1", "split")
    bench.draw("2S", "3S")
    assert [(one.number, one.end) for one in bench.game.of_box(1)] == [
        (1, "stood"),
        (3, "stood"),
        (2, "stood"),
    ]
    bench.decide("2", "stand")
    assert bench.refusal is None
