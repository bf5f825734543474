"""A session whose device is not there: what wakes it, and what is told meanwhile."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import replace

import structlog
from support.hidden_bench import TABLE, HiddenTable

from daemon.devices.session import UDEV_S, Session
from daemon.devices.session_metrics import SessionMetrics
from drivers.errors import LinkAbsent, LinkDenied, LinkError
from drivers.link import OpenLink


class Waiting:
    """A session on a link that cannot be opened, and whose waits the test ends."""

    def __init__(self, trouble: Callable[[], LinkError]) -> None:
        self.bench = HiddenTable()
        self.tries = 0
        self._trouble = trouble
        self._waits = asyncio.Event()
        self._go = asyncio.Event()
        plug = self.bench.session.attached
        plug = replace(plug, link=replace(plug.link, open=self._open))
        watching = SessionMetrics(
            TABLE, self.bench.metrics, structlog.get_logger(), self.bench.clock
        )
        clock = self.bench.clock
        self.session = Session(plug, self.bench.inbox, clock, watching, wait=self._wait)

    async def _open(self, *_: object) -> OpenLink:
        self.tries += 1
        raise self._trouble()

    async def _wait(self, most_s: float) -> None:
        assert most_s > 0
        self._waits.set()
        await self._go.wait()
        self._go.clear()

    async def until_it_waits(self) -> None:
        async with asyncio.timeout(20):
            await self._waits.wait()
        self._waits.clear()

    async def plug_in(self) -> None:
        """Let a device come, and the session try again."""
        self._go.set()
        await self.until_it_waits()


@asynccontextmanager
async def running(trouble: Callable[[], LinkError]) -> AsyncIterator[Waiting]:
    one = Waiting(trouble)
    task = asyncio.create_task(one.session.run())
    await one.until_it_waits()
    try:
        yield one
    finally:
        task.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await task


def absent() -> LinkError:
    return LinkAbsent("/dev/shoe", "is not there", "plug it in")


def denied() -> LinkError:
    return LinkDenied("/dev/shoe", "may not be opened by this user", "add it to the group")


async def test_it_tries_again_as_soon_as_something_is_plugged_in() -> None:
    async with running(absent) as one:
        assert one.tries == 1
        await one.plug_in()
        assert one.tries == 2
        (told,) = one.bench.found("device.disconnected")
        assert told["reason"].startswith("absent: ")


async def test_b49_a_port_that_udev_is_still_giving_its_group_is_no_trouble_yet() -> None:
    async with running(denied) as one:
        one.bench.clock.at = one.bench.clock.at.after(UDEV_S - 0.1)
        await one.plug_in()
        assert one.session.state == "starting"
        assert not one.bench.found("device.disconnected")


async def test_b49_a_port_that_stays_denied_is_told_once() -> None:
    async with running(denied) as one:
        for _ in range(3):
            one.bench.clock.at = one.bench.clock.at.after(UDEV_S)
            await one.plug_in()
        assert one.session.state == "denied"
        (told,) = one.bench.found("device.disconnected")
        assert told["reason"].startswith("denied: ")


async def test_each_plugging_in_has_its_own_five_seconds() -> None:
    troubles = [denied(), absent(), denied()]

    def next_trouble() -> LinkError:
        return troubles.pop(0)

    async with running(next_trouble) as one:
        for _ in range(2):
            one.bench.clock.at = one.bench.clock.at.after(UDEV_S)
            await one.plug_in()
        assert one.session.state == "absent"
