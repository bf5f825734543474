"""A device that speaks only when it is asked is asked as soon as its link is open."""

import asyncio
import contextlib

from support.inboxes import inbox_of

from daemon.devices.attachment import AttachedDevice
from daemon.devices.session import Session
from daemon.runtime.catalog import games
from daemon.service.assembly import attached_devices, one_table
from drivers.catalog import link_kinds
from drivers.clock import BootClock
from drivers.errors import LinkError
from drivers.links.simulated import SimulatedSettings
from protocols.device import Decoded
from protocols.readings import CardsPresent
from protocols.rejects import RejectReason

DEVICE = "feig_obid"
ANSWERS = 3


class Seen:
    """A watcher that keeps what it sees and says when it has seen enough answers."""

    def __init__(self) -> None:
        self.bodies: list[object] = []
        self.enough = asyncio.Event()

    def decoded(self, _plug: AttachedDevice, one: Decoded, *, stale: bool) -> None:
        assert not stale
        self.bodies.append(one.body)
        if len([body for body in self.bodies if isinstance(body, CardsPresent)]) >= ANSWERS:
            self.enough.set()

    def link_changed(self, _plug: AttachedDevice, word: str, _error: LinkError | None) -> None:
        assert word == "connected"


async def test_it_is_asked_at_once_and_each_answer_brings_the_next_question() -> None:
    clock, seen = BootClock(scale=20.0), Seen()
    game = next(one for one in games().values() if one.device_kind == "shoe")
    config = one_table(game.key, game.default_profile, DEVICE)
    (plug,) = attached_devices(config)
    link = link_kinds()["simulated"]
    plug = AttachedDevice(plug.role, plug.spec, plug.settings, link, SimulatedSettings(DEVICE))
    running = asyncio.create_task(Session(plug, inbox_of(config, clock), clock, seen).run())
    async with asyncio.timeout(5):
        await seen.enough.wait()
    running.cancel()
    with contextlib.suppress(asyncio.CancelledError):
        await running
    bodies = seen.bodies
    assert bodies[0] is RejectReason.SILENCE
    assert bodies.count(CardsPresent(())) == ANSWERS
