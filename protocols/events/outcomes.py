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


@dataclass(frozen=True, slots=True)
class DragonTigerOutcome:
    """The higher rank won, ace low. `suited_tie`: the two cards are alike in suit too."""

    winner: Literal["dragon", "tiger", "tie"]
    dragon: DealtCard
    tiger: DealtCard
    suited_tie: bool
    game: Literal["dragon_tiger"] = "dragon_tiger"


@dataclass(frozen=True, slots=True)
class FootballStudioOutcome:
    """The higher rank won, ace high."""

    winner: Literal["home", "away", "draw"]
    home: DealtCard
    away: DealtCard
    game: Literal["football_studio"] = "football_studio"


Outcome: TypeAlias = BaccaratOutcome | RouletteOutcome | DragonTigerOutcome | FootballStudioOutcome
