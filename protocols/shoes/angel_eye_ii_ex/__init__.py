"""Angel Eye II-EX baccarat shoe, RS-232. See `layout.py` for the layout."""

from __future__ import annotations

from typing import Final

from protocols.device import DeviceSpec
from protocols.framing import Framing
from protocols.shoes.angel_eye_ii_ex.commands import host_commands
from protocols.shoes.angel_eye_ii_ex.decoder import AngelEyeDecoder
from protocols.shoes.angel_eye_ii_ex.layout import (
    FRAME_GAP_S,
    FRAME_MAX,
    AngelEyeSettings,
    sequence_rule,
)
from protocols.shoes.angel_eye_ii_ex.simulator import AngelEyeSimulator
from protocols.wiring import SerialWiring

__all__ = ["DEVICE", "AngelEyeSettings"]


def _decoder(settings: AngelEyeSettings) -> AngelEyeDecoder:
    return AngelEyeDecoder(acknowledge=settings.acknowledge)


DEVICE: Final = DeviceSpec(
    key="angel_eye_ii_ex",
    title="Angel Eye II-EX baccarat shoe",
    kind="shoe",
    maturity="experimental",
    source="a public bridge's restatement of the private specification; verify on site",
    wiring=SerialWiring(baud=4800),
    framing=Framing(
        self_starting=False,
        checksum="xor",
        ends_by="mark",
        silence_s=FRAME_GAP_S,
        pending_max=FRAME_MAX,
    ),
    settings=AngelEyeSettings,
    decoder=_decoder,
    simulator=AngelEyeSimulator,
    commands=host_commands(includes_start=AngelEyeSettings().command_bcc_includes_start),
    sequence=sequence_rule(AngelEyeSettings()),
    proves=frozenset({"order", "identity", "position"}),
    writes="handshake",
    notes=(
        "The port must pass 8 bits: on a 7-bit port every card is rejected as malformed.",
        "Leave pins 8 and 9 of the shoe's DB9 unconnected.",
        "One known site runs at 9600 baud.",
        "Whether reports need an ACK, and whether 0 or 1 follows number 9, is not confirmed.",
        "A reading of error 1 is a card that passed unread.",
        "An ACK or NAK directly after damaged bytes is not believed: the command times out.",
    ),
)
