"""How many others opened a device node: for systems where their processes are not shown to us.

inotify asks for no right but to read the node, and tells of root as of anybody; it does not say
who. Two openings without a closing between them may be told as one.
"""

from __future__ import annotations

import ctypes
import os
import struct
from typing import Final

_LIBC: Final = ctypes.CDLL(None, use_errno=True)
_EVENT: Final = struct.Struct("iIII")
_OPEN: Final = 0x20
_CLOSE: Final = 0x08 | 0x10
_SIZE: Final = 65536


class OpenCounter:
    """Watches one node. Raises OSError where it cannot."""

    def __init__(self, node: str) -> None:
        self._others = 0
        self._fd: int = _LIBC.inotify_init1(os.O_NONBLOCK | os.O_CLOEXEC)
        if self._fd < 0:
            raise OSError(ctypes.get_errno(), "no inotify")
        if _LIBC.inotify_add_watch(self._fd, os.fsencode(node), _OPEN | _CLOSE) < 0:
            number = ctypes.get_errno()
            os.close(self._fd)
            raise OSError(number, os.strerror(number), node)

    def others(self) -> int:
        """Return how many of those who opened it since have not closed it."""
        while data := self._read():
            place = 0
            while place < len(data):
                _, mask, _, length = _EVENT.unpack_from(data, place)
                step = bool(mask & _OPEN) - bool(mask & _CLOSE)
                self._others = max(0, self._others + step)  # who closes may have been here before
                place += _EVENT.size + length
        return self._others

    def close(self) -> None:
        """Stop watching."""
        os.close(self._fd)

    def _read(self) -> bytes:
        try:
            return os.read(self._fd, _SIZE)
        except BlockingIOError:
            return b""
