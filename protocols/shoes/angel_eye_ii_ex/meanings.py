"""What a frame says, from its bytes alone."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Final, TypeAlias

from protocols.cards import Card
from protocols.readings import (
    BurnCountStated,
    CardDrawn,
    CardOutOfGame,
    CardReassigned,
    CardTarget,
    CommandReply,
    CutCardSeen,
    Reading,
    SettingChanged,
    ShoeErrorCleared,
    ShoeErrorRaised,
    ShoeLock,
    ShoeResult,
    ShoeStandby,
    ShoeStarted,
)
from protocols.rejects import RejectReason
from protocols.shoes.angel_eye_ii_ex.layout import (
    BURN_COUNT_BITS,
    ENQ,
    ERRORS,
    FACES,
    MODES,
    NAKS_BUSY,
    NO_FACE,
    TARGETS,
    WINNERS,
    bcc,
)

Body: TypeAlias = Reading | RejectReason

COMMAND_PREFIX: Final = b"OP"
CACHED_FRAMES: Final = 16_384
"""Above the number of valid reports (ten numbers times some 900 contents), so they all stay."""


@lru_cache(maxsize=CACHED_FRAMES)
def frame_meaning(frame: bytes) -> tuple[Body, str | None]:
    """Return what a delimited `ENQ` or `STX` frame says and its number, if it has one."""
    covered, check = frame[1:-2], frame[-2:]
    if frame[0] != ENQ:
        if check not in (bcc(covered), bcc(frame[:-2])):
            return RejectReason.CHECKSUM, None
        return _reply(covered[:-1]), None
    if check != bcc(covered):
        return RejectReason.CHECKSUM, None
    number, code, data = covered[:1], covered[1:2], covered[2:-1]
    if not number.isdigit() or not code.isalpha():
        return RejectReason.MALFORMED, None
    return _report(code, data), number.decode("ascii")


def nak_meaning(code: int) -> CommandReply:
    """Return a refusal; its `value` is the NAK code as two hex digits."""
    return CommandReply("busy" if code in NAKS_BUSY else "refused", value=f"{code:02X}")


def _report(code: bytes, data: bytes) -> Body:
    known = _REPORTS.get(code)
    if known is None:
        return RejectReason.UNSUPPORTED
    length, meaning = known
    if len(data) != length:
        return RejectReason.LENGTH
    # The check value is blind to bit 7 lost in two bytes, which is what a 7-bit port does.
    if code != b"M" and not all(byte & 0x80 for byte in data):
        return RejectReason.MALFORMED
    return meaning(data)


def _reply(data: bytes) -> Body:
    text = _text(data)
    if text is None:
        return RejectReason.MALFORMED
    if data.startswith(COMMAND_PREFIX):  # a host's command, echoed or overheard
        return RejectReason.UNSUPPORTED
    return CommandReply("value", value=text)


def _text(data: bytes) -> str | None:
    printable = data and all(0x20 <= byte < 0x7F for byte in data)
    return data.decode("ascii") if printable else None


def _place(place: int, face: int) -> tuple[Card, CardTarget, int | None] | None:
    card, known = FACES.get(face), TARGETS.get(place >> 4 & 0x7)
    if card is None or known is None:
        return None
    target, indexes = known
    index = place & 0x0F
    if index not in indexes:
        return None
    # What the index of the first card means is not confirmed, so it is not passed on.
    return card, target, None if index == 0 or target == "burn_indicator" else index


def _drawn(data: bytes) -> Body:
    if data[0] >> 4 & 0x7 == BURN_COUNT_BITS:
        count = data[0] & 0x0F
        stated = 1 <= count <= 10 and (data[1] == NO_FACE or data[1] in FACES)
        return BurnCountStated(count) if stated else RejectReason.VALUE
    placed = _place(data[0], data[1])
    return CardDrawn(*placed) if placed is not None else RejectReason.VALUE


def _reassigned(data: bytes) -> Body:
    placed = _place(data[0], data[1])
    if placed is None or placed[1] not in ("player", "banker"):
        return RejectReason.VALUE
    return CardReassigned(*placed)


def _out_of_game(data: bytes) -> Body:
    card, mode = FACES.get(data[1]), MODES.get(data[0] >> 4 & 0x7)
    if card is None or mode is None or data[0] & 0x0F > 10:
        return RejectReason.VALUE
    return CardOutOfGame(card, mode)


def _result(data: bytes) -> Body:
    winner, rest = WINNERS.get(data[0] >> 4 & 0x7), data[0] & 0x0F
    if winner is None or rest > 3:
        return RejectReason.VALUE
    return ShoeResult(winner, player_pair=bool(rest & 1), banker_pair=bool(rest & 2))


def _error(data: bytes) -> Body:
    code = data[0] & 0x3F
    if code == 0:
        return RejectReason.VALUE
    return ShoeErrorRaised(code, _error_text(code), blocking=bool(data[0] & 0x40))


def _cleared(data: bytes) -> Body:
    code = data[0] & 0x7F
    return ShoeErrorCleared(code, _error_text(code)) if code else RejectReason.VALUE


def _error_text(code: int) -> str:
    return ERRORS.get(code, "error not documented")


def _lock(data: bytes) -> Body:
    return ShoeLock(bool(data[0] & 1)) if data[0] & 0x7E == 0 else RejectReason.VALUE


def _preset(data: bytes) -> Body:
    text = _text(data)
    return SettingChanged(text[:2], text[2:]) if text is not None else RejectReason.MALFORMED


_REPORTS: Final[Mapping[bytes, tuple[int, Callable[[bytes], Body]]]] = {
    b"S": (0, lambda _: ShoeStarted()),
    b"P": (0, lambda _: ShoeStandby()),
    b"C": (0, lambda _: CutCardSeen()),
    b"D": (2, _drawn),
    b"d": (2, _out_of_game),
    b"R": (2, _reassigned),
    b"G": (1, _result),
    b"E": (1, _error),
    b"e": (1, _cleared),
    b"L": (1, _lock),
    b"M": (6, _preset),
}
"""Report code: how many data bytes follow it, and what they say."""
