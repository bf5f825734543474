"""The last events of a table that the broker acknowledged: it may have forgotten them.

A broker acknowledges before its disk has the event, and writes down what it keeps once in a while.
When it comes back from a power cut, its retained messages and what waits for consumers are of the
same earlier moment. So its `newest` shows what it lost; and what came after that goes out again.
"""

from __future__ import annotations

import json
from collections import deque
from typing import Final, Literal, TypeAlias

from daemon.delivery.bus import Outgoing

_KEPT: Final = 64
"""Events. A broker that writes down what it keeps every second loses a second of one table's."""


Lost: TypeAlias = tuple[Outgoing, ...] | Literal["somebody else's"]


class RecentEvents:
    """What this run has published last, oldest first."""

    def __init__(self) -> None:
        self._events: deque[Outgoing] = deque(maxlen=_KEPT)

    def __bool__(self) -> bool:
        return bool(self._events)

    def add(self, event: Outgoing) -> None:
        """Note that an event was acknowledged."""
        self._events.append(event)

    def has(self, message_id: str) -> bool:
        """Return whether the last one has this id: it need not be sent again."""
        return bool(self._events) and self._events[-1].message_id == message_id

    def lost(self, newest: bytes | None) -> Lost:
        """Return what the broker lost, by what it keeps as the newest event."""
        payloads = [event.payload for event in self._events]
        if newest in payloads:
            last = len(payloads) - payloads[::-1].index(newest)
            return tuple(self._events)[last:]
        if newest is None or not payloads or _is_older(newest, payloads[0]):
            return tuple(self._events)
        return "somebody else's"

    def reaches(self, newest: bytes | None) -> bool:
        """Return whether nothing was lost before the first event that is still known."""
        if any(event.payload == newest for event in self._events):
            return True
        return newest is not None and _place(newest)[1] + 1 == _place(self._events[0].payload)[1]


def _is_older(one: bytes, other: bytes) -> bool:
    (epoch, seq), (other_epoch, other_seq) = _place(one), _place(other)
    return epoch == other_epoch and seq < other_seq


def _place(payload: bytes) -> tuple[str, int]:
    """Return (epoch, seq) of an event; no epoch where it is none of ours."""
    try:
        event = json.loads(payload)
        return str(event["epoch"]), int(event["sequence"])
    except (ValueError, LookupError, TypeError):
        return "", 0
