"""Who looks on at the control socket: a bounded queue of lines that says how many it lost."""

from __future__ import annotations

import asyncio

from protocols.canonical import canonical

QUEUE_MAX = 2_000
"""Lines kept for a slow reader: a whole shoe's events."""


class LineQueue:
    """One reader of lines. A slower one loses the oldest, and is told how many."""

    def __init__(self) -> None:
        self._lines: asyncio.Queue[bytes] = asyncio.Queue(QUEUE_MAX)
        self._missed = 0

    def tell(self, line: bytes) -> None:
        """Give it a line; never waits."""
        if self._lines.full():
            self._lines.get_nowait()
            self._missed += 1
        self._lines.put_nowait(line)

    async def next(self) -> bytes:
        """Return the next line, or how many went missing before it."""
        if self._missed:
            missed, self._missed = self._missed, 0
            return canonical({"missed": missed})
        return await self._lines.get()
