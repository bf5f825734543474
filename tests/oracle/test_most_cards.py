"""The most cards of a round: the bound is reached, so it is exact; random rounds never pass it."""

from dataclasses import replace
from itertools import islice
from random import Random

import pytest
from oracle.blackjack_house import HOUSES
from oracle.blackjack_notation import DK, GR, RU
from oracle.blackjack_player import Deal, any_house, scripts
from oracle.longest_round import longest_round, play
from oracle.most_cards import most_cards, smallest_cards

BOXES = range(1, 8)
TABLES = {
    "DK, LV, 8 decks": (DK, 8, (46, 68, 83, 99, 112, 124, 136)),
    "DK, LV, 5 decks": (DK, 5, (40, 56, 70, 82, 93, 103, 113)),
    "GR, 8 decks": (GR, 8, (46, 68, 83, 99, 112, 124, 136)),
    "GR, 4 decks": (GR, 4, (37, 52, 64, 75, 85, 94, 103)),
    "RU, 6 decks": (RU, 6, (60, 88, 111, 131, 149, 166, 182)),
    "RU, 21 is asked too": (
        replace(RU, auto_stand_on_21=False),
        6,
        (61, 90, 113, 134, 152, 170, 186),
    ),
}


@pytest.mark.parametrize("name", TABLES)
def test_the_most_cards_of_a_round_by_boxes(name: str) -> None:
    house, decks, figures = TABLES[name]
    assert tuple(most_cards(house, boxes, decks) for boxes in BOXES) == figures


@pytest.mark.parametrize("boxes", BOXES)
@pytest.mark.parametrize("name", TABLES)
def test_a_round_takes_that_many(name: str, boxes: int) -> None:
    house, decks, _ = TABLES[name]
    played = play(house, longest_round(house, boxes, decks))
    cards = [card for hand in (*played.all_hands(), played.dealer) for card in hand.cards]
    assert len(cards) == most_cards(house, boxes, decks)
    for value in range(1, 10):
        rank = "A" if value == 1 else str(value)
        assert sum(card.rank == rank for card in cards) <= 4 * decks


def test_the_bound_by_hand_for_one_hand() -> None:
    """A hand of 21 and a dealer's 16 before the last card: 37, in 32 aces and two twos."""
    no_split = replace(DK, splits_allowed=0)
    assert smallest_cards(37, decks=8) == 34
    assert most_cards(no_split, 1, decks=8) == 34 + 1


def test_no_round_passes_the_bound() -> None:
    chance = Random(1)
    for house in (*HOUSES.values(), *(any_house(chance) for _ in range(100))):
        for script in islice(scripts(house, chance), 20):
            cards = sum(isinstance(step, Deal) for step in script.steps)
            assert cards <= most_cards(house, len(script.boxes), house.decks or 8)


def test_a_small_shoe_has_no_more_than_its_cards() -> None:
    assert most_cards(RU, 7, decks=1) == 52
