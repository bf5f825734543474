"""Zebra (Symbol) scanner in the Simple Serial Interface. See `layout.py` for the layout."""

from __future__ import annotations

from dataclasses import replace
from typing import Final, Literal

from protocols.device import DeviceSpec
from protocols.framing import Framing
from protocols.shoes.zebra_ssi.commands import COMMANDS
from protocols.shoes.zebra_ssi.decoder import ZebraSsiDecoder
from protocols.shoes.zebra_ssi.layout import (
    CONTINUED_S,
    PACKET_MAX,
    RESENT_WITHIN_S,
    ZebraSsiSettings,
)
from protocols.shoes.zebra_ssi.simulator import ZebraSsiSimulator
from protocols.wiring import SerialWiring

__all__ = ["DEVICE", "ZebraSsiSettings"]


def _described(settings: ZebraSsiSettings) -> DeviceSpec:
    writes: Literal["handshake", "none"] = "handshake" if settings.acknowledge else "none"
    return replace(DEVICE, reread_within_s=settings.reread_s or None, writes=writes)


DEVICE: Final = DeviceSpec(
    key="zebra_ssi",
    title="Zebra SSI label scanner",
    kind="shoe",
    maturity="beta",
    source="the maker's manuals; opcodes and replies checked against published traffic",
    wiring=SerialWiring(),
    framing=Framing(
        self_starting=False,
        checksum="sum",
        ends_by="length",
        silence_s=CONTINUED_S,
        pending_max=PACKET_MAX - 1,
    ),
    settings=ZebraSsiSettings,
    decoder=ZebraSsiDecoder,
    simulator=ZebraSsiSimulator,
    commands=COMMANDS,
    resent_within_s=RESENT_WITHIN_S,
    reread_within_s=ZebraSsiSettings().reread_s,
    described=_described,
    proves=frozenset({"identity"}),
    writes="handshake",
    notes=(
        "Set the scanner to packets (EE = 1): plain ASCII has no check value and is rejected.",
        "Switch parameter scanning off (EC = 0): else a label can change the scanner's settings.",
        "A label in an allowed symbology that no card has is a card that nobody knows: it holds.",
        "A packet sent again is taken for an equal one up to 5 s before it.",
        "Hence two equal cards in a row, the second damaged on the line, hold the round.",
        "A damaged packet is answered with a NAK; half a packet is not, it comes again by itself.",
        "Engines that speak a like dialect without a source byte (Mindeo) are not understood.",
    ),
)
