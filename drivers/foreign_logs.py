"""Logs of other programs, read as capture lines. What the logger lost stays lost.

timed    `seconds RX|TX text`: the text is a line without its CR LF, which is put back
untimed  lines of a wheel that states itself every 500 ms: each `*X;` line is half a second after
         the one before; any other line has the time of the last of these. Nothing in such a log
         tells the host's lines from the device's: all count as the device's.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from drivers.capture_model import CaptureError, CaptureLine, Direction
from protocols.can_frame import ERROR, EXTENDED, REMOTE, packet

_TIMED = re.compile(rb"\s*(\d+(?:\.\d+)?) (RX|TX)(?: (.*))?", re.DOTALL)
_DIRECTIONS: dict[bytes, Direction] = {b"RX": "device", b"TX": "host"}
_CANDUMP = re.compile(
    rb"\((\d+)\.(\d{6})\) (\S+) ([0-9A-F]{3}|[0-9A-F]{8})#"
    rb"(?:(R)([0-8]?)|((?:[0-9A-F]{2}){0,8})|(#)[0-9A-F]((?:[0-9A-F]{2}){0,64}))(?: ([RT]))?"
)
_STATUS = b"*X;"
_STATUS_EVERY_S = 0.5
_END = b"\r\n"

NumberedLine = tuple[int, bytes]


def foreign_lines(lines: Sequence[NumberedLine], name: str) -> list[CaptureLine] | None:
    """Return the capture lines of a foreign log, one for each of its own; None for no such log.

    The first line decides for a timed log or one of candump, any status line for an untimed one.
    Raises CaptureError for a line that does not fit the others.
    """
    if lines and _CANDUMP.fullmatch(lines[0][1].rstrip()):
        return list(_candump(lines, name))
    if lines and _TIMED.fullmatch(lines[0][1]):
        return list(_timed(lines, name))
    if any(line.startswith(_STATUS) for _, line in lines):
        return list(_untimed(lines))
    return None


def _timed(lines: Sequence[NumberedLine], name: str) -> Iterator[CaptureLine]:
    for number, line in lines:
        parts = _TIMED.fullmatch(line.removesuffix(b"\r"))
        if parts is None:
            raise CaptureError(name, number, "not `seconds RX|TX text` like the lines before it")
        yield CaptureLine(float(parts[1]), _DIRECTIONS[parts[2]], (parts[3] or b"") + _END)


def _untimed(lines: Sequence[NumberedLine]) -> Iterator[CaptureLine]:
    statuses = 0
    for _, line in lines:
        statuses += line.startswith(_STATUS)
        seconds = max(statuses - 1, 0) * _STATUS_EVERY_S
        yield CaptureLine(seconds, "device", line.removesuffix(b"\r") + _END)


def _candump(lines: Sequence[NumberedLine], name: str) -> Iterator[CaptureLine]:
    began, bus = None, b""
    for number, line in lines:
        parts = _CANDUMP.fullmatch(line.rstrip())
        if parts is None:
            raise CaptureError(
                name, number, "not `(seconds) interface id#data` like the first line"
            )
        at = int(parts[1] + parts[2])
        began, bus = (at, parts[3]) if began is None else (began, bus)
        if parts[3] != bus:
            what = f"another bus, {parts[3].decode()}, than {bus.decode()}: read one at a time"
            raise CaptureError(name, number, what)
        if at < began:
            raise CaptureError(name, number, "goes back in time, before the first line")
        sent = parts[10] == b"T"
        yield CaptureLine((at - began) / 1e6, "host" if sent else "device", _packet(parts))


def _packet(parts: re.Match[bytes]) -> bytes:
    identifier = int(parts[4], 16)
    if len(parts[4]) == 8 and not identifier & ERROR:
        identifier |= EXTENDED
    if parts[5]:
        return packet(identifier | REMOTE, b"", int(parts[6] or b"0"))
    data = bytes.fromhex((parts[7] or parts[9] or b"").decode())
    return packet(identifier, data, fd=bool(parts[8]))
