"""Listens in on an open link and writes what passes to a capture."""

from __future__ import annotations

from collections.abc import Iterator

from drivers.capture import CaptureError, CaptureLine, CaptureWriter, Command
from drivers.clock import Clock
from drivers.link import Chunk, OpenLink
from drivers.rotation import RotatingCapture
from protocols.instant import Instant


def chunk_lines(seconds: float, chunk: Chunk) -> Iterator[CaptureLine]:
    """Yield the lines of a chunk: what was lost before it, then its bytes."""
    if chunk.lost and not chunk.stale:
        yield CaptureLine(seconds, "loss", " ".join(chunk.lost.split()))
    if chunk.data:
        yield CaptureLine(seconds, "device", chunk.data, chunk.stale)


class Tap:
    """A link like the one it wraps, with a capture beside it.

    Trouble with the file ends the capture and never the link: see `failure`.
    """

    def __init__(
        self, link: OpenLink, writer: CaptureWriter | RotatingCapture, clock: Clock
    ) -> None:
        self.link = link
        """The link itself."""
        self.where = link.where
        self.untold = link.untold
        self.failure: CaptureError | None = None
        """Why the capture ended early, if it did."""
        self._writer = writer
        self._clock = clock
        self._began = clock.now()

    async def read(self, timeout_s: float | None) -> Chunk | None:
        """Return the wrapped link's next chunk, written down first. Raises LinkError."""
        chunk = await self.link.read(timeout_s)
        if chunk is not None:
            for line in chunk_lines(self._seconds(chunk.at), chunk):
                self._add(line)
        return chunk

    def write(self, data: bytes) -> None:
        """Queue bytes for the device, and write them down."""
        if data:
            self._add(CaptureLine(self._seconds(self._clock.now()), "host", data))
        self.link.write(data)

    def command(self, command: Command) -> None:
        """Write down a command of the table server, which passes beside the link."""
        self._add(CaptureLine(self._seconds(self._clock.now()), "command", command))

    async def aclose(self) -> None:
        """Close link and capture. Safe to call twice."""
        try:
            self._writer.close()
        except CaptureError as error:
            self.failure = self.failure or error
        await self.link.aclose()

    def _seconds(self, at: Instant) -> float:
        # What was found in the port is a little older than the capture.
        return max(at.since(self._began) or 0.0, 0.0)

    def _add(self, line: CaptureLine) -> None:
        if self.failure is not None:
            return
        try:
            self._writer.add(line)
        except CaptureError as error:
            self.failure = error
