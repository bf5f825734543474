"""The connection itself: it comes and goes, and calls raise BusUnavailable meanwhile."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Any, Final, TypeAlias

from nats.aio.client import Client
from nats.aio.msg import Msg

from daemon.buses.nats_jetstream import subjects
from daemon.buses.nats_jetstream.bulk import NatsBulk, event_headers
from daemon.buses.nats_jetstream.endings import hung_up, is_lost, is_silent, why_ended, why_refused
from daemon.buses.nats_jetstream.inflow import Inflow
from daemon.buses.nats_jetstream.settings import NatsSettings, login, without_secrets
from daemon.buses.nats_jetstream.stored import NatsLeases, NatsLog, StreamStore
from daemon.buses.nats_jetstream.stream import ACK_S, TROUBLE
from daemon.delivery.bus import (
    Address,
    BusRefused,
    BusUnavailable,
    CommandHandler,
    Outgoing,
    Request,
)
from drivers.backoff import Backoff

_RETRY: Final = Backoff(first_s=0.1, factor=2.0, most_s=10.0)
"""Where a server turns us away, and says why."""
_REACH: Final = Backoff(first_s=0.1, factor=2.0, most_s=1.0)
"""Where none says a word: an owner that is slower to come back would lose its lease."""
_LASTS_S: Final = 5.0
"""A connection that ends sooner counts as one that was refused."""
_CANCEL_S: Final = 0.1
_PING_S: Final = 5  # a half-open connection is noticed after two of them
_CLOSE_S: Final = 2.0

Report: TypeAlias = Callable[[str | None], None]


class NatsBus:
    """A connection that comes and goes; see OpenBus."""

    def __init__(self, settings: NatsSettings, report: Report) -> None:
        self._settings = settings
        self._report = report
        self._place = ", ".join(without_secrets(server) for server in settings.servers)
        self._reported: str | None = ""
        self._closing = False
        self._client = Client()
        self._gone = asyncio.Event()
        self._was_up = self._unreachable = self._refused = False
        self._failed: Exception | None = None  # why the last server could not be reached
        self._inbox: str | None = None
        self._sent = 0
        self._acks: dict[str, tuple[str, asyncio.Future[Msg]]] = {}
        self._store = StreamStore(settings, self)
        self._denied: set[str] = set()
        self._served: dict[Address, CommandHandler] = {}
        self._inflows: dict[Address, Inflow] = {}
        self._answering: set[asyncio.Task[None]] = set()
        self._why = f"the bus at {self._place} is not connected yet"
        self._keeper = asyncio.create_task(self._keep_connected(), name="nats")

    @property
    def log(self) -> NatsLog:
        """Return what reads events back."""
        return NatsLog(self._store)

    @property
    def leases(self) -> NatsLeases:
        """Return what keeps the tables' leases."""
        return NatsLeases(self._store)

    @property
    def bulk(self) -> NatsBulk:
        """Return what takes several events at once."""
        return NatsBulk(self._store)

    async def publish(self, address: Address, event: Outgoing, fence: int) -> int:
        """Return the event's sequence, when the stream has acknowledged it."""
        subject, headers = subjects.event(address, event.kind), event_headers(event, address, fence)
        return await self._store.stored(address, subject, event.payload, headers)

    async def publish_status(self, address: Address, payload: bytes) -> None:
        """Send the status to whoever listens now."""
        client = self.connected()
        try:
            await client.publish(subjects.status(address), payload)
        except TROUBLE as error:
            raise self.unavailable(error) from error

    async def serve(self, address: Address, handler: CommandHandler | None) -> None:
        """Answer the table's commands, now or as soon as there is a connection."""
        self._served.pop(address, None)
        await self._stop_listening(address)
        if handler is None:
            return
        self._served[address] = handler
        if self._inbox is not None:
            await self._subscribe(self._client, address, handler)

    async def close(self) -> None:
        """Wait a moment for open acknowledgements and answers, then disconnect."""
        self._closing = True
        for inflow in self._inflows.values():
            await inflow.close()
        acks: list[asyncio.Future[Any]] = [ack for _, ack in self._acks.values()]
        if self._client.is_connected and (waiting := acks + list(self._answering)):
            await asyncio.wait(waiting, timeout=_CLOSE_S)
        ending: list[asyncio.Future[Any]] = [self._keeper, *self._answering]
        while waiting := [task for task in ending if not task.done()]:
            for task in waiting:
                task.cancel()  # again: the client swallows it while it connects
            await asyncio.wait(waiting, timeout=_CANCEL_S)
        await asyncio.gather(*ending, return_exceptions=True)

    async def _keep_connected(self) -> None:
        # One client for one connection: the library's own reconnecting asks ten times a second
        # whatever the server says, and ends for good over a file that it cannot read.
        loop, failures = asyncio.get_running_loop(), 0
        while True:
            began = loop.time()
            await self._one_connection()
            lasted = self._was_up and loop.time() - began > _LASTS_S
            failures = 1 if lasted else failures + 1
            backoff = _REACH if self._unreachable else _RETRY
            await asyncio.sleep(backoff.wait_s(failures))

    async def _one_connection(self) -> None:
        self._client, self._gone = client, gone = Client(), asyncio.Event()
        self._was_up, self._failed, self._unreachable = False, None, False
        try:
            await _connect(client, self._settings, self._error, gone)
            await self._up(client)
            self._was_up = True
            await gone.wait()
            self._unreachable, self._refused = is_lost(client.last_error), False
            self._down(why_ended(self._place, client.last_error))
        except Exception as error:  # noqa: BLE001 - a bus that stops trying would be silent for ever
            why = why_refused(self._place, client, error, self._failed)
            self._unreachable = is_silent(client)
            if hung_up(client, error, self._failed) and self._refused:
                why, self._unreachable = self._why, False  # what it said before still stands
            self._refused = not self._unreachable
            self._down(why)
        finally:
            self._inbox = None
            try:
                with suppress(*TROUBLE):
                    await client.close()
            finally:
                _close_socket(client)

    async def _up(self, client: Client) -> None:
        inbox = client.new_inbox()
        await client.subscribe(f"{inbox}.*", cb=self._acknowledge)
        for address, handler in self._served.items():
            await self._subscribe(client, address, handler)
        self._store.forget()
        self._denied.clear()
        self._inbox = inbox
        self._say(None)

    def _down(self, why: str) -> None:
        self._why = why
        self._say(why)
        for _, ack in self._acks.values():
            _fail(ack, self.unavailable())

    def _say(self, text: str | None) -> None:
        if text != self._reported and not self._closing:
            self._reported = text
            self._report(text)

    async def _error(self, error: Exception) -> None:
        """Hear what no call raises: what the server forbids, why it cannot be reached."""
        text = str(error) or type(error).__name__
        if "permissions violation" in text.lower():
            # The client hands the server's words on in lower case, the subject's with them.
            self._forbidden(text.partition('"')[2].partition('"')[0].lower(), text)
        else:
            self._failed = error

    def _forbidden(self, lowered: str, text: str) -> None:
        self._denied.add(lowered)
        if "subscription" in text.lower():
            commands = [subjects.commands(table) for table in self._served]
            subject = next((one for one in commands if one.lower() == lowered), lowered)
            self._say(f"the bus does not let us listen on {subject}: allow it for our user")
        for subject, ack in self._acks.values():
            if subject.lower() == lowered:
                _fail(ack, self.unavailable(subject=subject))

    def connected(self) -> Client:
        """Return the client. Raises BusUnavailable where it has no connection."""
        if self._inbox is not None and self._client.is_connected:
            return self._client
        if self._inbox is not None:
            self._gone.set()  # the client may wait for itself to close, and never say so
        raise self.unavailable()

    def unavailable(
        self, error: Exception | None = None, subject: str | None = None
    ) -> BusUnavailable:
        """Return what a failure means; `subject`: what was sent or asked there."""
        if subject is not None and subject.lower() in self._denied:
            return BusUnavailable(
                f"the bus forbids us to publish on {subject}",
                "allow it in the permissions of our user on the server",
            )
        if isinstance(error, TimeoutError):
            return BusUnavailable(
                f"the bus at {self._place} did not acknowledge within {ACK_S:.0f} s",
                "check the server's load and disk; the event is repeated under the same id",
            )
        if error is not None:
            return BusUnavailable(
                f"the bus at {self._place} answered: {error}", "look at the server's log"
            )
        return BusUnavailable(self._why, "check that the server runs and can be reached")

    async def acknowledged(
        self, client: Client, subject: str, payload: bytes, headers: dict[str, str]
    ) -> Msg:
        """Send a message and return the stream's answer. Raises BusUnavailable, BusRefused."""
        loop = asyncio.get_running_loop()
        self._sent += 1
        reply = f"{self._inbox}.{self._sent}"
        ack: asyncio.Future[Msg] = loop.create_future()
        self._acks[reply] = (subject, ack)
        timer = loop.call_later(ACK_S, _fail, ack, TimeoutError())
        try:
            await self.send(client, subject, payload, headers, reply)
            return await ack
        except TROUBLE as error:
            if isinstance(error, TimeoutError):
                self._gone.set()  # only a new connection shows whether the server lives
            raise self.unavailable(error, subject) from error
        finally:
            timer.cancel()
            del self._acks[reply]

    async def send(
        self,
        client: Client,
        subject: str,
        payload: bytes,
        headers: dict[str, str],
        reply: str = "",
    ) -> None:
        """Send a message; `reply`: where it is answered. Raises BusUnavailable, BusRefused."""
        size = len(payload) + _size_of(headers)
        if size > client.max_payload:
            raise BusRefused(f"{size} bytes on the wire are more than the server takes")
        try:
            await client.publish(subject, payload, reply=reply, headers=headers)
        except TROUBLE as error:
            raise self.unavailable(error, subject) from error

    async def _acknowledge(self, message: Msg) -> None:
        waiting = self._acks.get(message.subject)
        if waiting is not None and not waiting[1].done():
            waiting[1].set_result(message)

    async def _stop_listening(self, address: Address) -> None:
        if (inflow := self._inflows.pop(address, None)) is not None:
            await inflow.close()

    async def _subscribe(self, client: Client, address: Address, handler: CommandHandler) -> None:
        async def take(message: Msg) -> None:
            # A task each: an answer that waits for the journal must not keep the next from being
            # heard. Tasks start in the order of arrival, so commands enter the table in order.
            task = asyncio.create_task(_answer(message, handler))
            self._answering.add(task)
            task.add_done_callback(self._answering.discard)

        await self._stop_listening(address)  # on an earlier connection
        inflow = self._inflows[address] = Inflow(client, subjects.commands(address), take)
        await inflow.open()


async def _connect(
    client: Client,
    settings: NatsSettings,
    heard: Callable[[Exception], Awaitable[None]],
    gone: asyncio.Event,
) -> None:
    async def closed() -> None:
        gone.set()

    await client.connect(
        servers=list(settings.servers),
        dont_randomize=True,
        name=settings.name,
        error_cb=heard,
        closed_cb=closed,
        allow_reconnect=False,
        max_reconnect_attempts=1,  # of each server, before it gives up
        reconnect_time_wait=0,
        ping_interval=_PING_S,
        max_outstanding_pings=2,
        skip_subject_validation=True,  # sites, tables and kinds are tokens; checked elsewhere
        **login(settings),
    )


def _may_answer(subject: str) -> bool:
    """Return whether an answer may go there: its sender chose it, and we may write events."""
    return subject != "" and not subject.startswith(("pit.", "pit-rehearsal.", "$"))


async def _answer(message: Msg, handler: CommandHandler) -> None:
    *_, authority, user = message.subject.split(".")
    answer = await handler(Request(message.data, authority=authority, user=user))
    if answer is not None and _may_answer(message.reply):
        # Without a connection the sender hears nothing, repeats its id, and gets this answer then.
        with suppress(*TROUBLE):
            await message.respond(answer)


def _close_socket(client: Client) -> None:
    """Close what `Client.close` leaves open where it was cancelled, or where it gave up before.

    The client calls itself closed as soon as it begins to close: cancelled in that, it keeps its
    socket, and a second `close` does nothing (nats-py 2.16).
    """
    transport = client._transport  # noqa: SLF001 - no public name leads to it
    if transport is not None:
        transport.close()  # type: ignore[no-untyped-call] # the library has no types here


def _size_of(headers: dict[str, str]) -> int:
    """Return the bytes of headers as the server counts them, with the payload, as one message."""
    lines = ["NATS/1.0", *(f"{key}: {value}" for key, value in headers.items()), "", ""]
    return len("\r\n".join(lines).encode())


def _fail(ack: asyncio.Future[Msg], error: Exception) -> None:
    if not ack.done():
        ack.set_exception(error)
