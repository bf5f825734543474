"""FEIG OBID reader for tagged cards (ISO 15693). See `layout.py` for the layout."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from protocols.device import DeviceSpec
from protocols.framing import Framing
from protocols.shoes.feig_obid.commands import COMMANDS
from protocols.shoes.feig_obid.decoder import FeigObidDecoder
from protocols.shoes.feig_obid.layout import FRAME_GAP_S, FRAME_MAX, FeigObidSettings
from protocols.shoes.feig_obid.simulator import FeigObidSimulator
from protocols.wiring import SerialWiring

__all__ = ["DEVICE", "FeigObidSettings"]


def _described(settings: FeigObidSettings) -> DeviceSpec:
    return replace(DEVICE, gone_after_s=settings.gone_after_s)


DEVICE: Final = DeviceSpec(
    key="feig_obid",
    title="FEIG OBID reader for tagged cards",
    kind="shoe",
    maturity="experimental",
    source="the maker's manuals; the check value against requests in a public driver",
    wiring=SerialWiring(baud=38400, parity="E"),
    framing=Framing(
        self_starting=False,
        checksum="crc16",
        ends_by="length",
        silence_s=FRAME_GAP_S,
        pending_max=FRAME_MAX - 1,
    ),
    settings=FeigObidSettings,
    decoder=FeigObidDecoder,
    simulator=FeigObidSimulator,
    commands=COMMANDS,
    gone_after_s=FeigObidSettings().gone_after_s,
    described=_described,
    silence_s=3.0,
    proves=frozenset({"identity"}),
    writes="poll",
    notes=(
        "A tag that comes onto the reader is a card drawn, once in a shoe: its number tells.",
        "What lay there before the table opened is no draw; two that come at once have no order.",
        "Where cards may lie face down nothing is shown of what lies on the reader.",
        "A tag is a card by the site's enrolment alone; a UID that is not enrolled is no card.",
        "The speed and parity are background knowledge: verify on the reader.",
        "Tags of other kinds than ISO 15693 are not understood: the whole list is shown raw.",
    ),
)
