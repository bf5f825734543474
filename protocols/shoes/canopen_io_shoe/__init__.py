"""Card shoe on a CANopen I/O module (CiA 401). See `layout.py` for the layout."""

from __future__ import annotations

from typing import Final

from protocols.can_frame import FRAMING, CanDecoder
from protocols.canopen import start_node
from protocols.device import DeviceSpec, HostCommand
from protocols.shoes.canopen_io_shoe.layout import CanopenIoShoeSettings, meanings
from protocols.shoes.canopen_io_shoe.simulator import CanopenIoShoeSimulator
from protocols.wiring import CanWiring

__all__ = ["DEVICE", "CanopenIoShoeSettings"]

DEVICE: Final = DeviceSpec(
    key="canopen_io_shoe",
    title="Card shoe on a CANopen I/O module",
    kind="shoe",
    maturity="experimental",
    source="CiA 301 and 401, public standards; no card shoe is known to speak them",
    wiring=CanWiring(),
    framing=FRAMING,
    settings=CanopenIoShoeSettings,
    decoder=lambda settings: CanDecoder(meanings(settings)),
    simulator=CanopenIoShoeSimulator,
    commands=(
        HostCommand("start", "Start every node of the bus", start_node(0), changes_device=True),
    ),
    silence_s=2.0,
    writes="handshake",
    notes=(
        "It says which sensors are on, and no card's face: no game draws from that yet.",
        "Its heartbeat must be on (object 1017h), at least once a second: the default is off.",
        "A lost change of inputs leaves no trace until the next one.",
        "Every emergency message counts as blocking: none says whether the shoe goes on.",
        "On a bus with others, name its identifiers in the link's `receive_ids`.",
    ),
)
