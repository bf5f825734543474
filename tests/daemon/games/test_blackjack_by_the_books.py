"""Blackjack where the books were read otherwise before: findings R9, R10, R11, R13 and R14."""

from __future__ import annotations

import pytest
from support.blackjack_bench import BlackjackBench

OF_THE_TEMPLATE = ("blackjack-dk", "blackjack-lv", "blackjack-gr")
"""Houses whose books follow one template: a hole card, all cards taken at the end."""


def dealt(house: str, boxes: tuple[int, ...], *cards: str) -> BlackjackBench:
    """Return a table that has these boxes' first cards, in the order of the deal."""
    bench = BlackjackBench(house)
    bench.bet(*boxes)
    bench.draw(*cards)
    return bench


def picked_up(bench: BlackjackBench) -> list[str]:
    """Return the hands as their cards are picked up: `dealer`, `box1.hand1`."""
    assert bench.outcome is not None
    hands = [slot.rpartition(".")[0] for slot in bench.outcome.pick_up]
    return list(dict.fromkeys(hands))


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
