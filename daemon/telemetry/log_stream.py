"""Where log lines go: a stream that neither raises nor waits, whatever becomes of stderr.

Whoever reads our log may be gone (EPIPE) or may stop reading (a full pipe). A line that cannot be
written must end no device's task, and hold up no table: a thread writes them, from a queue that is
bounded. What found no room is counted, and said as soon as a line can be written again.
"""

from __future__ import annotations

import contextlib
import os
import queue
import threading
from typing import Final

ROOM: Final = 10_000
"""Lines that wait for a reader."""
END_WITHIN_S: Final = 1.0


class LogStream:
    """A text stream to a descriptor; give it whole lines."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        self._lines: queue.Queue[str | None] = queue.Queue(ROOM)
        self._lost = self._told = 0
        self._thread = threading.Thread(target=self._write_all, name="log", daemon=True)
        self._thread.start()

    def write(self, text: str) -> int:
        """Take a line."""
        try:
            self._lines.put_nowait(text)
        except queue.Full:
            self._lost += 1
        return len(text)

    def flush(self) -> None:
        """Do nothing: a line is written as soon as it can be."""

    def close(self) -> None:
        """Write what is there, for a moment at most."""
        with contextlib.suppress(queue.Full):
            self._lines.put(None, timeout=END_WITHIN_S)
            self._thread.join(END_WITHIN_S)

    def _write_all(self) -> None:
        while (line := self._lines.get()) is not None:
            if lost := self._lost - self._told:
                self._told += lost
                self._write(f'{{"count": {lost}, "event": "log_lines_lost", "level": "warning"}}\n')
            self._write(line)

    def _write(self, text: str) -> None:
        rest = text.encode(errors="backslashreplace")
        with contextlib.suppress(OSError):  # nobody reads it
            while rest:
                rest = rest[os.write(self._descriptor, rest) :]
