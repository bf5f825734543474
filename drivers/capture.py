"""Capture and scenario files: what passed on a link, who sent it and when; text and lossless.

A header of `# Key: value` lines, then a capture line for each thing said::

    seconds < hex          from the device; `stale` after the hex: found in the port at opening
    seconds > hex          to the device
    seconds @ {json}       from the table server
    seconds ! word         the link itself: `open` or `lost`
    seconds ? words        what the open link says it lost here: `a report: EOVERFLOW`

Comments without a key, and keys that come again, add lines to that key (`notes` for comments).
Logs of other programs are read as they are: see `drivers/foreign_logs.py`.
"""

from __future__ import annotations

import errno
import json
import os
import re
from collections.abc import Iterable, Iterator, Mapping
from decimal import Decimal
from pathlib import Path
from types import TracebackType
from typing import NoReturn, Self, cast, get_args

from drivers.capture_model import Capture, CaptureError, CaptureLine, Command, Direction, LinkWord
from drivers.foreign_logs import foreign_lines

__all__ = [
    "Capture",
    "CaptureError",
    "CaptureLine",
    "CaptureWriter",
    "Command",
    "Direction",
    "format_capture",
    "format_header",
    "format_line",
    "parse_capture",
    "parse_line",
    "raw_capture",
    "read_bytes",
    "read_capture",
    "write_capture",
]

_SIGNS: Mapping[str, Direction] = {
    "<": "device",
    ">": "host",
    "@": "command",
    "!": "link",
    "?": "loss",
}
_SIGN_OF = {direction: sign for sign, direction in _SIGNS.items()}
_KEY = re.compile(r"[a-z][a-z0-9_-]*")
_HEADER_LINE = re.compile(r"# ?([A-Za-z][A-Za-z0-9_-]*):(?: (.*))?", re.DOTALL)
_LINE = re.compile(rb"\s*(\d+(?:\.\d+)?) +([<>@!?]) +(.*)", re.DOTALL)
_STALE = " stale"


def read_capture(path: str | Path) -> Capture:
    """Read a capture, or a log of another program. Raises CaptureError."""
    return parse_capture(read_bytes(path), str(path))


def read_bytes(path: str | Path) -> bytes:
    """Return the bytes of a file. Raises CaptureError."""
    try:
        return Path(path).read_bytes()
    except OSError as error:
        raise CaptureError(str(path), None, os.strerror(error.errno or 0)) from error


def raw_capture(data: bytes) -> Capture:
    """Return bytes without times or directions as one line of the device at second nought."""
    return Capture({}, (CaptureLine(0.0, "device", data),) if data else ())


def parse_capture(data: bytes, name: str) -> Capture:
    """Return the capture in `data`; `name` is for errors. Raises CaptureError."""
    header: dict[str, str] = {}
    written: list[tuple[int, bytes]] = []
    for number, text in enumerate(data.split(b"\n"), 1):
        if text.startswith(b"#"):
            _add_to_header(header, text.decode("utf-8", "surrogateescape"))
        elif text.strip():
            written.append((number, text))
    ours = bool(written) and _LINE.fullmatch(written[0][1]) is not None
    lines = None if ours else foreign_lines(written, name)
    if lines is None:
        lines = [parse_line(text, name, number) for number, text in written]
    _refuse_backward(zip(lines, (number for number, _ in written), strict=True), name)
    return Capture(header, tuple(lines))


def parse_line(written: bytes, name: str, number: int) -> CaptureLine:
    """Return a capture line from its text. Raises CaptureError."""
    parts = _LINE.fullmatch(written.removesuffix(b"\r"))
    if parts is None:
        raise CaptureError(
            name,
            number,
            "neither `seconds < hex`, `> hex`, `@ {json}`, `! word`, `? words` nor `#`",
        )
    seconds, direction = float(parts[1]), _SIGNS[parts[2].decode()]
    try:
        text = parts[3].decode("utf-8")
        if direction == "command":
            return CaptureLine(seconds, direction, _command(text))
        if direction == "link":
            return CaptureLine(seconds, direction, _link_word(text))
        if direction == "loss":
            return CaptureLine(seconds, direction, text.strip())
        stale = text.endswith(_STALE)
        return CaptureLine(seconds, direction, bytes.fromhex(text.removesuffix(_STALE)), stale)
    except ValueError as error:
        raise CaptureError(name, number, str(error)) from error


def _command(text: str) -> Command:
    command = json.loads(text, parse_constant=_refuse_constant)
    if not isinstance(command, dict):
        raise ValueError("a command is a JSON object")  # noqa: TRY004 - it is the file's fault
    return command


def _link_word(text: str) -> LinkWord:
    for word in get_args(LinkWord):
        if text.strip() == word:
            return cast("LinkWord", word)
    raise ValueError(f"a link is open or lost, not {text!r}")


def _refuse_constant(word: str) -> NoReturn:
    raise ValueError(f"{word} is not JSON")


def _add_to_header(header: dict[str, str], line: str) -> None:
    line = line.removesuffix("\r")
    parts = _HEADER_LINE.fullmatch(line)
    key = parts[1].lower() if parts else "notes"
    value = (parts[2] or "") if parts else line.removeprefix("#").removeprefix(" ")
    header[key] = f"{header[key]}\n{value}" if key in header else value


def _refuse_backward(numbered: Iterable[tuple[CaptureLine, int]], name: str) -> None:
    """Refuse a device that goes back in time; the host's own lines may be stamped a bit later."""
    latest = 0.0
    for line, number in numbered:
        if line.direction == "device":
            if line.seconds < latest:
                raise CaptureError(name, number, f"goes back in time, from {latest} s")
            latest = line.seconds


def format_capture(capture: Capture) -> str:
    """Return the text of a capture. Raises ValueError for a header that no file can hold."""
    return "".join([*format_header(capture.header), *map(format_line, capture.lines)])


def format_header(header: Mapping[str, str]) -> Iterator[str]:
    """Yield the lines of a header. Raises ValueError for a key or value that no file can hold."""
    for key, value in header.items():
        if not _KEY.fullmatch(key) or "\r" in value:
            raise ValueError(f"no header line can hold {key!r}: {value!r}")
        for line in value.split("\n"):
            yield f"# {key.capitalize()}: {line}\n"


def format_line(line: CaptureLine) -> str:
    """Return the text of a capture line, its end included."""
    text: str
    if isinstance(line.data, str):
        text = line.data
    elif isinstance(line.data, bytes):
        text = line.data.hex(" ") + (_STALE if line.stale else "")
    else:
        text = json.dumps(line.data, allow_nan=False)
    return f"{_seconds(line.seconds)} {_SIGN_OF[line.direction]} {text}\n"


def _seconds(seconds: float) -> str:
    text = f"{seconds:.6f}"
    return text if float(text) == seconds else format(Decimal(repr(seconds)), "f")


def write_capture(path: str | Path, capture: Capture) -> None:
    """Write a whole capture, replacing what was there. Raises CaptureError."""
    with CaptureWriter(path, capture.header) as writer:
        for line in capture.lines:
            writer.add(line)


class CaptureWriter:
    """A capture being written, line by line, each on its way to the disk at once.

    Replaces what was at `path`, but follows no link that somebody put there; readable by its owner
    and group only. Raises CaptureError.
    """

    def __init__(self, path: str | Path, header: Mapping[str, str]) -> None:
        self.path = str(path)
        lines = list(format_header(header))
        try:
            fd = os.open(self.path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW, 0o640)
        except OSError as error:
            what = os.strerror(error.errno or 0)
            if error.errno == errno.ELOOP:
                what = "it is a symbolic link: name the file itself"
            raise CaptureError(self.path, None, what) from error
        self._file = os.fdopen(
            fd, "w", buffering=1, encoding="utf-8", errors="surrogateescape", newline="\n"
        )
        self._write("".join(lines))

    def add(self, line: CaptureLine) -> None:
        """Write a line."""
        self._write(format_line(line))

    def note(self, text: str) -> None:
        """Write a remark, on one line, that readers find in the header's notes."""
        self._write(f"# Notes: {text}\n")

    def close(self) -> None:
        """Close the file; safe to call twice."""
        try:
            self._file.close()
        except OSError as error:
            raise CaptureError(self.path, None, os.strerror(error.errno or 0)) from error

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def _write(self, text: str) -> None:
        try:
            self._file.write(text)
        except OSError as error:
            raise CaptureError(self.path, None, os.strerror(error.errno or 0)) from error
