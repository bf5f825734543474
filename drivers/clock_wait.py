"""Waiting in real time for what is due in clock time."""

from __future__ import annotations

import asyncio

from drivers.clock import Clock
from protocols.instant import Instant

_SHORTEST_S = 0.0005


def real_seconds_until(clock: Clock, due: Instant | None) -> float | None:
    """Return the real seconds until `due` on `clock`; None when nothing is due.

    Never quite zero: whoever waits this long again and again still lets others run.
    """
    if due is None:
        return None
    seconds = due.since(clock.now())
    return None if seconds is None else max(seconds / clock.scale, _SHORTEST_S)


async def wait_for_event(event: asyncio.Event, timeout_s: float | None) -> None:
    """Return when `event` is set, or after `timeout_s` real seconds."""
    try:
        async with asyncio.timeout(timeout_s):
            await event.wait()
    except TimeoutError:
        return
