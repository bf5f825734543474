"""TCS JohnHuxley Saturn air-launched roulette wheel, RS-485. See `layout.py` for the layout."""

from __future__ import annotations

from typing import Final

from protocols.device import DeviceSpec
from protocols.framing import Framing
from protocols.wheels.saturn.commands import COMMANDS
from protocols.wheels.saturn.decoder import decoder_of
from protocols.wheels.saturn.layout import FRAME_MAX, SaturnSettings
from protocols.wheels.saturn.simulator import SaturnSimulator
from protocols.wiring import SerialWiring

__all__ = ["DEVICE", "SaturnSettings"]

DEVICE: Final = DeviceSpec(
    key="saturn",
    title="TCS JohnHuxley Saturn roulette wheel",
    kind="wheel",
    maturity="experimental",
    source="one public host program: its questions and what it reads; no answer is public",
    wiring=SerialWiring(baud=9600),
    framing=Framing(
        self_starting=True,
        checksum="sum",
        ends_by="mark",
        silence_s=0.0,
        pending_max=FRAME_MAX,
    ),
    settings=SaturnSettings,
    decoder=decoder_of,
    simulator=SaturnSimulator,
    commands=COMMANDS,
    # Three questions in a row without an answer, and the time that the next may take.
    silence_s=0.8,
    writes="poll",
    notes=(
        "Only the error flag and text are read: where number, state and speed stand is not public.",
        "Capture a wheel in play before anything is built on it.",
        "Roulette takes no result of it: the table is told results_not_understood.",
        "RS-485: the adapter must turn the line around by itself; pitwire does not move RTS.",
        "A studio's test ran at 115200 over USB, unproven: set `baud` of the link there.",
        "The check byte has six bits: only texts of the 64 characters up to `_` are believed.",
    ),
)
