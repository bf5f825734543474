"""A capture in files of a bounded size: FILE is the newest, FILE.1 the one before, and so on."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType
from typing import Self

from drivers.capture import CaptureWriter, format_header, format_line
from drivers.capture_model import CaptureError, CaptureLine


class RotatingCapture:
    """A capture being written, as `CaptureWriter`, which begins a new file when one is full.

    max_bytes  how long a file grows; each has the header, and seconds go on through all of them
    keep       how many older files stay; what was at `path` before is the first of them

    Raises CaptureError.
    """

    def __init__(
        self, path: str | Path, header: Mapping[str, str], max_bytes: int, keep: int
    ) -> None:
        self.path = str(path)
        self.lines = 0
        """How many lines were written, in all files."""
        self._header = header
        self._max_bytes = max_bytes
        self._keep = keep
        self._head = sum(len(line.encode()) for line in format_header(header))
        self._size = self._head
        self._make_room()
        self._writer = CaptureWriter(path, header)

    def add(self, line: CaptureLine) -> None:
        """Write a line."""
        self._grow(len(format_line(line)))
        self._writer.add(line)
        self.lines += 1

    def note(self, text: str) -> None:
        """Write a remark, on one line."""
        self._grow(len(f"# Notes: {text}\n".encode()))
        self._writer.note(text)

    def close(self) -> None:
        """Close the file; safe to call twice."""
        self._writer.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def _grow(self, size: int) -> None:
        """Begin a new file where this one has no room; one with a header alone always has."""
        if self._size > self._head and self._size + size > self._max_bytes:
            self._writer.close()
            self._make_room()
            self._writer = CaptureWriter(self.path, self._header)
            self._size = self._head
        self._size += size

    def _make_room(self) -> None:
        names = [self.path, *(f"{self.path}.{number}" for number in range(1, self._keep + 1))]
        try:
            if not Path(self.path).exists():
                return
            for older, newer in reversed(list(zip(names[1:], names, strict=False))):
                if Path(newer).exists():
                    Path(newer).replace(older)
        except OSError as error:
            raise CaptureError(self.path, None, os.strerror(error.errno or 0)) from error
