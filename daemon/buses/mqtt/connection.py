"""A connection that comes and goes: one client after another, each tried later than the one before.

It trusts no client to come back: each lives from its sign-in to its end, whatever ended it, and a
new one reads passwords and certificates again. A connection that ends soon counts as a failure like
one that was refused, so whoever turns us away at once is asked at most every ten seconds; and what
is said does not change meanwhile, so it is said once.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Final

from daemon.buses.mqtt.client import Mqtt5Client
from daemon.delivery.bus import BusUnavailable
from drivers.backoff import Backoff

_RETRY: Final = Backoff(first_s=0.1, factor=2.0, most_s=10.0)
_LASTS_S: Final = 5.0
_CLOSE_S: Final = 2.0


class Connection:
    """Keeps a client connected, for ever. Its task starts at once.

    make     makes the next client, not yet open; may wait, and may raise BusUnavailable
    prepare  does what has to be done before others use an open one; may raise BusUnavailable.
             Returns what is wrong although it can be used
    said     is told None when all is well, or why not
    """

    def __init__(
        self,
        make: Callable[[], Awaitable[Mqtt5Client]],
        prepare: Callable[[Mqtt5Client], Awaitable[str | None]],
        said: Callable[[str | None], None],
    ) -> None:
        self._make = make
        self._prepare = prepare
        self._said = said
        self._client: Mqtt5Client | None = None
        self._trouble = BusUnavailable(
            "the broker is not connected yet", "check that the broker runs and can be reached"
        )
        self._keeper = asyncio.create_task(self._keep(), name="mqtt")

    @property
    def client(self) -> Mqtt5Client | None:
        """Return the open client, None while there is none."""
        return self._client

    def connected(self) -> Mqtt5Client:
        """Return the open client. Raises BusUnavailable."""
        if self._client is None:
            raise self._trouble
        return self._client

    async def close(self, farewell: Callable[[Mqtt5Client], Awaitable[None]]) -> None:
        """Wait a moment for open acknowledgements, say farewell, and sign off."""
        client = self._client
        if client is not None:
            if waiting := client.under_way:
                await asyncio.wait(waiting, timeout=_CLOSE_S)
            ending = asyncio.ensure_future(farewell(client))
            await asyncio.wait([ending], timeout=_CLOSE_S)
            ending.cancel()
            await asyncio.gather(ending, return_exceptions=True)
            client.leave()
        self._keeper.cancel()
        await asyncio.gather(self._keeper, return_exceptions=True)

    async def _keep(self) -> None:
        loop, failures = asyncio.get_running_loop(), 0
        while True:
            began = loop.time()
            self._trouble = await self._one_connection()
            self._said(self._trouble.what)
            failures = 1 if loop.time() - began > _LASTS_S and self._lived else failures + 1
            await asyncio.sleep(_RETRY.wait_s(failures))

    async def _one_connection(self) -> BusUnavailable:
        """Connect, and return why that failed or why it ended."""
        self._lived = False
        client: Mqtt5Client | None = None
        try:
            client = await self._make()
            await client.open()
            wrong = await self._prepare(client)
            self._client, self._lived = client, True
            self._said(wrong)
            return await client.gone
        except BusUnavailable as error:
            return error
        except Exception as error:  # noqa: BLE001 - a bus that stops trying would be silent for ever
            return BusUnavailable(
                f"the connection to the broker failed ({error or type(error).__name__})",
                "look at the broker's log",
            )
        finally:
            self._client = None
            if client is not None:
                client.close()
