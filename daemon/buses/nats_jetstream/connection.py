"""The connection itself: it comes and goes, and calls raise BusUnavailable meanwhile."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Any, Final, TypeAlias

import nats.errors
from nats.aio.client import Client
from nats.aio.msg import Msg
from nats.js.errors import APIError, NotFoundError

from daemon.buses.nats_jetstream.endings import why_ended, why_refused
from daemon.buses.nats_jetstream.settings import NatsSettings, login, without_secrets
from daemon.buses.nats_jetstream.stream import ACK_S, make_stream, refusal
from daemon.delivery.bus import Address, BusRefused, BusUnavailable, CommandHandler, Request
from drivers.backoff import Backoff

_RETRY: Final = Backoff(first_s=0.1, factor=2.0, most_s=10.0)
_LASTS_S: Final = 5.0
"""A connection that ends sooner counts as one that was refused."""
_CANCEL_S: Final = 0.1
_PING_S: Final = 5  # a half-open connection is noticed after two of them
_CLOSE_S: Final = 2.0
_ANSWER_S: Final = 1.0
_NO_RESPONDERS: Final = "503"
_LIVE: Final = "pit"
_TROUBLE: Final = (nats.errors.Error, APIError, OSError, TimeoutError, ValueError)

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
        self._was_up = False
        self._failed: Exception | None = None  # why the last server could not be reached
        self._inbox: str | None = None
        self._sent = 0
        self._acks: dict[str, tuple[str, asyncio.Future[Msg]]] = {}
        self._streams: dict[str, str] = {}
        self._denied: set[str] = set()
        self._served: dict[Address, CommandHandler] = {}
        self._answering: set[asyncio.Task[None]] = set()
        self._why = f"the bus at {self._place} is not connected yet"
        self._keeper = asyncio.create_task(self._keep_connected(), name="nats")

    async def last_event(self, address: Address) -> bytes | None:
        """Return the payload of the table's newest event in its stream."""
        client = self._connected()
        root = _root(address)
        stream = await self._stream(client, root)
        try:
            manager = client.jetstream(timeout=ACK_S)
            subject = f"{root}.event.{address.site}.{address.table}.>"
            newest = await manager.get_last_msg(stream, subject)
        except NotFoundError:
            return None
        except _TROUBLE as error:
            raise self._unavailable(error) from error
        return newest.data or b""

    async def publish(self, address: Address, kind: str, message_id: str, payload: bytes) -> None:
        """Return when the stream has acknowledged the event. One at a time keeps the order."""
        client = self._connected()
        root = _root(address)
        stream = self._streams.get(root) or await self._stream(client, root)
        subject = f"{root}.event.{address.site}.{address.table}.{kind}"
        headers = {"Nats-Msg-Id": message_id, "Nats-Expected-Stream": stream}
        answer = await self._acknowledged(client, subject, payload, headers)
        if answer.headers and answer.headers.get("Status") == _NO_RESPONDERS:
            self._streams.pop(root, None)
            raise BusUnavailable(
                f"no stream takes {subject}", f"create the stream {stream} on {root}.event.>"
            )
        error = json.loads(answer.data).get("error")
        if error is not None:
            self._streams.pop(root, None)
            raise refusal(error, subject, stream)

    async def publish_status(self, address: Address, payload: bytes) -> None:
        """Send the status to whoever listens now."""
        client = self._connected()
        try:
            subject = f"{_root(address)}.status.{address.site}.{address.table}"
            await client.publish(subject, payload)
        except _TROUBLE as error:
            raise self._unavailable(error) from error

    async def ask(self, address: Address, payload: bytes) -> bytes | None:
        """Return the first answer within a second, None where nobody listens or answers."""
        client = self._connected()
        try:
            subject = f"{_commands(address)}.read.pitwire"
            return (await client.request(subject, payload, timeout=_ANSWER_S)).data
        except (nats.errors.NoRespondersError, nats.errors.TimeoutError):
            return None  # the server may still list one that a power cut took
        except _TROUBLE as error:
            raise self._unavailable(error) from error

    async def serve(self, address: Address, handler: CommandHandler) -> None:
        """Answer the table's commands, now or as soon as there is a connection."""
        self._served[address] = handler
        if self._inbox is not None:
            await self._subscribe(self._client, address, handler)

    async def close(self) -> None:
        """Wait a moment for open acknowledgements and answers, then disconnect."""
        self._closing = True
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
            await asyncio.sleep(_RETRY.wait_s(failures))

    async def _one_connection(self) -> None:
        self._client, self._gone = client, gone = Client(), asyncio.Event()
        self._was_up, self._failed = False, None
        try:
            await _connect(client, self._settings, self._error, gone)
            await self._up(client)
            self._was_up = True
            await gone.wait()
            self._down(why_ended(self._place, client.last_error))
        except Exception as error:  # noqa: BLE001 - a bus that stops trying would be silent for ever
            self._down(why_refused(self._place, client, error, self._failed))
        finally:
            self._inbox = None
            try:
                with suppress(*_TROUBLE):
                    await client.close()
            finally:
                _close_socket(client)

    async def _up(self, client: Client) -> None:
        inbox = client.new_inbox()
        await client.subscribe(f"{inbox}.*", cb=self._acknowledge)
        for address, handler in self._served.items():
            await self._subscribe(client, address, handler)
        self._streams.clear()
        self._denied.clear()
        self._inbox = inbox
        self._say(None)

    def _down(self, why: str) -> None:
        self._why = why
        self._say(why)
        for _, ack in self._acks.values():
            _fail(ack, self._unavailable())

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
            listened = [f"{_commands(table)}.*.*" for table in self._served]
            commands = {subject.lower(): subject for subject in listened}
            subject = commands.get(lowered, lowered)
            self._say(f"the bus does not let us listen on {subject}: allow it for our user")
        for subject, ack in self._acks.values():
            if subject.lower() == lowered:
                _fail(ack, self._unavailable(subject=subject))

    def _connected(self) -> Client:
        if self._inbox is None or not self._client.is_connected:
            raise self._unavailable()
        return self._client

    def _unavailable(
        self, error: Exception | None = None, subject: str | None = None
    ) -> BusUnavailable:
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

    async def _stream(self, client: Client, root: str) -> str:
        """Return the name of the stream that takes this root's events, once it is as it must be."""
        settings = self._settings
        name = settings.stream if root == _LIVE else f"{settings.stream}-REHEARSAL"
        if settings.manage_stream:
            try:
                await make_stream(client, name, f"{root}.event.>", settings.duplicate_window_s)
            except _TROUBLE as error:
                subject = f"$JS.API.STREAM.INFO.{name}"
                raise self._unavailable(error, subject) from error
        self._streams[root] = name
        return name

    async def _acknowledged(
        self, client: Client, subject: str, payload: bytes, headers: dict[str, str]
    ) -> Msg:
        loop = asyncio.get_running_loop()
        self._sent += 1
        reply = f"{self._inbox}.{self._sent}"
        ack: asyncio.Future[Msg] = loop.create_future()
        self._acks[reply] = (subject, ack)
        timer = loop.call_later(ACK_S, _fail, ack, TimeoutError())
        size = len(payload) + _size_of(headers)
        try:
            if size > client.max_payload:
                raise BusRefused(f"{size} bytes on the wire are more than the server takes")
            await client.publish(subject, payload, reply=reply, headers=headers)
            return await ack
        except _TROUBLE as error:
            if isinstance(error, TimeoutError):
                self._gone.set()  # only a new connection shows whether the server lives
            raise self._unavailable(error, subject) from error
        finally:
            timer.cancel()
            del self._acks[reply]

    async def _acknowledge(self, message: Msg) -> None:
        waiting = self._acks.get(message.subject)
        if waiting is not None and not waiting[1].done():
            waiting[1].set_result(message)

    async def _subscribe(self, client: Client, address: Address, handler: CommandHandler) -> None:
        async def take(message: Msg) -> None:
            # A task each: an answer that waits for the journal must not keep the next from being
            # heard. Tasks start in the order of arrival, so commands enter the table in order.
            task = asyncio.create_task(_answer(message, handler))
            self._answering.add(task)
            task.add_done_callback(self._answering.discard)

        await client.subscribe(f"{_commands(address)}.*.*", cb=take)


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


def _root(address: Address) -> str:
    return _LIVE if address.mode == "live" else "pit-rehearsal"


def _commands(address: Address) -> str:
    return f"{_root(address)}.command.{address.site}.{address.table}"


def _may_answer(subject: str) -> bool:
    """Return whether an answer may go there: its sender chose it, and we may write events."""
    return subject != "" and not subject.startswith(("pit.", "pit-rehearsal.", "$"))


async def _answer(message: Msg, handler: CommandHandler) -> None:
    *_, authority, user = message.subject.split(".")
    answer = await handler(Request(message.data, authority=authority, user=user))
    if _may_answer(message.reply):
        # Without a connection the sender hears nothing, repeats its id, and gets this answer then.
        with suppress(*_TROUBLE):
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
    lines = ["NATS/1.0", *(f"{key}: {value}" for key, value in headers.items()), ""]
    return sum(len(line.encode()) + len("\r\n") for line in lines)


def _fail(ack: asyncio.Future[Msg], error: Exception) -> None:
    if not ack.done():
        ack.set_exception(error)
