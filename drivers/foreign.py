"""Logs of other programs, read as moments. What the logger lost stays lost.

timed    `seconds RX|TX text`: the text is a line without its CR LF, which is put back
untimed  lines of a wheel that states itself every 500 ms: each `*X;` line is half a second after
         the one before; any other line has the time of the last of these. Nothing in such a log
         tells the host's lines from the device's: all count as the device's.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from drivers.moments import CaptureError, Direction, Moment

_TIMED = re.compile(rb"\s*(\d+(?:\.\d+)?) (RX|TX)(?: (.*))?", re.DOTALL)
_DIRECTIONS: dict[bytes, Direction] = {b"RX": "device", b"TX": "host"}
_STATUS = b"*X;"
_STATUS_EVERY_S = 0.5
_END = b"\r\n"

NumberedLine = tuple[int, bytes]


def foreign_moments(lines: Sequence[NumberedLine], name: str) -> list[Moment] | None:
    """Return what a foreign log says, one moment per line, or None when it is not one.

    The first line decides for a timed log, any status line for an untimed one. Raises
    CaptureError for a line that does not fit the others.
    """
    if lines and _TIMED.fullmatch(lines[0][1]):
        return list(_timed(lines, name))
    if any(line.startswith(_STATUS) for _, line in lines):
        return list(_untimed(lines))
    return None


def _timed(lines: Sequence[NumberedLine], name: str) -> Iterator[Moment]:
    for number, line in lines:
        found = _TIMED.fullmatch(line.removesuffix(b"\r"))
        if found is None:
            raise CaptureError(name, number, "not `seconds RX|TX text` like the lines before it")
        yield Moment(float(found[1]), _DIRECTIONS[found[2]], (found[3] or b"") + _END)


def _untimed(lines: Sequence[NumberedLine]) -> Iterator[Moment]:
    statuses = 0
    for _, line in lines:
        statuses += line.startswith(_STATUS)
        seconds = max(statuses - 1, 0) * _STATUS_EVERY_S
        yield Moment(seconds, "device", line.removesuffix(b"\r") + _END)
