"""FEIG OBID: bytes to frames, and the next poll.

A frame has no start mark, only a length and a check value: see `protocols/counted_frames.py`.

One poll is out at a time. Its answer carries the next; where none comes in time, silence does.
"""

from __future__ import annotations

import re
from typing import Final

from protocols.counted_frames import CountedFrames
from protocols.device import Decoded
from protocols.instant import Instant, earliest
from protocols.rejects import RejectReason
from protocols.shoes.feig_obid.layout import (
    ADVANCED,
    ADVANCED_MIN,
    ANSWER_MIN_S,
    ANSWER_WITHIN_S,
    CONTROLS,
    FRAME_GAP_S,
    FRAME_MAX,
    INVENTORY,
    FeigObidSettings,
    head_of,
    inventory,
    is_whole,
)
from protocols.shoes.feig_obid.meanings import Body, Meanings

_CONTROL: Final = b"[" + re.escape(bytes(CONTROLS)) + b"]"
_REPLY: Final = rb"[\x00-\xfe]" + _CONTROL
_LENGTH: Final = rb"[\x00-%b][\x00-\xff]" % re.escape(bytes([FRAME_MAX >> 8]))


class FeigObidDecoder(CountedFrames[Body]):
    """Holds back at most one unfinished frame."""

    gap_s = FRAME_GAP_S
    head = re.compile(rb"\x02%b%b|[\x06-\xff]%b" % (_LENGTH, _REPLY, _REPLY))
    head_begun = re.compile(
        rb"(?:\x02(?:%b[\x00-\xfe]?|[\x00-%b])?|[\x06-\xff][\x00-\xfe]?)\Z"
        % (_LENGTH, re.escape(bytes([FRAME_MAX >> 8])))
    )
    head_begun_max = 4
    known_max = 1024

    def __init__(self, settings: FeigObidSettings) -> None:
        super().__init__()
        self._poll = inventory(settings) if settings.poll else None
        self._meanings = Meanings(settings)
        self._asked_at: Instant | None = None

    def feed(self, at: Instant, data: bytes) -> list[Decoded]:
        """Take bytes."""
        decoded = super().feed(at, data)
        self._set_wake()
        return decoded

    def tick(self, at: Instant) -> list[Decoded]:
        """Give up half a frame that the gap has ended, and ask where no answer came in time."""
        decoded = super().tick(at)
        if self._poll is not None and _is_over(self._asked_at, ANSWER_WITHIN_S, at):
            decoded.append(Decoded(at, b"", RejectReason.SILENCE, reply=self._ask(at)))
        self._set_wake()
        return decoded

    def _ask(self, at: Instant) -> bytes | None:
        self._asked_at = at
        return self._poll

    def _set_wake(self) -> None:
        late = self._asked_at.after(ANSWER_WITHIN_S) if self._asked_at else None
        self.wake_at = earliest(self._quiet_at, late)

    def _size(self, stream: bytes, start: int) -> int:
        if stream[start] != ADVANCED:
            return stream[start]
        length = int.from_bytes(stream[start + 1 : start + 3], "big")
        return length if ADVANCED_MIN <= length <= FRAME_MAX else 0

    def _is_whole(self, raw: bytes) -> bool:
        return is_whole(raw)

    def _meaning(self, raw: bytes) -> Body:
        return self._meanings.of(raw)

    def _decoded(self, at: Instant, raw: bytes, meaning: Body) -> Decoded:
        return Decoded(at, raw, meaning, reply=self._next_poll(at, raw))

    def _next_poll(self, at: Instant, raw: bytes) -> bytes | None:
        if raw[head_of(raw) + 1] != INVENTORY:
            return None
        if not _is_over(self._asked_at, ANSWER_MIN_S, at):
            return None
        return self._ask(at) if self._poll is not None else None

    def _worse(self, reason: RejectReason, raw: bytes, *, cut: bool) -> RejectReason:
        if not raw:
            return reason
        return RejectReason.LENGTH if cut else RejectReason.CHECKSUM


def _is_over(asked_at: Instant | None, seconds: float, at: Instant) -> bool:
    """Return whether the last question is so old; one that was never asked is."""
    return asked_at is None or at.not_before(asked_at.after(seconds))
