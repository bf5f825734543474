"""How a round of baccarat ends."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from protocols.events import DealtCard, Outcome


@dataclass(frozen=True, slots=True)
class BaccaratOutcome(Outcome):
    """Totals are modulo ten; cards are in deal order."""

    winner: Literal["player", "banker", "tie"]
    player_total: int
    banker_total: int
    natural: bool
    player_pair: bool
    banker_pair: bool
    cards: tuple[DealtCard, ...]
    game: Literal["baccarat"] = "baccarat"
