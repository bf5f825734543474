"""What passes between one table's devices and the bridge, live, for people who look on.

Frames for `pitwire watch`, chunks for `pitwire capture`. What may be a hidden card shows as that
and as nothing else: neither its bytes, nor how many, nor what they were answered. Nothing is shown
before it is written down.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from typing import Any, Literal

from daemon.devices.attachment import AttachedDevice
from daemon.devices.line_queue import LineQueue
from daemon.runtime.codec import event_json, reading_json
from drivers.capture_model import LinkWord
from drivers.clock import Clock
from drivers.link import Chunk
from protocols.canonical import canonical
from protocols.device import Decoded
from protocols.events import Event
from protocols.instant import Instant
from protocols.rejects import RejectReason
from protocols.table_terms import Role

Showing = Literal["frames", "chunks"]


Written = Callable[[Callable[[], None]], None]
"""Calls what it is given when all that was said so far is durable."""


class LiveViews:
    """Everybody who looks on at one table."""

    def __init__(self, clock: Clock, written: Written) -> None:
        self._clock = clock
        self._written = written
        self.watched = False
        """Whether anybody looks on."""
        self._queues: dict[Showing, set[LineQueue]] = {"frames": set(), "chunks": set()}
        self._held_back: frozenset[Role] = frozenset()

    def join(self, showing: Showing) -> LineQueue:
        """Let somebody look on until `leave`."""
        queue = LineQueue()
        self._queues[showing].add(queue)
        self.watched = True
        self._held_back = frozenset()  # the new one has not been told
        return queue

    def leave(self, queue: LineQueue) -> None:
        """Show it nothing any more."""
        for queues in self._queues.values():
            queues.discard(queue)
        self.watched = any(self._queues.values())

    def frame(
        self, attached: AttachedDevice, frame: Decoded, events: Sequence[Event], *, stale: bool
    ) -> None:
        """Show a frame, what it says, and what it did at the table."""
        if not (self._queues["frames"] and frame.raw):
            return
        line = frame_json(frame, stale=stale)
        if frame.sequence is not None:
            line["sequence"] = frame.sequence
        line["events"] = [event_json(event) for event in events]
        self._show("frames", attached, frame.at, line)

    def concealed(self, attached: AttachedDevice, at: Instant) -> None:
        """Show that a frame came of which nothing may be said."""
        self._show("frames", attached, at, {"concealed": True})

    def chunk(self, attached: AttachedDevice, chunk: Chunk, *, hidden: bool) -> None:
        """Show bytes as they were read, or that from here on they are held back.

        Not how many chunks are held back: a longer label may come in more of them.
        """
        if not self._queues["chunks"]:
            return
        told, self._held_back = attached.role in self._held_back, self._held_back - {attached.role}
        if hidden:
            self._held_back |= {attached.role}
            if not told:
                self._show("chunks", attached, chunk.at, {"concealed": True})
        else:
            line = {"raw": chunk.data.hex(), "stale": chunk.stale}
            self._show("chunks", attached, chunk.at, line)

    def lost(self, attached: AttachedDevice, at: Instant, what: str) -> None:
        """Show that the link lost something here, and what, as it says."""
        for showing in self._queues:
            self._show(showing, attached, at, {"lost": what})

    def link(self, attached: AttachedDevice, at: Instant, word: LinkWord) -> None:
        """Show that the link was opened, or is lost."""
        self._show("chunks", attached, at, {"link": word})

    def sent(self, attached: AttachedDevice, at: Instant, data: bytes) -> None:
        """Show bytes that went to the device."""
        self._show("chunks", attached, at, {"sent": data.hex()})

    def _show(
        self, showing: Showing, attached: AttachedDevice, at: Instant, line: dict[str, Any]
    ) -> None:
        queues = tuple(self._queues[showing])
        if not queues:
            return
        blob = canonical(
            {
                "role": attached.role,
                "device": attached.spec.key,
                "time": self._wall(at).isoformat(timespec="microseconds"),
                "ns": at.ns,
                **line,
            }
        )

        def tell() -> None:
            for queue in queues:
                queue.tell(blob)

        self._written(tell)

    def _wall(self, at: Instant) -> datetime:
        """Return the wall time of an instant, as the wall clock stands now."""
        passed = self._clock.now().since(at) or 0.0
        return self._clock.wall() - timedelta(seconds=passed / self._clock.scale)


def frame_json(frame: Decoded, *, stale: bool) -> dict[str, Any]:
    """Return a frame for people: its bytes, and what they say or why they say nothing."""
    if isinstance(frame.body, RejectReason):
        says: dict[str, Any] = {"reject": frame.body}
    else:
        says = {"reading": reading_json(frame.body)}
    return {"raw": frame.raw.hex(), "stale": stale, **says}
