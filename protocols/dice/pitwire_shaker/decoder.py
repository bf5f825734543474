"""Bytes of the shaker to lines, and lines to readings.

A start mark stands nowhere inside a line, so a torn line ends where the next one begins.
"""

from __future__ import annotations

import re
from typing import Final

from protocols.checks import crc16_mcrf4xx
from protocols.device import Decoded
from protocols.dice.pitwire_shaker.layout import (
    BODY_MAX,
    IDENTITY,
    LIE,
    SHAKEN,
    START,
    TEXT_MAX,
    UNREAD,
    PitwireShakerSettings,
)
from protocols.faces import FACES, find_faces
from protocols.frame_decoder import FrameDecoder
from protocols.instant import Instant
from protocols.readings import DeviceIdentity, DiceRead, DiceShaken, DiceUnread, Reading
from protocols.rejects import RejectReason

_TOKEN: Final = re.compile(
    rb"(?P<line>\$[^$\n]{0,%d}\n)|(?P<open>\$[^$\n]{0,%d}\Z)|(?:[^$]+|\$(?![^$\n]{0,%d}(?:\n|\Z)))+"
    % (BODY_MAX, BODY_MAX, BODY_MAX)
)
_LINE: Final = re.compile(rb"\$(([0-9A-Z])([A-Z])([ -#%%-)+-~]{0,%d}))\*([0-9A-F]{4})\n" % TEXT_MAX)
_DICE: Final = re.compile(f"[1-6{UNREAD}]{{3}}")


class PitwireShakerDecoder(FrameDecoder):
    """Holds back at most one unfinished line."""

    def __init__(self, _settings: PitwireShakerSettings) -> None:
        """The settings change nothing."""

    def _scan(self, at: Instant, data: bytes, decoded: list[Decoded], *, ended: bool) -> None:  # noqa: ARG002 - lines end by their end mark, not by quiet
        stream, self.pending = self.pending + data, b""
        for match in _TOKEN.finditer(stream):
            raw = match.group()
            if match.lastgroup == "open":
                self.pending = raw
            elif match.lastgroup == "line":
                body, number = _read(raw)
                decoded.append(Decoded(at, raw, body, number))
            else:
                torn = raw.startswith(START)
                reason = RejectReason.LENGTH if torn else RejectReason.NOISE
                decoded.append(Decoded(at, raw, reason))


def _read(raw: bytes) -> tuple[Reading | RejectReason, str | None]:
    """Return what one whole line says, and its number where it is to be believed."""
    parts = _LINE.fullmatch(raw)
    if parts is None:
        return RejectReason.MALFORMED, None
    body, number, kind, text, check = parts.groups()
    if crc16_mcrf4xx(body) != int(check, 16):
        return RejectReason.CHECKSUM, None
    body = _meaning(kind.decode("ascii"), text.decode("ascii"))
    counts = not isinstance(body, RejectReason | DeviceIdentity)
    return body, number.decode("ascii") if counts else None


def _meaning(kind: str, text: str) -> Reading | RejectReason:
    if kind == LIE:
        return _dice(text)
    if kind == IDENTITY:
        return DeviceIdentity(text)
    if kind != SHAKEN:
        return RejectReason.UNSUPPORTED
    return RejectReason.VALUE if text else DiceShaken()


def _dice(text: str) -> Reading | RejectReason:
    faces = find_faces(text)
    if faces is not None:
        return DiceRead(faces, checked=True)
    if _DICE.fullmatch(text) is None:
        return RejectReason.VALUE
    first, second, third = (FACES.get(die) for die in text)
    return DiceUnread((first, second, third))
