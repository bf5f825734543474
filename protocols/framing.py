"""What a device's frames promise, as data: the laws read it to know what to demand."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True)
class Framing:
    """The properties of a device's frames.

    self_starting  a frame's first byte cannot occur inside another: a torn frame costs only itself
    checksum       how a flipped bit is noticed; `none` means that it may not be
    ends_by        what closes a frame
    silence_s      quiet that the laws put between damage and good data
    pending_max    the most bytes a decoder may hold back
    """

    self_starting: bool
    checksum: Literal["none", "xor", "sum", "crc16"]
    ends_by: Literal["mark", "length", "silence"]
    silence_s: float
    pending_max: int
