"""How often the dealer ends where, counted exactly through the game's own rule.

Published figures for whole shoes in which the dealer stands on every 17.
"""

from fractions import Fraction

import pytest

from daemon.games.blackjack.rules import VALUE, dealer_draws, is_natural, total
from protocols.cards import RANKS, Card, Rank

FACES: tuple[Rank, ...] = tuple(rank for rank in RANKS if rank not in ("J", "Q", "K"))
"""One rank for each value: the ten stands for four."""


def distribution(decks: int) -> dict[str, Fraction]:
    """Return how often the dealer ends at each total, bust or with a blackjack."""
    weights: dict[str, Fraction] = {}
    left = {rank: 4 * decks * (4 if VALUE[rank] == 10 else 1) for rank in FACES}

    def deal(cards: tuple[Card, ...], chance: Fraction) -> None:
        if len(cards) >= 2 and not dealer_draws(cards, "stand"):
            points = total(cards)[0]
            end = "blackjack" if is_natural(cards) else "bust" if points > 21 else str(points)
            weights[end] = weights.get(end, Fraction(0)) + chance
            return
        cards_left = sum(left.values())
        for rank in FACES:
            if left[rank]:
                odds = chance * left[rank] / cards_left
                left[rank] -= 1
                deal((*cards, Card(rank, "S")), odds)
                left[rank] += 1

    deal((), Fraction(1))
    return weights


@pytest.mark.parametrize(
    ("decks", "percent"),
    [
        (8, {"17": 14.522, "18": 13.932, "19": 13.363, "20": 17.971, "21": 7.284,
             "blackjack": 4.745, "bust": 28.184}),
        (6, {"17": 14.525, "18": 13.926, "19": 13.368, "20": 17.953, "21": 7.287,
             "blackjack": 4.749, "bust": 28.192}),
    ],
)  # fmt: skip
def test_the_dealer_ends_as_often_as_published(decks: int, percent: dict[str, float]) -> None:
    found = distribution(decks)
    assert sum(found.values()) == 1
    assert {end: round(float(100 * chance), 3) for end, chance in found.items()} == percent


def test_a_house_that_draws_to_a_soft_seventeen_draws_there_and_nowhere_else() -> None:
    six, ace, ten = Card("6", "S"), Card("A", "H"), Card("T", "D")
    assert dealer_draws((six, ace), "draw")
    assert not dealer_draws((six, ace), "stand")
    assert not dealer_draws((six, ace, ten), "draw")  # a hard one
    assert not dealer_draws((Card("7", "S"), ace), "draw")
