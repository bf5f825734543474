"""What a frame says, from its bytes and the profile alone. What is not described is shown raw."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, TypeAlias

from protocols.bytetext import read_bytes
from protocols.device import FrameMeaning
from protocols.readings import (
    CardDrawn,
    CardTarget,
    CardUnread,
    CutCardSeen,
    Reading,
    ShoeErrorCleared,
    ShoeErrorRaised,
    ShoeStandby,
    ShoeStarted,
)
from protocols.rejects import RejectReason
from protocols.shoes.line_profile.layout import FrameFormat
from protocols.shoes.line_profile.profile import LineProfile, Message
from protocols.shoes.line_profile.template import template_of

Body: TypeAlias = Reading | RejectReason

ERROR_BASE: Final = 100
"""An error's code is this plus its number, or this alone where it is none. The rules know low codes
by what they mean on one make of shoe."""


_PLACES: Final = {text: place for place in range(1, 100) for text in (f"{place}", f"{place:02}")}


class _Line:
    """One of the profile's lines: what it says, and which of its fields is what."""

    def __init__(self, message: Message) -> None:
        template = template_of(message.line)
        self.says = message.says
        self.read = template.read
        self.card = template.place_of("card")
        self.hand = template.place_of("hand")
        self.place = template.place_of("place")
        self.number = template.place_of("number")
        self.code = template.place_of("code")


class Meanings:
    """The device's frames under one profile."""

    def __init__(self, profile: LineProfile) -> None:
        self._format = FrameFormat(profile)
        self._printable = profile.frame.content == "text"
        self._lines = tuple(_Line(message) for message in profile.message)
        self._labels = profile.cards.labels()
        codes = self._labels.codes
        self._find = codes.find if codes.skip or codes.decks else codes.cards.get
        self._hands: Mapping[str, CardTarget] = {
            _latin(word): hand for word, hand in profile.hands.items()
        }
        self._errors = {_latin(code): text for code, text in profile.errors.items()}
        self._numbers = frozenset(profile.number.every()) if profile.number else frozenset()
        self._ack = read_bytes(profile.host.ack) or None
        # Where only a start mark and a count make a frame, one that says nothing was none.
        how = self._format.delimiting()
        self._doubtful = profile.check is None and bool(how.start) and how.length is not None

    def read(self, raw: bytes) -> FrameMeaning | None:
        """Return what a delimited frame says; None where it is none after all."""
        content = self._format.open(raw)
        if content is None:
            return None
        text = content.decode("latin-1")
        if self._printable and not (text.isascii() and text.isprintable()):
            return self._nothing(RejectReason.MALFORMED)
        for line in self._lines:
            fields = line.read(text)
            if fields is not None:
                return self._meaning(line, fields)
        return self._nothing(RejectReason.UNSUPPORTED)

    def _nothing(self, reason: RejectReason) -> FrameMeaning | None:
        return None if self._doubtful else FrameMeaning(reason, None, self._ack)

    def _meaning(self, line: _Line, fields: tuple[str, ...]) -> FrameMeaning:
        number = None
        if line.number is not None:
            number = fields[line.number]
            if number not in self._numbers:
                return FrameMeaning(RejectReason.VALUE, None, self._ack)
        return FrameMeaning(self._body(line, fields), number, self._ack)

    def _body(self, line: _Line, fields: tuple[str, ...]) -> Reading:
        if line.card is not None:
            return self._card(line, fields, fields[line.card])
        match line.says:
            case "card":
                raise AssertionError("a line that says a card has its code")
            case "no_read":
                return CardUnread("the device could not read the card")
            case "cut_card":
                return CutCardSeen()
            case "error" | "warning":
                code, text = self._error(line, fields)
                return ShoeErrorRaised(code, text, blocking=line.says == "error")
            case "error_cleared":
                return ShoeErrorCleared(*self._error(line, fields))
            case "started":
                return ShoeStarted()
            case "standby":
                return ShoeStandby()

    def _card(self, line: _Line, fields: tuple[str, ...], code: str) -> Reading:
        card = self._find(code)
        if card is None:
            return self._labels.read(code)
        target = index = None
        if line.hand is not None:
            target = self._hands.get(fields[line.hand])
            if target is None:
                what = f"{card} went to a hand that is not described"
                return CardUnread(f"{what}: {fields[line.hand]!a}")
        if line.place is not None:
            index = _PLACES.get(fields[line.place])
            if index is None:
                what = f"{card} went to no place that can be"
                return CardUnread(f"{what}: {fields[line.place]!a}")
        return CardDrawn(card, target, index)

    def _error(self, line: _Line, fields: tuple[str, ...]) -> tuple[int, str]:
        if line.code is None:
            return ERROR_BASE, "error"
        code = fields[line.code]
        number = int(code) if code.isascii() and code.isdecimal() else 0
        return ERROR_BASE + number, self._errors.get(code, f"error {ascii(code)[1:-1]}")


def _latin(text: str) -> str:
    return read_bytes(text).decode("latin-1")
