"""Zebra SSI: bytes to packets.

A packet has no start mark, only a length and a check value: see `protocols/counted_frames.py`.

A symbol that needs several packets is longer than any card's label. Its parts are acknowledged and
say nothing, the last among them: that one alone would look like a scan. This is the decoder's only
memory between packets, and it never makes a reading.
"""

from __future__ import annotations

import re
from typing import Final

from protocols.counted_frames import CountedFrames
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

_ASKS: Final = (DECODE_DATA, EVENT)


class ZebraSsiDecoder(CountedFrames[Meaning]):
    """Holds back at most one unfinished packet."""

    gap_s = PACKET_GAP_S
    # Every opcode that a scanner is known to send has its high bit set; a label's text has not.
    head = re.compile(rb"[\x04-\xff][\x80-\xff]\x00[\x00-\x03]")
    head_begun = re.compile(rb"[\x04-\xff](?:[\x80-\xff]\x00?)?\Z")
    head_begun_max = 3

    def __init__(self, settings: ZebraSsiSettings) -> None:
        super().__init__()
        self._acknowledge = settings.acknowledge
        self._meanings = Meanings(settings)
        self._long = LongSymbol()

    def _size(self, stream: bytes, start: int) -> int:
        return stream[start] + CHECK

    def _is_whole(self, raw: bytes) -> bool:
        return is_whole(raw)

    def _meaning(self, raw: bytes) -> Meaning:
        return self._meanings.of(raw)

    def _decoded(self, at: Instant, raw: bytes, meaning: Meaning) -> Decoded:
        body, answer, repeats = meaning
        if raw[1] == DECODE_DATA and self._long.holds(at, raw):
            body = RejectReason.UNSUPPORTED
        return Decoded(at, raw, body, None, answer if self._acknowledge else None, repeats)

    def _worse(self, reason: RejectReason, raw: bytes, *, cut: bool) -> RejectReason:
        if raw[1] not in _ASKS or reason is RejectReason.CHECKSUM:
            return reason
        return RejectReason.LENGTH if cut else RejectReason.CHECKSUM

    def _rejected(self, at: Instant, raw: bytes, reason: RejectReason) -> Decoded:
        again = reason is RejectReason.CHECKSUM and self._acknowledge
        return Decoded(at, raw, reason, None, NAK_RESEND if again else None)
