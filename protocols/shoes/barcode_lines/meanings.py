"""What a line says, from its text alone.

A line that is no card's is a card that nobody knows: something passed the scanner, and what it was
is for a person to say. But what the AIM identifier shows to be of another symbology is no card.
"""

from __future__ import annotations

import re
from typing import Final

from protocols.cardcodes import labels
from protocols.device import FrameMeaning
from protocols.readings import CardsPresent
from protocols.rejects import RejectReason
from protocols.shoes.barcode_lines.layout import BarcodeLinesSettings

_PRINTABLE: Final = re.compile(rb"[ -~]*")
_AIM: Final = re.compile(r"\]([A-Za-z])[0-9A-Za-z]")
_AIM_LENGTH: Final = 3
_NO_CARD: Final = FrameMeaning(CardsPresent(()))
_DAMAGED: Final = FrameMeaning(RejectReason.MALFORMED)
_TORN: Final = FrameMeaning(RejectReason.LENGTH)
_FOREIGN: Final = FrameMeaning(RejectReason.UNSUPPORTED)


class Meanings:
    """The scanner's lines under one site's settings."""

    def __init__(self, settings: BarcodeLinesSettings) -> None:
        how = settings.delimiting()
        self._around = slice(len(how.start), -len(how.end) or None)
        self._shortest = settings.shortest
        self._aim = settings.aim
        self._symbologies = frozenset(settings.aim_codes)
        self._no_card = frozenset(settings.no_card)
        self._labels = labels(
            settings.scheme, settings.card_map, settings.no_read, settings.cut_card
        )
        self._tokens = frozenset((*settings.no_read, *settings.cut_card))

    def read(self, raw: bytes) -> FrameMeaning:
        """Return what a whole line says, prefix and terminator included."""
        body = raw[self._around]
        if _PRINTABLE.fullmatch(body) is None:  # one bad byte spoils the whole line
            return _DAMAGED
        label = body.decode("ascii")
        aim = _AIM.match(label) if self._aim != "none" else None
        if aim is not None:
            if aim[1] not in self._symbologies:
                return _FOREIGN
            label = label[_AIM_LENGTH:]
        if label in self._no_card:
            return _NO_CARD
        if label not in self._tokens:
            if aim is None and self._aim == "required":
                return _DAMAGED
            if len(label) < self._shortest:
                return _TORN
        return FrameMeaning(self._labels.read(label))
