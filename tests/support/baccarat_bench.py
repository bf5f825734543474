"""A baccarat table on a bench: the real table and game, fed card by card."""

from __future__ import annotations

from typing import Any

from support.shoe_bench import ShoeBench
from support.table_bench import rules_of

from daemon.games.baccarat import GAME
from daemon.games.baccarat.state import BaccaratProfile, BaccaratState
from protocols.shoes.angel_eye_ii_ex import DEVICE
from protocols.table_terms import RoundControl

NATURAL = ("8S", "5C", "KD", "2H")
"""Player 8 against banker 7: over after four cards."""
SIX_CARDS = ("2S", "3C", "3D", "2H", "6S", "4D")
"""Player 5 draws a six (1); banker 5 draws on it and gets a four (9)."""


def profile(key: str = "baccarat-dk", **changes: Any) -> BaccaratProfile:
    """Return the rules of a house, as its file states them, with some of them changed."""
    return rules_of(GAME, key, changes)


class BaccaratBench(ShoeBench[BaccaratState, BaccaratProfile]):
    """One table with one shoe."""

    def __init__(
        self,
        rules: BaccaratProfile | None = None,
        control: RoundControl = "server",
        *,
        decks: int | None = 8,
    ) -> None:
        super().__init__(GAME, rules or profile(), {"primary": DEVICE}, control, decks=decks)
