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


@dataclass(frozen=True, slots=True)
class UsbWiring:
    """One interface of a USB device, read by interrupt transfers.

    A packet is the endpoint's address (one byte), then the report as it came.
    """

    interface_class: int = 0x03
    unit: Literal["packet"] = "packet"


@dataclass(frozen=True, slots=True)
class CanWiring:
    """A CAN bus.

    A packet is a frame as LINKTYPE_CAN_SOCKETCAN lays it out: identifier with its flags (four
    bytes, big endian), data length, three bytes reserved, data.
    """

    bitrate: int = 125_000
    unit: Literal["packet"] = "packet"


Wiring: TypeAlias = SerialWiring | UsbWiring | CanWiring
"""Every kind of wiring. A packet is never cut or glued: one packet, one chunk, one capture line."""
