"""How a round can end: one type for each game."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from protocols.cards import Rank, Suit
from protocols.faces import Faces


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
class BlackjackHand:
    """A hand at the end of its round. `result` is against the dealer's hand, without money.

    blackjack  it won with its first two cards, or was paid before the dealer played
    """

    box: int
    hand: int
    total: int
    doubled: bool
    result: Literal["win", "lose", "push", "blackjack", "surrender", "even_money"]


@dataclass(frozen=True, slots=True)
class BlackjackOutcome:
    """Cards are in deal order; `pick_up` lists their slots as the house's dealer picks them up.

    insured  the boxes that took insurance
    """

    dealer_total: int
    dealer_blackjack: bool
    hands: tuple[BlackjackHand, ...]
    insured: tuple[int, ...]
    cards: tuple[DealtCard, ...]
    pick_up: tuple[str, ...]
    game: Literal["blackjack"] = "blackjack"


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


@dataclass(frozen=True, slots=True)
class SicBoOutcome:
    """The dice as they lie, and their total: 4 to 10 is small, 11 to 17 big, a triple neither."""

    faces: Faces
    total: int
    size: Literal["small", "big"] | None
    triple: bool
    game: Literal["sic_bo"] = "sic_bo"


Outcome: TypeAlias = (
    BaccaratOutcome
    | BlackjackOutcome
    | RouletteOutcome
    | DragonTigerOutcome
    | FootballStudioOutcome
    | SicBoOutcome
)
