"""What a capture is made of: moments, and the error that names a file and a line."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

Command: TypeAlias = dict[str, Any]
Direction = Literal["device", "host", "command", "link"]
LinkWord = Literal["open", "lost"]
"""What became of the link itself."""


_TYPES: dict[Direction, type] = {"device": bytes, "host": bytes, "command": dict, "link": str}


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

    data   bytes from or to the device, the command of the table server, or a LinkWord
    stale  from the device, and of unknown age: it lay in the port when that was opened
    """

    seconds: float
    direction: Direction
    data: bytes | Command | LinkWord
    stale: bool = False

    def __post_init__(self) -> None:
        if not (math.isfinite(self.seconds) and self.seconds >= 0):
            raise ValueError(f"a moment at {self.seconds} s")
        if not isinstance(self.data, _TYPES[self.direction]) or self.data == b"":
            raise ValueError(f"a moment of direction {self.direction} with {self.data!r}")
        if self.stale and self.direction != "device":
            raise ValueError("only bytes from the device can be stale")


@dataclass(frozen=True, slots=True)
class Capture:
    """A whole file. Header keys are lower case."""

    header: Mapping[str, str]
    moments: tuple[CaptureLine, ...]
