"""A whole table server for one roulette table.

    python roulette_server.py nats://127.0.0.1:4222 riga-1 ROU-1 server ledger.db

A bet names a field of the outcome, and what it is to be: `pocket.17`, `colour.red`, `dozen.3`. What
it settles with is an example; the house's rules say what is paid.
"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Collection, Mapping
from types import MappingProxyType
from typing import Final

from game_server import Game, serve
from ledger import Json

PAYS: Final[Mapping[str, int]] = MappingProxyType(
    {"pocket": 35, "colour": 1, "parity": 1, "half": 1, "dozen": 2, "column": 2}
)
"""What a bet that wins gets beside its stake, as a multiple of it."""
_SPOTS: Final[Mapping[str, str]] = {
    "colour": "red black",
    "parity": "odd even",
    "half": "low high",
    "dozen": "1 2 3",
    "column": "1 2 3",
}


class Roulette(Game):
    """Bets on a pocket, and on what a pocket is; a zero is nothing of that.

    zeros  of the wheel: "0" and, where it has one, "00"
    """

    def __init__(self, betting_s: float = 15.0, zeros: Collection[str] = ("0",)) -> None:
        super().__init__(betting_s)
        pockets = (*zeros, *map(str, range(1, 37)))
        self._spots = {f"pocket.{one}" for one in pockets} | {
            f"{name}.{value}" for name, values in _SPOTS.items() for value in values.split()
        }

    def takes(self, spot: str, taken: Collection[str]) -> bool:
        """Return whether there is such a bet."""
        return spot in self._spots

    def back(self, spot: str, stake: int, outcome: Json) -> int:
        """Return what a bet gets back, its stake included."""
        name, _, value = spot.partition(".")
        return stake * (1 + PAYS[name]) if str(outcome[name]) == value else 0


if __name__ == "__main__":
    asyncio.run(serve(Roulette(), sys.argv[1:]))
