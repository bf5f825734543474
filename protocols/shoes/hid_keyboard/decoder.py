"""Keyboard reports to scans: from the first key down to the terminator let go.

A scan is whole, or its card was not read: nothing types it again. A key that no label has, two keys
at once or an error of the keyboard spoil it, and what follows up to its terminator belongs to it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple, TypeAlias

from protocols.device import Decoded
from protocols.instant import Instant
from protocols.readings import CardUnread, Reading
from protocols.rejects import RejectReason
from protocols.shoes.hid_keyboard.keys import LAYOUTS, Level
from protocols.shoes.hid_keyboard.layout import (
    ALT_GR,
    ERRORS,
    IN,
    KEY_GAP_S,
    KEYS_AT,
    LEFT_SHIFT,
    MODIFIERS_AT,
    PACKET_SIZE,
    RIGHT_SHIFT,
    SCAN_REPORTS_MAX,
    TERMINATORS,
    ZERO_AT,
    HidKeyboardSettings,
)

Body: TypeAlias = Reading | RejectReason

_KNOWN_MAX: Final = 4096
_LEVELS: Final[Mapping[int, Level]] = {
    0x00: "plain",
    LEFT_SHIFT: "shift",
    RIGHT_SHIFT: "shift",
    LEFT_SHIFT | RIGHT_SHIFT: "shift",
    ALT_GR: "alt_gr",
}


class Held(NamedTuple):
    """What a report shows held down.

    keys   by usage; None where the report does not tell
    level  what the modifiers make of a key that goes down with it; None for no level of labels
    """

    keys: frozenset[int] | None
    level: Level | None


_UNKNOWN: Final = Held(None, None)


class HidKeyboardDecoder:
    """See `protocols.device.Decoder`. Holds back the reports of an unfinished scan."""

    def __init__(self, settings: HidKeyboardSettings) -> None:
        self.wake_at: Instant | None = None
        self._labels = settings.labels()
        self._types = LAYOUTS[settings.layout]
        self._ends = TERMINATORS[settings.terminator]
        self._upper_case = settings.upper_case
        self._shown: dict[bytes, Held] = {}
        self._heard_at: Instant | None = None
        self._begin()

    @property
    def pending(self) -> bytes:
        """Return the reports of the unfinished scan."""
        return b"".join(self._packets)

    def feed(self, at: Instant, data: bytes) -> list[Decoded]:
        """Take a packet, or the packets of a whole scan as they are kept: joined."""
        decoded = self.tick(at)
        size = len(data) if len(data) % PACKET_SIZE else PACKET_SIZE
        for start in range(0, len(data), size):
            self._take(at, data[start : start + size], decoded)
        self._heard_at = at
        self.wake_at = at.after(KEY_GAP_S) if self._packets else None
        return decoded

    def tick(self, at: Instant) -> list[Decoded]:
        """End a scan that is older than the gap; across a reboot the gap is certain."""
        last = self._heard_at
        if not self._packets or last is None:
            return []
        quiet = at.since(last)
        if quiet is not None and quiet < KEY_GAP_S:
            return []
        self.wake_at = None
        return [self._finish(last)]

    def _begin(self) -> None:
        """Forget the scan, and what is held down: a frame is read from its own bytes alone."""
        self._packets: list[bytes] = []
        self._down: frozenset[int] = frozenset()
        self._text = self._spoiled = ""
        self._typed = self._ended = False

    def _take(self, at: Instant, packet: bytes, decoded: list[Decoded]) -> None:
        shown = self._look_at(packet)
        went_down = None if shown.keys is None else shown.keys - self._down
        if self._ended and (went_down is None or went_down):  # the end was never seen let go
            decoded.append(self._finish(self._heard_at or at))
            went_down = shown.keys
        if went_down is not None and not went_down and not self._packets:
            decoded.append(Decoded(at, packet, RejectReason.NOISE))  # nothing was held
            return
        if len(self._packets) >= SCAN_REPORTS_MAX:
            decoded.append(Decoded(at, self.pending, RejectReason.LENGTH))
            self._packets, self._spoiled = [], "a label without end"
        self._packets.append(packet)
        if shown.keys is None or went_down is None:
            self._spoil("an error of the keyboard")
            return
        self._down = shown.keys
        if went_down:
            self._type(went_down, shown.level)
        elif self._ended and not shown.keys:
            decoded.append(self._finish(at))

    def _type(self, keys: frozenset[int], level: Level | None) -> None:
        if keys <= self._ends:
            self._ended = True
            return
        self._typed = True
        if len(keys) > 1:  # in which order, a report does not say
            self._spoil("two keys at once")
            return
        (key,) = keys
        text = None if level is None else self._types.get((key, level))
        if text is None:
            self._spoil("a key that no label has")
        else:
            self._text += text

    def _spoil(self, why: str) -> None:
        self._spoiled = self._spoiled or why

    def _finish(self, at: Instant) -> Decoded:
        raw, label = self.pending, self._text.strip(" ")
        body: Body
        if not self._typed:
            body = RejectReason.LENGTH if self._ended else RejectReason.MALFORMED
        elif self._spoiled or not self._ended:
            body = CardUnread(self._spoiled or "half a label")
        else:
            body = self._labels.read(label.upper() if self._upper_case else label)
        self._begin()
        return Decoded(at, raw, body)

    def _look_at(self, packet: bytes) -> Held:
        shown = self._shown.get(packet)
        if shown is None:
            shown = _shown_by(packet)
            if len(self._shown) < _KNOWN_MAX:
                self._shown[packet] = shown
        return shown


def _shown_by(packet: bytes) -> Held:
    if len(packet) != PACKET_SIZE or not packet[0] & IN or packet[ZERO_AT]:
        return _UNKNOWN
    slots = [key for key in packet[KEYS_AT:] if key]
    keys = frozenset(slots)
    if len(keys) != len(slots) or keys & ERRORS:
        return _UNKNOWN
    return Held(keys, _LEVELS.get(packet[MODIFIERS_AT]))
