"""Bee-Tek: bytes to tokens, in the order in which they came.

Brackets alone delimit; what stands between two tokens is noise, accounted for. An opening bracket
cannot stand inside a token, so a torn token ends where the next one begins. Spaces and line ends
lead the token behind them, so that a token is the same however its bytes were cut on their way.
"""

from __future__ import annotations

import re
from typing import Final

from protocols.device import Decoded
from protocols.frame_decoder import FrameDecoder
from protocols.instant import Instant
from protocols.rejects import RejectReason
from protocols.shoes.beetek.layout import (
    EVENT_MAX,
    LEAD_MAX,
    OPERATION_MAX,
    SEPARATORS,
    BeetekSettings,
)
from protocols.shoes.beetek.meanings import Meanings

_GAP: Final = rb"[ \r\n]{0,%d}" % LEAD_MAX
_OPERATION: Final = rb"\[[^\[\]<>]{1,%d}\]" % OPERATION_MAX
_EVENT: Final = rb"<[^\[\]<>]{1,%d}>" % EVENT_MAX
_WHOLE: Final = rb"(?:%b)?%b" % (_OPERATION, _EVENT)
_OPEN: Final = rb"(?:\[[^\[\]<>]{0,%d}\Z|(?:%b)?<[^\[\]<>]{0,%d}\Z|%b\Z)" % (
    OPERATION_MAX, _OPERATION, EVENT_MAX, _OPERATION,
)  # fmt: skip
# Noise leaves the separators before a token to that token, but too many of them are noise.
_NOISE: Final = (
    rb"(?:[^\[<]*[^\[< \r\n]|(?!%b|%b)[\[<]|[ \r\n]+(?![ \r\n]|%b|%b|\Z)|[ \r\n]{%d,})+"
    % (_WHOLE, _OPEN, _WHOLE, _OPEN, LEAD_MAX + 1)
)
_TOKEN: Final = re.compile(
    rb"%b(?P<token>%b)|(?P<open>%b(?:%b|\Z))|(?P<noise>%b)" % (_GAP, _WHOLE, _GAP, _OPEN, _NOISE),
    re.DOTALL,
)
_STARTS: Final = (b"[", b"<")


class BeetekDecoder(FrameDecoder):
    """Holds back at most one unfinished token, with the separators before it."""

    def __init__(self, settings: BeetekSettings) -> None:
        self._meanings = Meanings(manual_burn_is_burn=settings.manual_burn_is_burn)

    def _scan(self, at: Instant, data: bytes, decoded: list[Decoded], *, ended: bool) -> None:  # noqa: ARG002 - tokens end by their bracket, not by quiet
        stream, self.pending = self.pending + data, b""
        for match in _TOKEN.finditer(stream):
            raw = match.group()
            if match.lastgroup == "open":
                self.pending = raw
                return
            if match.lastgroup == "token":
                decoded.append(Decoded(at, raw, self._meanings.of(match["token"])))
            elif raw:
                torn = raw.lstrip(SEPARATORS).startswith(_STARTS)
                reason = RejectReason.LENGTH if torn else RejectReason.NOISE
                decoded.append(Decoded(at, raw, reason))
