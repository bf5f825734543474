"""Playing cards: rank, suit, and the two-letter code used everywhere (`KD`, `TH`, `AS`)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal, get_args

Rank = Literal["A", "2", "3", "4", "5", "6", "7", "8", "9", "T", "J", "Q", "K"]
Suit = Literal["S", "H", "D", "C"]

RANKS: Final[tuple[Rank, ...]] = get_args(Rank)
SUITS: Final[tuple[Suit, ...]] = get_args(Suit)


@dataclass(frozen=True, slots=True)
class Card:
    """One card face. It does not say which of several decks it came from."""

    rank: Rank
    suit: Suit

    def __str__(self) -> str:
        return self.rank + self.suit


DECK: Final[tuple[Card, ...]] = tuple(Card(rank, suit) for suit in SUITS for rank in RANKS)
_BY_CODE: Final = {str(card): card for card in DECK}


def find_card(code: str) -> Card | None:
    """Return the card with this two-letter code, or None; codes are upper case, rank first."""
    return _BY_CODE.get(code)
