"""One table's own connection: its events, its status, its commands.

Alone         A broker has one client of a name, and this connection has the table's. A second
              daemon of the table would throw the first one out; that would come back and throw out
              the second. So whoever connects asks before, by another name, whether somebody serves
              the table. Where somebody does, this daemon stays away for the rest of its run: it has
              events of its own, and consumers must not be given two epochs at once. The same where
              an event of somebody else shows in `newest`, which this connection listens to.
Events        one at a time. The broker's acknowledgement is the bus's: then the event is kept in
              `newest` too, and only then `publish` returns. A broker that took the event and not
              its copy is not given the event again. A broker that comes back without the last
              events is given them again (`recent.py`).
Status        retained and soon out of date (message expiry); the will, and a farewell, say `away`.
              Where the broker has not taken the last one, the next is left out.
Commands      Nothing is kept of them on the broker. Answers go where the sender asks, if that is a
              place for answers.
Heard         Some brokers grant every subscription and then hand nothing on. So a word of our own
              that is nothing else follows a subscription, and must arrive.
"""

from __future__ import annotations

import asyncio
import os
import secrets
import socket
from collections.abc import Callable, Coroutine
from contextlib import suppress
from typing import Any, Final

from daemon.buses.mqtt import reasons
from daemon.buses.mqtt.client import Message, Mqtt5Client, Will, publish_properties
from daemon.buses.mqtt.connection import Connection
from daemon.buses.mqtt.outgoing import (
    STATUS_GOOD_FOR_S,
    answer,
    away,
    keep_newest,
    send_event,
    send_status,
)
from daemon.buses.mqtt.recent import RecentEvents
from daemon.buses.mqtt.settings import MqttSettings
from daemon.buses.mqtt.topics import (
    OURS,
    client_id,
    command_topic,
    newest_topic,
    owner_topic,
    sender,
    status_topic,
)
from daemon.buses.mqtt.visitor import Visitor
from daemon.delivery.bus import Address, BusUnavailable, CommandHandler, Outgoing, Request

_HEARD_S: Final = 2.0
_KEPT_S: Final = 1.0
_ONE_ONLY: Final = "stop it or give one of them another id, then start this one again"


class ServedTable:
    """The connection of one table. `said` is told None when all is well, or why not."""

    def __init__(
        self,
        settings: MqttSettings,
        address: Address,
        *,
        visitor: Visitor,
        said: Callable[[str | None], None],
    ) -> None:
        self._settings = settings
        self._address = address
        self._visitor = visitor
        self._said = said
        self._handler: CommandHandler | None = None
        self._tasks: set[asyncio.Task[None]] = set()
        self._status: asyncio.Task[None] | None = None
        self._recent = RecentEvents()
        self._copying: Outgoing | None = None  # its copy may be kept, or not
        self._read_back = False
        self._shown: asyncio.Future[bytes] | None = None
        self._words: dict[bytes, asyncio.Event] = {}
        self._refused: BusUnavailable | None = None
        self._latest: Mqtt5Client | None = None  # open, or being prepared
        self._connection = Connection(self._make, self._prepare, said)

    async def publish(self, event: Outgoing) -> None:
        """Return when the broker has acknowledged the event and its copy in `newest`."""
        client = self._connected()
        if self._copying != event and not self._recent.has(event.message_id):
            await send_event(client, self._address, event)
            self._copying = event
        await keep_newest(client, self._address, event)
        if self._copying == event:
            self._recent.add(event)
            self._copying = None
        await self._check_that_it_is_kept(event)

    def publish_status(self, payload: bytes) -> None:
        """Send the status, unless the broker has not even taken the last one."""
        client = self._connected()
        if self._status is None or self._status.done():
            self._status = self._spawn(self._send_status(client, payload))

    async def serve(self, handler: CommandHandler | None) -> None:
        """Answer the table's commands, now or as soon as there is a connection; None: stop."""
        self._handler = handler
        client = self._connection.client
        if client is not None and handler is not None:
            with suppress(BusUnavailable):  # the next connection tries again
                self._said(await self._hear_commands(client))

    async def close(self) -> None:
        """Say that the table is away, and sign off."""
        if self._tasks:
            await asyncio.wait(self._tasks, timeout=_HEARD_S)
        await self._connection.close(self._say_away)
        ending = list(self._tasks)
        for task in ending:
            task.cancel()
        await asyncio.gather(*ending, return_exceptions=True)

    # --- the connection ------------------------------------------------------------------

    def _connected(self) -> Mqtt5Client:
        if self._refused is not None:
            raise self._refused
        return self._connection.connected()

    async def _make(self) -> Mqtt5Client:
        if self._refused is not None:
            await asyncio.Event().wait()  # for the rest of the run
        if (other := await self._visitor.who_serves(self._address)) is not None:
            raise BusUnavailable(  # and ask again: it may go, and a stranger may have answered
                f"another daemon is table {self._address.table} on this bus: {other}",
                "stop it or give one of them another id; this one asks again",
            )
        self._read_back = False
        will = Will(status_topic(self._address), away(self._address))
        name = client_id(self._address)
        self._latest = Mqtt5Client(self._settings, name, self._hear, will)
        return self._latest

    async def _prepare(self, client: Mqtt5Client) -> str | None:
        """Make sure that we are alone and hear. Return what is wrong. Raises BusUnavailable."""
        owner = owner_topic(self._address)
        if not await self._hear_ourselves(client, owner, owner):
            raise BusUnavailable(
                f"the broker does not hand us what goes to {owner_topic(self._address)}",
                "allow our user to write and to read it on the broker",
            )
        wrong = await self._look_at_newest(client)
        if self._handler is not None:
            wrong = await self._hear_commands(client) or wrong
        return wrong

    async def _look_at_newest(self, client: Mqtt5Client) -> str | None:
        """Compare what the broker keeps with what it acknowledged, and send again what it lost."""
        topic, recent = newest_topic(self._address), self._recent
        self._shown = asyncio.get_running_loop().create_future()
        await client.listen(topic, own=False)
        if not recent:
            self._copying = None
            return None
        await asyncio.wait([self._shown], timeout=_KEPT_S)
        newest = self._shown.result() if self._shown.done() else None
        if self._copying is not None and newest == self._copying.payload:
            return None
        self._copying = None  # it may have forgotten the event as well as its copy
        lost = recent.lost(newest)
        if isinstance(lost, str):
            self._refuse_other_publisher()
        if self._refused is not None or isinstance(lost, str):
            raise self._refused or AssertionError
        for event in lost:
            await send_event(client, self._address, event)
            await keep_newest(client, self._address, event)
        if recent.reaches(newest):
            return None
        return (
            f"the broker has forgotten events ({topic} is gone or too old): a consumer that sees a"
            " gap asks for table.resend"
        )

    async def _hear_commands(self, client: Mqtt5Client) -> str | None:
        """Listen for commands. Return what is wrong. Raises BusUnavailable."""
        every = command_topic(self._address, "+", "+")
        ours = command_topic(self._address, "read", OURS)
        try:
            if await self._hear_ourselves(client, every, ours):
                return None
        except BusUnavailable as error:
            if client.gone.done():
                raise
            return f"{error.what}: {error.action}"
        return (
            f"the broker does not hand us what we send to {ours}: let our user write that, and read"
            f" {every}"
        )

    async def _hear_ourselves(self, client: Mqtt5Client, topics: str, topic: str) -> bool:
        """Subscribe, and return whether a word that we send there comes. Raises BusUnavailable."""
        await client.listen(topics, as_published=True)
        word, heard = secrets.token_bytes(8), asyncio.Event()
        self._words[word] = heard
        try:
            code = await client.deliver(topic, b"", publish_properties(CorrelationData=word))
            if reasons.is_failure(code):
                return False
            async with asyncio.timeout(_HEARD_S):
                await heard.wait()
        except TimeoutError:
            return False
        finally:
            del self._words[word]
        return True

    def _refuse_other_publisher(self) -> None:
        what = f"somebody else publishes as table {self._address.table} on this bus"
        self._refused = BusUnavailable(what, _ONE_ONLY)
        self._said(what)
        if self._latest is not None:
            self._latest.end(self._refused)

    # --- what comes ----------------------------------------------------------------------

    def _hear(self, message: Message) -> None:
        word = self._words.get(message.token or b"")
        if word is not None:
            word.set()
        elif message.topic == newest_topic(self._address):
            self._hear_newest(message)
        elif message.topic == owner_topic(self._address):
            here = f"{socket.gethostname()}, process {os.getpid()}"
            self._spawn(self._answer(message, here.encode()))
        elif self._handler is not None:
            # A task each: an answer that waits for the journal must not keep the next from being
            # heard. Tasks start in the order of arrival, so commands enter the table in order.
            self._spawn(self._obey(message, self._handler))

    def _hear_newest(self, message: Message) -> None:
        if not message.retained:  # our own are kept from us
            self._refuse_other_publisher()
        elif self._shown is not None and not self._shown.done():
            self._shown.set_result(message.payload)

    async def _obey(self, message: Message, handler: CommandHandler) -> None:
        authority, user = sender(message.topic)
        request = Request(message.payload, message.retained, authority, user)
        told = await handler(request)
        if told is not None:
            await self._answer(message, told)

    # --- what goes out -------------------------------------------------------------------

    async def _answer(self, command: Message, payload: bytes) -> None:
        if self._latest is not None:
            self._tell(await answer(self._latest, self._address, command, payload))

    async def _send_status(self, client: Mqtt5Client, payload: bytes) -> None:
        self._tell(await send_status(client, self._address, payload, STATUS_GOOD_FOR_S))

    async def _say_away(self, client: Mqtt5Client) -> None:
        await send_status(client, self._address, away(self._address), None)

    def _tell(self, wrong: str | None) -> None:
        if wrong is not None:
            self._said(wrong)

    async def _check_that_it_is_kept(self, event: Outgoing) -> None:
        """Read back once what the next start asks for: a broker may not say that it will not."""
        if self._read_back:
            return
        self._read_back = True
        with suppress(BusUnavailable):
            if await self._visitor.newest(self._address) != event.payload:
                topic = newest_topic(self._address)
                self._said(f"the broker does not hand us what it keeps as {topic}: allow it")

    def _spawn(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task
