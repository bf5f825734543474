"""NAPSA automatic roulette wheel, RS-232. See `layout.py` for the layout."""

from __future__ import annotations

from typing import Final

from protocols.device import DeviceSpec
from protocols.framing import Framing
from protocols.wheels.napsa.decoder import NapsaDecoder
from protocols.wheels.napsa.layout import LEAD_MAX, LINE_MAX, NapsaSettings
from protocols.wheels.napsa.simulator import NapsaSimulator
from protocols.wiring import SerialWiring

__all__ = ["DEVICE", "NapsaSettings"]

DEVICE: Final = DeviceSpec(
    key="napsa",
    title="NAPSA roulette wheel",
    kind="wheel",
    maturity="experimental",
    source="field rules of one public host program and its simulators; no real capture",
    wiring=SerialWiring(baud=9600),
    # `N` may stand inside a line, but the last nine characters before an end are a line or none.
    framing=Framing(
        self_starting=True,
        checksum="none",
        ends_by="mark",
        silence_s=0.0,
        pending_max=LINE_MAX + LEAD_MAX,
    ),
    settings=NapsaSettings,
    decoder=NapsaDecoder,
    simulator=NapsaSimulator,
    silence_s=2.0,
    proves=frozenset({"ball_seen", "identity"}),
    writes="none",
    notes=(
        "The wheel does not number its spins: any silence loses the spin that a round waits for.",
        "A result counts only of a spin heard whole, with its number line; laps are not known.",
        "No checksum that is understood: one flipped bit makes another number.",
        "An error beside a result makes it none; errors 3, 5, 7, 8 and 9 hide the state, too.",
        "Rotor speed is whole turns a minute; samples show 22, above many profiles' 20.",
        "That 37 is the double zero is our inference; see the setting `pockets`.",
    ),
)
