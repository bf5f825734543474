"""Two daemons, one table, one bus: cut off, killed, frozen, copied and restarted in any order.

A trial starts a real bus and two real daemons, disturbs them a few times, and lets all be well
after each time. Meanwhile both are asked for their status all the time, and both are commanded at
their control sockets, so that whoever believes in its table has events to publish.

What must hold:

 one serves     never do both say at once that the table is theirs beyond doubt; and when all has
                been well for five seconds, one of them says so, and the other says whose it is
 loser's events every event on the bus was published by the daemon that had the lease under the
                number that the event names, and is in its journal
 order          a consumer that keeps (epoch, seq) sees no gap, no step back, no second body
"""

from __future__ import annotations

import asyncio
import json
import shutil
import signal
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

import nats
from nats.js.api import RawStreamMsg
from support.delivering import events_in
from support.killable_daemon import Daemon

from daemon.demo.embedded_nats import EmbeddedNats
from daemon.runtime.tasks import end_tasks

STREAM = "PIT-REHEARSAL"
SOON_S = 5.0
PATIENCE_S = 30.0
FENCE = "Nats-Expected-Last-Subject-Sequence"


@dataclass
class Trial:
    """Two daemons and a bus, and what was seen of them."""

    folder: Path
    lot: Random
    server: EmbeddedNats = field(default_factory=EmbeddedNats)
    url: str = ""
    daemons: Sequence[Daemon] = ()
    wrong: list[str] = field(default_factory=list)
    done: list[str] = field(default_factory=list)
    settled_s: list[float] = field(default_factory=list)

    async def play(self, disturbances: int) -> None:
        async with AsyncExitStack() as stack:
            stack.callback(self.server.stop)
            self.url = self.server.start(self.folder / "nats")
            port = int(self.url.rpartition(":")[2])
            self.daemons = [Daemon(name, self.folder / name, port) for name in ("one", "two")]
            for daemon in self.daemons:
                await stack.enter_async_context(daemon.way)
                stack.push_async_callback(daemon.end)
                await daemon.start()
            tasks = [asyncio.create_task(work) for work in (self._watch(), self._command())]
            stack.push_async_callback(end_tasks, tasks)
            await self._settle()
            for _ in range(disturbances):
                disturb = self.lot.choice(DISTURBANCES)
                self.done.append(disturb.__name__)
                await disturb(self)
                await self._mend()
                await self._settle()
            await end_tasks(tasks)
            await self._settle()
            for daemon in self.daemons:
                await daemon.end(signal.SIGTERM)
            self.wrong += await self._judged()

    async def pause(self, most_s: float = 5.0) -> None:
        await asyncio.sleep(self.lot.uniform(0.0, most_s))

    async def bus_back(self) -> None:
        if self.server.pid is None:
            port = int(self.url.rpartition(":")[2])
            await asyncio.to_thread(self.server.start, self.folder / "nats", port=port)

    async def _mend(self) -> None:
        await self.bus_back()
        for daemon in self.daemons:
            daemon.stopped(signal.SIGCONT)
            await daemon.way.mend()
            await daemon.start()

    async def _settle(self) -> None:
        """Wait until one serves and the other knows it."""
        began, began_with = None, time.monotonic()
        while True:
            states = sorted([await daemon.look() for daemon in self.daemons])
            now = time.monotonic()
            if began is None and all(states):
                began = now  # both are there; it is from here on that all is well
            if states == ["held", "other"]:
                self.settled_s.append(now - (began or now))
                return
            if now - began_with > PATIENCE_S:
                self.wrong.append(f"nobody serves, or nobody waits: {states}")
                return
            await asyncio.sleep(0.05)

    async def _watch(self) -> None:
        one, two = self.daemons
        while True:
            before = await one.look()
            between = await two.look()
            after = await one.look()
            if before == between == after == "held":
                self.wrong.append("both serve at once")
            await asyncio.sleep(0.02)

    async def _command(self) -> None:
        number = 0
        while True:
            number += 1
            for daemon in self.daemons:
                await daemon.command("shoe.load", shoe_id=f"{daemon.name} {number}", decks=8)
                await daemon.command("shoe.close")
            await asyncio.sleep(0.1)

    async def _judged(self) -> list[str]:
        """Return what is wrong with the events on the bus."""
        client = await nats.connect(self.url)
        try:
            stored = [message async for message in events_in(client, STREAM)]
        finally:
            await client.close()
        wrong = _out_of_order([message.data or b"" for message in stored])
        events = [(_fence(one), one.data or b"", json.loads(one.data or b"")) for one in stored]
        # From the journals: who took the lease may have been cut off before it could say so.
        taken = [event["data"] for one in self.daemons for event in one.leases_taken()]
        owners = {data["fencing_number"]: data["owner"] for data in taken}
        for fence, payload, event in events:
            who = owners[max(number for number in owners if number <= fence)]
            (owner,) = (one for one in self.daemons if str(one.folder) in who)
            if not owner.has(payload):
                wrong.append(f"{event['id']} is taken under {fence} and not of {owner.name}")
        return wrong


def _fence(message: RawStreamMsg) -> int:
    return int((message.headers or {})[FENCE])


def _out_of_order(payloads: Sequence[bytes]) -> list[str]:
    """What a consumer sees that it must never see."""
    bodies: dict[tuple[str, int], bytes] = {}
    wrong, last = [], ("", 0)
    for payload in payloads:
        event = json.loads(payload)
        here = event["epoch"], int(event["sequence"])
        known = bodies.setdefault(here, payload)
        if known is not payload:
            if known != payload:
                wrong.append(f"two bodies for {event['id']}")
            continue
        if here != (last[0], last[1] + 1) and (here[1] != 1 or here[0] <= last[0]):
            wrong.append(f"{event['id']} after {last}")
        last = here
    return wrong


# --- what is done to them --------------------------------------------------------------------


async def one_is_cut_off(trial: Trial) -> None:
    daemon = trial.lot.choice(trial.daemons)
    await daemon.way.cut()
    await trial.pause()


async def both_are_cut_off(trial: Trial) -> None:
    for daemon in trial.lot.sample(trial.daemons, 2):
        await daemon.way.cut()
        await trial.pause(2.0)
    await trial.lot.choice(trial.daemons).way.mend()
    await trial.pause(4.0)


async def a_way_falls_silent(trial: Trial) -> None:
    trial.lot.choice(trial.daemons).way.silence()
    await trial.pause()


async def the_bus_dies(trial: Trial) -> None:
    trial.server.kill()
    await trial.pause(3.0)


async def the_bus_dies_and_one_starts(trial: Trial) -> None:
    daemon = trial.lot.choice(trial.daemons)
    await daemon.end()
    trial.server.kill()
    await trial.pause(2.0)
    await daemon.start()
    await trial.pause(2.0)


async def one_is_killed(trial: Trial) -> None:
    await trial.lot.choice(trial.daemons).end()
    await trial.pause()


async def one_is_stopped(trial: Trial) -> None:
    await trial.lot.choice(trial.daemons).end(signal.SIGTERM)
    await trial.pause(2.0)


async def one_is_frozen(trial: Trial) -> None:
    trial.lot.choice(trial.daemons).stopped(signal.SIGSTOP)
    await trial.pause()


async def one_becomes_a_copy(trial: Trial) -> None:
    copy, source = trial.lot.sample(trial.daemons, 2)
    if trial.lot.random() < 0.5:
        await source.way.cut()
        await trial.pause(1.0)
    await copy.end()
    copy.become_copy_of(source)
    await copy.start()
    await trial.pause()


async def all_die(trial: Trial) -> None:
    things: list[Callable[[], Awaitable[None]]] = [one.end for one in trial.daemons]
    starts: list[Callable[[], Awaitable[None]]] = [
        *(one.start for one in trial.daemons),
        trial.bus_back,
    ]
    trial.server.kill()
    for end in trial.lot.sample(things, 2):
        await end()
    for start in trial.lot.sample(starts, 3):
        await start()
        await trial.pause(2.0)


DISTURBANCES = (
    one_is_cut_off,
    both_are_cut_off,
    a_way_falls_silent,
    the_bus_dies,
    the_bus_dies_and_one_starts,
    one_is_killed,
    one_is_stopped,
    one_is_frozen,
    one_becomes_a_copy,
    all_die,
)


class TwoDaemons:
    """Many such trials. `late`: how often it took longer than five seconds."""

    name = "two-daemons"
    total: int | None = None

    def __init__(self, disturbances: int = 3) -> None:
        self.outcomes: Counter[str] = Counter()
        self._disturbances = disturbances
        self._folder = Path()
        self._seed = 0

    async def prepare(self, folder: Path, seed: int) -> None:
        self._folder, self._seed = folder, seed

    async def trial(self, number: int) -> str | None:
        folder = self._folder / str(number)
        folder.mkdir()
        trial = Trial(folder, Random(f"{self._seed}:{number}"))
        await trial.play(self._disturbances)
        self.outcomes.update(name.replace("_", " ") for name in trial.done)
        late = sum(seconds > SOON_S for seconds in trial.settled_s)
        self.outcomes["settled within five seconds"] += len(trial.settled_s) - late
        self.outcomes["settled later"] += late
        if trial.wrong:
            return f"{' then '.join(trial.done)}: {'; '.join(trial.wrong[:5])}; see {folder}"
        shutil.rmtree(folder)
        return None
