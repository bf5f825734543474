"""A device's simulator inside this process, without any line."""

from __future__ import annotations

import asyncio
import contextlib
from dataclasses import dataclass

from drivers.clock import Clock
from drivers.clock_wait import real_seconds_until, wait_for_event
from drivers.errors import LinkRefused
from drivers.link import EVERY_WIRING, Chunk, LinkSpec
from drivers.queued_link import QueuedLink
from protocols.catalog import devices
from protocols.simulator import Cue, PowerOn, Simulator
from protocols.wiring import Wiring


@dataclass(frozen=True, slots=True)
class SimulatedSettings:
    """What to simulate.

    device    key of a device in the catalog, simulated with its default settings
    power_on  whether opening the link is the device's mains switch
    """

    device: str
    power_on: bool = True


class SimulatedLink(QueuedLink):
    """A simulator behind a link. It moves while it is read, and when it is cued."""

    def __init__(self, where: str, simulator: Simulator, clock: Clock) -> None:
        super().__init__(where, clock)
        self.simulator = simulator
        """Who speaks; give it cues by `cue`, which also wakes the reader."""
        self._poked = asyncio.Event()

    def cue(self, cue: Cue) -> None:
        """Make something happen now. Raises ValueError for what this device cannot play."""
        self.simulator.cue(self._clock.now(), cue)
        self._poked.set()

    async def read(self, timeout_s: float | None) -> Chunk | None:
        """Return the next chunk, or None after `timeout_s` real seconds. Raises LinkLost."""
        deadline = None if timeout_s is None else self._loop.time() + timeout_s
        while True:
            self._listen()
            left = None if deadline is None else deadline - self._loop.time()
            if self._queue.held or self.is_lost or (left is not None and left <= 0):
                return await self._queue.take(0)
            due = real_seconds_until(self._clock, self.simulator.wake_at)
            waits = [seconds for seconds in (left, due) if seconds is not None]
            await wait_for_event(self._poked, min(waits, default=None))

    def _listen(self) -> None:
        self._poked.clear()
        if not self.is_lost:
            at = self._clock.now()
            for frame in self.simulator.speak(at):
                self._received(at, frame)

    def _send(self, data: bytes) -> None:
        self.simulator.hear(self._clock.now(), data)
        self._poked.set()

    def _stop(self) -> None:
        self._poked.set()


async def open_simulated(
    settings: SimulatedSettings, _wiring: Wiring, clock: Clock
) -> SimulatedLink:
    """Start a simulator of its own. Raises LinkRefused for a device that we do not know."""
    where = f"simulated {settings.device}"
    spec = devices().get(settings.device)
    if spec is None:
        known = ", ".join(sorted(devices())) or "none"
        raise LinkRefused(where, "no such device", f"use one of: {known}")
    link = SimulatedLink(where, spec.simulator(spec.settings()), clock)
    if settings.power_on:
        with contextlib.suppress(ValueError):  # a device without a start of its own
            link.cue(PowerOn())
    return link


LINK = LinkSpec(
    key="simulated",
    title="Simulated device",
    settings=SimulatedSettings,
    live=False,
    carries=EVERY_WIRING,
    open=open_simulated,
)
