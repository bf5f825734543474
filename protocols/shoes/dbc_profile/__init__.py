"""Card shoe on a CAN bus, described by its DBC and the house's mapping. See `layout.py`."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from protocols.can_frame import FRAMING, CanDecoder
from protocols.device import DeviceSpec, SequenceRule
from protocols.shoes.dbc_profile.layout import DbcProfileSettings, layout_of
from protocols.shoes.dbc_profile.meanings import meanings
from protocols.shoes.dbc_profile.simulator import DbcProfileSimulator
from protocols.wiring import CanWiring

__all__ = ["DEVICE", "DbcProfileSettings"]

_RESENT_S: Final = 1.0
"""A CAN frame whose acknowledgement was lost is sent again at once, by the adapter itself."""


def _described(settings: DbcProfileSettings) -> DeviceSpec:
    return replace(DEVICE, sequence=_sequence(settings))


def _sequence(settings: DbcProfileSettings) -> SequenceRule | None:
    counter = layout_of(settings).sequence
    if counter is None:
        return None
    counts = tuple(str(count) for count in range(counter.most + 1))
    return SequenceRule(counts, frozenset("0"), _RESENT_S)


DEVICE: Final = DeviceSpec(
    key="dbc_profile",
    title="Card shoe on a CAN bus, by its DBC",
    kind="shoe",
    maturity="experimental",
    source="the house's own DBC; the public format of such files",
    wiring=CanWiring(),
    framing=FRAMING,
    settings=DbcProfileSettings,
    decoder=lambda settings: CanDecoder(meanings(settings)),
    simulator=DbcProfileSimulator,
    sequence=_sequence(DbcProfileSettings()),
    proves=frozenset({"identity"}),
    writes="none",
    described=_described,
    notes=(
        "Without settings it decodes an example of our own, which no shoe speaks.",
        "Where nothing is counted, a lost card leaves no trace but in the shoe's composition.",
        "Two nodes that speak under one identifier show as a count that jumps: a gap, and a hold.",
        "An error that the shoe reports is never taken back: its DBC tells of no end.",
    ),
)
