"""Which bits of a CAN frame mean what: a plain table, however it was written down.

A DBC file is the customary way to write it: `config/dbc.py` reads one when a configuration is
loaded. Only whole numbers are known here, as they stand in the frame.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True)
class CanSignal:
    """Some bits of a message, and which whole numbers they may be.

    shift    how far its lowest bit lies from the lowest of the message, in its byte order
    least    with `most`: the declared limits, as they stand in the frame
    texts    number and text of the values that have a name
    refused  why its values cannot be read; empty where they can
    """

    name: str
    bits: int
    shift: int
    order: Literal["little", "big"]
    signed: bool
    least: int
    most: int
    texts: tuple[tuple[int, str], ...] = ()
    refused: str = ""

    def read(self, data: bytes) -> int | None:
        """Return the number in a whole message, None where it is out of the declared limits."""
        value = int.from_bytes(data, self.order) >> self.shift & (1 << self.bits) - 1
        if self.signed and value >> self.bits - 1:
            value -= 1 << self.bits
        return value if self.least <= value <= self.most else None

    def write(self, value: int, length: int) -> bytes:
        """Return a message of this number and noughts."""
        placed = (value & (1 << self.bits) - 1) << self.shift
        return placed.to_bytes(length, self.order)

    def text(self, value: int) -> str:
        """Return the name of a value, its digits where it has none."""
        return dict(self.texts).get(value, str(value))


@dataclass(frozen=True, slots=True)
class CanMessage:
    """A frame of `length` bytes, not more and not fewer.

    identifier  with bit 31 where it has 29 bits
    """

    identifier: int
    name: str
    length: int
    signals: tuple[CanSignal, ...]
