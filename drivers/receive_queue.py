"""What a link has received and its reader has not taken yet, and the error that ended it.

Theory of operation. Callbacks of the event loop put chunks in; one reader takes them out, in order.
The error is at the end of the queue: it is raised once every chunk is taken, and at every take
after that. `take` waits on a future of its own and takes a chunk only after the wait, in one step
without another await: a `take` that is cancelled while it waits has taken nothing.
"""

from __future__ import annotations

import asyncio
from collections import deque

from drivers.errors import LinkError
from drivers.link import Chunk
from protocols.instant import Instant


class ReceiveQueue:
    """Chunks in order of arrival, then the failure, for one reader at a time.

    Filled by event-loop callbacks; never loses a chunk to a cancelled `take`.
    """

    def __init__(self) -> None:
        self.held = 0
        """How many bytes wait to be taken."""
        self.failure: LinkError | None = None
        """What ended the link; raised by `take` once every chunk is taken, and ever after."""
        self._chunks: deque[Chunk] = deque()
        self._waiter: asyncio.Future[None] | None = None

    def put(self, at: Instant, data: bytes, *, stale: bool = False, lost: str = "") -> None:
        """Add bytes that arrived at `at`; what was lost before them needs none."""
        self._chunks.append(Chunk(at, data, stale, lost))
        self.held += len(data)
        self._wake()

    def fail(self, error: LinkError) -> None:
        """End the link with `error`; the first failure is the one that counts."""
        if self.failure is None:
            self.failure = error
            self._wake()

    async def take(self, timeout_s: float | None) -> Chunk | None:
        """Return the next chunk, or None after `timeout_s` real seconds. Raises LinkError."""
        if not self._chunks and self.failure is None:
            await self._wait(timeout_s)
        if self._chunks:
            chunk = self._chunks.popleft()
            self.held -= len(chunk.data)
            return chunk
        if self.failure is not None:
            raise self.failure.with_traceback(None)
        return None

    async def _wait(self, timeout_s: float | None) -> None:
        loop = asyncio.get_running_loop()
        self._waiter = loop.create_future()
        timer = None if timeout_s is None else loop.call_later(max(timeout_s, 0.0), self._wake)
        try:
            await self._waiter
        finally:
            self._waiter = None
            if timer is not None:
                timer.cancel()

    def _wake(self) -> None:
        if self._waiter is not None and not self._waiter.done():
            self._waiter.set_result(None)
