"""A table server's side of pitwire on NATS. Copy this file and `pitwire_table.py`; needs nats-py.

A consumer has one message in flight (`max_ack_pending`), or what the server repeats would overtake
what it sent since. Run one client for a table and a durable name, no more. An event is acknowledged
behind `apply`: what you have not kept comes again.
"""

from __future__ import annotations

import asyncio
import time
from contextlib import suppress
from typing import Final, Protocol

import nats.errors
from nats.aio.client import Client
from nats.aio.msg import Msg
from nats.js import JetStreamContext
from nats.js.api import AckPolicy, ConsumerConfig
from nats.js.errors import Error as JetStreamError
from pitwire_table import (
    AUTHORITIES,
    Answer,
    Command,
    Event,
    Notice,
    NotOfTheContractError,
    Order,
    Position,
    Resend,
    Strange,
    Table,
    command,
    read_answer,
)

LOOK_S: Final = 0.25
ANSWER_S: Final = 2.0
ACK_WAIT_S: Final = 5.0
TROUBLE: Final = (nats.errors.Error, JetStreamError, OSError, TimeoutError)
"""What the bus may raise. It is waited for, and never taken for an answer."""


class Handler(Protocol):
    """What you write. An exception of either ends `TableClient.run`: nothing is acknowledged."""

    async def apply(self, event: Event) -> None:
        """Keep what you make of the event, and its position, in one transaction."""

    async def tell(self, notice: Notice) -> None:
        """Take what is no event; it may come while `apply` waits for something."""


class TableClient:
    """One table. `run` reads it until it is cancelled; `send` may be called beside it.

    at       the position that you have kept; None: you have applied nothing ever
    durable  name of the consumer on the stream, for this table and this server alone
    """

    def __init__(
        self, bus: Client, table: Table, handler: Handler, at: Position | None, durable: str
    ) -> None:
        self.order = Order(at)
        self._bus, self._table, self._handler, self._durable = bus, table, handler, durable
        self._asking: set[asyncio.Task[None]] = set()

    def is_known(self) -> bool:
        """Return whether the table has shown within three seconds that it lives."""
        return self.order.is_known(time.monotonic())

    def is_level(self) -> bool:
        """Return whether we have all that the table has said: take bets on nothing less."""
        return self.order.is_level(time.monotonic())

    async def run(self) -> None:
        """Read events and status. Raises what `handler` raises."""
        subject = f"{self._table.root}.status.{self._table.site}.{self._table.table}"
        statuses = await self._bus.subscribe(subject, cb=self._hear)
        try:
            async with asyncio.TaskGroup() as group:
                group.create_task(self._read())
                group.create_task(self._watch())
        finally:
            for one in self._asking:
                one.cancel()
            with suppress(*TROUBLE):
                await statuses.unsubscribe()

    async def send(self, order: Command) -> Answer:
        """Send the same bytes until they are answered.

        Give up by `asyncio.timeout`: then nobody knows what became of it, until the same bytes
        are sent once more.
        """
        while True:
            try:
                return await self._ask(order)
            except (*TROUBLE, NotOfTheContractError):
                await asyncio.sleep(LOOK_S)

    async def _ask(self, order: Command) -> Answer:
        table = self._table
        place = f"{table.site}.{table.table}.{AUTHORITIES[order.name]}.{table.user}"
        subject = f"{table.root}.command.{place}"
        reply = await self._bus.request(subject, order.payload, timeout=ANSWER_S)
        _end_if_cancelled()
        return read_answer(reply.data, order, table.table)

    async def _hear(self, message: Msg) -> None:
        with suppress(NotOfTheContractError):  # no word of the table: no sign of life
            if (status := self._table.status(message.data)) is not None:
                self.order.hear(status, time.monotonic())

    async def _watch(self) -> None:
        while True:
            for notice in self.order.look(time.monotonic()):
                await self._handler.tell(notice)
                if isinstance(notice, Resend):
                    asking = asyncio.create_task(self._resend(notice))
                    self._asking.add(asking)
                    asking.add_done_callback(self._asking.discard)
            await asyncio.sleep(LOOK_S)

    async def _resend(self, missing: Resend) -> None:
        ask = command("table.resend", from_seq=missing.from_seq, to_seq=missing.to_seq)
        with suppress(*TROUBLE, NotOfTheContractError):  # `look` asks again
            answer = await self._ask(ask)
            if answer.reason is not None:
                await self._handler.tell(Strange(f"{missing} is refused: {answer.body}"))

    async def _read(self) -> None:
        """Read the consumer, and make it anew where the bus has lost it."""
        name = f"{self._table.root}.event.{self._table.site}.{self._table.table}.>"
        while True:
            strict = ConsumerConfig(
                ack_policy=AckPolicy.EXPLICIT, max_ack_pending=1, ack_wait=ACK_WAIT_S
            )
            try:
                events = await self._bus.jetstream().pull_subscribe(
                    name, self._durable, stream=self._table.stream, config=strict
                )
            except TROUBLE:
                await asyncio.sleep(1.0)
                continue
            try:
                while await self._read_on(events):
                    _end_if_cancelled()
            finally:
                with suppress(*TROUBLE):
                    await events.unsubscribe()

    async def _read_on(self, events: JetStreamContext.PullSubscription) -> bool:
        """Take the next event, if one comes; return whether the consumer is still there."""
        try:
            (message,) = await events.fetch(1, timeout=1)
        except nats.errors.TimeoutError:
            return await self._is_idle(events)
        except TROUBLE:
            await asyncio.sleep(LOOK_S)
            return False
        await self._take(message)
        with suppress(*TROUBLE):  # then it comes again, and is dropped
            await message.ack_sync(timeout=ANSWER_S)
        return True

    async def _is_idle(self, events: JetStreamContext.PullSubscription) -> bool:
        try:
            info = await events.consumer_info()
        except TROUBLE:
            return False
        self.order.pending = (info.num_pending or 0) + (info.num_ack_pending or 0)
        return True

    async def _take(self, message: Msg) -> None:
        try:
            event = self._table.event(message.data, message.subject)
        except NotOfTheContractError as error:
            await self._handler.tell(Strange(str(error)))
            return
        pending = int(message.metadata.num_pending)
        for one in self.order.take(event, time.monotonic(), pending):
            if isinstance(one, Event):
                await self._handler.apply(one)
            else:
                await self._handler.tell(one)


def _end_if_cancelled() -> None:
    """End the task where its cancel was swallowed.

    `asyncio.wait_for`, by which nats-py waits, does that before Python 3.12 when the answer comes
    in the same moment (gh-86296).
    """
    task = asyncio.current_task()
    if task is not None and task.cancelling():
        raise asyncio.CancelledError
