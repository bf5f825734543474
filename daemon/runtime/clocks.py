"""The daemon's clocks in one hand: boot clock, wall clock, its quality and its steps."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Final, Literal

from drivers.clock import Clock
from protocols.instant import Instant

Quality = Literal["synced", "unsynced", "unknown"]

_TIME_ERROR: Final = 5  # adjtimex(2): the clock is not synchronised
_TIMEX_BYTES: Final = 256  # struct timex is 208 bytes on 64-bit Linux; `modes` = 0 only reads
STEP_S: Final = 0.5  # larger than any slew between two looks a second apart


def kernel_quality() -> Quality:
    """Ask the kernel whether the wall clock is synchronised (adjtimex(2))."""
    try:
        libc = ctypes.CDLL(None, use_errno=True)
        state = libc.adjtimex(ctypes.create_string_buffer(_TIMEX_BYTES))
    except (OSError, AttributeError):
        return "unknown"
    if state < 0:
        return "unknown"
    return "unsynced" if state == _TIME_ERROR else "synced"


class Timekeeper:
    """Wraps a clock with the quality of its wall time and watches for steps."""

    def __init__(self, clock: Clock, ask: Callable[[], Quality] = kernel_quality) -> None:
        self.scale = clock.scale
        self.now: Callable[[], Instant] = clock.now
        """Returns the present instant on the boot clock."""
        self.wall: Callable[[], datetime] = clock.wall
        """Returns the present wall time, UTC."""
        self.quality: Quality = "unknown"
        """What is known of the wall clock, as of the last `look`."""
        self._ask = ask
        self._offset = self._wall_minus_boot()
        self.look()

    def look(self) -> float | None:
        """Look at the clocks once a second: return by how many seconds the wall was stepped."""
        self.quality = self._ask()
        offset = self._wall_minus_boot()
        step = (offset - self._offset).total_seconds()
        self._offset = offset
        if self.scale != 1.0 or abs(step) < STEP_S:
            return None
        return round(step, 3)

    def _wall_minus_boot(self) -> datetime:
        return self.wall() - timedelta(seconds=self.now().ns / 1e9)
