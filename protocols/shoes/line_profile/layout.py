"""The frames of a described device: where one begins and ends, its check value, its line.

start  line  [mark value]  end                      a check value before the end mark
start  line  end  [mark value]                      behind it
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from typing import Final, Literal

from protocols import checks
from protocols.bytetext import read_bytes
from protocols.lineframes import Delimiting
from protocols.shoes.line_profile.profile import Check, CheckKind, LineProfile

CHECKS: Final[Mapping[CheckKind, Callable[[bytes], int]]] = {
    "xor": checks.xor8,
    "sum8": checks.sum8,
    "lrc": checks.lrc8,
    "crc16_ccitt": checks.crc16_ccitt,
    "crc16_kermit": checks.crc16_kermit,
    "crc16_mcrf4xx": checks.crc16_mcrf4xx,
    "crc16_modbus": checks.crc16_modbus,
    "crc16_x25": checks.crc16_x25,
}


class FrameFormat:
    """How one profile's frames are built and opened."""

    def __init__(self, profile: LineProfile) -> None:
        self._frame = profile.frame
        self._start = read_bytes(profile.frame.start)
        self._end = read_bytes(profile.frame.end)
        self._value = (
            None if profile.check is None else _value_of(profile.check, self._start, self._end)
        )
        self._before = self._after = 0  # bytes of the check value on either side of the end mark
        if profile.check is not None:
            width = len(read_bytes(profile.check.mark)) + profile.check.width
            behind = profile.check.place == "after_end" and bool(self._end)
            self._before, self._after = (0, width) if behind else (width, 0)
        self._around = len(self._start) + len(self._end) + self._before + self._after

    def delimiting(self) -> Delimiting:
        """Return where a frame begins and ends."""
        length = self._frame.length
        return Delimiting(
            start=self._start,
            end=self._end,
            length=length + self._before if length else None,
            longest=self._frame.longest + self._before,
            tail=self._after,
            gap_s=self._frame.gap_s,
        )

    def open(self, raw: bytes) -> bytes | None:
        """Return the line in a delimited frame; None where the check value is wrong."""
        length = len(raw) - self._around
        if length < 0:
            return None
        line = raw[len(self._start) : len(self._start) + length]
        return line if self._value is None or self.build(line) == raw else None

    def build(self, line: bytes) -> bytes:
        """Return the whole frame of a line."""
        value = b"" if self._value is None else self._value(line)
        if self._after:
            return self._start + line + self._end + value
        return self._start + line + value + self._end


@cache
def _value_of(check: Check, start: bytes, end: bytes) -> Callable[[bytes], bytes]:
    """Return a function from a line to its check value as it is written, with the mark before."""
    mark, compute, upper = read_bytes(check.mark), CHECKS[check.kind], check.encoding == "hex_upper"
    start, end = start if check.first == "start" else b"", end if check.last == "end" else b""
    order: Literal["big", "little"] = "big" if check.order == "high_first" else "little"
    width = 2 if check.kind.startswith("crc16") else 1

    def written(number: int) -> bytes:
        data = number.to_bytes(width, order)
        if check.encoding == "raw":
            return mark + data
        text = data.hex()
        return mark + (text.upper() if upper else text).encode("ascii")

    if width == 1:
        every = tuple(written(number) for number in range(256))
        return lambda line: every[compute(start + line + end)]
    return lambda line: written(compute(start + line + end))
