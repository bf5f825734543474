"""Bytes of a Saturn to answers, answers to readings, and the next question.

A frame starts with a byte that stands nowhere else, so what is torn costs only itself. Questions
go out by the clock, whether or not the last was answered; an error flag is asked about at once.
"""

from __future__ import annotations

import re
from typing import Final, TypeAlias

from protocols.device import Decoded, Decoder
from protocols.frame_decoder import FrameDecoder, add_noise
from protocols.instant import Instant
from protocols.polling import Polling
from protocols.readings import Reading, WheelErrorFlag, WheelFault
from protocols.rejects import RejectReason
from protocols.wheels.saturn.layout import (
    EOT,
    ERROR,
    ERROR_FLAG,
    ERROR_LENGTH,
    ERROR_TEXT,
    FLAG_AT,
    FRAME_MAX,
    POLL_S,
    QUESTIONS,
    SOH,
    STATUS,
    SaturnSettings,
    check_of,
)

Body: TypeAlias = Reading | RejectReason

_PIECES: Final = re.compile(rb"[^\x01]+|\x01[^\x01\x04]*\x04?")
_BEGUN: Final = re.compile(rb"\x01[0-9]{2}\x02[^\x00-\x1f]*")
_FRAME: Final = re.compile(rb"\x01[0-9]{2}\x02([^\x00-\x1f]*)\x03([@-\x7f])\x04")
# Each of these 64 characters with bit 6 or 7 flipped is none of them: the check sees the others.
_TEXT: Final = re.compile(rb"[ -_]*")
_TEXT_SAID: Final = 1
"""The code under which an error text is told: the wheel gives it none that is known."""
_UP, _DOWN = WheelErrorFlag(raised=True), WheelErrorFlag(raised=False)


def decoder_of(settings: SaturnSettings) -> Decoder:
    """Return a decoder; by its settings it asks for the status, or only listens."""
    frames = SaturnFrames(asks=settings.poll)
    return Polling(frames, STATUS, POLL_S, RejectReason.SILENCE) if settings.poll else frames


class SaturnFrames(FrameDecoder):
    """Holds back at most one unfinished frame."""

    def __init__(self, *, asks: bool) -> None:
        self._asks = asks

    def _scan(self, at: Instant, data: bytes, decoded: list[Decoded], *, ended: bool) -> None:  # noqa: ARG002 - frames end by their end mark, not by quiet
        pieces: list[bytes] = _PIECES.findall(self.pending + data)
        self.pending = b""
        if pieces and _may_go_on(pieces[-1]):
            self.pending = pieces.pop()
        noise: list[bytes] = []
        for piece in pieces:
            body = _read(piece)
            if body is RejectReason.NOISE:
                noise.append(piece)
                continue
            add_noise(at, noise, decoded)
            decoded.append(Decoded(at, piece, body, reply=self._follow_up(body)))
        add_noise(at, noise, decoded)

    def _follow_up(self, body: Body) -> bytes | None:
        return ERROR if body is _UP and self._asks else None


def _may_go_on(piece: bytes) -> bool:
    return piece.startswith(SOH) and not piece.endswith(EOT) and len(piece) < FRAME_MAX


def _read(piece: bytes) -> Body:
    """Return what a stretch says that begins a frame, or follows one."""
    frame = _FRAME.fullmatch(piece)
    if frame is None:
        if _BEGUN.fullmatch(piece) is not None:
            return RejectReason.LENGTH  # torn by the next, or without end
        return RejectReason.MALFORMED if _is_delimited(piece) else RejectReason.NOISE
    if check_of(piece[:-2]) != frame[2][0]:
        return RejectReason.CHECKSUM
    if _TEXT.fullmatch(frame[1]) is None:
        return RejectReason.MALFORMED
    return _answer(frame[1].decode("ascii"))


def _answer(text: str) -> Body:
    if len(text) > FLAG_AT:
        raised = ERROR_FLAG.get(text[FLAG_AT])
        if raised is None:
            return RejectReason.VALUE
        return _UP if raised else _DOWN
    if len(text) == ERROR_LENGTH:
        return WheelFault(_TEXT_SAID, f"the wheel says {text[ERROR_TEXT].strip()!r}")
    # The adapter's echo of a question of ours is whole, and no answer.
    return RejectReason.UNSUPPORTED if text in QUESTIONS else RejectReason.LENGTH


def _is_delimited(piece: bytes) -> bool:
    return piece.startswith(SOH) and piece.endswith(EOT)
