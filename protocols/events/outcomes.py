"""How a round can end: one type for each game."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from protocols.cards import Rank, Suit


@dataclass(frozen=True, slots=True)
class DealtCard:
    """A card in its slot, as listed by an outcome."""

    slot: str
    rank: Rank
    suit: Suit


@dataclass(frozen=True, slots=True)
class BaccaratOutcome:
    """Totals are modulo ten; cards are in deal order."""

    winner: Literal["player", "banker", "tie"]
    player_total: int
    banker_total: int
    natural: bool
    player_pair: bool
    banker_pair: bool
    cards: tuple[DealtCard, ...]
    game: Literal["baccarat"] = "baccarat"


@dataclass(frozen=True, slots=True)
class RouletteOutcome:
    """The pocket and what it is; `index` is its place clockwise from zero on the wheel."""

    pocket: str
    colour: Literal["red", "black", "green"]
    parity: Literal["odd", "even"] | None
    half: Literal["low", "high"] | None
    dozen: int | None
    column: int | None
    index: int
    game: Literal["roulette"] = "roulette"


Outcome: TypeAlias = BaccaratOutcome | RouletteOutcome
