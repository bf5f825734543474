"""USB POS scanner: packets to scans.

A label fits into one report. A scan that goes on in others is longer than any card's label: its
reports are one frame together, which says nothing, the last among them, which alone would look like
a scan. That is the decoder's only memory between packets, and it never makes a reading.
"""

from __future__ import annotations

from typing import Final

from protocols.device import Decoded
from protocols.instant import Instant
from protocols.rejects import RejectReason
from protocols.shoes.hid_pos.layout import (
    ENABLE,
    PACKET_SIZE,
    SCAN_GAP_S,
    SYMBOL_MAX,
    HidPosSettings,
)
from protocols.shoes.hid_pos.meanings import Meaning, Meanings

_KNOWN_MAX: Final = 4096


class HidPosDecoder:
    """See `protocols.device.Decoder`. Holds back the reports of a scan that goes on."""

    def __init__(self, settings: HidPosSettings) -> None:
        self.wake_at: Instant | None = None
        self._meanings = Meanings(settings)
        self._known: dict[bytes, Meaning] = {}
        self._asks = settings.enable
        self._held = b""
        self._aim = b""
        self._last = b""
        self._heard_at: Instant | None = None

    @property
    def pending(self) -> bytes:
        """Return the reports of an unfinished scan."""
        return self._held

    def feed(self, at: Instant, data: bytes) -> list[Decoded]:
        """Take a packet, or the packets of a whole scan as they are kept: joined."""
        decoded = self._end_by_silence(at) if self._last else []
        if not self._last and (known := self._known.get(data)) is not None and not known.more:
            decoded.append(Decoded(at, data, known.body))
            return decoded
        size = len(data) if len(data) % PACKET_SIZE else PACKET_SIZE
        for start in range(0, len(data), size):
            decoded += self._take(at, data[start : start + size])
        self.wake_at = at.after(SCAN_GAP_S) if self._last else None
        return decoded

    def tick(self, at: Instant) -> list[Decoded]:
        """Give up a scan whose rest does not come. The first tick asks to be sent scans at all."""
        decoded = self._end_by_silence(at) if self._last else []
        if self._asks:
            self._asks = False
            decoded.append(Decoded(at, b"", RejectReason.ASKED, reply=ENABLE))
        return decoded

    def _end_by_silence(self, at: Instant) -> list[Decoded]:
        last = self._heard_at
        if last is not None and not at.not_before(last.after(SCAN_GAP_S)):
            return []
        self.wake_at = None
        self._last = b""
        return self._give_up(last or at)

    def _take(self, at: Instant, packet: bytes) -> list[Decoded]:
        """Return what a packet ends: itself, or the long scan that it is a part of."""
        meaning = self._look_up(packet)
        if packet == self._last and not self._held:
            return [Decoded(at, packet, RejectReason.UNSUPPORTED)]  # its end, once more
        decoded: list[Decoded] = []
        if self._held and (meaning.aim != self._aim or len(self._held) >= SYMBOL_MAX):
            decoded += self._give_up(at)
        if not self._held and not meaning.more:
            self._last = b""
            decoded.append(Decoded(at, packet, meaning.body))
            return decoded
        self._held += packet
        self._aim, self._last, self._heard_at = meaning.aim, packet, at
        if not meaning.more:
            decoded.append(Decoded(at, self._held, RejectReason.UNSUPPORTED))
            self._held = b""
        return decoded

    def _give_up(self, at: Instant) -> list[Decoded]:
        held, self._held = self._held, b""
        return [Decoded(at, held, RejectReason.LENGTH)] if held else []

    def _look_up(self, packet: bytes) -> Meaning:
        meaning = self._known.get(packet)
        if meaning is None:
            meaning = self._meanings.of(packet)
            if len(self._known) < _KNOWN_MAX:
                self._known[packet] = meaning
        return meaning
