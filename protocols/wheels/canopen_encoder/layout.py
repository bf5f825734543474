"""A rotor's encoder on a CAN bus, as data: CiA 406 on top of what `protocols/canopen.py` says.

    180 + node     position (object 6004h): u32 LE, in the encoder's steps

The position comes with every period of the cyclic timer (object 6200h, milliseconds), and once
when the node becomes operational. In its default mapping TPDO 1 holds the position and nothing
else; a house that has mapped it to another TPDO says so in the settings.

Source: CiA 301 and 406 (public). No public document shows an encoder in a roulette wheel on CAN:
this is the generic profile.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal

from protocols.can_frame import DataReader
from protocols.canopen import (
    EMERGENCY,
    HEARTBEAT,
    TPDO,
    check_node,
    emergency,
    heartbeat,
    start_node,
)
from protocols.device import FrameMeaning
from protocols.readings import DeviceError, RotorPosition
from protocols.rejects import RejectReason

POSITION_LENGTH: Final = 4


@dataclass(frozen=True, slots=True)
class CanopenEncoderSettings:
    """What differs between sites. Raises ValueError for a node that cannot be.

    node   the encoder's number on its bus, 1 to 127
    tpdo   which of its TPDOs holds the position
    start  start the node whenever it waits for that: only where no other master does
    """

    node: int = 0x11
    tpdo: Literal[1, 2, 3, 4] = 1
    start: bool = False

    def __post_init__(self) -> None:
        check_node(self.node)


def meanings(settings: CanopenEncoderSettings) -> Mapping[int, DataReader]:
    """Return what this encoder says under its identifiers."""
    start = start_node(settings.node) if settings.start else None
    return {
        HEARTBEAT + settings.node: lambda data: heartbeat(data, start),
        EMERGENCY + settings.node: _emergency,
        TPDO[settings.tpdo - 1] + settings.node: _position,
    }


def _position(data: bytes) -> FrameMeaning:
    if len(data) != POSITION_LENGTH:
        return FrameMeaning(RejectReason.LENGTH)
    return FrameMeaning(RotorPosition(int.from_bytes(data, "little")))


def _emergency(data: bytes) -> FrameMeaning:
    error = emergency(data)
    return FrameMeaning(RejectReason.LENGTH if error is None else DeviceError(*error))
