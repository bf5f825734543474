"""How a device is wired, as data: what a link must be set to before the decoder hears it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias


@dataclass(frozen=True, slots=True)
class SerialWiring:
    """A byte stream over RS-232, RS-485, CDC-ACM or a serial server. No flow control."""

    baud: int = 9600
    bits: Literal[7, 8] = 8
    parity: Literal["N", "E", "O"] = "N"
    stop: Literal[1, 2] = 1
    unit: Literal["stream"] = "stream"


Wiring: TypeAlias = SerialWiring
"""Every kind of wiring we have; a packet wire (USB, CAN) joins this union with its device."""
