"""The far ends of CAN links: a slcan adapter on a pty, a socketcand server on the loopback."""

from __future__ import annotations

import asyncio
import contextlib
import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Self

from support.pty_rig import CLOCK, Box, plugged_in

from drivers.errors import LinkLost
from drivers.link import OpenLink
from drivers.links.can_bus import CanBus, CanBusSettings, open_can_bus
from protocols.wiring import CanWiring


async def opened(settings: CanBusSettings) -> CanBus:
    return await open_can_bus(settings, CanWiring(), CLOCK)


async def frames(link: OpenLink, number: int) -> list[bytes]:
    """Read until so many chunks came."""
    found = []
    while len(found) < number:
        chunk = await link.read(None)
        assert chunk is not None
        found.append(chunk.data)
    return found


async def end_of(link: OpenLink) -> LinkLost:
    """Read until the link is lost."""
    while True:
        try:
            await link.read(None)
        except LinkLost as lost:
            return lost


class Adapter:
    """A slcan adapter that says what it is told to, and writes down what it hears."""

    def __init__(self, box: Box) -> None:
        self.box = box
        self.heard = b""

    async def hears(self, words: bytes) -> None:
        """Wait until the host has said so."""
        loop, more = asyncio.get_running_loop(), asyncio.Event()
        loop.add_reader(self.box.device, more.set)
        while words not in self.heard:
            await more.wait()
            self.heard += os.read(self.box.device, 4096)
            more.clear()
        loop.remove_reader(self.box.device)


@asynccontextmanager
async def slcan(**settings: int | tuple[int, ...]) -> AsyncIterator[tuple[Adapter, CanBus]]:
    """Yield an adapter, and a link to it that has set it up."""
    with plugged_in() as box:
        adapter = Adapter(box)
        link = await opened(
            CanBusSettings(box.path, interface="slcan", settle_s=0, **settings)  # type: ignore[arg-type]
        )
        await adapter.hears(b"O\r")
        try:
            yield adapter, link
        finally:
            await link.aclose()


class SocketcandServer:
    """Serves one bus in raw mode, to one host at a time."""

    def __init__(self, greeting: bytes = b"< hi >", refusal: bytes = b"") -> None:
        self.address = ""
        self.hosts = 0
        self._heard = b""
        self._more = asyncio.Event()
        self._greeting = greeting
        self._refusal = refusal
        self._server: asyncio.Server | None = None
        self._writer: asyncio.StreamWriter | None = None

    async def __aenter__(self) -> Self:
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", 0)
        host, port = self._server.sockets[0].getsockname()
        self.address = f"{host}:{port}"
        return self

    async def __aexit__(self, *_: object) -> None:
        self.hang_up()
        assert self._server is not None
        self._server.close()
        await self._server.wait_closed()

    async def hears(self, words: bytes) -> bytes:
        """Return all that hosts have said, once these words are in it."""
        while words not in self._heard:
            self._more.clear()
            await self._more.wait()
        return self._heard

    async def say(self, *parts: bytes) -> None:
        """Send each part in a segment of its own."""
        assert self._writer is not None
        for part in parts:
            self._writer.write(part)
            await self._writer.drain()

    def hang_up(self) -> None:
        if self._writer is not None:
            self._writer.close()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._writer = writer
        self.hosts += 1
        writer.write(self._greeting)
        with contextlib.suppress(asyncio.IncompleteReadError, ConnectionError):
            while True:
                word = await reader.readuntil(b">")
                self._heard += word
                self._more.set()
                if word.startswith((b"< open", b"< rawmode")):
                    writer.write(self._refusal or b"< ok >")
        writer.close()
