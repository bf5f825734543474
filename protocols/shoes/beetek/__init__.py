"""Bee-Tek card shoe (United States Playing Card Co.), RS-232. See `layout.py` for the layout."""

from __future__ import annotations

from typing import Final

from protocols.device import DeviceSpec
from protocols.framing import Framing
from protocols.shoes.beetek.decoder import BeetekDecoder
from protocols.shoes.beetek.layout import TOKEN_MAX, BeetekSettings
from protocols.shoes.beetek.simulator import BeetekSimulator
from protocols.wiring import SerialWiring

__all__ = ["DEVICE", "BeetekSettings"]

DEVICE: Final = DeviceSpec(
    key="beetek",
    title="Bee-Tek card shoe",
    kind="shoe",
    maturity="experimental",
    source="two public readers that agree on the card token; no maker's document, no real capture",
    wiring=SerialWiring(baud=9600),
    framing=Framing(
        self_starting=True,
        checksum="none",
        ends_by="mark",
        silence_s=0.0,
        pending_max=TOKEN_MAX,
    ),
    settings=BeetekSettings,
    decoder=BeetekDecoder,
    simulator=BeetekSimulator,
    proves=frozenset({"identity"}),
    writes="none",
    notes=(
        "No checksum: one flipped bit makes another card (4S to 5S, 4S to 4C).",
        "No frame number: a lost card leaves no trace but in the shoe's composition.",
        "No sign of life: silence cannot be told from a cut cable.",
        "Only alarm E3 is public: a card passed unread. Another alarm n is the error 100 + n.",
        "No message that ends an alarm is known.",
        "Whether one unread card is told twice, as <Game> and as alarm E3, is not confirmed.",
        "Warnings (W0x..), and operations and events without a known meaning, are shown raw.",
        "The messages for the cutting card, the lid and the start are not public.",
        "The first card of a shoe may be its burn card: nothing in its token says so.",
    ),
)
