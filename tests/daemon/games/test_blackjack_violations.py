"""Blackjack: each violation of the cards, how it holds, and what a supervisor makes of it."""

from __future__ import annotations

import pytest
from support.blackjack_bench import BlackjackBench, profile
from support.notation import card
from support.table_bench import ROUND, found

from protocols.commands import OpenRound
from protocols.events import (
    CardBurned,
    CardDealt,
    CardDuplicateSuppressed,
    CardUnreadSeen,
    ResultEnteredManually,
    RoundHeld,
    RoundResumed,
    RoundVoided,
    ViolationRaised,
)
from protocols.readings import CardDrawn, CardUnread
from protocols.refusals import Refusal


def playing(*cards: str, boxes: tuple[int, ...] = (1,), decks: int = 8) -> BlackjackBench:
    """Return a table whose first cards are dealt."""
    bench = BlackjackBench(profile(cut_card_from_back=0, cut_card_tolerance=0), decks=decks)
    bench.bet(*boxes)
    bench.draw(*cards)
    return bench


def due(bench: BlackjackBench) -> str | None:
    return bench.due.slot if bench.due is not None else None


def places(bench: BlackjackBench) -> list[tuple[str, str]]:
    """Return (slot, card) of every card that was dealt face up."""
    return [(one.slot, one.rank + one.suit) for one in found(bench.events, CardDealt)]


def only(bench: BlackjackBench) -> ViolationRaised:
    """Return the one violation; it holds the round."""
    (raised,) = found(bench.events, ViolationRaised)
    (held,) = found(bench.events, RoundHeld)
    assert raised.holds
    assert bench.state.held
    assert held.violations == (raised.violation_id,)
    return raised


# --- a card without a decision -------------------------------------------------------------


def test_a_card_without_a_decision_is_burned_and_the_hand_decides_still() -> None:
    bench = playing("TS", "7C", "6H", "2D", "9S")
    raised = only(bench)
    assert raised.code == "card_without_decision"
    assert raised.resolutions == ("void", "burn"), "no card is due that it could be"
    bench.resolve("card_without_decision", "burn")
    assert len(found(bench.events, CardBurned)) == 1
    bench.decide("1", "hit")
    assert due(bench) == "box1.hand1.card3"
    bench.draw("3S")
    assert places(bench)[-1] == ("box1.hand1.card3", "3S")


@pytest.mark.parametrize("action", ["accept", "correct"])
def test_it_cannot_be_made_a_card_of_the_hand(action: str) -> None:
    bench = playing("TS", "7C", "6H", "2D", "9S")
    bench.ask(bench.decision("card_without_decision", action, "9S"))  # type: ignore[arg-type] # both are actions
    assert bench.refusal == Refusal.ACTION_NOT_ALLOWED
    assert bench.state.held


def test_before_the_insurance_is_closed_and_before_the_peek_it_is_one_too() -> None:
    for words in (0, 1):
        bench = playing("TS", "AC", "6H", "2D")
        if words:
            bench.close_insurance()
        bench.draw("9S")
        assert bench.codes == ["card_without_decision"]


# --- a card that is not due ----------------------------------------------------------------


@pytest.mark.parametrize(
    ("first", "told", "why"),
    [
        (("TS", "9S", "7C", "6H", "9H", "2D"), ["stand"], "it is over (stood)"),
        (("AS", "9S", "7C", "KH", "9H", "2D"), [], "it is over (blackjack)"),
        (("5S", "9S", "7C", "6H", "9H", "2D"), ["double"], "its double has its one card"),
        (("5S", "9S", "7C", "6H", "9H", "2D"), ["hit"], "it has 21"),
    ],
    ids=["stood", "blackjack", "doubled", "21"],
)
def test_a_hand_that_is_over_takes_no_card(
    first: tuple[str, ...], told: list[str], why: str
) -> None:
    bench = playing(*first, boxes=(1, 2))
    for word in told:
        bench.decide("1", word)  # type: ignore[arg-type] # each is a player's action
        if word != "stand":
            bench.draw("TD")
    bench.draw("9S>box1")
    raised = only(bench)
    assert (raised.code, raised.read) == ("card_not_due", None), "it may be the hole card, moved"
    assert why in raised.detail
    bench.resolve("card_not_due", "burn")
    bench.decide("2", "stand")
    assert bench.refusal is None


def test_the_dealer_draws_no_card_before_the_hole_card_is_turned() -> None:
    bench = playing("TS", "7C", "6H", "2D")
    bench.decide("1", "stand")
    bench.draw("9S")
    assert only(bench).code == "card_not_due"


def test_the_dealer_takes_no_card_at_17() -> None:
    bench = playing("TS", "7C", "6H", "TD")
    bench.decide("1", "stand")
    bench.reveal()
    assert bench.outcome is not None
    bench.draw("9S")
    raised = only(bench)
    assert (raised.code, raised.read, raised.round_id) == ("card_not_due", "9S", None)
    bench.resolve("card_not_due", "burn")
    bench.ask(OpenRound("R2", (1,)))
    assert bench.refusal is None


# --- out of turn ---------------------------------------------------------------------------


def test_boxes_in_the_wrong_order_are_seen_where_the_shoe_states_them() -> None:
    bench = playing("TS>box2", boxes=(1, 2))
    raised = only(bench)
    assert (raised.code, raised.expected) == ("card_out_of_turn", "box1.hand1.card1")
    bench.draw("9S>box1")
    bench.resolve("card_out_of_turn", "accept")
    assert places(bench) == [("box1.hand1.card1", "TS")]
    assert bench.codes == ["card_out_of_turn"] * 2, "the next one waited, and is judged now"


def test_a_card_out_of_turn_is_corrected_by_who_saw_it() -> None:
    bench = playing("TS>box2", boxes=(1, 2))
    bench.resolve("card_out_of_turn", "correct", "9D")
    (entered,) = found(bench.events, ResultEnteredManually)
    assert (entered.slot, entered.value, entered.who) == ("box1.hand1.card1", "9D", "anna")
    assert places(bench) == [("box1.hand1.card1", "9D")]


def test_a_card_for_a_box_that_is_not_to_play_is_out_of_turn() -> None:
    bench = playing("TS", "9S", "7C", "6H", "9H", "2D", "4S>box2", boxes=(1, 2))
    assert only(bench).code == "card_out_of_turn"


def test_a_shoe_that_states_places_is_believed_at_once() -> None:
    """With one reader that states none, a box's second card waits for the next reading."""
    bench = playing("TS>box1", "7C>dealer", "6H>box1")
    assert places(bench)[-1] == ("box1.hand1.card2", "6H")
    assert playing("TS", "7C", "6H").game.unconfirmed is not None


def test_fault_18_a_deal_that_goes_on_without_the_hole_card_is_held() -> None:
    bench = playing("TS>box1", "7C>dealer", "6H>box1", "5H>box1")
    raised = only(bench)
    assert (raised.code, raised.expected) == ("hole_card_unscanned", "dealer.2")


# --- before no more bets -------------------------------------------------------------------


def test_a_card_before_no_more_bets_is_accepted_as_the_first() -> None:
    bench = BlackjackBench()
    bench.ask(OpenRound(ROUND, (1,)))
    bench.draw("TS")
    raised = only(bench)
    assert (raised.code, raised.slot) == ("card_before_no_more_bets", "box1.hand1.card1")
    bench.resolve("card_before_no_more_bets", "accept")
    assert places(bench) == [("box1.hand1.card1", "TS")]
    assert due(bench) == "dealer.1"


def test_or_the_round_is_void() -> None:
    bench = BlackjackBench()
    bench.ask(OpenRound(ROUND, (1,)))
    bench.draw("TS")
    told = bench.resolve("card_before_no_more_bets", "void")
    assert [one.reason for one in found(told, RoundVoided)] == ["seen"]
    assert not bench.state.held
    assert bench.game.shoe is not None
    assert bench.game.shoe.out == 1, "it left the shoe all the same"


def test_the_first_card_closes_the_bets_where_the_house_calls_nothing() -> None:
    bench = BlackjackBench("blackjack-ru")
    bench.ask(OpenRound(ROUND, (1,)))
    bench.draw("TS")
    assert bench.codes == []
    assert places(bench) == [("box1.hand1.card1", "TS")]


# --- unread, impossible, twice -------------------------------------------------------------


def test_an_up_card_that_was_not_read_is_named_by_a_person() -> None:
    bench = playing("TS", "7C")
    bench.hear(CardUnread("no decode"))
    assert [one.slot for one in found(bench.events, CardUnreadSeen)] == ["box1.hand1.card2"]
    assert only(bench).code == "card_unread"
    bench.resolve("card_unread", "correct", "9D")
    assert places(bench)[-1] == ("box1.hand1.card2", "9D")
    assert bench.game.shoe is not None
    assert bench.game.shoe.out == 3
    bench.draw("2D")
    assert due(bench) is None


def test_a_card_too_many_of_its_face_may_be_insisted_on() -> None:
    bench = playing("TS", "TS", decks=1)
    raised = only(bench)
    assert raised.code == "impossible_card"
    assert "TS has left this shoe 2 times" in raised.detail
    bench.resolve("impossible_card", "accept")
    assert places(bench) == [("box1.hand1.card1", "TS"), ("dealer.1", "TS")]


def test_a_hole_card_that_the_shoe_cannot_hold_is_told_when_it_is_turned() -> None:
    bench = playing("TS", "7C", "6H", "TS", decks=1)
    assert bench.codes == []
    bench.decide("1", "stand")
    bench.reveal()
    assert only(bench).code == "impossible_card"
    bench.ask(bench.decision("impossible_card", "burn"))
    assert bench.refusal == Refusal.ACTION_NOT_ALLOWED, "it lies in its slot"
    bench.resolve("impossible_card", "accept")
    assert bench.outcome is not None
    assert bench.outcome.dealer_total == 17


def test_a_boxs_card_that_is_stated_again_is_out_of_turn() -> None:
    """A shoe counts the cards of a box, not of its hands: its number names no slot of ours."""
    bench = playing()
    bench.hear(CardDrawn(card("TS"), "box1", 1))
    bench.hear(CardDrawn(card("TS"), "box1", 1))
    assert only(bench).code == "card_out_of_turn"


def test_a_dealers_card_that_is_stated_again_is_one_card_or_a_conflict() -> None:
    bench = playing("TS")
    bench.hear(CardDrawn(card("7C"), "dealer", 1))
    bench.hear(CardDrawn(card("7C"), "dealer", 1))
    assert len(found(bench.events, CardDuplicateSuppressed)) == 1
    assert bench.codes == []
    bench.hear(CardDrawn(card("8C"), "dealer", 1))
    assert only(bench).code == "card_conflict"
    bench.resolve("card_conflict", "accept")
    assert places(bench)[-1] == ("dealer.1", "7C"), "the first stands"


def test_the_last_hold_that_is_resolved_resumes_the_round_and_what_waited_is_judged() -> None:
    bench = playing("TS", "9S", "7C", "6H", "9H", "2D", boxes=(1, 2))
    bench.draw("4S", "5S")
    assert bench.codes == ["card_without_decision"]
    told = bench.resolve("card_without_decision", "burn")
    assert len(found(told, RoundResumed)) == 1
    assert bench.codes == ["card_without_decision"] * 2
    bench.resolve("card_without_decision", "burn")
    assert not bench.state.held
