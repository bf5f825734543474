"""What the simulated shoe hears: a host's bytes to commands, or to the NAK that answers them."""

from __future__ import annotations

from typing import Final, NamedTuple

from protocols.shoes.angel_eye_ii_ex.layout import ETX, STX, bcc

COMMAND_LENGTH: Final = 10
_KNOWN: Final = {
    "LK": frozenset({"01", "02"}),
    "EC": frozenset({"00", "01", "02"}),
    "GP": frozenset({"00"}),
}


class Heard(NamedTuple):
    """A command that came over whole, or the NAK code for one that did not."""

    kind: str = ""
    data: str = ""
    nak: int | None = None


class HostEar:
    """Collects host bytes. Anything outside a command, an ACK among it, is ignored."""

    def __init__(self, *, includes_start: bool) -> None:
        self._includes_start = includes_start
        self._held = b""

    def take(self, data: bytes) -> list[Heard]:
        """Return the commands that `data` completes, in order."""
        self._held += data
        heard: list[Heard] = []
        while (start := self._held.find(STX)) >= 0:
            frame = self._held[start : start + COMMAND_LENGTH]
            self._held = self._held[start:]
            if len(frame) < COMMAND_LENGTH:
                return heard
            self._held = self._held[COMMAND_LENGTH:]
            heard.append(self._judge(frame))
        self._held = b""
        return heard

    def _judge(self, frame: bytes) -> Heard:
        covered = frame[0 if self._includes_start else 1 : -2]
        if frame[7] != ETX:
            return Heard(nak=0x03)
        if frame[-2:] != bcc(covered):
            return Heard(nak=0x02)
        text = frame[1:7].decode("latin-1")
        name, kind, data = text[:2], text[2:4], text[4:]
        if name != "OP":
            return Heard(nak=0x13)
        if kind not in _KNOWN:
            return Heard(nak=0x14)
        if data not in _KNOWN[kind]:
            return Heard(nak=0x11)
        return Heard(kind, data)
