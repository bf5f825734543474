"""The line of a simulated serial device: each frame takes its time, and may be hurt on the way."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Final

from protocols.instant import Instant, earliest

HURTS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "noise": "garbage stands before the next frame",
        "torn": "the next frame loses its end",
        "bit_flip": "a bit of the next frame's middle flips",
        "drop_next": "the next frame is lost",
        "jam": "the next frame is held back and sent with the one behind it",
    }
)
"""What can happen to the next frame on the line."""
_NOISE: Final = b"\x00\xfe"
_BITS_A_BYTE: Final = 10


class SimulatedLine:
    """What is on its way from the device. A frame begins when the one before it has ended."""

    def __init__(self, baud: int) -> None:
        self._byte_s = _BITS_A_BYTE / baud
        self._hurts: set[str] = set()
        self._jammed = b""
        self._going: list[tuple[Instant, bytes]] = []
        self._free_at: Instant | None = None

    @property
    def wake_at(self) -> Instant | None:
        """When the next frame has gone out."""
        return earliest(*(due for due, _ in self._going))

    def hurt(self, name: str) -> None:
        """Hurt the next frame in one of the ways of `HURTS`."""
        self._hurts.add(name)

    def say(self, at: Instant, frame: bytes) -> None:
        """Put a frame on the line, not before `at`."""
        hurts, self._hurts = self._hurts, set()
        if "drop_next" in hurts or not frame:
            return
        if "torn" in hurts:
            frame = frame[: len(frame) // 2]
        if "bit_flip" in hurts:
            middle = (len(frame) - 1) // 2
            frame = frame[:middle] + bytes([frame[middle] ^ 0x01]) + frame[middle + 1 :]
        if "noise" in hurts:
            frame = _NOISE + frame
        frame, self._jammed = self._jammed + frame, b""
        if "jam" in hurts:
            self._jammed = frame
            return
        busy = self._free_at is not None and self._free_at.boot == at.boot
        start = self._free_at if busy and self._free_at and not at.reached(self._free_at) else at
        self._free_at = start.after(len(frame) * self._byte_s)
        self._going.append((self._free_at, frame))

    def speak(self, at: Instant) -> Sequence[bytes]:
        """Return what has gone out by `at`, one item per write."""
        sent = [frame for due, frame in self._going if at.reached(due)]
        self._going = [entry for entry in self._going if not at.reached(entry[0])]
        return sent
