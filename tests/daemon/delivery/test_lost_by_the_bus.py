"""A bus that has lost what it had acknowledged: found at the next connection, and sent again."""

from __future__ import annotations

import asyncio
import json
import shutil
from pathlib import Path

import nats
import pytest
from support.delivering import NatsSite, delivering, id_of, on_the_bus, write
from support.durable import EPOCH, TABLE, body, events, opened

from daemon.journal.records import Record, Transaction
from protocols.canonical import canonical


def store(site: NatsSite) -> Path:
    return site.folder / "store"


async def bodies(site: NatsSite) -> list[bytes]:
    return [one[2] for one in await on_the_bus(site.url)]


async def test_f8_events_that_a_restored_server_lacks_go_out_again_from_where_it_ends(
    path: Path, site: NatsSite, tmp_path: Path
) -> None:
    async with opened(path) as it, delivering(it, site.url) as delivery:
        await write(it, delivery, *events(1, 4))
        await delivery.until_delivered()
        site.server.stop()
        shutil.copytree(store(site), tmp_path / "backup")
        await asyncio.to_thread(site.restart)
        await write(it, delivery, *events(5, 9))
        await delivery.until_delivered()
        site.server.stop()
        shutil.rmtree(store(site))
        shutil.copytree(tmp_path / "backup", store(site))
        await asyncio.to_thread(site.restart)
        await delivery.until(lambda: "bus_lost" in delivery.verdicts)
        await delivery.until_delivered()
        found = delivery.found[-1]
        assert (found.position, found.lost) == ((EPOCH, 4), (EPOCH, 9))
        assert await bodies(site) == [body(seq) for seq in range(1, 10)]
        await write(it, delivery, *events(10, 10))
        await delivery.until_delivered()
        assert (await on_the_bus(site.url))[-1][1] == id_of(body(10)), "repeats are over"


@pytest.mark.parametrize("down", [False, True], ids=["it runs", "it was down"])
async def test_a8_of_a_server_that_was_wiped_the_daemon_fills_the_new_stream(
    path: Path, site: NatsSite, *, down: bool
) -> None:
    async with opened(path) as it, delivering(it, site.url) as delivery:
        await write(it, delivery, *events(1, 6))
        await delivery.until_delivered()
        if not down:
            await wiped(site)
            await delivery.until(lambda: "bus_lost" in delivery.verdicts)
            await delivery.until_delivered()
    if down:
        await wiped(site)
        async with opened(path) as it, delivering(it, site.url) as delivery:
            await delivery.until(lambda: delivery.found)
            assert delivery.verdicts == ["bus_lost"]
            assert delivery.lags == [6], "what goes out again was not there yet"
            await delivery.until_delivered()
    assert await bodies(site) == [body(seq) for seq in range(1, 7)]


async def wiped(site: NatsSite) -> None:
    site.server.kill()
    shutil.rmtree(store(site))
    await asyncio.to_thread(site.restart)


async def test_c3_what_was_purged_is_sent_again_although_the_server_remembers_the_ids(
    path: Path, site: NatsSite
) -> None:
    async with opened(path) as it, delivering(it, site.url) as delivery:
        await write(it, delivery, *events(1, 3))
        await delivery.until_delivered()
        client = await nats.connect(site.url)
        await client.jetstream().purge_stream("PIT")
        await client.close()
    async with opened(path) as it, delivering(it, site.url) as delivery:
        await delivery.until(lambda: delivery.found)
        await delivery.until_delivered()
        assert await bodies(site) == [body(seq) for seq in range(1, 4)]


async def test_a_daemon_that_died_while_it_sent_again_goes_on_with_that(
    path: Path, site: NatsSite
) -> None:
    async with opened(path) as it, delivering(it, site.url) as delivery:
        await write(it, delivery, *events(1, 30))
        await delivery.until_delivered()
    await wiped(site)
    async with opened(path) as it, delivering(it, site.url) as delivery:
        await delivery.until_published(7)
    async with opened(path) as it, delivering(it, site.url) as delivery:
        await delivery.until(lambda: delivery.found)
        await delivery.until_delivered()
        assert await bodies(site) == [body(seq) for seq in range(1, 31)]


async def test_a_resend_that_was_cut_short_is_no_loss_of_the_bus(
    path: Path, site: NatsSite
) -> None:
    async with opened(path) as it, delivering(it, site.url) as delivery:
        await write(it, delivery, *events(1, 60))
        await delivery.until_delivered()
        delivery.publisher.resend(1)
        await delivery.until_published(62)
    async with opened(path) as it, delivering(it, site.url) as delivery:
        await delivery.until(lambda: delivery.found)
        assert delivery.verdicts == ["agrees"]


@pytest.mark.parametrize(("said", "verdict"), [("2026-01-01", "empty"), ("2999-01-01", "bus_lost")])
async def test_what_grew_too_old_for_the_stream_was_not_lost(
    path: Path, site: NatsSite, said: str, verdict: str
) -> None:
    blob = canonical({**json.loads(body(1)), "time": f"{said}T00:00:00Z"})
    async with opened(path) as it, delivering(it, site.url) as delivery:
        await write(it, delivery, Transaction(TABLE, (Record(1, EPOCH, 1, "event", blob),)))
        await delivery.until_delivered()
        client = await nats.connect(site.url)
        stream = client.jetstream()
        config = (await stream.stream_info("PIT")).config
        await stream.update_stream(config, max_age=3600.0)
        await stream.purge_stream("PIT", subject="pit.event.>")
        await client.close()
    async with opened(path) as it, delivering(it, site.url) as delivery:
        await delivery.until(lambda: delivery.found)
        assert delivery.verdicts == [verdict]
