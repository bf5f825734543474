"""What one line says, from its nine characters alone.

The error digit and the state share a frame, and a frame is one reading. An error that a warning
flag means too leaves the status whole, with its flag. Any other error is told as a fault, without
the state beside it; so is every error in state 5, because a result beside an error is none, and
in the undefined state 0.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from protocols.readings import WheelFault, WheelNumber, WheelPhase, WheelStatus
from protocols.rejects import RejectReason
from protocols.terminated_lines import Body
from protocols.wheels.napsa.layout import (
    DIRECTIONS,
    ERRORS,
    FLAGS,
    NO_ERROR,
    PHASES,
    UNDEFINED,
)

_STATUS: Final = re.compile(r"NS(\d\d|  )(\d)(\d\d)(\d)(\d)")
_NUMBER: Final = re.compile(r"NN(\d\d) {4}N")
_NONE_YET: Final = "  "
_FAULT_ALONE: Final[frozenset[WheelPhase | None]] = frozenset({"winning_number", None})


def read_line(text: bytes, pockets: Mapping[str, str]) -> Body:
    """Return what nine printable characters say on a wheel with these pockets."""
    line = text.decode("ascii")
    number = _NUMBER.fullmatch(line)
    if number is not None:
        pocket = pockets.get(number[1])
        return RejectReason.VALUE if pocket is None else WheelNumber(pocket)
    status = _STATUS.fullmatch(line)
    return RejectReason.MALFORMED if status is None else _status(status, pockets)


def _status(line: re.Match[str], pockets: Mapping[str, str]) -> Body:
    number, state, speed, direction, digit = line.groups()
    pocket, phase, error = pockets.get(number), PHASES.get(state), int(digit)
    if (pocket is None and number != _NONE_YET) or direction not in DIRECTIONS:
        return RejectReason.VALUE
    if phase is None and state != UNDEFINED:
        return RejectReason.VALUE
    flags = FLAGS.get(error)
    if flags is None or (error != NO_ERROR and phase in _FAULT_ALONE):
        return WheelFault(error, ERRORS[error])
    if phase is None:
        return RejectReason.UNSUPPORTED
    return WheelStatus(phase, None, pocket, flags, 10 * int(speed), DIRECTIONS[direction])
