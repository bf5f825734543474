"""What a port's driver counts as errors of its line: bytes that were lost, or came damaged.

The counters are those of the kernel's TIOCGICOUNT. Some adapters have none (pl2303 among them), and
no pty has: then nobody knows what was lost.
"""

from __future__ import annotations

import array
import fcntl

_TIOCGICOUNT = 0x545D
_SIZE = 80
_ERRORS = (("framing", 6), ("overrun", 7), ("parity", 8), ("break", 9), ("buffer overrun", 10))
"""What a port counts, and where it stands in the kernel's `struct serial_icounter_struct`."""


class LineErrors:
    """The counters of one open port, from now on.

    counted  whether the port has any
    """

    def __init__(self, fd: int) -> None:
        self._fd = fd
        self._before = self._counts()
        self.counted = bool(self._before)

    def news(self) -> str:
        """Return which errors were counted since it was asked last, empty for none."""
        counts = self._counts() if self.counted else ()
        news = [
            f"{name} {count - before}"
            for (name, _), count, before in zip(_ERRORS, counts, self._before, strict=False)
            if count != before
        ]
        self._before = counts or self._before
        return ", ".join(news)

    def _counts(self) -> tuple[int, ...]:
        counts = array.array("i", bytes(_SIZE))
        try:
            fcntl.ioctl(self._fd, _TIOCGICOUNT, counts)
        except OSError:
            return ()
        return tuple(counts[place] for _, place in _ERRORS)
