"""What passes between one table's devices and the bridge, live, for people who look on.

Frames for `pitwire watch`, chunks for `pitwire capture`. What may be a hidden card shows as that
and as nothing else: neither its bytes, nor how many, nor what they were answered. Nothing is shown
before it is written down.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from typing import Any, Literal

from daemon.devices.attachment import AttachedDevice
from daemon.devices.line_queue import LineQueue
from daemon.gamekit.spec import Role
from daemon.runtime.codec import event_json, reading_json
from drivers.capture_model import LinkWord
from drivers.clock import Clock
from drivers.link import Chunk
from protocols.canonical import canonical
from protocols.device import Decoded
from protocols.events import Event
from protocols.instant import Instant
from protocols.rejects import RejectReason

Showing = Literal["frames", "chunks"]


Written = Callable[[Callable[[], None]], None]
"""Calls what it is given when all that was said so far is durable."""


class LiveViews:
    """Everybody who looks at one table."""

    def __init__(self, clock: Clock, written: Written) -> None:
        self._clock = clock
        self._written = written
        self._audiences: dict[Showing, set[LineQueue]] = {"frames": set(), "chunks": set()}
        self._held_back: frozenset[Role] = frozenset()

    def join(self, showing: Showing) -> LineQueue:
        """Let somebody look on until `leave`."""
        audience = LineQueue()
        self._audiences[showing].add(audience)
        self._held_back = frozenset()  # the new one has not been told
        return audience

    def leave(self, audience: LineQueue) -> None:
        """Show it nothing any more."""
        for audiences in self._audiences.values():
            audiences.discard(audience)

    def frame(
        self, plug: AttachedDevice, one: Decoded, events: Sequence[Event], *, stale: bool
    ) -> None:
        """Show a frame, what it says, and what it did at the table."""
        if not (self._audiences["frames"] and one.raw):
            return
        if isinstance(one.body, RejectReason):
            says: dict[str, Any] = {"reject": one.body}
        else:
            says = {"reading": reading_json(one.body)}
        line = {"raw": one.raw.hex(), "stale": stale, **says}
        if one.sequence is not None:
            line["sequence"] = one.sequence
        line["events"] = [event_json(event) for event in events]
        self._show("frames", plug, one.at, line)

    def concealed(self, plug: AttachedDevice, at: Instant) -> None:
        """Show that a frame came of which nothing may be said."""
        self._show("frames", plug, at, {"concealed": True})

    def chunk(self, plug: AttachedDevice, chunk: Chunk, *, hidden: bool) -> None:
        """Show bytes as they were read, or that from here on they are held back.

        Not how many chunks are held back: a longer label may come in more of them.
        """
        if not self._audiences["chunks"]:
            return
        told, self._held_back = plug.role in self._held_back, self._held_back - {plug.role}
        if hidden:
            self._held_back |= {plug.role}
            if not told:
                self._show("chunks", plug, chunk.at, {"concealed": True})
        else:
            line = {"raw": chunk.data.hex(), "stale": chunk.stale}
            self._show("chunks", plug, chunk.at, line)

    def link(self, plug: AttachedDevice, at: Instant, word: LinkWord) -> None:
        """Show that the link was opened, or is lost."""
        self._show("chunks", plug, at, {"link": word})

    def sent(self, plug: AttachedDevice, at: Instant, data: bytes) -> None:
        """Show bytes that went to the device."""
        self._show("chunks", plug, at, {"sent": data.hex()})

    def _show(
        self, showing: Showing, plug: AttachedDevice, at: Instant, line: dict[str, Any]
    ) -> None:
        audiences = tuple(self._audiences[showing])
        if not audiences:
            return
        blob = canonical(
            {
                "role": plug.role,
                "device": plug.spec.key,
                "time": self._wall(at).isoformat(timespec="microseconds"),
                "ns": at.ns,
                **line,
            }
        )

        def tell() -> None:
            for one in audiences:
                one.tell(blob)

        self._written(tell)

    def _wall(self, at: Instant) -> datetime:
        """Return the wall time of an instant, as the wall clock stands now."""
        passed = self._clock.now().since(at) or 0.0
        return self._clock.wall() - timedelta(seconds=passed / self._clock.scale)


class ChunkRedactor:
    """Which chunks may be shown: those of which every byte belongs to a frame that may be.

    The bytes of frames and the bytes that are pending are, in order, the bytes of chunks.
    """

    def __init__(self) -> None:
        self._chunks: deque[Chunk] = deque()
        self._left = 0  # bytes of the first chunk that no frame has accounted for
        self._hidden = False

    def add(self, chunk: Chunk) -> None:
        """Take a chunk that was read; its frames come later. An empty one is none."""
        if not chunk.data:
            return
        if not self._chunks:
            self._left = len(chunk.data)
        self._chunks.append(chunk)

    def account(self, size: int, *, hidden: bool) -> list[tuple[Chunk, bool]]:
        """Take a frame of so many bytes; return the chunks it completes, and which are hidden."""
        done: list[tuple[Chunk, bool]] = []
        while self._chunks and size:
            taken = min(size, self._left)
            size, self._left = size - taken, self._left - taken
            self._hidden = self._hidden or hidden
            if not self._left:
                done.append((self._chunks.popleft(), self._hidden))
                self._hidden = False
                self._left = len(self._chunks[0].data) if self._chunks else 0
        return done
