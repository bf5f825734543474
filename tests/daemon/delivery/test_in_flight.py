"""Several events in flight, and in batches: each taken once, in order, whatever gets lost."""

from __future__ import annotations

import asyncio
import json
import random
from pathlib import Path

import nats
import pytest
from support.delivering import Found, NatsSite, delivering, on_the_bus, write
from support.durable import EPOCH, TABLE, body, events, opened
from support.lossy_nats import LossyLine, lossy

from daemon.buses.nats_jetstream import connection
from drivers.backoff import Backoff

HARMED, HARMS = 0.1, 4
"""Of the events and of their acknowledgements: at this rate, so many in a run."""
RUNS, EVENTS = 3, 60


def in_order(found: Found) -> list[bytes]:
    """Return what a consumer takes of it: the event that is due, and no other."""
    taken: list[bytes] = []
    for _, _, payload in found:
        if int(json.loads(payload)["sequence"]) == len(taken) + 1:
            taken.append(payload)
    return taken


@pytest.mark.slow
@pytest.mark.parametrize("batches", [True, False], ids=["batches", "one by one"])
@pytest.mark.parametrize("seed", range(5))
async def test_whatever_gets_lost_a_consumer_finds_every_event_in_order(
    path: Path, site: NatsSite, monkeypatch: pytest.MonkeyPatch, seed: int, batches: bool
) -> None:
    monkeypatch.setattr(connection, "ACK_S", 0.2)
    monkeypatch.setattr(connection, "_RETRY", Backoff(first_s=0.01, factor=1.0, most_s=0.01))
    if not batches:
        monkeypatch.setattr("daemon.buses.nats_jetstream.bulk._PAYS_FROM", 0)
    chance, line = random.Random(seed), LossyLine(seed)
    async with opened(path) as it, lossy(site.url, line) as url:
        written = 0
        for _ in range(RUNS):
            async with delivering(it, url) as delivery:
                line.rate, line.left = HARMED, HARMS
                goal = written + EVENTS
                while written < goal:
                    some = min(chance.randint(1, 20), goal - written)
                    await write(it, delivery, *events(written + 1, written + some))
                    written += some
                    await asyncio.sleep(chance.choice((0.0, 0.002, 0.02)))
                await delivery.until(lambda: delivery.publisher.state().lag < chance.randint(1, 30))
                assert not delivery.damage
            cursor = it.journal.cursor(TABLE)
            if cursor is not None:  # the last marks get lost with the process
                it.journal.move_cursor(TABLE, EPOCH, max(0, cursor[1] - chance.randint(0, 20)))
        async with delivering(it, url) as delivery:
            await delivery.until_delivered()
        assert len(line.harmed) > RUNS
        assert in_order(await on_the_bus(site.url)) == [body(seq) for seq in range(1, written + 1)]


async def test_an_event_that_is_refused_while_the_next_is_taken_keeps_its_place(
    path: Path, site: NatsSite
) -> None:
    """A stream without room for a large event has room for a small one."""
    notes = {1: "x" * 2000, 12: "x" * 2000}
    async with opened(path) as it, delivering(it, site) as delivery:
        first = [events(seq, seq, note=notes.get(seq, ""))[0] for seq in range(1, 11)]
        await write(it, delivery, *first)
        await delivery.until_delivered()
        client = await nats.connect(site.url)
        manager = client.jetstream()
        info = await manager.stream_info("PIT")
        await manager.update_stream(info.config, discard="new", max_bytes=info.state.bytes + 2000)
        rest = [events(seq, seq, note=notes.get(seq, ""))[0] for seq in range(11, 15)]
        await write(it, delivery, *rest)
        await delivery.until(lambda: "does not take events" in delivery.error())
        await manager.update_stream(info.config, max_bytes=-1)
        await client.close()
        await delivery.until_delivered()
        assert in_order(await site.on_the_bus()) == [
            body(seq, note=notes.get(seq, "")) for seq in range(1, 15)
        ]
        assert not delivery.foreign
