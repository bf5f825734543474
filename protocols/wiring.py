"""How a device is wired, as data: what a link must be set to before the decoder hears it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal, TypeAlias


@dataclass(frozen=True, slots=True)
class SerialWiring:
    """A byte stream over RS-232, RS-485, CDC-ACM or a serial server. No flow control."""

    title: ClassVar[str] = "a serial line"
    baud: int = 9600
    bits: Literal[7, 8] = 8
    parity: Literal["N", "E", "O"] = "N"
    stop: Literal[1, 2] = 1
    unit: Literal["stream"] = "stream"


@dataclass(frozen=True, slots=True)
class UsbWiring:
    """One interface of a USB device, read by interrupt transfers.

    A packet from the device is the endpoint's address (one byte), then the report as it came. One
    to the device is the kind of report (one byte, as in SET_REPORT: 02 output, 03 feature), the
    report's number (one byte, 00 where reports have none), then its data. `report_size` is the
    longest report from the device in bytes, its number included.
    """

    title: ClassVar[str] = "USB"
    interface_class: int = 0x03
    report_size: int = 64
    unit: Literal["packet"] = "packet"


@dataclass(frozen=True, slots=True)
class CanWiring:
    """A CAN bus.

    A packet is a frame as LINKTYPE_CAN_SOCKETCAN lays it out: identifier with its flags (four
    bytes, big endian), data length, three bytes reserved, data.
    """

    title: ClassVar[str] = "a CAN bus"
    bitrate: int = 125_000
    unit: Literal["packet"] = "packet"


Wiring: TypeAlias = SerialWiring | UsbWiring | CanWiring
"""Every kind of wiring. A packet is never cut or glued: one packet, one chunk, one capture line."""
