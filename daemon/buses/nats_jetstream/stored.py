"""What the stream keeps of a table besides its order: events read back, its lease.

The lease is one message on a subject of the same stream as the events, so that the server compares
its sequence with the one that each event names, in the same step in which it stores the event
(`Nats-Expected-Last-Subject-Sequence` of another subject). A new lease deletes the one before
(`Nats-Rollup`). Reads go to the stream's leader; a copy might be older. A server of a cluster that
was cut off from the others may still answer them for some seconds: it takes no event meanwhile.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from contextlib import suppress
from typing import Any, Final, Protocol

from nats.aio.client import Client
from nats.aio.msg import Msg
from nats.js import api

from daemon.buses.nats_jetstream import subjects
from daemon.buses.nats_jetstream.promise import broken_promises
from daemon.buses.nats_jetstream.settings import NatsSettings
from daemon.buses.nats_jetstream.stream import (
    TROUBLE,
    last_message,
    make_stream,
    message_at,
    message_from,
    refusal,
    stream_info,
)
from daemon.delivery.bus import (
    Address,
    BusRefused,
    BusUnavailable,
    IdTaken,
    Keeping,
    LeaseBoard,
    LeaseChanged,
    StoredEvent,
)

_NO_RESPONDERS: Final = "503"
_BEHIND_ANOTHER: Final = b'"err_code":10164'
"""A cluster has not yet decided on a message whose number this one's would be compared with."""
_BEHIND_ANOTHER_S: Final = 0.005
_TRIES: Final = 200
EXPECTED_STREAM: Final = "Nats-Expected-Stream"
EXPECTED: Final = "Nats-Expected-Last-Subject-Sequence"
EXPECTED_OF: Final = "Nats-Expected-Last-Subject-Sequence-Subject"


class Reach(Protocol):
    """The connection, as far as it is needed here."""

    def connected(self) -> Client:
        """Return the client. Raises BusUnavailable where it has no connection."""

    def unavailable(
        self, error: Exception | None = None, subject: str | None = None
    ) -> BusUnavailable:
        """Return what a failure means; `subject`: what was sent or asked there."""

    async def acknowledged(
        self, client: Client, subject: str, payload: bytes, headers: dict[str, str]
    ) -> Msg:
        """Send a message and return the stream's answer. Raises BusUnavailable, BusRefused."""

    async def send(
        self, client: Client, subject: str, payload: bytes, headers: dict[str, str]
    ) -> None:
        """Send a message that nobody answers. Raises BusUnavailable, BusRefused."""


class StreamStore:
    """Stores messages in the streams, and reads them back; `reach` is the connection."""

    def __init__(self, settings: NatsSettings, reach: Reach) -> None:
        self._settings = settings
        self.reach = reach
        self._streams: dict[str, str] = {}
        self._found: dict[str, api.StreamInfo] = {}

    def forget(self) -> None:
        """Look at the streams again before they are used: this may be another server."""
        self._streams.clear()

    def config(self, address: Address) -> api.StreamConfig | None:
        """Return how the stream that takes the table's events is made; None: it is not known."""
        found = self._found.get(subjects.root_of(address))
        return None if found is None else found.config

    async def keeping(self, address: Address) -> Keeping:
        """Return how the stream keeps messages. Raises BusUnavailable."""
        _, name = await self.stream(address)
        found = self._found.get(subjects.root_of(address))
        if found is None:
            unknown = "whether it keeps what it acknowledges is not known"
            said = f"the stream {name}: {unknown}; allow our user $JS.API.STREAM.INFO.{name}"
            return Keeping(unkept=(said,))
        return Keeping(found.config.max_age or None, broken_promises(found, self._settings))

    async def stored(
        self, address: Address, subject: str, payload: bytes, headers: dict[str, str]
    ) -> int:
        """Store a message in the table's stream; return its sequence.

        Raises BusUnavailable, BusRefused, LeaseChanged, IdTaken.
        """
        client, stream = await self.stream(address)
        headers = {**headers, EXPECTED_STREAM: stream}
        answer = await self._decided(client, subject, payload, headers)
        said = self.acknowledged(address, stream, subject, answer)
        number: int = said["seq"]
        if said.get("duplicate"):
            await self._must_be_there(client, stream, number, subject, payload)
        return number

    def acknowledged(
        self, address: Address, stream: str, subject: str, answer: Msg
    ) -> dict[str, Any]:
        """Return what a stream's positive answer says; raise what a negative one means."""
        root = subjects.root_of(address)
        if answer.headers and answer.headers.get("Status") == _NO_RESPONDERS:
            self._streams.pop(root, None)
            raise BusUnavailable(
                f"no stream takes {subject}",
                f"create the stream {stream} on {' and '.join(subjects.stored_under(root))}",
            )
        said = _acknowledgement(answer.data)
        if said is None:
            raise BusUnavailable(
                f"what came for {subject} is no acknowledgement of a stream",
                "look who else answers there; the event is repeated under the same id",
            )
        if (error := said.get("error")) is not None:
            trouble = refusal(error, subject, stream)
            if not isinstance(trouble, LeaseChanged):
                self._streams.pop(root, None)
            raise trouble
        return said

    async def _decided(
        self, client: Client, subject: str, payload: bytes, headers: dict[str, str]
    ) -> Msg:
        """Return the stream's answer; ask again while a cluster decides on what came before."""
        tries = 0
        while True:
            answer = await self.reach.acknowledged(client, subject, payload, headers)
            tries += 1
            if _BEHIND_ANOTHER not in answer.data or tries == _TRIES:
                return answer
            await asyncio.sleep(_BEHIND_ANOTHER_S)

    async def asked(
        self, address: Address, subject: str, number: int | None = None
    ) -> api.RawStreamMsg | None:
        """Return the newest message on a subject; with `number`, the first from there on.

        Raises BusUnavailable.
        """
        client, stream = await self.stream(address)
        try:
            if number is None:
                return await last_message(client, stream, subject)
            return await message_from(client, stream, subject, number)
        except TROUBLE as error:
            self._streams.pop(subjects.root_of(address), None)
            raise self.reach.unavailable(error) from error

    async def stream(self, address: Address) -> tuple[Client, str]:
        """Return the client, and the name of the table's stream once it is as it must be.

        Raises BusUnavailable.
        """
        client, root = self.reach.connected(), subjects.root_of(address)
        return client, self._streams.get(root) or await self._looked_at(client, root)

    async def _looked_at(self, client: Client, root: str) -> str:
        settings = self._settings
        name = settings.stream if root == subjects.LIVE else f"{settings.stream}-REHEARSAL"
        subject = f"$JS.API.STREAM.INFO.{name}"
        self._found.pop(root, None)
        if settings.manage_stream:
            try:
                self._found[root] = await make_stream(client, name, root, settings)
            except TROUBLE as error:
                raise self.reach.unavailable(error, subject) from error
        else:
            with suppress(BusUnavailable, BusRefused):  # it may be forbidden: then it is unknown
                answer = await self.reach.acknowledged(client, subject, b"", {})
                if (info := stream_info(answer.data)) is not None:
                    self._found[root] = info
        self._streams[root] = name
        return name

    async def _must_be_there(
        self, client: Client, stream: str, number: int, subject: str, payload: bytes
    ) -> None:
        """Raise IdTaken where the message that the stream calls the same is another one."""
        try:
            there = await message_at(client, stream, number)
        except TROUBLE as error:
            raise self.reach.unavailable(error) from error
        if there is None:
            raise IdTaken(f"nothing that the stream {stream} still has")
        if (there.subject, there.data) != (subject, payload):
            raise IdTaken(f"message {number} of the stream {stream}, on {there.subject}")


class NatsLog:
    """Reads events back; see EventLog."""

    keeps_all = True

    def __init__(self, store: StreamStore) -> None:
        self._store = store

    async def newest(self, address: Address) -> StoredEvent | None:
        """Return the table's newest event in its stream."""
        return _event(await self._store.asked(address, subjects.event(address)))

    async def keeping(self, address: Address) -> Keeping:
        """Return how the stream keeps events, by its settings."""
        return await self._store.keeping(address)

    async def after(self, address: Address, number: int, limit: int) -> Sequence[StoredEvent]:
        """Return the table's events behind this sequence."""
        found: list[StoredEvent] = []
        while len(found) < limit:
            message = await self._store.asked(address, subjects.event(address), number + 1)
            if (stored := _event(message)) is None:
                break
            found.append(stored)
            number = stored.number
        return found


class NatsLeases:
    """Keeps leases; see LeaseStore."""

    def __init__(self, store: StreamStore) -> None:
        self._store = store

    async def read(self, address: Address) -> LeaseBoard:
        """Return the lease, and the claim if it is newer: only that one waits for an answer."""
        newest = await self._store.asked(address, subjects.lease(address))
        if newest is None:
            return LeaseBoard()
        lease, claim = _event(newest), None
        if newest.subject != subjects.lease(address, "owner"):
            claim = lease
            lease = _event(await self._store.asked(address, subjects.lease(address, "owner")))
        return LeaseBoard(
            0 if lease is None else lease.number,
            None if lease is None else lease.payload,
            0 if claim is None else claim.number,
            None if claim is None else claim.payload,
        )

    async def write(self, address: Address, body: bytes, after: int) -> int:
        """Write the lease, if the last one has this sequence."""
        headers = {EXPECTED: str(after), "Nats-Rollup": "sub"}
        return await self._store.stored(address, subjects.lease(address, "owner"), body, headers)

    async def claim(self, address: Address, body: bytes) -> int:
        """Write a claim; it deletes the one before."""
        headers = {"Nats-Rollup": "sub"}
        return await self._store.stored(address, subjects.lease(address, "claim"), body, headers)


def _acknowledgement(data: bytes) -> dict[str, Any] | None:
    """Return what a stream answered, None where it is no answer of one: anybody may send it."""
    try:
        said = json.loads(data)
    except (ValueError, RecursionError):
        return None
    if not isinstance(said, dict):
        return None
    failed, number = isinstance(said.get("error"), dict), said.get("seq")
    return said if failed or (isinstance(number, int) and number > 0) else None


def _event(message: api.RawStreamMsg | None) -> StoredEvent | None:
    if message is None:
        return None
    message_id = (message.headers or {}).get("Nats-Msg-Id", "")
    return StoredEvent(message.seq or 0, message.data or b"", message_id)
