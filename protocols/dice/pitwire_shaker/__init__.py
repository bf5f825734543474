"""A dice shaker of our own making: no real one is publicly documented. See `layout.py`."""

from __future__ import annotations

from typing import Final

from protocols.device import DeviceSpec, SequenceRule
from protocols.dice.pitwire_shaker.decoder import PitwireShakerDecoder
from protocols.dice.pitwire_shaker.layout import (
    BODY_MAX,
    DIGITS,
    RESENT_WITHIN_S,
    PitwireShakerSettings,
)
from protocols.dice.pitwire_shaker.simulator import PitwireShakerSimulator
from protocols.framing import Framing
from protocols.wiring import SerialWiring

__all__ = ["DEVICE", "PitwireShakerSettings"]

DEVICE: Final = DeviceSpec(
    key="pitwire_shaker",
    title="Dice shaker in a protocol of our own",
    kind="dice",
    maturity="experimental",
    source="none: invented here, because no public document of a real dice shaker is known",
    wiring=SerialWiring(baud=9600),
    framing=Framing(
        self_starting=True,
        checksum="crc16",
        ends_by="mark",
        silence_s=0.0,
        pending_max=1 + BODY_MAX,
    ),
    settings=PitwireShakerSettings,
    decoder=PitwireShakerDecoder,
    simulator=PitwireShakerSimulator,
    sequence=SequenceRule(DIGITS, wraps_to=frozenset(DIGITS[0]), repeat_s=RESENT_WITHIN_S),
    writes="none",
    notes=(
        "No such device is sold: the protocol is what we would ask a maker of one for.",
        "It says nothing between throws, so a dead one is noticed only by its link or its numbers.",
        "Exactly 36 lines lost in a row, or a multiple, leave no hole in the numbers.",
    ),
)
