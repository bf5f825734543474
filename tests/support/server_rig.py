"""Serial servers on loopback: what a table PC meets in the place of a port of its own."""

from __future__ import annotations

import asyncio
import socket
import struct
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from types import SimpleNamespace
from typing import Any, TypeAlias

import pytest
import serial
from serial.rfc2217 import PortManager
from support.pty_rig import CLOCK

from drivers.errors import LinkError
from drivers.links.tcp_serial import TcpSerial, TcpSerialSettings, open_tcp_serial
from protocols.wiring import SerialWiring

Serve: TypeAlias = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]


@asynccontextmanager
async def listening(serve: Serve) -> AsyncIterator[int]:
    """Give a TCP port at which every connection is served so; at the end all of them are ended."""
    writers: list[asyncio.StreamWriter] = []

    async def one(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writers.append(writer)
        with suppress(ConnectionError):
            await serve(reader, writer)

    server = await asyncio.start_server(one, "127.0.0.1", 0)
    try:
        yield server.sockets[0].getsockname()[1]
    finally:
        server.close()
        for writer in writers:
            writer.transport.abort()
        await server.wait_closed()


async def close_at_once(_reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    writer.close()


class RawServer:
    """A server with one slot that passes bytes through.

    kept   what it hands over to whoever connects next
    heard  what the device was told
    """

    def __init__(self, kept: bytes = b"", refusal: bytes = b"") -> None:
        self.kept = kept
        self.heard = bytearray()
        self.served = 0
        self._refusal = refusal
        self._writer: asyncio.StreamWriter | None = None
        self._changed = asyncio.Event()

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if self._writer is not None:
            writer.write(self._refusal)
            writer.close()
            return
        self._writer = writer
        self.served += 1
        writer.write(self.kept)
        self._changed.set()
        try:
            while data := await reader.read(4096):
                self.heard += data
                self._changed.set()
        finally:
            self._writer = None
            writer.close()
            self._changed.set()

    def say(self, data: bytes) -> None:
        """Let the device say something."""
        self.writer.write(data)

    @property
    def writer(self) -> asyncio.StreamWriter:
        assert self._writer is not None
        return self._writer

    async def until(self, met: Callable[[RawServer], bool]) -> None:
        while not met(self):
            self._changed.clear()
            await self._changed.wait()

    def is_free(self) -> bool:
        return self._writer is None


class PortServer:
    """pyserial's own RFC 2217 server, before a port whose device repeats what it is told."""

    def __init__(self) -> None:
        self.port = serial.serial_for_url("loop://", baudrate=115200, timeout=0)
        self.manager: PortManager | None = None

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.manager = PortManager(self.port, SimpleNamespace(write=writer.write))
        while data := await reader.read(4096):
            told = b"".join(self.manager.filter(data))
            if told:
                self.port.write(told)
                back = self.port.read(self.port.in_waiting)
                writer.write(b"".join(self.manager.escape(back)))
        writer.close()


async def opened(
    port: int, wiring: SerialWiring | None = None, host: str = "127.0.0.1", **settings: Any
) -> TcpSerial:
    return await open_tcp_serial(
        TcpSerialSettings(host, port, **settings), wiring or SerialWiring(), CLOCK
    )


async def ended(link: TcpSerial) -> LinkError:
    """Return why the link ended, whatever it still had to say."""
    try:
        while True:
            await link.read(None)
    except LinkError as trouble:
        return trouble


async def refused(serve: Serve, wiring: SerialWiring | None = None, **settings: Any) -> LinkError:
    """Return why a server served so cannot be opened."""
    async with listening(serve) as port:
        with pytest.raises(LinkError) as caught:
            await opened(port, wiring, **settings)
    assert f"127.0.0.1:{port}" in str(caught.value)
    assert caught.value.action
    return caught.value


async def reset(_reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    one = writer.get_extra_info("socket")
    one.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    writer.transport.abort()
