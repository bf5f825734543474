"""A wire that the bench holds in its hand."""

from __future__ import annotations

import asyncio
from collections import deque
from typing import Any, Self

from drivers.clock import Clock
from drivers.errors import LinkLost
from drivers.link import Chunk


class Wire:
    """A wire that the bench pulls out and puts in again. It is its own open link."""

    where = "bench"
    untold = ""

    def __init__(self, clock: Clock) -> None:
        self.plugged = True
        self.queue: deque[Chunk] = deque()
        self.bell = asyncio.Event()
        self._clock = clock

    async def open(self, _settings: Any, _wiring: Any, _clock: Clock) -> Self:
        while not self.plugged:
            await self._rung()
        return self

    async def read(self, timeout_s: float | None) -> Chunk | None:
        until = None if timeout_s is None else self._clock.now().after(timeout_s)
        while True:
            if not self.plugged:
                raise LinkLost("bench", "the cable was pulled", "plug it in")
            if self.queue:
                return self.queue.popleft()
            if until is not None and self._clock.now().reached(until):
                return None
            await self._rung()

    async def _rung(self) -> None:
        self.bell.clear()
        await self.bell.wait()

    def ring(self, data: bytes) -> None:
        """Let bytes arrive at this very moment."""
        self.queue.append(Chunk(self._clock.now(), data))

    def write(self, data: bytes) -> None: ...

    async def aclose(self) -> None: ...
