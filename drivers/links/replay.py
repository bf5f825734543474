"""A capture played as if its device were speaking."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass

from drivers.capture import CaptureError, CaptureLine, read_capture
from drivers.clock import Clock
from drivers.errors import LinkEnded, LinkRefused
from drivers.link import EVERY_WIRING, Chunk, LinkSpec
from protocols.wiring import Wiring


@dataclass(frozen=True, slots=True)
class ReplaySettings:
    """What to play.

    file   path of a capture, or of a log of another program
    speed  how many seconds of the capture pass per real second; 0: as fast as it is read
    """

    file: str
    speed: float = 0


class ReplayLink:
    """An open capture. Everything it is told is ignored: the other end is history."""

    def __init__(
        self, settings: ReplaySettings, lines: Sequence[CaptureLine], clock: Clock
    ) -> None:
        self.where = settings.file
        self.untold = ""
        self._speed = settings.speed
        told = [line for line in lines if line.direction in ("device", "loss")]
        self._left = sorted(told, key=lambda line: line.seconds)[::-1]
        self._clock = clock
        self._base = clock.now()
        self._start = asyncio.get_running_loop().time()

    async def read(self, timeout_s: float | None) -> Chunk | None:
        """Return the next chunk, or None after `timeout_s` real seconds. Raises LinkEnded.

        Without a speed, `at` is the opening plus the capture's own time; with one, the present.
        """
        if not self._left:
            raise LinkEnded(self.where, "came to its end", "nothing to do")
        line = self._left[-1]
        wait = self._until(line)
        if timeout_s is not None and wait > timeout_s:
            await asyncio.sleep(timeout_s)
            return None
        await asyncio.sleep(wait)
        if not self._left:  # closed while we slept
            raise LinkEnded(self.where, "was closed", "nothing to do")
        self._left.pop()
        at = self._clock.now() if self._speed else self._base.after(line.seconds)
        if isinstance(line.data, bytes):
            return Chunk(at, line.data, line.stale)
        return Chunk(at, b"", lost=str(line.data))

    def write(self, data: bytes) -> None:
        """Ignore it."""

    async def aclose(self) -> None:
        """Stop playing; safe to call twice."""
        self._left.clear()

    def _until(self, line: CaptureLine) -> float:
        if not self._speed:
            return 0.0
        played = asyncio.get_running_loop().time() - self._start
        return max(line.seconds / self._speed - played, 0.0)


async def open_replay(settings: ReplaySettings, _wiring: Wiring, clock: Clock) -> ReplayLink:
    """Read the whole capture and begin to play it. Raises LinkRefused."""
    if settings.speed < 0:
        raise LinkRefused(settings.file, f"cannot play at {settings.speed}", "correct `speed`")
    try:
        capture = await asyncio.to_thread(read_capture, settings.file)
    except CaptureError as error:
        what = error.what if error.line is None else f"line {error.line}: {error.what}"
        raise LinkRefused(settings.file, what, "correct `file`, or the file") from error
    return ReplayLink(settings, capture.lines, clock)


LINK = LinkSpec(
    key="replay",
    title="Replay of a capture",
    settings=ReplaySettings,
    live=False,
    carries=EVERY_WIRING,
    open=open_replay,
)
