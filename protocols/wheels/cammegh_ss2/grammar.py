"""What one line says. Every pattern is anchored at both ends; nothing is found by search.

*X;S;NNN;WW;F;RRR;D      status: state, spin, last number, flags, rotor speed, direction
WW                       the winning number alone, padded with a space, without a star
*F n   *Y;k;nnn[;dd]     fault code; bonus step
*bs n  *bn nn            raw sensor events
*V t   *S t   *v t       what the device says of itself
*c OK|NO|BUSY   *c v     answer to the host's command c
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import partial
from typing import Final, TypeAlias

from protocols.readings import (
    BallInPocket,
    BallSeen,
    CommandReply,
    DeviceIdentity,
    WheelBonus,
    WheelFault,
    WheelNumber,
    WheelStatus,
)
from protocols.rejects import RejectReason
from protocols.terminated_lines import Body, is_printable
from protocols.wheels.cammegh_ss2.layout import DIRECTIONS, FAULTS, FLAGS, PHASES

PocketFields: TypeAlias = Mapping[bytes, str]
"""The two characters of each legal pocket of this wheel, and its text."""

_NUMBER: Final = rb" \d|[1-9]\d|00"
_STATUS: Final = re.compile(
    rb"\*X;([1-7]);(\d{3});(  |" + _NUMBER + rb");([0-9A-F]);(\d{3});([01])"
)
_STATUS_SHAPE: Final = re.compile(
    rb"\*X;\d{1,2};\d{3};(?:  |" + _NUMBER + rb");[0-9A-Za-z]{1,2};\d{3};\d"
)
_BARE_NUMBER: Final = re.compile(_NUMBER)
_VERDICT: Final = re.compile(rb"\*([ -~]) (OK|NO|BUSY)|(T) (OK)")

_VERDICTS: Final[Mapping[bytes, Callable[[str | None], CommandReply]]] = {
    b"OK": partial(CommandReply, "ok"),
    b"NO": partial(CommandReply, "refused"),
    b"BUSY": partial(CommandReply, "busy"),
}
_NO_BONUS_LICENCE: Final = 999
_BONUS_MAX: Final = 255


def read_line(text: bytes, pockets: PocketFields) -> Body:
    """Return what a line, without its terminators, says on a wheel with these pockets."""
    match = _STATUS.fullmatch(text)
    if match is not None:
        return _status(match, pockets)
    if not is_printable(text):
        return RejectReason.NOISE
    match = _VERDICT.fullmatch(text)
    if match is not None:
        return _verdict(match)
    if not text.startswith(b"*"):
        return _bare_number(text, pockets)
    return _star_line(text, pockets)


def _status(match: re.Match[bytes], pockets: PocketFields) -> Body:
    state, spin, number, flags, speed, direction = match.groups()
    pocket = pockets.get(number)
    if pocket is None and number != b"  ":
        return RejectReason.VALUE
    phase = PHASES[state]
    # The controller forces the direction field to 0 in state 6, so there it says nothing.
    way = None if phase == "closed" else DIRECTIONS[direction]
    return WheelStatus(phase, int(spin), pocket, FLAGS[flags], int(speed), way)


def _bare_number(text: bytes, pockets: PocketFields) -> Body:
    # A lone digit may be the tail of a torn line, so the pad space is part of the proof.
    if _BARE_NUMBER.fullmatch(text) is None:
        return RejectReason.MALFORMED
    pocket = pockets.get(text)
    return RejectReason.VALUE if pocket is None else WheelNumber(pocket)


def _verdict(match: re.Match[bytes]) -> Body:
    # After a malformed command the reply repeats the space behind the star: it names nothing.
    command = (match[1] or match[3]).decode("ascii").strip() or None
    return _VERDICTS[match[2] or match[4]](command)


def _star_line(text: bytes, pockets: PocketFields) -> Body:
    if text == b"*":
        return RejectReason.MALFORMED
    if _STATUS_SHAPE.fullmatch(text) is not None:
        return RejectReason.VALUE
    kind = _KINDS.get(text[1:2])
    if kind is None:
        return RejectReason.UNSUPPORTED
    pattern, read = kind
    match = pattern.fullmatch(text)
    return RejectReason.MALFORMED if match is None else read(match, pockets)


def _never(_match: re.Match[bytes], _pockets: PocketFields) -> Body:
    return RejectReason.MALFORMED


def _fault(match: re.Match[bytes], _pockets: PocketFields) -> Body:
    code = int(match[1])
    meaning = FAULTS.get(code)
    return RejectReason.VALUE if meaning is None else WheelFault(code, meaning)


def _bonus(match: re.Match[bytes], _pockets: PocketFields) -> Body:
    step, value = int(match[1]), int(match[2])
    days = None if match[3] is None else int(match[3])
    if value > _BONUS_MAX and (step, value, days) != (1, _NO_BONUS_LICENCE, 0):
        return RejectReason.VALUE
    return WheelBonus(step, value, days)


def _sensor(match: re.Match[bytes], pockets: PocketFields) -> Body:
    if match[1] is not None:
        return BallSeen(int(match[1]))
    pocket = pockets.get(match[2])
    return RejectReason.VALUE if pocket is None else BallInPocket(pocket)


def _identity(match: re.Match[bytes], _pockets: PocketFields) -> Body:
    return DeviceIdentity(match[1].decode("ascii"))


def _value(command: str, match: re.Match[bytes], _pockets: PocketFields) -> Body:
    return CommandReply("value", command, match[1].decode("ascii"))


def _calibration(match: re.Match[bytes], _pockets: PocketFields) -> Body:
    verdict = _VERDICTS.get(match[1])
    text = match[2].decode("ascii")
    if verdict is not None:
        return CommandReply("ok", "C", text)
    return CommandReply("refused" if match[1] == b"FAIL" else "value", "C", text)


_DECIMAL: Final = rb"-?\d+(?:\.\d+)?"
_VALUES: Final[Mapping[str, bytes]] = {
    "o": rb"\d{1,5}",
    "O": rb"[1-7] \d \d{1,3} \d{1,5}",
    "T": rb"[a-z](?: " + _DECIMAL + rb"){1,4}",
    "A": rb"\d{1,2}",
    "I": rb"[04]",
    "K": rb"CAM",
    "w": _DECIMAL + rb" " + _DECIMAL,
    "W": rb"\d+",
    "M": rb"\d+",
}
_Read: TypeAlias = Callable[[re.Match[bytes], PocketFields], Body]
_KINDS: Final[Mapping[bytes, tuple[re.Pattern[bytes], _Read]]] = {
    b"X": (_STATUS, _never),
    b"P": (_VERDICT, _never),
    b"u": (_VERDICT, _never),
    b"R": (_VERDICT, _never),
    b"q": (_VERDICT, _never),
    b"F": (re.compile(rb"\*F (\d{1,2}|1\d\d)"), _fault),
    b"Y": (re.compile(rb"\*Y;([1-6]);(\d{3})(?:;(\d{2}))?"), _bonus),
    b"b": (re.compile(rb"\*b(?:s ([0-3])|n (" + _NUMBER + rb"))"), _sensor),
    b"V": (re.compile(rb"\*V (\S.*)"), _identity),
    b"S": (re.compile(rb"\*S (\S.*)"), _identity),
    b"v": (re.compile(rb"\*v (\S.*)"), _identity),
    b"C": (re.compile(rb"\*C (OK|BALL|FAIL) : (.+)"), _calibration),
    **{
        command.encode("ascii"): (
            re.compile(rb"\*" + command.encode("ascii") + rb" (" + value + rb")"),
            partial(_value, command),
        )
        for command, value in _VALUES.items()
    },
}
