"""While the bus cannot be used: since when, why, and how long to wait before it is tried again."""

from __future__ import annotations

import asyncio
import contextlib
from typing import Final

from daemon.delivery.bus import BusUnavailable
from drivers.backoff import Backoff
from drivers.clock import Clock
from protocols.instant import Instant

_BUS: Final = Backoff(first_s=0.1, factor=2.0, most_s=5.0)
"""Quick after a blip, quiet through an outage."""


class Outage:
    """What keeps one table's events from the bus.

    trouble  what it is, and since when; None while there is none
    """

    def __init__(self, clock: Clock) -> None:
        self.trouble: tuple[BusUnavailable, Instant] | None = None
        self._clock = clock
        self._failures = 0  # in a row
        self._back = asyncio.Event()

    def over(self) -> None:
        """Note that the bus took what it was given."""
        self.trouble = None

    def bus_is_back(self) -> None:
        """Note that the bus is connected: a wait is cut short."""
        self._back.set()

    async def wait(self, error: BusUnavailable) -> None:
        """Return when the bus may be tried again."""
        since = self._clock.now() if self.trouble is None else self.trouble[1]
        self._failures = 1 if self.trouble is None else self._failures + 1
        self.trouble = (error, since)
        self._back.clear()
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(_BUS.wait_s(self._failures)):
                await self._back.wait()
