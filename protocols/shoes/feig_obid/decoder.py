"""FEIG OBID: bytes to frames, and the next poll.

A frame has no start mark, only a length and a check value: what fails the check gives up its
first byte, and the search goes on behind it. Half a frame waits for its rest until the gap.

One poll is out at a time. Its answer carries the next; where none comes in time, silence does.
"""

from __future__ import annotations

import re
from typing import Final

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
_HEAD: Final = re.compile(rb"\x02%b%b|[\x06-\xff]%b" % (_LENGTH, _REPLY, _REPLY))
_BEGUN: Final = re.compile(
    rb"(?:\x02(?:%b[\x00-\xfe]?|[\x00-%b])?|[\x06-\xff][\x00-\xfe]?)\Z"
    % (_LENGTH, re.escape(bytes([FRAME_MAX >> 8])))
)
_BEGUN_MAX: Final = 4
_KNOWN_MAX: Final = 1024


class FeigObidDecoder:
    """See `protocols.device.Decoder`. Holds back at most one unfinished frame."""

    def __init__(self, settings: FeigObidSettings) -> None:
        self.wake_at: Instant | None = None
        self._poll = inventory(settings) if settings.poll else None
        self._meanings = Meanings(settings)
        self._known: dict[bytes, Body] = {}
        self._held = b""
        self._heard_at: Instant | None = None
        self._asked_at: Instant | None = None

    @property
    def pending(self) -> bytes:
        """Return the unfinished frame."""
        return self._held

    def feed(self, at: Instant, data: bytes) -> list[Decoded]:
        """Take bytes; half a frame older than the gap is given up first, tick or no tick."""
        if not data:
            return []
        decoded = self._give_up(at)
        decoded += self._scan(at, self._held + data, ended=False)
        self._heard_at = at
        self._set_wake()
        return decoded

    def tick(self, at: Instant) -> list[Decoded]:
        """Give up half a frame that the gap has ended, and ask where no answer came in time."""
        decoded = self._give_up(at)
        asked = self._asked_at
        if self._poll is not None and (asked is None or _passed(asked, ANSWER_WITHIN_S, at)):
            decoded.append(Decoded(at, b"", RejectReason.SILENCE, reply=self._ask(at)))
        self._set_wake()
        return decoded

    def _ask(self, at: Instant) -> bytes | None:
        self._asked_at = at
        return self._poll

    def _set_wake(self) -> None:
        gap = self._heard_at.after(FRAME_GAP_S) if self._held and self._heard_at else None
        late = self._asked_at.after(ANSWER_WITHIN_S) if self._asked_at else None
        self.wake_at = earliest(gap, late)

    def _give_up(self, at: Instant) -> list[Decoded]:
        last = self._heard_at
        if not self._held or last is None or not _passed(last, FRAME_GAP_S, at):
            return []
        return self._scan(last, self._held, ended=True)

    def _scan(self, at: Instant, stream: bytes, *, ended: bool) -> list[Decoded]:
        """Return what `stream` says, and hold its unfinished end unless quiet has ended it."""
        decoded: list[Decoded] = []
        taken = place = 0  # everything before `taken` is in `decoded`
        reason = RejectReason.NOISE
        while head := _HEAD.search(stream, place):
            start = head.start()
            length = _length(stream, start)
            end = start + length
            if end > len(stream) and not ended and length:
                break
            raw = stream[start:end]
            body = self._whole(raw) if length and length == len(raw) else None
            if body is None:
                place = start + 1
                if length:
                    reason = RejectReason.LENGTH if end > len(stream) else RejectReason.CHECKSUM
                continue
            if start > taken:
                decoded.append(Decoded(at, stream[taken:start], reason))
            decoded.append(Decoded(at, raw, body, reply=self._next(at, raw)))
            taken = place = end
            reason = RejectReason.NOISE
        else:
            begun = None if ended else _BEGUN.search(stream, max(place, len(stream) - _BEGUN_MAX))
            start = begun.start() if begun else len(stream)
        if start > taken:
            decoded.append(Decoded(at, stream[taken:start], reason))
        self._held = stream[start:]
        return decoded

    def _whole(self, raw: bytes) -> Body | None:
        """Return what a frame says, or None where its check value is wrong."""
        body = self._known.get(raw)
        if body is None and is_whole(raw):
            body = self._meanings.of(raw)
            if len(self._known) < _KNOWN_MAX:
                self._known[raw] = body
        return body

    def _next(self, at: Instant, raw: bytes) -> bytes | None:
        if raw[head_of(raw) + 1] != INVENTORY:
            return None
        if self._asked_at is not None and not _passed(self._asked_at, ANSWER_MIN_S, at):
            return None
        return self._ask(at) if self._poll is not None else None


def _length(stream: bytes, start: int) -> int:
    """Return the length that a head states, 0 where no reply has it."""
    if stream[start] != ADVANCED:
        return stream[start]
    length = int.from_bytes(stream[start + 1 : start + 3], "big")
    return length if ADVANCED_MIN <= length <= FRAME_MAX else 0


def _passed(since: Instant, seconds: float, at: Instant) -> bool:
    """Return whether so much time has passed; across a reboot it certainly has."""
    return since.boot != at.boot or at.reached(since.after(seconds))
