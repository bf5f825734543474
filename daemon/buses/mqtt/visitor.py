"""The connection by which the daemon asks: what the broker keeps, and who serves a table.

It has a name that nobody else has, so it throws nobody out; a table's own connection would
(`served_table.py`). An answer finds its question by its correlation data.
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Callable
from typing import Final

from daemon.buses.mqtt import reasons
from daemon.buses.mqtt.client import Message, Mqtt5Client, publish_properties
from daemon.buses.mqtt.connection import Connection
from daemon.buses.mqtt.settings import MqttSettings
from daemon.buses.mqtt.topics import (
    OURS,
    answer_topic,
    newest_topic,
    owner_topic,
)
from daemon.delivery.bus import Address, BusRefused, BusUnavailable

_ANSWER_S: Final = 1.0
_GRACE_S: Final = 0.3
"""How long a broker may still need for a retained message when it has gone on to the next one."""


class Visitor:
    """Asks on behalf of all tables. Each call raises BusUnavailable."""

    def __init__(self, settings: MqttSettings, said: Callable[[str | None], None]) -> None:
        self._settings = settings
        self._user = settings.user or OURS
        self._name = ""
        self._listening: set[str] = set()
        self._answers: dict[bytes, asyncio.Future[bytes]] = {}
        self._kept: dict[str, asyncio.Future[bytes]] = {}
        self._one_look = asyncio.Lock()
        self._connection = Connection(self._make, self._prepare, said)

    async def who_serves(self, address: Address) -> str | None:
        """Return what the daemon says of itself that serves the table, None where none does."""
        answer = await self._request(address, owner_topic(address), b"")
        return None if answer is None else answer.decode("utf-8", "replace")

    async def newest(self, address: Address) -> bytes | None:
        """Return what the broker keeps as the table's newest event.

        MQTT has no word for "there is none". So a message to ourselves follows the subscription:
        when that is back, what is kept has come before it, or comes at once.
        """
        topic = newest_topic(address)
        async with self._one_look:
            client = self._connection.connected()
            kept = self._kept[topic] = asyncio.get_running_loop().create_future()
            try:
                await self._request(address, self._own(address), b"")
                await client.listen(topic)
                await self._echo(client, address)
                await asyncio.wait([kept], timeout=_GRACE_S)
                return kept.result() if kept.done() else None
            finally:
                del self._kept[topic]
                client.forget(topic)

    async def close(self) -> None:
        """Sign off."""
        await self._connection.close(_nothing)

    def _own(self, address: Address) -> str:
        return answer_topic(address, self._user, self._name)

    async def _request(self, address: Address, topic: str, payload: bytes) -> bytes | None:
        client, own = self._connection.connected(), self._own(address)
        if own not in self._listening:
            # Where our answers are kept from us, no answer would mean that nobody serves the table.
            await client.listen(own)
            await self._echo(client, address)
            self._listening.add(own)
        return await self._exchange(client, topic, own, payload)

    async def _echo(self, client: Mqtt5Client, address: Address) -> None:
        """Return when a message to ourselves has come back. Raises BusUnavailable."""
        own = self._own(address)
        if await self._exchange(client, own, own, b"") is None:
            raise BusUnavailable(
                f"the broker does not hand us what goes to {own}",
                "allow our user to write and to read it on the broker",
            )

    async def _exchange(
        self, client: Mqtt5Client, topic: str, own: str, payload: bytes
    ) -> bytes | None:
        token = secrets.token_bytes(8)
        answer = self._answers[token] = asyncio.get_running_loop().create_future()
        properties = publish_properties(ResponseTopic=own, CorrelationData=token)
        try:
            code = await client.deliver(topic, payload, properties)
            if code == reasons.NO_SUBSCRIBERS:
                return None
            refusal = reasons.not_taken(topic, code)
            if isinstance(refusal, BusRefused):
                raise BusUnavailable(str(refusal), "look at the broker's limits")
            if refusal is not None:
                raise refusal
            await asyncio.wait([answer], timeout=_ANSWER_S)
            return answer.result() if answer.done() else None
        finally:
            del self._answers[token]

    async def _make(self) -> Mqtt5Client:
        self._name = f"pitwire-{secrets.token_hex(6)}"
        return Mqtt5Client(self._settings, self._name, self._take)

    async def _prepare(self, _client: Mqtt5Client) -> None:
        self._listening.clear()

    def _take(self, message: Message) -> None:
        kept = self._kept.get(message.topic)
        if kept is not None:
            if not kept.done() and message.payload:
                kept.set_result(message.payload)
            return
        answer = self._answers.get(message.token or b"")
        if answer is not None and not answer.done():
            answer.set_result(message.payload)


async def _nothing(_client: Mqtt5Client) -> None:
    """Say no farewell: nobody knows the visitor."""
