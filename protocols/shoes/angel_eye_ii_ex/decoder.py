"""Angel Eye II-EX: bytes to readings.

No start byte (02 05 06 15) can stand inside an undamaged frame, except the code of NAK 02, so a
start byte always ends what came before it: a frame lost in noise costs only itself.

ACK and NAK carry no check value, and one flipped bit makes either out of a card's byte. They are
believed only where the line was in order before them: after a whole frame, or after quiet.
"""

from __future__ import annotations

import re
from typing import Final

from protocols.device import Decoded
from protocols.frame_decoder import FrameDecoder
from protocols.instant import Instant
from protocols.readings import CommandReply
from protocols.rejects import RejectReason
from protocols.shoes.angel_eye_ii_ex.layout import ACK, BODY_MAX, ENQ, FRAME_GAP_S, NAK, STX
from protocols.shoes.angel_eye_ii_ex.meanings import Body, frame_meaning, nak_meaning

_STARTS: Final = rb"\x02\x05\x06\x15"
_FRAME: Final = rb"[\x02\x05][^\x03%b]{1,%d}\x03[^%b]{2}" % (_STARTS, BODY_MAX, _STARTS)
# `15 02` may be the head of a NAK torn by a reply: only what follows can tell.
_NAK: Final = rb"\x15(?:[\x01\x03\x11-\x14\x21\x22\xff]|\x02(?=[%b]))" % _STARTS
_OPEN: Final = (
    rb"(?:[\x02\x05][^\x03%b]{0,%d}\Z|[\x02\x05][^\x03%b]{1,%d}\x03[^%b]?\Z|\x15\x02?\Z)"
    % (_STARTS, BODY_MAX, _STARTS, BODY_MAX, _STARTS)
)
_NOISE: Final = rb"(?:[^%b]+|(?!%b|%b)[\x02\x05]|(?!%b|%b)\x15)+" % (
    _STARTS, _FRAME, _OPEN, _NAK, _OPEN,
)  # fmt: skip
_TOKEN: Final = re.compile(
    rb"(?P<frame>%b)|(?P<ack>\x06)|(?P<nak>%b)|(?P<noise>%b)|(?P<open>%b)"
    % (_FRAME, _NAK, _NOISE, _OPEN),
    re.DOTALL,
)
_HELD_NAK: Final = bytes([NAK, STX])
_ACKED: Final = CommandReply("ok")
_REPLY: Final = bytes([ACK])


class AngelEyeDecoder(FrameDecoder):
    """Holds back at most one unfinished frame; after damage it is `_spoiled` for ACK and NAK."""

    gap_s = FRAME_GAP_S

    def __init__(self, *, acknowledge: bool) -> None:
        self._reply = _REPLY if acknowledge else None

    def _scan(self, at: Instant, data: bytes, decoded: list[Decoded], *, ended: bool) -> None:
        stream, self.pending = self.pending + data, b""
        if ended:
            if stream:
                decoded.append(self._given_up(at, stream))
            return
        noise_from: int | None = None
        for token in _TOKEN.finditer(stream):
            kind = token.lastgroup
            if kind == "open":
                break
            if kind == "noise" or (kind != "frame" and self._spoiled):
                self._spoiled = True
                noise_from = token.start() if noise_from is None else noise_from
                continue
            if noise_from is not None:
                decoded.append(_rejected(at, stream[noise_from : token.start()]))
                noise_from = None
            decoded.append(self._token(at, kind, token.group()))
        else:
            token = None
        end = len(stream) if token is None else token.start()
        if noise_from is not None:
            decoded.append(_rejected(at, stream[noise_from:end]))
        self.pending = stream[end:]

    def _given_up(self, at: Instant, half: bytes) -> Decoded:
        if half == _HELD_NAK and not self._spoiled:
            return Decoded(at, half, nak_meaning(STX))
        return _rejected(at, half)

    def _token(self, at: Instant, kind: str | None, raw: bytes) -> Decoded:
        if kind == "ack":
            return Decoded(at, raw, _ACKED)
        if kind == "nak":
            return Decoded(at, raw, nak_meaning(raw[1]))
        body, number = frame_meaning(raw)
        self._spoiled = body is RejectReason.CHECKSUM
        reply = self._reply if raw[0] == ENQ and _understood(body) else None
        return Decoded(at, raw, body, number, reply)


def _understood(body: Body) -> bool:
    # A report of an unknown kind came over unhurt; left unanswered, it might be sent for ever.
    return not isinstance(body, RejectReason) or body is RejectReason.UNSUPPORTED


def _rejected(at: Instant, raw: bytes) -> Decoded:
    torn = raw[0] in (ENQ, STX)
    return Decoded(at, raw, RejectReason.LENGTH if torn else RejectReason.NOISE)
