"""What cards are worth at blackjack, and when the dealer draws (docs/rules/blackjack.md)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final, Literal

from protocols.cards import Card, Rank

VALUE: Final[dict[Rank, int]] = {
    "A": 1, "2": 2, "3": 3, "4": 4, "5": 5, "6": 6, "7": 7, "8": 8, "9": 9,
    "T": 10, "J": 10, "Q": 10, "K": 10,
}  # fmt: skip
BEST: Final = 21


def total(cards: Iterable[Card]) -> tuple[int, bool]:
    """Return the best total, and whether it is soft: an ace counts eleven in it."""
    values = [VALUE[card.rank] for card in cards]
    hard = sum(values)
    soft = 1 in values and hard + 10 <= BEST
    return (hard + 10, True) if soft else (hard, False)


def is_natural(cards: Sequence[Card]) -> bool:
    """Return whether two cards make 21: a blackjack, on a hand that no split made."""
    return len(cards) == 2 and total(cards)[0] == BEST


def dealer_draws(cards: Iterable[Card], soft_17: Literal["stand", "draw"]) -> bool:
    """Return whether the dealer takes another card: to sixteen, and by the house at a soft 17."""
    points, soft = total(cards)
    return points < 17 or (points == 17 and soft and soft_17 == "draw")


def splits(first: Card, second: Card, on: Literal["value", "rank"]) -> bool:
    """Return whether two cards are equal as the house sees it."""
    if on == "rank":
        return first.rank == second.rank
    return VALUE[first.rank] == VALUE[second.rank]


def cannot_bust(cards: Iterable[Card]) -> bool:
    """Return whether one more card leaves the hand at 21 or less, whatever it is."""
    points, soft = total(cards)
    return soft or points <= 11
