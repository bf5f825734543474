"""A simulated slcan adapter with a simulated CAN device behind it: a device that a pty can carry.

    host     C  close     Sn  bit rate     O  open     L  open, only to listen     each ends in CR
    both     tiiildd..    a frame: identifier, length, data in hex; T with 29 bits in eight digits
             riiil        a remote request; R with 29 bits
    adapter  CR  done     BEL  refused     z, Z  sent

It carries no error frames. Source: the Lawicel protocol, as public adapters speak it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from protocols.can_frame import ERROR, EXTENDED, EXTENDED_MAX, HEAD, REMOTE, packet
from protocols.instant import Instant
from protocols.simulator import Cue, Simulator

_DONE: Final = b"\r"
_REFUSED: Final = b"\a"
_FRAMES: Final = {b"t": 0, b"T": EXTENDED, b"r": REMOTE, b"R": EXTENDED | REMOTE}
_LETTERS: Final = {flags: letter for letter, flags in _FRAMES.items()}
_LINE_MAX: Final = 64


class SlcanAdapter:
    """See `protocols.simulator.Simulator`. What the device says while the bus is closed is lost."""

    def __init__(self, simulator: Simulator) -> None:
        self.simulator = simulator
        self.faults: Sequence[str] = simulator.faults
        self._open = False
        self._held = b""
        self._answers: list[tuple[Instant, bytes]] = []

    @property
    def wake_at(self) -> Instant | None:
        """Return when there is something to say: at once where the host waits for an answer."""
        return self._answers[0][0] if self._answers else self.simulator.wake_at

    @wake_at.setter
    def wake_at(self, value: Instant | None) -> None:
        self.simulator.wake_at = value

    def cue(self, at: Instant, cue: Cue) -> None:
        """Make something happen behind it. Raises ValueError as the device does."""
        self.simulator.cue(at, cue)

    def hear(self, at: Instant, data: bytes) -> None:
        """Take commands and frames of the host."""
        *lines, held = (self._held + data).split(b"\r")
        self._held = held[-_LINE_MAX:]
        self._answers += [(at, self._obey(at, line)) for line in lines]

    def speak(self, at: Instant) -> Sequence[bytes]:
        """Return answers, then the lines of what the device has said by `at`."""
        answers = [answer for _, answer in self._answers]
        self._answers.clear()
        lines = [line_of(frame) for frame in self.simulator.speak(at)]
        return [*answers, *(line for line in lines if line and self._open)]

    def _obey(self, at: Instant, line: bytes) -> bytes:
        letter = line[:1]
        if letter in (b"O", b"L", b"C"):
            self._open = letter != b"C"
            return _DONE
        if letter in _FRAMES:
            frame = _packet_of(line)
            if frame is None or not self._open:
                return _REFUSED
            self.simulator.hear(at, frame)
            return (b"Z" if letter.isupper() else b"z") + _DONE
        return _DONE if letter in (b"S", b"s", b"") else _REFUSED


def line_of(data: bytes) -> bytes:
    """Return the line of a packet; nothing for an error, which has none."""
    identifier = int.from_bytes(data[:4], "big")
    if identifier & ERROR:
        return b""
    letter = _LETTERS[identifier & (EXTENDED | REMOTE)]
    digits = 8 if identifier & EXTENDED else 3
    frame = f"{identifier & EXTENDED_MAX:0{digits}X}{data[4]}{data[HEAD:].hex().upper()}"
    return letter + frame.encode() + _DONE


def _packet_of(line: bytes) -> bytes | None:
    """Return the packet of a line, None where it is none."""
    flags, digits = _FRAMES[line[:1]], 8 if line[:1].isupper() else 3
    try:
        identifier, length = int(line[1 : 1 + digits], 16), int(line[1 + digits : 2 + digits])
        data = bytes.fromhex(line[2 + digits :].decode("ascii"))
    except ValueError:
        return None
    return packet(flags | identifier, data, length)
