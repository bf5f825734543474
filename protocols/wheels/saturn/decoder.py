"""Bytes of a Saturn to answers, answers to readings, and the next question.

A frame starts with a byte that stands nowhere else, so what is torn costs only itself. Questions
go out by the clock, whether or not the last was answered; an error flag is asked about at once.
"""

from __future__ import annotations

import re
from typing import Final, TypeAlias

from protocols.device import Decoded
from protocols.instant import Instant
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


class SaturnDecoder:
    """See `protocols.device.Decoder`. It holds back at most one unfinished frame."""

    def __init__(self, settings: SaturnSettings) -> None:
        self.wake_at: Instant | None = None
        self._asks = settings.poll
        self._answered = False
        self._held = b""

    @property
    def pending(self) -> bytes:
        """Return the bytes of the frame that has not ended yet."""
        return self._held

    def feed(self, at: Instant, data: bytes) -> list[Decoded]:
        """Return every answer that `data` ends, and what was none."""
        pieces: list[bytes] = _PIECES.findall(self._held + data)
        self._held = b""
        if pieces and _may_go_on(pieces[-1]):
            self._held = pieces.pop()
        decoded: list[Decoded] = []
        noise: list[bytes] = []
        for piece in pieces:
            body = _read(piece)
            if body is RejectReason.NOISE:
                noise.append(piece)
                continue
            _join(at, decoded, noise)
            decoded.append(Decoded(at, piece, body, reply=self._follow_up(body)))
        _join(at, decoded, noise)
        return decoded

    def tick(self, at: Instant) -> list[Decoded]:
        """Ask for the status when it is time to; SILENCE where the last question had no answer."""
        if not self._asks or (self.wake_at is not None and not _due(self.wake_at, at)):
            return []
        reason = RejectReason.ASKED if self._answered else RejectReason.SILENCE
        self._answered = False
        self.wake_at = at.after(POLL_S)
        return [Decoded(at, b"", reason, reply=STATUS)]

    def _follow_up(self, body: Body) -> bytes | None:
        if isinstance(body, RejectReason):
            return None
        self._answered = True
        return ERROR if body is _UP and self._asks else None


def _due(wake: Instant, at: Instant) -> bool:
    """Return whether it is time; after a reboot it certainly is."""
    return wake.boot != at.boot or at.reached(wake)


def _may_go_on(piece: bytes) -> bool:
    return piece.startswith(SOH) and not piece.endswith(EOT) and len(piece) < FRAME_MAX


def _read(piece: bytes) -> Body:
    """Return what a stretch says that begins a frame, or follows one."""
    found = _FRAME.fullmatch(piece)
    if found is None:
        if _BEGUN.fullmatch(piece) is not None:
            return RejectReason.LENGTH  # torn by the next, or without end
        return RejectReason.MALFORMED if _is_delimited(piece) else RejectReason.NOISE
    if check_of(piece[:-2]) != found[2][0]:
        return RejectReason.CHECKSUM
    if _TEXT.fullmatch(found[1]) is None:
        return RejectReason.MALFORMED
    return _answer(found[1].decode("ascii"))


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


def _join(at: Instant, decoded: list[Decoded], noise: list[bytes]) -> None:
    if noise:
        decoded.append(Decoded(at, b"".join(noise), RejectReason.NOISE))
        noise.clear()
