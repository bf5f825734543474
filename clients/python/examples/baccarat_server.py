"""A whole table server for one baccarat table.

    python baccarat_server.py nats://127.0.0.1:4222 riga-1 BAC-1 server ledger.db

What it settles with is an example; the house's rules say what is paid.
"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Collection, Mapping
from fractions import Fraction
from types import MappingProxyType
from typing import Final

from game_server import Game, serve
from ledger import Json

PAYS: Final[Mapping[str, Fraction]] = MappingProxyType(
    {"player": Fraction(1), "banker": Fraction(19, 20), "tie": Fraction(8)}
)
"""What a bet that wins gets beside its stake. A tie gives stakes on player and banker back."""


class Baccarat(Game):
    """Bets on player, banker and tie."""

    def __init__(self, betting_s: float = 15.0, decks: int = 8) -> None:
        super().__init__(betting_s, decks)

    def takes(self, spot: str, taken: Collection[str]) -> bool:
        """Return whether there is such a bet."""
        return spot in PAYS

    def back(self, spot: str, stake: int, outcome: Json) -> int:
        """Return what a bet gets back, its stake included."""
        winner = outcome["winner"]
        won = int(stake * PAYS[spot]) if spot == winner else 0
        return won + (stake if winner in (spot, "tie") else 0)


if __name__ == "__main__":
    asyncio.run(serve(Baccarat(), sys.argv[1:]))
