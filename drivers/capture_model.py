"""What a capture is made of.

A capture is what passed on one link, in the order in which it passed: each `CaptureLine` has the
seconds since the capture began, who spoke, and what. Bytes are kept as they were read, chunk by
chunk: a line is not a frame, and a frame may be cut into several. Lines of the link itself tell
when it was opened and when it was lost: what the device said while it was lost is in no line. A
loss is what an open link itself says it lost: a report, bytes that its port had no room for.
Seconds are those of the clock that stamped the chunks; lines of the device never go back in time,
lines of the host may be stamped a little later than the answer to them.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

Command: TypeAlias = dict[str, Any]
Direction = Literal["device", "host", "command", "link", "loss"]
LinkWord = Literal["open", "lost"]
"""What became of the link itself."""


_TYPES: dict[Direction, type] = {
    "device": bytes,
    "host": bytes,
    "command": dict,
    "link": str,
    "loss": str,
}


class CaptureError(Exception):
    """A file that cannot be read or written as a capture; names the file and the line."""

    def __init__(self, path: str, line: int | None, what: str) -> None:
        super().__init__(f"{path}: {what}" if line is None else f"{path}, line {line}: {what}")
        self.path = path
        self.line = line
        self.what = what


@dataclass(frozen=True, slots=True)
class CaptureLine:
    """One thing said, `seconds` after the capture began.

    data   bytes from or to the device, the command of the table server, a LinkWord, or what was
           lost, for people
    stale  from the device, and of unknown age: it was in the port when that was opened
    """

    seconds: float
    direction: Direction
    data: bytes | Command | LinkWord | str
    stale: bool = False

    def __post_init__(self) -> None:
        if not (math.isfinite(self.seconds) and self.seconds >= 0):
            raise ValueError(f"a line at {self.seconds} s")
        if not isinstance(self.data, _TYPES[self.direction]) or self.data in (b"", ""):
            raise ValueError(f"a line of direction {self.direction} with {self.data!r}")
        if self.direction == "loss" and str(self.data).split() != str(self.data).split(" "):
            raise ValueError(f"{self.data!r} is not one line of words")
        if self.stale and self.direction != "device":
            raise ValueError("only bytes from the device can be stale")


@dataclass(frozen=True, slots=True)
class Capture:
    """A whole file. Header keys are lower case."""

    header: Mapping[str, str]
    lines: tuple[CaptureLine, ...]
