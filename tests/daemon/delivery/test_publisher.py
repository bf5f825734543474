from __future__ import annotations

import asyncio
import json
import re
import shutil
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from support.delivering import (
    SITES,
    Delivery,
    Site,
    consumed,
    delivering,
    eventually,
    id_of,
    tombstone,
    write,
)
from support.durable import EPOCH, TABLE, Opened, body, event, events, opened

from daemon.buses.mqtt import client
from daemon.buses.nats_jetstream import connection
from daemon.delivery.bus import Address, Outgoing
from daemon.journal.records import Record, Transaction

LATER, LAST = "000002-77aa", "000003-c0de"


LARGEST = 4096


@pytest.fixture(params=sorted(SITES))
async def site(tmp_path: Path, request: pytest.FixtureRequest) -> AsyncIterator[Site]:
    async with SITES[request.param](tmp_path / "bus", LARGEST) as one:
        yield one


async def test_events_arrive_in_order_under_their_own_subject_and_id(
    path: Path, site: Site
) -> None:
    async with opened(path) as it, delivering(it, site) as delivery:
        await write(it, delivery, *events(1, 50))
        await delivery.until_delivered()
        assert await site.on_the_bus() == [
            ("pit.event.oslo.T-07.card.dealt", id_of(body(seq)), body(seq)) for seq in range(1, 51)
        ]
        assert it.journal.cursor(TABLE) == (EPOCH, 50)
        assert delivery.verdicts == ["empty"]
        state = delivery.publisher.state()
        assert (state.published, state.refused, state.error, state.since) == (50, 0, None, None)


async def test_a_rehearsal_has_its_own_root_and_stream(path: Path, site: Site) -> None:
    rehearsal = Address("oslo", TABLE, "rehearsal")

    async with opened(path) as it, delivering(it, site, rehearsal) as delivery:
        await write(it, delivery, *events(1, 1))
        await delivery.until_delivered()
        found = await site.on_the_bus("pit-rehearsal")
        assert [one[0] for one in found] == ["pit-rehearsal.event.oslo.T-07.card.dealt"]


async def test_a_daemon_starts_without_a_bus_and_delivers_when_it_comes(
    path: Path, site: Site
) -> None:
    site.stop()
    async with opened(path) as it, delivering(it, site) as delivery:
        await write(it, delivery, *events(1, 20))
        await delivery.until(lambda: "cannot be reached" in delivery.error())
        assert f"{site.place} cannot be reached" in delivery.error()
        state = delivery.publisher.state()
        assert state.lag == 20
        assert (state.action or "").endswith("runs and can be reached")
        assert state.since is not None
        await asyncio.to_thread(site.restart)
        await delivery.until_delivered()
        assert delivery.publisher.state().error is None
        assert delivery.reports[-1] is None
        assert len(await site.on_the_bus()) == 20


async def test_a_server_killed_again_and_again_under_load_loses_doubles_and_swaps_nothing(
    path: Path, site: Site
) -> None:
    async def load(it: Opened, delivery: Delivery, ends: asyncio.Event) -> int:
        seq = 0
        while not ends.is_set():
            seq += 1
            await write(it, delivery, *events(seq, seq))
            await delivery.until(lambda: delivery.publisher.state().lag < 200)
        return seq

    async with opened(path) as it, delivering(it, site) as delivery:
        ends = asyncio.Event()
        loading = asyncio.create_task(load(it, delivery, ends))
        for _ in range(3):
            await delivery.until_published(delivery.publisher.state().published + 50)
            site.kill()
            await delivery.until(delivery.error)
            await asyncio.to_thread(site.restart)
        ends.set()
        count = await loading
        await delivery.until_delivered()
        found = consumed(site, await site.on_the_bus())
        assert [one[1] for one in found] == [id_of(body(seq)) for seq in range(1, count + 1)]


async def test_what_was_published_before_a_restart_is_not_doubled(path: Path, site: Site) -> None:
    async with opened(path) as it, delivering(it, site) as delivery:
        await write(it, delivery, *events(1, 10))
        await delivery.until_delivered()
        it.journal.move_cursor(TABLE, EPOCH, 3)  # the later marks were lost with the process
    async with opened(path) as it, delivering(it, site) as delivery:
        await write(it, delivery, *events(11, 12))
        await delivery.until_delivered()
        assert delivery.verdicts == ["agrees"]
        # What follows the cursor goes out again where the bus drops it as a repeat.
        assert delivery.publisher.state().published == (9 if site.drops_repeats else 2)
        assert len(await site.on_the_bus()) == 12


async def test_an_acknowledgement_that_does_not_come_is_asked_for_again_under_the_same_id(
    path: Path, site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in (client, connection):
        monkeypatch.setattr(module, "ACK_S", 0.2)

    async with opened(path) as it, delivering(it, site) as delivery:
        await write(it, delivery, *events(1, 5))
        await delivery.until_delivered()
        site.freeze()
        await write(it, delivery, *events(6, 8))
        await delivery.until(lambda: "did not acknowledge" in delivery.error())
        assert delivery.publisher.state().lag == 3
        site.thaw()
        await delivery.until_delivered()
        found = consumed(site, await site.on_the_bus())
        assert [one[2] for one in found] == [body(seq) for seq in range(1, 9)]


async def test_b14_an_event_that_the_bus_refuses_for_good_leaves_a_tombstone_in_its_place(
    path: Path, site: Site
) -> None:
    large = Transaction(TABLE, (event(2, note="x" * LARGEST),))
    async with opened(path) as it, delivering(it, site) as delivery:
        await write(it, delivery, *events(1, 1), large, *events(3, 3))
        await delivery.until_delivered()
        found = await site.on_the_bus()
        said = json.loads(found[1][2])["data"]["note"]
        assert re.fullmatch(
            r"\d+ bytes (on the wire )?are more than the (server|broker) takes", said
        )
        assert [one[2] for one in found] == [
            body(1),
            body(2, kind="event.withheld", note=said),
            body(3),
        ]
        assert found[1][:2] == ("pit.event.oslo.T-07.event.withheld", id_of(found[1][2]))
        assert delivery.publisher.state().refused == 1


async def test_a_tombstone_as_the_last_event_is_no_sign_of_a_rolled_back_journal(
    path: Path, site: Site
) -> None:
    async with opened(path) as it:
        await it.write(*events(1, 1))
        bus = await site.open_bus(lambda _: None)
        payload = tombstone(body(1), "too large")
        address = Address("oslo", TABLE, "live")
        await eventually(
            bus.publish, address, Outgoing("event.withheld", id_of(payload), payload), 0
        )
        await bus.close()
        async with delivering(it, site) as delivery:
            await delivery.until(lambda: delivery.verdicts)
            assert delivery.verdicts == ["agrees"]


@pytest.mark.parametrize(
    "since_then",
    [[], ["another"]],
    ids=["a later seq on the bus", "another body for the same seq"],
)
async def test_a_journal_older_than_the_bus_is_found_and_its_epoch_goes_no_further(
    path: Path, site: Site, since_then: list[str]
) -> None:
    backup = path.with_name("backup.db")

    async with opened(path) as it:
        await it.write(*events(1, 3))
    shutil.copy(path, backup)
    async with opened(path) as it, delivering(it, site) as delivery:
        await write(it, delivery, *events(4, 4))
        await delivery.until_delivered()
    async with opened(backup) as it:
        for note in since_then:
            await it.write(*events(4, 4, note=note))
        async with delivering(it, site) as delivery:
            await delivery.until(lambda: delivery.verdicts)
            assert delivery.verdicts == ["rolled_back"]
            next_record = it.journal.head(TABLE).record + 1
            await write(
                it, delivery, Transaction(TABLE, (event(1, record=next_record, epoch=LATER),))
            )
            await delivery.until_delivered()
            found = await site.on_the_bus()
            assert [one[1].split(":")[1:3] for one in found] == [
                *([EPOCH, str(seq)] for seq in (1, 2, 3, 4)),
                [LATER, "1"],
            ]
            assert found[3][2] == body(4)
        # The mark of the new epoch is lost with the process; what was left out stays out.
        it.journal.move_cursor(TABLE, EPOCH, 3)
        async with delivering(it, site) as delivery:
            await delivery.until(lambda: delivery.verdicts)
            await delivery.until_delivered()
            assert delivery.verdicts == ["agrees"]
            assert await site.on_the_bus() == found


async def test_of_a_new_journal_at_a_known_table_only_what_comes_after_the_bus_goes_out(
    path: Path, site: Site
) -> None:
    async with opened(path) as it, delivering(it, site) as delivery:
        await write(it, delivery, *events(1, 3))
        await delivery.until_delivered()
    new = path.with_name("new.db")
    async with opened(new) as it:
        await it.write(Transaction(TABLE, (event(1, epoch=LATER),)))
        async with delivering(it, site) as delivery:
            await delivery.until(lambda: delivery.found)
            (found,) = delivery.found
            assert (found.verdict, found.bus_epoch) == ("unknown_epoch", EPOCH)
            assert "1 events of the journal that the bus lacks stay unpublished" in found.detail
            assert len(await site.on_the_bus()) == 3
    async with opened(new) as it:  # the daemon began an epoch that names the bus's, and died
        first = Record(2, LAST, 1, "event", body(1, LAST, previous=EPOCH))
        await it.write(Transaction(TABLE, (first,)))
        async with delivering(it, site) as delivery:
            await delivery.until_delivered()
            assert delivery.verdicts == ["agrees"]
            assert [one[2] for one in await site.on_the_bus()][3:] == [first.blob]


async def test_the_rest_of_an_epoch_is_delivered_before_the_next_one(
    path: Path, site: Site
) -> None:
    async with opened(path) as it:
        note = Record(6, LATER, None, "input", b"{}")
        later = [event(seq, record=6 + seq, epoch=LATER) for seq in (1, 2)]
        await it.write(*events(1, 5), Transaction(TABLE, (note, *later)))
        async with delivering(it, site) as delivery:
            assert delivery.publisher.state().lag == 7
            await delivery.until_delivered()
            assert [one[2] for one in await site.on_the_bus()] == [
                *(body(seq) for seq in (1, 2, 3, 4, 5)),
                *(body(seq, LATER) for seq in (1, 2)),
            ]


async def test_a_resend_delivers_again_and_then_goes_on(path: Path, site: Site) -> None:
    async with opened(path) as it, delivering(it, site) as delivery:
        await write(it, delivery, *events(1, 5))
        await delivery.until_delivered()
        for from_seq in (4, 3):
            again = 5 - from_seq + 1
            delivery.publisher.resend(from_seq)
            await delivery.until_published(delivery.publisher.state().published + again)
        await write(it, delivery, *events(6, 6))
        await delivery.until_delivered()
        found = await site.on_the_bus()
        assert [one[2] for one in found] == [body(seq) for seq in (1, 2, 3, 4, 5, 4, 5, 3, 4, 5, 6)]
        assert found[-1][1] == id_of(body(6))
        assert len({one[1] for one in found}) == 11


async def test_a_resend_ends_where_it_was_asked_to(path: Path, site: Site) -> None:
    """It had no end, and published the rest of the epoch again."""
    async with opened(path) as it, delivering(it, site) as delivery:
        await write(it, delivery, *events(1, 6))
        await delivery.until_delivered()
        delivery.publisher.resend(2, 3)
        await delivery.until_published(8)
        delivery.publisher.resend(5, 99)
        await delivery.until_published(10)
        delivery.publisher.resend(4, 3)
        delivery.publisher.resend(7)
        await write(it, delivery, *events(7, 7))
        await delivery.until_delivered()
        found = await site.on_the_bus()
        assert [one[2] for one in found] == [body(seq) for seq in (1, 2, 3, 4, 5, 6, 2, 3, 5, 6, 7)]
        assert found[-1][1] == id_of(body(7))


async def test_a_resend_asked_for_in_the_midst_of_another_leaves_nothing_of_it_out(
    path: Path, site: Site
) -> None:
    async with opened(path) as it, delivering(it, site) as delivery:
        await write(it, delivery, *events(1, 6))
        await delivery.until_delivered()
        delivery.publisher.resend(4, 5)
        delivery.publisher.resend(2, 2)
        await write(it, delivery, *events(7, 7))
        await delivery.until_published(11)
        await delivery.until_delivered()
        again = [json.loads(one[2])["sequence"] for one in (await site.on_the_bus())[6:]]
        assert [int(seq) for seq in again] == [2, 3, 4, 5, 7]
