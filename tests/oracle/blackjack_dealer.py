"""The dealer of blackjack alone: how often a hand that is drawn out ends where, exactly."""

from collections import Counter
from fractions import Fraction
from math import perm
from typing import Final, Literal

from oracle.blackjack_hands import VALUE, Pile, dealer_must_draw

from protocols.cards import RANKS, Card

DealerOutcome = Literal["17", "18", "19", "20", "21", "blackjack", "bust"]
ONE_OF_EACH_VALUE: Final = {VALUE[rank]: Card(rank, "S") for rank in RANKS}


def dealer_distribution(decks: int) -> dict[DealerOutcome, Fraction]:
    """Return how often a dealer who draws out ends where, from a full shoe, exactly.

    Every order of card values is played through `dealer_must_draw`, all standing on 17; an order of
    n cards has (ways to take them) out of perm(52 x decks, n).
    """
    left = Counter(VALUE[rank] for rank in RANKS for _ in range(4 * decks))
    ways: Counter[tuple[DealerOutcome, int]] = Counter()

    def deal(dealer: Pile, count: int) -> None:
        if len(dealer.cards) > 1 and not dealer_must_draw(dealer, "stand"):
            ways[dealer_outcome(dealer), len(dealer.cards)] += count
            return
        for value, card in ONE_OF_EACH_VALUE.items():
            if left[value]:
                longer = Pile([*dealer.cards], dealer.low, dealer.ace)
                longer.take(card)
                left[value] -= 1
                deal(longer, count * (left[value] + 1))
                left[value] += 1

    deal(Pile(), 1)
    found: dict[DealerOutcome, Fraction] = {}
    for (outcome, length), count in ways.items():
        found[outcome] = found.get(outcome, Fraction(0)) + Fraction(count, perm(52 * decks, length))
    return found


def dealer_outcome(dealer: Pile) -> DealerOutcome:
    """Name where a dealer who has stopped stands; 21 is one of three cards or more."""
    if dealer.blackjack:
        return "blackjack"
    names: dict[int, DealerOutcome] = {17: "17", 18: "18", 19: "19", 20: "20", 21: "21"}
    return names.get(dealer.total, "bust")
