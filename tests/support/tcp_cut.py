"""A way between a process and a server on loopback that can be cut, or fall silent."""

from __future__ import annotations

import asyncio
import contextlib
from typing import Self

_BYTES = 65536


class Way:
    """A port of its own that leads to another one.

    cut     the way is gone: what was connected is reset, and nothing connects
    silent  it is there, and nothing gets through; both ends believe in it for a while
    """

    def __init__(self, to_port: int) -> None:
        self._to = to_port
        self._server: asyncio.Server | None = None
        self._ends: set[asyncio.StreamWriter] = set()
        self._tasks: set[asyncio.Task[None]] = set()
        self._passing = asyncio.Event()
        self._passing.set()
        self.port = 0

    async def __aenter__(self) -> Self:
        await self.mend()
        return self

    async def __aexit__(self, *_exc: object) -> None:
        await self.cut()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def cut(self) -> None:
        if self._server is not None:
            self._server.close()
            self._server = None
        for end in tuple(self._ends):
            end.transport.abort()

    def silence(self) -> None:
        self._passing.clear()

    async def mend(self) -> None:
        self._passing.set()
        if self._server is None:
            self._server = await asyncio.start_server(self._connected, "127.0.0.1", self.port)
            self.port = self._server.sockets[0].getsockname()[1]

    async def _connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            there, back = await asyncio.open_connection("127.0.0.1", self._to)
        except OSError:
            writer.transport.abort()
            return
        ends = {writer, back}
        self._ends |= ends
        for source, target in ((reader, back), (there, writer)):
            task = asyncio.create_task(self._pass(source, target, ends))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def _pass(
        self,
        source: asyncio.StreamReader,
        target: asyncio.StreamWriter,
        ends: set[asyncio.StreamWriter],
    ) -> None:
        with contextlib.suppress(OSError):
            while data := await source.read(_BYTES):
                await self._passing.wait()
                target.write(data)
                await target.drain()
        for end in ends:
            end.transport.abort()
        self._ends -= ends
