"""A table's commands as the server brings them, and what a flood of them may cost.

All tables share one connection and one loop: what comes for one table faster than it can be turned
away delays every other table's commands and acknowledgements. So a table for which more than so
many messages come within a second is not listened to for a moment. Whoever asks then is told by the
server, at once, that nobody listens ("no responders"), and asks again; the others go on. What was
on its way in that moment has no answer: it was not looked at, and the same bytes may come again.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Final

from nats.aio.client import Client
from nats.aio.msg import Msg
from nats.aio.subscription import Subscription

from daemon.buses.nats_jetstream.stream import TROUBLE

MOST_A_SECOND: Final = 1000
PAUSE_S: Final = 1.0


class Inflow:
    """Hands each message on a subject to `take`, and pauses where too many come."""

    def __init__(
        self, client: Client, subject: str, take: Callable[[Msg], Awaitable[None]]
    ) -> None:
        self._client = client
        self._subject = subject
        self._take = take
        self._subscription: Subscription | None = None
        self._pausing: asyncio.Task[None] | None = None
        self._began = 0.0
        self._came = 0

    async def open(self) -> None:
        """Listen. Raises what the client raises."""
        self._subscription = await self._client.subscribe(self._subject, cb=self._message)

    async def close(self) -> None:
        """Listen no more."""
        if self._pausing is not None:
            self._pausing.cancel()
        subscription, self._subscription = self._subscription, None
        if subscription is not None:
            with suppress(*TROUBLE):
                await subscription.unsubscribe()

    async def _message(self, message: Msg) -> None:
        now = asyncio.get_running_loop().time()
        if now - self._began >= 1.0:
            self._began, self._came = now, 0
        self._came += 1
        if self._came <= MOST_A_SECOND:
            await self._take(message)
        elif self._pausing is None or self._pausing.done():
            self._pausing = asyncio.create_task(self._pause())  # the client ends ours with this

    async def _pause(self) -> None:
        subscription, self._subscription = self._subscription, None
        if subscription is not None:
            with suppress(*TROUBLE):
                await subscription.unsubscribe()
        while self._subscription is None:  # until it listens again, or is closed
            await asyncio.sleep(PAUSE_S)
            with suppress(*TROUBLE):
                await self.open()
