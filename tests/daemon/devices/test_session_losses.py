"""A link that opens, only to be lost at once, is tried again no faster than one that is absent.

An interface that is down opens, and a serial server may greet and hang up: without a wait such a
link kept a core busy. Tried without the wait: noticed.
"""

import asyncio
import contextlib
from dataclasses import replace
from typing import Any

import pytest
from support.inboxes import inbox_of

from daemon.devices.attachment import AttachedDevice
from daemon.devices.session import Session
from daemon.service.assembly import attached_devices, one_table
from drivers.backoff import Backoff
from drivers.clock import BootClock
from drivers.errors import LinkError, LinkLost
from drivers.link import Chunk

TURNS = 100


class Dead:
    """An open link that is gone."""

    where = "can0"
    untold = ""

    async def read(self, _timeout_s: float | None) -> Chunk | None:
        await asyncio.sleep(0)
        raise LinkLost("can0", "was taken down", "ip link set can0 up")

    async def aclose(self) -> None:
        """Have nothing to give back."""


class Words:
    """A watcher that keeps the states of the link."""

    def __init__(self) -> None:
        self.words: list[str] = []

    def link_changed(self, _plug: AttachedDevice, word: str, _error: LinkError | None) -> None:
        self.words.append(word)


@pytest.mark.parametrize(("wait_s", "most"), [(3600.0, 1), (0.0, TURNS)])
async def test_each_loss_is_followed_by_the_wait(wait_s: float, most: int) -> None:
    opens: list[None] = []

    async def open_dead(*_: Any) -> Dead:
        opens.append(None)
        return Dead()

    config = one_table("baccarat", "baccarat-lv", "dbc_profile")
    clock, heard = BootClock(), Words()
    (plug,) = attached_devices(config)
    plug = replace(plug, link=replace(plug.link, open=open_dead))
    inbox = inbox_of(config, clock)
    backoff = Backoff(wait_s, 1.0, wait_s)
    session = Session(plug, inbox, clock, heard, backoff=backoff)  # type: ignore[arg-type]
    running = asyncio.create_task(session.run())
    for _ in range(TURNS):
        await asyncio.sleep(0)
    running.cancel()
    with contextlib.suppress(asyncio.CancelledError):
        await running
    assert heard.words == ["lost"]
    assert 0 < len(opens) <= most
    assert (len(opens) > 1) == (wait_s == 0)
