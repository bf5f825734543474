"""A line to a NATS server on which messages get lost, come twice, or late; all else goes through.

The proxy reads the protocol of NATS (docs.nats.io, "Client protocol") as far as it must to find
where one message ends: `HPUB <subject> [reply] <header bytes> <total bytes>` from the client, and
`MSG`/`HMSG ... <total bytes>` from the server, each followed by its bytes and CR LF.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, suppress
from typing import Final, Literal
from urllib.parse import urlsplit

Harm = Literal["lost", "twice", "late", "cut"]
HARMS: Final[tuple[Harm, ...]] = ("lost", "twice", "late", "cut")
_SIZED: Final = (b"PUB", b"HPUB", b"MSG", b"HMSG")


class LossyLine:
    """What becomes of messages.

    rate  of those that are events, or answers to them, is harmed
    left  so many more are harmed, then none
    """

    def __init__(self, seed: int) -> None:
        self.rate = 0.0
        self.left = 0
        self.harmed: list[tuple[Harm, bytes]] = []
        self._random = random.Random(seed)
        self._late: list[bytes] = []

    def becomes(self, frame: bytes) -> Iterator[bytes]:
        """Yield what arrives of a frame, and what was late. Raises ConnectionError for a cut."""
        late, self._late = self._late, []
        if self.left and _may_be_harmed(frame) and self._random.random() < self.rate:
            self.left -= 1
            harm = self._random.choice(HARMS)
            self.harmed.append((harm, frame.split(b"\r\n", 1)[0]))
            if harm == "cut":
                raise ConnectionError
            if harm == "twice":
                yield from (frame, frame)
            if harm == "late":
                self._late = [frame]
        else:
            yield frame
        yield from late


def _may_be_harmed(frame: bytes) -> bool:
    verb, _, rest = frame.partition(b" ")
    return (verb == b"HPUB" and rest.startswith(b"pit.event.")) or (
        verb == b"MSG" and b'"stream":"PIT"' in frame and b'"seq":' in frame
    )


async def _frames(reader: asyncio.StreamReader) -> AsyncIterator[bytes]:
    """Yield whole protocol messages."""
    with suppress(asyncio.IncompleteReadError, ConnectionError):
        while True:
            line = await reader.readuntil(b"\r\n")
            words = line.split()
            body = b""
            if words and words[0].upper() in _SIZED:
                body = await reader.readexactly(int(words[-1]) + 2)
            yield line + body


@asynccontextmanager
async def lossy(url: str, line: LossyLine) -> AsyncIterator[str]:
    """Run the proxy in front of a server; yield its url."""
    target = urlsplit(url)

    async def pump(source: asyncio.StreamReader, sink: asyncio.StreamWriter) -> None:
        with suppress(ConnectionError):
            async for frame in _frames(source):
                for part in line.becomes(frame):
                    sink.write(part)
                await sink.drain()
        sink.close()

    async def relay(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            far_reader, far_writer = await asyncio.open_connection(target.hostname, target.port)
        except ConnectionError:
            writer.close()
            return
        await asyncio.gather(pump(reader, far_writer), pump(far_reader, writer))

    proxy = await asyncio.start_server(relay, "127.0.0.1", 0)
    try:
        yield f"nats://127.0.0.1:{proxy.sockets[0].getsockname()[1]}"
    finally:
        proxy.close()
        await proxy.wait_closed()
