"""CANopen encoder on a roulette wheel's rotor (CiA 406). See `layout.py` for the layout."""

from __future__ import annotations

from typing import Final

from protocols.can_frame import FRAMING, CanDecoder
from protocols.canopen import start_node
from protocols.device import DeviceSpec, HostCommand
from protocols.wheels.canopen_encoder.layout import CanopenEncoderSettings, meanings
from protocols.wheels.canopen_encoder.simulator import CanopenEncoderSimulator
from protocols.wiring import CanWiring

__all__ = ["DEVICE", "CanopenEncoderSettings"]

DEVICE: Final = DeviceSpec(
    key="canopen_encoder",
    title="CANopen encoder on a wheel's rotor",
    kind="wheel",
    maturity="experimental",
    source="CiA 301 and 406, public standards; no roulette wheel is known to have one",
    wiring=CanWiring(),
    framing=FRAMING,
    settings=CanopenEncoderSettings,
    decoder=lambda settings: CanDecoder(meanings(settings)),
    simulator=CanopenEncoderSimulator,
    commands=(
        HostCommand("start", "Start every node of the bus", start_node(0), changes_device=True),
    ),
    silence_s=2.0,
    writes="handshake",
    notes=(
        "It says where the rotor stands and nothing of the ball.",
        "Roulette takes no result of it: the table is told results_not_seen, rounds stay open.",
        "Its heartbeat must be on (object 1017h), at least once a second: the default is off.",
        "Positions are not numbered: a lost one leaves no trace.",
        "A second node with its number is seen only where the encoder itself reports 8150.",
        "On a bus with others, name its identifiers in the link's `receive_ids`.",
    ),
)
