"""The base of every link that hears its device by itself and keeps what it heard until it is read.

Theory of operation. A link is in one of three states:

    open    the port is listened to. What arrives is stamped and put into the queue at once, so its
            time is that of its arrival, whenever it is read. With `unread_limit` bytes in the queue
            the link is *paused*: it leaves further bytes where they are (kernel, server or device),
            and goes on when `read` has made room.
    lost    `_lose` was called, once: nothing is listened to or sent any more. `read` returns what
            arrived before, chunk by chunk, and then raises the error, then and ever after.
    closed  `aclose` was called: lost, and the port is given back.

What holds:

* Chunks come in the order of their arrival; what was in the port at opening comes first, as stale.
* A `read` that is cancelled or times out loses nothing.
* `write` never blocks and never raises: what cannot be sent loses the link, and the next `read`
  says so.
* The first trouble counts. A link that was lost before it is closed keeps its reason.
* A port is given back once, in a thread of its own: `aclose` waits for that, up to a
  limit, since a driver may hold a port until its last byte is sent. The event loop never waits.

A link fills four hooks: `_send`, `_stop`, `_pause`, `_resume`. All are called in the event loop,
and only while the link is open; `_stop` is called once.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import ClassVar

from drivers.clock import Clock
from drivers.errors import LinkError, LinkLost
from drivers.link import Chunk
from drivers.receive_queue import ReceiveQueue
from drivers.threads import GIVE_BACK_WITHIN_S, in_thread
from protocols.instant import Instant


class QueuedLink:
    """An `OpenLink`; see above."""

    unread_limit: ClassVar[int] = 1 << 20
    """Bytes that wait to be read at which the link is paused."""

    def __init__(
        self, where: str, clock: Clock, give_back: Callable[[], None] | None = None
    ) -> None:
        """`give_back` gives the port back and may block; None where `_stop` does all there is."""
        self.where = where
        self.untold = ""
        self._clock = clock
        self._loop = asyncio.get_running_loop()
        self._queue = ReceiveQueue()
        self._is_paused = False
        self._give_back = give_back
        self._giving_back: asyncio.Future[None] | None = None

    @property
    def is_lost(self) -> bool:
        """Return whether the link has ended; `read` still returns what arrived before."""
        return self._queue.failure is not None

    async def read(self, timeout_s: float | None) -> Chunk | None:
        """Return the next chunk, or None after `timeout_s` real seconds. Raises LinkError."""
        chunk = await self._queue.take(timeout_s)
        if self._is_paused and not self.is_lost and self._queue.held < self.unread_limit:
            self._is_paused = False
            self._resume()
        return chunk

    def write(self, data: bytes) -> None:
        """Queue bytes for the device; a failure surfaces at the next `read`."""
        if not self.is_lost:
            self._send(data)

    async def aclose(self) -> None:
        """Give the port back, or leave that to a thread that hangs; safe to call twice."""
        self._lose(LinkLost(self.where, "closed by pitwire", "nothing to do"))
        if self._give_back is None:
            return
        if self._giving_back is None:
            self._giving_back = in_thread(f"closes {self.where}", self._give_back)
        await asyncio.wait([self._giving_back], timeout=GIVE_BACK_WITHIN_S)
        if self._giving_back.done():
            self._giving_back.result()

    # --- for the links -----------------------------------------------------------------------

    def _received(self, at: Instant, data: bytes, *, stale: bool = False, lost: str = "") -> None:
        """Take what arrived at `at`, and what was lost before it."""
        self._queue.put(at, data, stale=stale, lost=lost)
        self._pause_at(self._queue.held)

    def _pause_at(self, held: int) -> None:
        """Pause the link where so many unread bytes are too many."""
        if held >= self.unread_limit and not self._is_paused and not self.is_lost:
            self._is_paused = True
            self._pause()

    def _lose(self, error: LinkError) -> None:
        """End the link, once; the first error is the one that is told."""
        if not self.is_lost:
            self._stop()
            self._queue.fail(error)

    def _send(self, data: bytes) -> None:
        """Send bytes, or queue them."""
        raise NotImplementedError

    def _stop(self) -> None:
        """Listen and send no more."""
        raise NotImplementedError

    def _pause(self) -> None:
        """Leave what comes where it is."""

    def _resume(self) -> None:
        """Go on after a pause."""
