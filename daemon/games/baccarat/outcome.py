"""How a round of baccarat ends."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from protocols.events import DealtCard, Outcome


@dataclass(frozen=True, slots=True)
class BaccaratOutcome(Outcome):
    """How a round of baccarat ended.

    winner        the hand that won
    player_total  points of the player's hand, modulo ten
    banker_total  points of the banker's hand, modulo ten
    natural       a hand had eight or nine with its first two cards
    player_pair   the player's first two cards are of one rank
    banker_pair   the banker's first two cards are of one rank
    cards         the cards in deal order
    """

    winner: Literal["player", "banker", "tie"]
    player_total: int
    banker_total: int
    natural: bool
    player_pair: bool
    banker_pair: bool
    cards: tuple[DealtCard, ...]
    game: Literal["baccarat"] = "baccarat"
