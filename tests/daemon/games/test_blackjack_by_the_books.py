"""Blackjack where the books were read otherwise before: findings R9, R10, R13 and R14."""

from __future__ import annotations

import pytest
from support.blackjack_bench import BlackjackBench, profile
from support.table_bench import EPOCH, ROUND, found

from daemon.gamekit.commitments import Place, opens_bit
from protocols.commands import Decide, PlayerAction
from protocols.events import (
    CardPeeked,
    CardRevealed,
    CardSealed,
    RoundCommandsAwaited,
    ViolationRaised,
)
from protocols.refusals import Refusal

OF_THE_TEMPLATE = ("blackjack-dk", "blackjack-lv", "blackjack-gr")
"""Houses whose books follow one template: a hole card, all cards taken at the end."""


def dealt(house: str, boxes: tuple[int, ...], *cards: str) -> BlackjackBench:
    """Return a table that has these boxes' first cards, in the order of the deal."""
    bench = BlackjackBench(house)
    bench.bet(*boxes)
    bench.draw(*cards)
    return bench


def words_for(bench: BlackjackBench, box: int = 1, hand: int = 1) -> set[str]:
    """Return what a hand may be told now; `dark`: doubled face down."""
    told = [one for one in bench.legal_commands if isinstance(one, Decide)]
    own = [one for one in told if (one.box, one.hand) == (box, hand)]
    return {"dark" if one.dark else one.action for one in own}


def picked_up(bench: BlackjackBench) -> list[str]:
    """Return the hands as their cards are picked up: `dealer`, `box1.hand1`."""
    assert bench.outcome is not None
    hands = [slot.rpartition(".")[0] for slot in bench.outcome.pick_up]
    return list(dict.fromkeys(hands))


# --- R9: the dealer's own look at the hole card --------------------------------------------------


def under_an_ace(house: str = "blackjack-dk", hole: str = "8D", box: str = "6H") -> BlackjackBench:
    """Return a table with a hole-card reader: the dealer has an ace up, the insurance is over."""
    bench = BlackjackBench(house, roles=("primary", "hole"))
    bench.bet(1)
    bench.draw("TS", "AC", box)
    bench.draw(hole, role="hole")
    bench.close_insurance()
    return bench


@pytest.mark.parametrize("house", OF_THE_TEMPLATE)
@pytest.mark.parametrize(("hole", "blackjack"), [("8D", False), ("KD", True)])
def test_r9_the_dealer_looks_at_the_hole_card_and_one_bit_is_told(
    house: str, hole: str, blackjack: bool
) -> None:
    """DK blackjack 3.7, LV blackjack 3.7, GR blackjack 3.8."""
    bench = under_an_ace(house, hole)
    out = bench.game.shoe
    told, *awaited = bench.draw(hole, role="hole")
    (sealed,) = found(bench.events, CardSealed)
    assert isinstance(told, CardPeeked)
    assert {type(one) for one in awaited} == {RoundCommandsAwaited}
    assert (told.slot, told.question, told.answer) == ("dealer.2", "is_ten", blackjack)
    place = Place("T-1", EPOCH, "S1", ROUND, "dealer.2", "b2:00")
    assert opens_bit(sealed.commitments.ten, place, "is_ten", blackjack, told.nonce)
    assert bench.game.shoe == out, "it did not leave the shoe once more"
    assert (bench.codes, words_for(bench)) == (
        [],
        set() if blackjack else {"hit", "stand", "double"},
    )
    bench.peek()
    assert bench.refusal == Refusal.PEEK_NOT_ALLOWED, "it has been told"


def test_r9_the_servers_question_is_the_sign_to_look_and_its_answer_is_not_told_twice() -> None:
    """LV blackjack 3.7, GR blackjack 3.8: on the system's signal."""
    bench = under_an_ace("blackjack-lv")
    bench.peek()
    assert bench.draw("8D", role="hole") == []
    assert bench.codes == []
    bench.draw("8D", role="hole")
    assert bench.codes == ["hole_card_peek_not_allowed"], "once"


def test_r9_a_blackjack_that_was_seen_is_turned_by_its_next_reading() -> None:
    bench = under_an_ace(hole="KD")
    bench.draw("KD", role="hole")
    (turned, *_) = bench.draw("KD", role="hole")
    assert isinstance(turned, CardRevealed)
    assert bench.outcome is not None
    assert bench.outcome.dealer_blackjack


def test_r9_another_card_than_the_sealed_one_voids_the_round_and_is_not_named() -> None:
    bench = under_an_ace()
    bench.draw("8S", role="hole")
    (raised,) = found(bench.events, ViolationRaised)
    assert (raised.code, raised.read, raised.resolutions) == ("hole_card_mismatch", None, ("void",))
    assert not found(bench.events, CardPeeked)


def test_r9_no_look_under_a_ten_nor_where_the_house_has_no_peek() -> None:
    bench = BlackjackBench("blackjack-dk", roles=("primary", "hole"))
    bench.bet(1)
    bench.draw("TS", "KC", "6H")
    bench.draw("AD", role="hole")
    bench.draw("AD", role="hole")
    assert bench.codes == ["hole_card_peek_not_allowed"]
    bench = BlackjackBench(profile("blackjack-dk", peek="none"), roles=("primary", "hole"))
    bench.bet(1)
    bench.draw("TS", "AC", "6H")
    bench.draw("8D", role="hole")
    bench.close_insurance()
    bench.draw("8D", role="hole")
    assert bench.codes == ["hole_card_peek_not_allowed"]


@pytest.mark.parametrize("read", ["8D", "8S"], ids=["the hole card", "another card"])
def test_r9_a_look_before_the_insurance_is_over_is_a_violation_whatever_is_read(read: str) -> None:
    bench = BlackjackBench("blackjack-dk", roles=("primary", "hole"))
    bench.bet(1)
    bench.draw("TS", "AC", "6H")
    bench.draw("8D", role="hole")
    bench.draw(read, role="hole")
    assert bench.codes == ["hole_card_peek_not_allowed"]


@pytest.mark.parametrize("action", ["hit", "stand", "double", "split"])
def test_r9_no_look_when_a_hand_was_played(action: PlayerAction) -> None:
    """What it serves, the insurance, is settled by then: only the ban on looking is left."""
    bench = BlackjackBench("blackjack-dk", roles=("primary", "hole"))
    bench.bet(1, 2)
    bench.draw("8S", "9S", "AC", "8H", "9H")
    bench.draw("8D", role="hole")
    bench.close_insurance()
    bench.peek()
    bench.decide("1", action)
    bench.draw("8D", role="hole")
    assert bench.codes == ["hole_card_peek_not_allowed"]


def test_r9_the_only_reader_takes_no_card_for_a_look() -> None:
    """It may be another equal card that left the shoe: a doubt, and held."""
    bench = dealt("blackjack-dk", (1,), "TS", "AC", "6H", "8D")
    bench.close_insurance()
    bench.draw("8D")
    assert bench.codes == ["card_without_decision"]
    assert not found(bench.events, CardPeeked)


# --- R10: the insurance time, and who may surrender ----------------------------------------------


@pytest.mark.parametrize("house", OF_THE_TEMPLATE)
def test_r10_insurance_opens_with_the_boxes_second_cards_and_the_hole_card_does_not_end_it(
    house: str,
) -> None:
    """DK blackjack 2.5.2, LV blackjack 2.5.2, GR blackjack 2.5.2."""
    bench = BlackjackBench(house, roles=("primary", "hole"))
    bench.bet(1, 2)
    bench.draw("TS", "9S", "AC", "6H")
    bench.decide("1", "insurance")
    assert bench.refusal == Refusal.WRONG_PHASE, "box 2 waits for its second card"
    bench.draw("9H")
    bench.decide("1", "insurance")
    assert bench.refusal is None
    bench.draw("9D", role="hole")
    bench.decide("2", "insurance")
    assert bench.refusal is None
    bench.close_insurance()
    bench.peek()
    for box in ("1", "2"):
        bench.decide(box, "stand")
    bench.reveal()
    assert bench.outcome is not None
    assert bench.outcome.insured == (1, 2)


def test_r10_what_plays_a_hand_waits_for_the_hole_card_when_insurance_is_closed_before_it() -> None:
    bench = BlackjackBench(roles=("primary", "hole"))
    bench.bet(1)
    bench.draw("TS", "AC", "6H")
    bench.decide("1", "hit")
    assert bench.refusal == Refusal.HOLE_CARD_UNSCANNED
    bench.close_insurance()
    assert bench.refusal is None
    for action in ("insurance", "hit", "stand"):
        bench.ask(Decide(ROUND, 1, 1, action, 2))  # type: ignore[arg-type] # each is a player's action
        assert bench.refusal == Refusal.HOLE_CARD_UNSCANNED, action
    bench.peek()
    assert bench.refusal == Refusal.PEEK_NOT_ALLOWED
    bench.draw("9D", role="hole")
    bench.decide("1", "insurance")
    assert bench.refusal == Refusal.WRONG_PHASE


def test_r10_even_money_does_not_wait_for_the_hole_card_either() -> None:
    bench = BlackjackBench(profile("blackjack-lv", even_money=True), roles=("primary", "hole"))
    bench.bet(1)
    bench.draw("TS", "AC", "AH")
    bench.decide("1", "even_money")
    assert bench.refusal is None


def test_r10_an_insured_box_may_surrender_and_its_insurance_waits_for_the_dealers_second() -> None:
    """RU blackjack surrender forbids only the reverse: who surrendered cannot insure."""
    bench = dealt("blackjack-ru", (1, 2), "TS", "9S", "AC", "6H", "9H")
    bench.decide("1", "insurance")
    bench.decide("1", "surrender")
    assert bench.refusal is None
    bench.decide("2", "surrender")
    bench.decide("2", "insurance")
    assert bench.refusal == Refusal.RULES_FORBID
    bench.close_insurance()
    bench.draw("KD")
    assert bench.outcome is not None
    assert (bench.outcome.insured, bench.outcome.dealer_blackjack) == ((1,), True)
    assert [one.result for one in bench.outcome.hands] == ["surrender", "surrender"]


# --- R13: the order in which cards leave the table -----------------------------------------------


@pytest.mark.parametrize("house", OF_THE_TEMPLATE)
def test_r13_a_bust_hand_lies_until_the_end_and_the_dealers_cards_go_to_the_bottom(
    house: str,
) -> None:
    """DK blackjack 3.6, LV blackjack 3.6, GR blackjack 3.7: the dealer's own cards first."""
    bench = dealt(house, (1, 2), "TS", "9S", "7C", "6H", "9H", "TD")
    bench.decide("1", "hit")
    bench.draw("TC")
    bench.decide("2", "stand")
    bench.reveal()
    assert picked_up(bench) == ["dealer", "box2.hand1", "box1.hand1"]


def test_r13_the_manual_takes_bust_hands_at_once() -> None:
    """RU blackjack dealing, RU blackjack payment: the dealer's cards come to lie on top."""
    bench = dealt("blackjack-ru", (1, 2, 3), "TS", "9S", "8S", "7C", "6H", "9H", "8H")
    bench.decide("1", "hit")
    bench.draw("TC")
    bench.decide("2", "stand")
    bench.decide("3", "stand")
    bench.draw("TD")
    assert picked_up(bench) == ["box1.hand1", "box3.hand1", "box2.hand1", "dealer"]


def test_r13_the_manual_takes_paid_blackjacks_from_right_to_left() -> None:
    """RU blackjack dealing. Found by the oracle (D7)."""
    bench = dealt("blackjack-ru", (1, 2, 3), "AS", "9S", "AD", "7C", "KH", "9H", "KD")
    bench.decide("2", "stand")
    bench.draw("TC")
    assert picked_up(bench) == ["box3.hand1", "box1.hand1", "box2.hand1", "dealer"]


@pytest.mark.parametrize("house", OF_THE_TEMPLATE)
def test_r13_the_hands_of_a_split_are_taken_against_the_direction_of_the_deal(house: str) -> None:
    """DK blackjack 3.6, LV blackjack 3.6, GR blackjack 3.7. Found by the oracle (D8)."""
    bench = dealt(house, (1,), "8S", "7C", "8H", "TD")
    bench.decide("1", "split")
    bench.draw("TC")
    if house == "blackjack-gr":
        bench.decide("1", "stand")
    bench.draw("9C")
    if house != "blackjack-gr":
        bench.decide("1", "stand")
    bench.decide("1.2", "stand")
    bench.reveal()
    assert picked_up(bench) == ["dealer", "box1.hand2", "box1.hand1"]


# --- R14: two cards of 21 on a split hand --------------------------------------------------------


def split_tens(house: str) -> BlackjackBench:
    """Return a table whose box 1 split two tens and got an ace on the first."""
    bench = dealt(house, (1,), "TS", "7C", "TH", *(["9D"] if house != "blackjack-ru" else []))
    bench.decide("1", "split")
    bench.draw("AD")
    return bench


def test_r14_a_split_ten_and_ace_may_be_doubled_in_the_dark_too() -> None:
    """RU blackjack doubling: any two cards but a blackjack, also after a split."""
    bench = split_tens("blackjack-ru")
    assert words_for(bench) == {"stand", "double", "dark"}
    bench.decide("1", "hit")
    assert bench.refusal == Refusal.RULES_FORBID, "21 takes no card for the asking"
    bench.decide("1", "double")
    bench.draw("3H")
    bench.draw("9S")
    bench.decide("1.2", "stand")
    bench.draw("TC")
    assert bench.outcome is not None
    ends = [(one.hand, one.total, one.doubled, one.result) for one in bench.outcome.hands]
    assert ends == [(1, 14, True, "lose"), (2, 19, False, "win")]


@pytest.mark.parametrize("house", ["blackjack-gr", "blackjack-dk", "blackjack-lv"])
def test_r14_where_no_card_comes_to_21_it_stands_by_itself(house: str) -> None:
    """GR blackjack 4.4, DK blackjack 4.4, LV blackjack 4.4."""
    hand = split_tens(house).game.hand(1, 1)
    assert hand is not None
    assert hand.end == "stood"


def test_r14_a_split_ace_has_its_one_card_and_a_blackjack_is_not_doubled() -> None:
    """RU blackjack splitting, RU blackjack doubling."""
    bench = dealt("blackjack-ru", (1,), "AS", "7C", "AH")
    bench.decide("1", "split")
    bench.draw("TD")
    assert bench.due is not None
    assert bench.due.slot == "box1.hand2.card2"
    bench = dealt("blackjack-ru", (1, 2), "AS", "9S", "TC", "KH", "9H")
    assert words_for(bench) == set()
    assert words_for(bench, 2) == {"hit", "stand", "double", "split", "surrender"}
