"""What a token says, from its text alone. What is not known is shown raw, never guessed."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final, TypeAlias

from protocols.readings import CardDrawn, CardTarget, CardUnread, Reading, ShoeErrorRaised
from protocols.rejects import RejectReason
from protocols.shoes.beetek.layout import (
    ALARM_BASE,
    CARDS,
    GAME,
    GAME_ALARM,
    MANUAL_BURN,
    NOT_READ,
)

Body: TypeAlias = Reading | RejectReason

_KNOWN_MAX: Final = 1024
_PRINTABLE: Final = re.compile(rb"[ -~]*")
_PARTS: Final = re.compile(r"(?:\[(.*)\])?<(.*)>")
_CARD: Final = re.compile(r"Card:(.*)")
_ALARM: Final = re.compile(r"Alarm:(.+)")
_ALARM_NUMBER: Final = re.compile(r"E(\d{1,3})\b")
_WARNING: Final = re.compile(r"W0x[0-9A-Fa-f]{2}")
_UNREAD: Final = CardUnread("the shoe could not read the card")


class Meanings:
    """The shoe's words under one site's settings; what was read once is remembered."""

    def __init__(self, *, manual_burn_is_burn: bool) -> None:
        self._known: dict[bytes, Body] = {}
        self._targets: Mapping[str, CardTarget | None] = {
            GAME: None,
            MANUAL_BURN: "burn" if manual_burn_is_burn else None,
        }

    def of(self, token: bytes) -> Body:
        """Return what a token says, brackets included, without separators."""
        body = self._known.get(token)
        if body is None:
            if len(self._known) >= _KNOWN_MAX:
                self._known.clear()
            body = self._known[token] = self._read(token)
        return body

    def _read(self, token: bytes) -> Body:
        if _PRINTABLE.fullmatch(token) is None:
            return RejectReason.NOISE
        parts = _PARTS.fullmatch(token.decode("ascii"))
        if parts is None:
            return RejectReason.MALFORMED
        operation, event = parts[1], parts[2]
        if _WARNING.fullmatch(event) is not None:
            return RejectReason.UNSUPPORTED
        if operation is None:  # the tail of a token that lost its head
            return RejectReason.MALFORMED
        alarm = _ALARM.fullmatch(event)
        if alarm is not None:
            known = operation in self._targets or operation == GAME_ALARM
            return _alarm(alarm[1]) if known else RejectReason.UNSUPPORTED
        if operation not in self._targets:
            return RejectReason.UNSUPPORTED
        return self._drawn(self._targets[operation], event)

    def _drawn(self, target: CardTarget | None, event: str) -> Body:
        if event == GAME:
            return _UNREAD
        code = _CARD.fullmatch(event)
        if code is None:
            return RejectReason.UNSUPPORTED
        card = CARDS.get(code[1])
        return RejectReason.VALUE if card is None else CardDrawn(card, target)


def _alarm(text: str) -> Body:
    stated = _ALARM_NUMBER.match(text)
    number = int(stated[1]) if stated is not None else 0
    if number == NOT_READ:
        return CardUnread(f"alarm {text}")
    # Nothing says that an alarm is harmless, or that it is over: it holds.
    return ShoeErrorRaised(ALARM_BASE + number, f"alarm {text}", blocking=True)
