"""The clocks: one for order and durations, one for the wall. The only place that reads them."""

from __future__ import annotations

import time
from datetime import UTC, datetime
from pathlib import Path
from typing import Protocol

from protocols.instant import Instant


class Clock(Protocol):
    """Where `at` comes from, and the wall time that goes with it."""

    scale: float
    """How many clock seconds pass per real second: 1 but in rehearsals."""

    def now(self) -> Instant:
        """Return the present instant."""

    def wall(self) -> datetime:
        """Return the present wall time, UTC."""


class BootClock:
    """CLOCK_BOOTTIME of this boot; `scale` speeds a rehearsal up."""

    def __init__(self, scale: float = 1.0) -> None:
        self.scale = scale
        self._boot = Path("/proc/sys/kernel/random/boot_id").read_text("ascii").strip()

    def now(self) -> Instant:
        """Return the present instant."""
        ns = time.clock_gettime_ns(time.CLOCK_BOOTTIME)
        return Instant(self._boot, ns if self.scale == 1.0 else int(ns * self.scale))

    def wall(self) -> datetime:
        """Return the present wall time, UTC."""
        return datetime.now(UTC)
