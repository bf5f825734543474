"""Frames without a start mark: a head that states the length, and a check value at the end.

What looks like a head is believed once the check value of what it delimits is right. Until then it
is only likely: what fails the check gives up its first byte, and the search goes on behind it, so
that a good frame within damage is found. Half a frame waits for its rest, so that a frame that
stands inside another's data is not taken for one; after the gap the search goes on inside it.
"""

from __future__ import annotations

import re
from typing import ClassVar, Generic, TypeVar

from protocols.device import Decoded
from protocols.frame_decoder import FrameDecoder
from protocols.instant import Instant
from protocols.rejects import RejectReason

_M = TypeVar("_M")


class CountedFrames(FrameDecoder, Generic[_M]):
    """Finds the frames; the device fills the methods at the end."""

    head: ClassVar[re.Pattern[bytes]]
    """What a frame can begin with, as far as it states the length."""
    head_begun: ClassVar[re.Pattern[bytes]]
    """The beginning of a head at the end of the stream."""
    head_begun_max: ClassVar[int]
    """The most bytes of that."""
    known_max: ClassVar[int] = 4096
    """How many frames are remembered with what they say."""

    def __init__(self) -> None:
        self._known: dict[bytes, _M] = {}

    def _scan(self, at: Instant, data: bytes, decoded: list[Decoded], *, ended: bool) -> None:
        stream = self.pending + data
        size, known = len(stream), self._known
        find_head, size_of, hand_over = self.head.search, self._size, self._decoded
        taken = place = 0  # everything before `taken` is in `decoded`
        reason = RejectReason.NOISE
        while head := find_head(stream, place):
            start = head.start()
            end = start + size_of(stream, start)
            if end > size and not ended:
                break
            raw = stream[start:end]
            meaning = (known.get(raw) or self._whole(raw)) if start < end <= size else None
            if meaning is None:
                place = start + 1
                reason = self._worse(reason, raw, cut=end > size)
                continue
            if start > taken:
                decoded.append(self._rejected(at, stream[taken:start], reason))
            decoded.append(hand_over(at, raw, meaning))
            taken = place = end
            reason = RejectReason.NOISE
        else:
            begun = (
                None
                if ended
                else self.head_begun.search(stream, max(place, size - self.head_begun_max))
            )
            start = begun.start() if begun else size
        if start > taken:
            decoded.append(self._rejected(at, stream[taken:start], reason))
        self.pending = stream[start:]

    def _whole(self, raw: bytes) -> _M | None:
        """Return what a delimited frame says, or None where its check value is wrong."""
        if not self._is_whole(raw):
            return None
        meaning = self._meaning(raw)
        if len(self._known) < self.known_max:
            self._known[raw] = meaning
        return meaning

    def _size(self, stream: bytes, start: int) -> int:
        """Return the length of the frame whose head begins at `start`; 0 where none can have it."""
        raise NotImplementedError

    def _is_whole(self, raw: bytes) -> bool:
        """Return whether the check value is right."""
        raise NotImplementedError

    def _meaning(self, raw: bytes) -> _M:
        """Return what a frame says, from its bytes alone."""
        raise NotImplementedError

    def _decoded(self, at: Instant, raw: bytes, meaning: _M) -> Decoded:
        """Return a frame as it is handed over."""
        raise NotImplementedError

    def _worse(self, reason: RejectReason, raw: bytes, *, cut: bool) -> RejectReason:
        """Return why bytes say nothing, once a likely frame among them was none.

        cut  the bytes end before it does
        """
        raise NotImplementedError

    def _rejected(self, at: Instant, raw: bytes, reason: RejectReason) -> Decoded:
        """Return bytes that say nothing as they are handed over."""
        return Decoded(at, raw, reason)
