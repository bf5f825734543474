"""How a round can end: the base of every game's outcome, and what outcomes share."""

from __future__ import annotations

from dataclasses import dataclass

from protocols.cards import Rank, Suit


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a round ended. Each game has its own type, with its key in a field `game`.

    The contract is the union of those of the games that there are.
    """


@dataclass(frozen=True, slots=True)
class DealtCard:
    """A card in its slot, as listed by an outcome."""

    slot: str
    rank: Rank
    suit: Suit
