"""One timer per table: rings the inbox when the game asked to be woken."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from daemon.runtime.clocks import Timekeeper
from protocols.instant import Instant


class WakeupTimer:
    """Holds at most one timer, for the latest instant it was set to."""

    def __init__(self, time: Timekeeper, ring: Callable[[Instant], object]) -> None:
        self._time = time
        self._ring = ring
        self._wanted: Instant | None = None
        self._timer: asyncio.TimerHandle | None = None

    def set(self, wanted: Instant | None) -> None:
        """Ring at `wanted`, or never: an instant of another boot is unknown, hence never."""
        if wanted == self._wanted:
            return
        self.cancel()
        left = wanted.since(self._time.now()) if wanted is not None else None
        if left is not None:
            self._wanted = wanted
            delay = max(left, 0) / self._time.scale
            self._timer = asyncio.get_running_loop().call_later(delay, self._due)

    def cancel(self) -> None:
        """Never ring."""
        if self._timer is not None:
            self._timer.cancel()
        self._timer = self._wanted = None

    def _due(self) -> None:
        wanted, self._wanted, self._timer = self._wanted, None, None
        now = self._time.now()
        if wanted is None:
            return
        if now.reached(wanted):
            self._ring(now)
        else:
            self.set(wanted)  # the loop's clock and the boot clock differ by a hair
