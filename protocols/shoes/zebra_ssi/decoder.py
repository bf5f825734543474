"""Zebra SSI: bytes to packets.

A packet has no start mark, only a length and a check value: what fails the check gives up its
first byte, and the search goes on behind it. A half packet waits for its rest, so that a packet
inside a label's data is not taken for one; after the gap the search goes on inside it.

A symbol that needs several packets is longer than any card's label. Its parts are acknowledged and
say nothing, the last among them: that one alone would look like a scan. This is the decoder's only
memory between packets, and it never makes a reading.
"""

from __future__ import annotations

import re
from typing import Final

from protocols.device import Decoded
from protocols.instant import Instant
from protocols.rejects import RejectReason
from protocols.shoes.zebra_ssi.layout import (
    CHECK,
    DECODE_DATA,
    EVENT,
    PACKET_GAP_S,
    ZebraSsiSettings,
    is_whole,
)
from protocols.shoes.zebra_ssi.longsymbol import LongSymbol
from protocols.shoes.zebra_ssi.meanings import NAK_RESEND, Meaning, Meanings

# Every opcode that a scanner is known to send has its high bit set; a label's text has not.
_HEAD: Final = re.compile(rb"[\x04-\xff][\x80-\xff]\x00[\x00-\x03]")
_HEAD_BEGUN: Final = re.compile(rb"[\x04-\xff](?:[\x80-\xff]\x00?)?\Z")
_KNOWN_MAX: Final = 4096
_ASKS: Final = (DECODE_DATA, EVENT)


class ZebraSsiDecoder:
    """See `protocols.device.Decoder`. Holds back at most one unfinished packet."""

    def __init__(self, settings: ZebraSsiSettings) -> None:
        self.wake_at: Instant | None = None
        self._acknowledge = settings.acknowledge
        self._meanings = Meanings(settings)
        self._known: dict[bytes, Meaning] = {}
        self._held = b""
        self._heard_at: Instant | None = None
        self._long = LongSymbol()

    @property
    def pending(self) -> bytes:
        """Return the unfinished packet."""
        return self._held

    def feed(self, at: Instant, data: bytes) -> list[Decoded]:
        """Take bytes; a half packet older than the gap is given up first, tick or no tick."""
        if not data:
            return []
        decoded = self.tick(at)
        decoded += self._scan(at, self._held + data, ended=False)
        self._heard_at = at
        self.wake_at = at.after(PACKET_GAP_S) if self._held else None
        return decoded

    def tick(self, at: Instant) -> list[Decoded]:
        """Give up a half packet that the gap has ended; across a reboot the gap is certain."""
        last = self._heard_at
        if not self._held or last is None:
            return []
        if last.boot == at.boot and not at.reached(last.after(PACKET_GAP_S)):
            return []
        self.wake_at = None
        return self._scan(last, self._held, ended=True)

    def _scan(self, at: Instant, stream: bytes, *, ended: bool) -> list[Decoded]:
        """Return what `stream` says, and hold its unfinished end unless quiet has ended it."""
        decoded: list[Decoded] = []
        taken = place = 0  # everything before `taken` is in `decoded`
        reason = RejectReason.NOISE
        while head := _HEAD.search(stream, place):
            start = head.start()
            end = start + stream[start] + CHECK
            if end > len(stream) and not ended:
                break
            raw = stream[start:end]
            meaning = self._whole(raw) if end <= len(stream) else None
            if meaning is None:
                place = start + 1
                reason = _worse(reason, raw, cut=end > len(stream))
                continue
            if start > taken:
                decoded.append(self._rejected(at, stream[taken:start], reason))
            decoded.append(self._said(at, raw, meaning))
            taken = place = end
            reason = RejectReason.NOISE
        else:
            begun = None if ended else _HEAD_BEGUN.search(stream, max(place, len(stream) - 3))
            start = begun.start() if begun else len(stream)
        if start > taken:
            decoded.append(self._rejected(at, stream[taken:start], reason))
        self._held = stream[start:]
        return decoded

    def _whole(self, raw: bytes) -> Meaning | None:
        """Return what a packet says, or None where its check value is wrong."""
        meaning = self._known.get(raw)
        if meaning is None and is_whole(raw):
            meaning = self._meanings.of(raw)
            if len(self._known) < _KNOWN_MAX:
                self._known[raw] = meaning
        return meaning

    def _said(self, at: Instant, raw: bytes, meaning: Meaning) -> Decoded:
        body, answer, repeats = meaning
        if raw[1] == DECODE_DATA and self._long.holds(at, raw):
            body = RejectReason.UNSUPPORTED
        return Decoded(at, raw, body, None, answer if self._acknowledge else None, repeats)

    def _rejected(self, at: Instant, raw: bytes, reason: RejectReason) -> Decoded:
        again = reason is RejectReason.CHECKSUM and self._acknowledge
        return Decoded(at, raw, reason, None, NAK_RESEND if again else None)


def _worse(reason: RejectReason, raw: bytes, *, cut: bool) -> RejectReason:
    """Return why bytes say nothing, once a packet among them was damaged."""
    if raw[1] not in _ASKS or reason is RejectReason.CHECKSUM:
        return reason
    return RejectReason.LENGTH if cut else RejectReason.CHECKSUM
