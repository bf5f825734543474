"""Cammegh Slingshot 2 automatic roulette wheel, RS-232."""

from __future__ import annotations

from typing import Final

from protocols.device import DeviceSpec
from protocols.framing import Framing
from protocols.wheels.cammegh_ss2.commands import COMMANDS
from protocols.wheels.cammegh_ss2.decoder import CammeghSs2Decoder
from protocols.wheels.cammegh_ss2.layout import LEAD_MAX, LINE_MAX, CammeghSs2Settings
from protocols.wheels.cammegh_ss2.simulator import CammeghSs2Simulator
from protocols.wiring import SerialWiring

DEVICE: Final = DeviceSpec(
    key="cammegh_ss2",
    title="Cammegh Slingshot 2 roulette wheel",
    kind="wheel",
    maturity="beta",
    source="captures of live studio wheels, firmware V2.50; facts of the maker's guide",
    wiring=SerialWiring(baud=9600),
    # The bare number has no start mark, so it can be lost behind a torn line.
    framing=Framing(
        self_starting=False,
        checksum="none",
        ends_by="mark",
        silence_s=0.0,
        pending_max=LINE_MAX + LEAD_MAX,
    ),
    settings=CammeghSs2Settings,
    decoder=CammeghSs2Decoder,
    simulator=CammeghSs2Simulator,
    commands=COMMANDS,
    silence_s=2.0,
    proves=frozenset({"laps", "direction", "ball_seen", "order", "identity"}),
    writes="none",
    notes=(
        "three wires: no flow control of any kind, or output blocks",
        "the status line is silent without mode bit 128, and after *q 0",
        "rotor speed 0 is standstill or more than 99.9 rpm: the field cannot tell",
        "that spin 001 follows 256 is the guide's word, never captured",
        "self test *F, bonus *Y and raw sensor events *b were never captured: from the guide",
    ),
)
