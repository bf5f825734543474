"""Label scanner that sends each label as a line of text. See `layout.py` for the layout."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from protocols.device import DeviceSpec
from protocols.framing import Framing
from protocols.lineframes import LineFrames
from protocols.rejects import RejectReason
from protocols.shoes.barcode_lines.layout import BarcodeLinesSettings
from protocols.shoes.barcode_lines.meanings import Meanings
from protocols.shoes.barcode_lines.simulator import BarcodeLinesSimulator
from protocols.wiring import SerialWiring

__all__ = ["DEVICE", "BarcodeLinesSettings"]


def _decoder(settings: BarcodeLinesSettings) -> LineFrames:
    return LineFrames(settings.delimiting(), Meanings(settings).read, RejectReason.MALFORMED)


def _described(settings: BarcodeLinesSettings) -> DeviceSpec:
    return replace(
        DEVICE,
        framing=_framing(settings),
        reread_within_s=settings.reread_s or None,
        notes=(*DEVICE.notes, *_limits(settings)),
    )


def _framing(settings: BarcodeLinesSettings) -> Framing:
    how = settings.delimiting()
    return Framing(
        self_starting=len(how.start) == 1 and how.length is None,
        checksum="none",
        ends_by="mark" if how.end else "length",
        silence_s=how.gap_s,
        pending_max=how.whole_max - 1,
    )


def _limits(settings: BarcodeLinesSettings) -> Iterator[str]:
    """Yield what these settings leave unprotected."""
    if not settings.delimiting().end:
        yield "No terminator: labels are counted off from the last quiet, all of one length."
    if settings.aim != "required":
        yield "No AIM identifier is asked for: a product's label is a card that nobody knows."
    if not settings.no_read:
        yield "No text for a label that was not read: such a card passes unnoticed."
    if not settings.cut_card:
        yield "No label of the cut card: it passes unnoticed."
    if not settings.reread_s:
        yield "A label that is scanned twice is two cards."


_DEFAULT: Final = BarcodeLinesSettings()

DEVICE: Final = DeviceSpec(
    key="barcode_lines",
    title="Label scanner, lines of text",
    kind="shoe",
    maturity="experimental",
    source="settings that makers of such scanners publish, and public mappings; no real capture",
    wiring=SerialWiring(),
    framing=_framing(_DEFAULT),
    settings=BarcodeLinesSettings,
    decoder=_decoder,
    simulator=BarcodeLinesSimulator,
    reread_within_s=_DEFAULT.reread_s,
    described=_described,
    proves=frozenset({"identity"}),
    notes=(
        "No check value: a misread label, or one flipped bit, can be another card.",
        "No number: a lost label leaves no trace but in the hands' sizes and the composition.",
        "No sign of life: silence cannot be told from a cut cable.",
        "A label that no card has is a card that nobody knows: it holds.",
        "Two equal labels that arrive at once, as after a halt of this program, hold the round.",
        "Labels of the maker's can reprogram such a scanner: lock that in the scanner.",
    ),
)
