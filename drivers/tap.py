"""Listens in on an open link and writes what passes to a capture."""

from __future__ import annotations

from collections.abc import Iterator

from drivers.capture import CaptureError, CaptureLine, CaptureWriter, Command
from drivers.clock import Clock
from drivers.link import Chunk, OpenLink
from drivers.rotation import RotatingCapture
from protocols.instant import Instant

_HELD_LIMIT = 10_000


def chunk_lines(seconds: float, chunk: Chunk) -> Iterator[CaptureLine]:
    """Yield the lines of a chunk: what was lost before it, then its bytes."""
    if chunk.lost and not chunk.stale:
        yield CaptureLine(seconds, "loss", " ".join(chunk.lost.split()))
    if chunk.data:
        yield CaptureLine(seconds, "device", chunk.data, chunk.stale)


class Tap:
    """A link like the one it wraps, with a capture beside it.

    While sealed, lines are held back; they reach the file by `unseal` or never (`discard`,
    `close`). Trouble with the file ends the capture and never the link: see `failure`.
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
        self.sealed = False
        self._writer = writer
        self._clock = clock
        self._began = clock.now()
        self._held: list[CaptureLine] = []
        self._dropped = 0

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
        """Close link and capture; what is still sealed is never written. Safe to call twice."""
        self.discard()
        try:
            self._writer.close()
        except CaptureError as error:
            self.failure = self.failure or error
        await self.link.aclose()

    def seal(self) -> None:
        """Hold lines back from now on."""
        self.sealed = True

    def unseal(self) -> None:
        """Write what was held back, in order, and hold nothing back from now on."""
        self.sealed = False
        held, self._held = self._held, []
        dropped, self._dropped = self._dropped, 0
        for line in held:
            self._add(line)
        if dropped:
            self._record(f"{dropped} lines too many were said while sealed, and are not here")

    def discard(self) -> None:
        """Forget what was held back; what comes next is held back as before while sealed."""
        self._held.clear()
        self._dropped = 0

    def _seconds(self, at: Instant) -> float:
        # What was found in the port is a little older than the capture.
        return max(at.since(self._began) or 0.0, 0.0)

    def _add(self, line: CaptureLine) -> None:
        if not self.sealed:
            self._record(line)
        elif len(self._held) < _HELD_LIMIT:
            self._held.append(line)
        else:
            self._dropped += 1

    def _record(self, item: CaptureLine | str) -> None:
        if self.failure is not None:
            return
        try:
            if isinstance(item, str):
                self._writer.note(item)
            else:
                self._writer.add(item)
        except CaptureError as error:
            self.failure = error
