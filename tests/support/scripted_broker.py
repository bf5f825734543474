"""A broker of MQTT 5 that answers as it is told: for what no mosquitto says when it is asked to.

It knows as much of the protocol as one connection after another needs. `codes` has the reason code
of the next events; `connack` and its properties are those of every sign-in.
"""

from __future__ import annotations

import asyncio
import contextlib
import struct
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field


@dataclass
class ScriptedBroker:
    """What it says, and what it was told.

    connack   reason code and properties of each sign-in
    codes     reason codes for events, in order; after them 0
    goodbye   reason code of a DISCONNECT in place of an event's acknowledgement
    banner    bytes in place of MQTT
    delay_s   how long each acknowledgement takes
    sign_ins  how often somebody signed in
    events    payloads of events that were acknowledged with success
    most_under_way
              how many messages of one connection waited for their acknowledgement at once
    """

    connack: tuple[int, bytes] = (0, b"")
    codes: list[int] = field(default_factory=list)
    goodbye: list[int] = field(default_factory=list)
    banner: bytes | None = None
    delay_s: float = 0.0
    port: int = 0
    connections: int = 0
    sign_ins: int = 0
    events: list[bytes] = field(default_factory=list)
    most_under_way: int = 0

    @property
    def url(self) -> str:
        return f"mqtt://127.0.0.1:{self.port}"

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.connections += 1
        if self.banner is not None:
            writer.write(self.banner)
            return
        heard: set[str] = set()
        waiting: list[bytes] = []
        while True:
            first, body = await _packet(reader)
            match first >> 4:
                case 1:  # CONNECT
                    self.sign_ins += 1
                    code, properties = self.connack
                    _write(writer, 0x20, bytes([0, code, len(properties)]) + properties)
                    if code:
                        return
                case 3:  # PUBLISH
                    if not self._published(writer, first, body, heard, waiting):
                        return
                case 8:  # SUBSCRIBE
                    (size,) = struct.unpack(">H", body[3:5])
                    heard.add(body[5 : 5 + size].decode())
                    _write(writer, 0x90, body[:2] + b"\0\x01")
                case 10:  # UNSUBSCRIBE
                    _write(writer, 0xB0, body[:2] + b"\0\0")
                case 12:  # PINGREQ
                    _write(writer, 0xD0, b"")
                case 4:  # PUBACK
                    continue  # it acknowledges what it heard
                case _:
                    return

    def _published(
        self,
        writer: asyncio.StreamWriter,
        first: int,
        body: bytes,
        heard: set[str],
        waiting: list[bytes],
    ) -> bool:
        (size,) = struct.unpack(">H", body[:2])
        topic, mid = body[2 : 2 + size].decode(), body[2 + size : 4 + size]
        code = 0
        if topic.startswith("pit/event/"):
            if self.goodbye:
                _write(writer, 0xE0, bytes([self.goodbye.pop(0), 0]))
                return False
            code = self.codes.pop(0) if self.codes else 0
            if not code:
                self.events.append(body[5 + size + body[4 + size] :])
        elif topic not in heard and not first & 1:
            code = 0x10
        waiting.append(mid)
        self.most_under_way = max(self.most_under_way, len(waiting))

        def acknowledge() -> None:
            waiting.remove(mid)
            _write(writer, 0x40, mid + bytes([code, 0]))

        if self.delay_s:
            asyncio.get_running_loop().call_later(self.delay_s, acknowledge)
        else:
            acknowledge()
        if topic in heard and not topic.startswith("pit/newest/"):
            # to its own sender: nobody else ever listens here
            _write(writer, 0x32, body[: 2 + size] + b"\0\x01" + body[4 + size :])
        return True


def _write(writer: asyncio.StreamWriter, first: int, body: bytes) -> None:
    length, rest = b"", len(body)
    while True:
        rest, low = divmod(rest, 128)
        length += bytes([low | (0x80 if rest else 0)])
        if not rest:
            break
    writer.write(bytes([first]) + length + body)


async def _packet(reader: asyncio.StreamReader) -> tuple[int, bytes]:
    (first,) = await reader.readexactly(1)
    length = shift = 0
    while True:
        (byte,) = await reader.readexactly(1)
        length |= (byte & 0x7F) << shift
        shift += 7
        if byte < 0x80:
            return first, await reader.readexactly(length)


@asynccontextmanager
async def scripted_broker(**said: object) -> AsyncIterator[ScriptedBroker]:
    broker = ScriptedBroker(**said)  # type: ignore[arg-type] # its own fields
    writers: list[asyncio.StreamWriter] = []

    async def one(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writers.append(writer)
        with contextlib.suppress(ConnectionError, asyncio.IncompleteReadError):
            await broker.serve(reader, writer)
        with contextlib.suppress(ConnectionError):
            await writer.drain()
        writer.close()

    server = await asyncio.start_server(one, "127.0.0.1", 0)
    broker.port = server.sockets[0].getsockname()[1]
    try:
        yield broker
    finally:
        server.close()
        for writer in writers:
            writer.transport.abort()
        await server.wait_closed()
