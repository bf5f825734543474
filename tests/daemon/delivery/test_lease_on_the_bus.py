"""The lease on a real server: what it takes from whom."""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import Sequence
from pathlib import Path

import nats
import pytest
from nats.aio.client import Client
from support.delivering import Delivery, NatsSite, delivering, id_of, on_the_bus, write
from support.durable import EPOCH, TABLE, body, events, opened

from daemon.buses.nats_jetstream import NatsBus
from daemon.buses.nats_jetstream.stored import NatsLog
from daemon.delivery.bus import Address, LeaseChanged, Outgoing, StoredEvent
from daemon.delivery.foreign_events import ForeignEvents
from daemon.delivery.lease import Owner
from daemon.runtime.tasks import end_tasks

HERE = Address("oslo", TABLE, "live")
FIRST, SECOND = Owner("the first", "place one"), Owner("the second", "place two")


def standings(*deliveries: Delivery) -> list[str]:
    return [one.lease.lease.standing for one in deliveries]


async def test_c2_the_bus_takes_no_event_of_a_daemon_that_lost_the_lease(
    path: Path, site: NatsSite
) -> None:
    async with opened(path) as it:
        await it.write(*events(1, 2))
    clone = path.with_name("clone.db")
    shutil.copy(path, clone)
    async with opened(path) as one, opened(clone) as two:
        async with delivering(one, site.url, owner=FIRST) as first:
            await first.until_delivered()
            number = first.lease.lease.number
            leases = first.bus.leases
            assert await leases.write(HERE, b"somebody's", number) > number
            with pytest.raises(LeaseChanged):
                await first.bus.publish(HERE, Outgoing("card.dealt", "1", body(9)), number)
            # what is no lease of a daemon refuses nobody
            await write(one, first, *events(3, 3))
            await first.until_delivered()
            async with delivering(two, site.url, owner=SECOND) as second:
                await write(two, second, *events(3, 5, note="another card"))
                await second.until(lambda: standings(first, second) == ["ours", "other"])
                assert second.lease.lease.other == "the first"
                assert second.publisher.state().published == 0
                await first.lease.release()
                await second.until(lambda: second.lease.lease.standing == "ours")
                await second.until(lambda: second.found)
                assert second.verdicts == ["rolled_back"], "the other has sent another event 3"
        assert [one[2] for one in await on_the_bus(site.url)] == [body(1), body(2), body(3)]


async def test_a9_an_owner_that_is_gone_is_waited_for_and_then_replaced(
    path: Path, site: NatsSite
) -> None:
    async with opened(path) as it:
        async with delivering(it, site.url, owner=FIRST) as first:
            await write(it, first, *events(1, 1))
            await first.until_delivered()
        async with delivering(it, site.url, owner=SECOND) as second:
            await write(it, second, *events(2, 2))
            assert second.publisher.state().published == 0
            await second.until_delivered()
            assert second.verdicts == ["agrees"]
        async with delivering(it, site.url, owner=SECOND) as successor:
            await successor.until(lambda: successor.lease.lease.standing != "unknown")
            assert standings(successor) == ["ours"], "who had our journal's lock is dead"


async def test_f8_a_lease_that_the_bus_lost_is_written_again(path: Path, site: NatsSite) -> None:
    async with opened(path) as it, delivering(it, site.url, owner=FIRST) as first:
        await write(it, first, *events(1, 1))
        await first.until_delivered()
        client = await nats.connect(site.url)
        await client.jetstream().purge_stream("PIT", subject="pit.lease.>")
        await client.close()
        await write(it, first, *events(2, 3))
        await first.until_delivered()
        assert [one[2] for one in await on_the_bus(site.url)] == [body(1), body(2), body(3)]


async def forge(client: Client, payload: bytes, message_id: str) -> None:
    headers = {"Nats-Msg-Id": message_id}
    await client.jetstream().publish("pit.event.oslo.T-07.card.dealt", payload, headers=headers)


async def test_c3_who_uses_up_an_id_before_us_makes_no_event_vanish(
    path: Path, site: NatsSite
) -> None:
    async with opened(path) as it, delivering(it, site.url) as delivery:
        await write(it, delivery, *events(1, 1))
        await delivery.until_delivered()
        client = await nats.connect(site.url)
        await forge(client, body(2, note="forged"), f"{TABLE}:{EPOCH}:2")
        await forge(client, body(3, note="forged"), id_of(body(3)))
        await write(it, delivery, *events(2, 3))
        await delivery.until_delivered()
        await client.close()
        found = [one[2] for one in await on_the_bus(site.url)]
        assert found == [
            body(1), body(2, note="forged"), body(3, note="forged"), body(2), body(3)
        ]  # fmt: skip
        (told,) = delivery.foreign
        assert f"under the id of event 3 of {EPOCH} the bus has message" in told


@pytest.mark.parametrize("told_positions", [True, False])
async def test_c3_an_event_that_is_not_ours_is_found_behind_ours(
    path: Path, site: NatsSite, told_positions: bool
) -> None:
    async with opened(path) as it, delivering(it, site.url) as delivery:
        await write(it, delivery, *events(1, 3))
        await delivery.until_delivered()
        told: list[str] = []
        watch = ForeignEvents(
            it.journal,
            delivery.bus.log,
            HERE,
            ours=lambda: True,
            withheld=lambda _event: False,
            foreign=told.append,
        )
        watch.follow(0, anew=True)
        client = await nats.connect(site.url)
        await forge(client, body(3, note="forged"), "1")
        await forge(client, b"[]", "2")
        await forge(client, body(3), "3")  # ours once more: it does no harm
        await forge(client, body(4, kind="event.withheld"), "4")
        await write(it, delivery, *events(4, 70))
        await delivery.until_delivered()
        await client.close()
        for first, last in delivery.taken if told_positions else ():
            watch.taken(first, last)
        task = asyncio.create_task(watch.run())
        await delivery.until(lambda: len(told) == 3)
        await end_tasks([task])
        assert [one.partition(" on the bus ")[2] for one in told] == [
            f"says that it is event 3 of epoch {EPOCH}: the journal has another body for it",
            "says that it is something that is no event: no event of ours",
            f"says that it is event 4 of epoch {EPOCH}: the journal has another body for it",
        ]


class CountedLog(NatsLog):
    """Reads events back, and counts how many."""

    read = 0

    async def after(self, address: Address, number: int, limit: int) -> Sequence[StoredEvent]:
        found = await super().after(address, number, limit)
        self.read += len(found)
        return found


async def test_of_our_own_events_only_those_behind_something_else_are_read_back(
    path: Path, site: NatsSite
) -> None:
    async with opened(path) as it, delivering(it, site.url) as delivery:
        await delivery.until(lambda: delivery.found)
        assert isinstance(delivery.bus, NatsBus)
        told: list[str] = []
        log = CountedLog(delivery.bus.log._store)
        watch = ForeignEvents(
            it.journal,
            log,
            HERE,
            ours=lambda: True,
            withheld=lambda _event: False,
            foreign=told.append,
        )
        client = await nats.connect(site.url)
        lease = (await client.jetstream().stream_info("PIT")).state.last_seq
        watch.follow(lease, anew=True)
        await write(it, delivery, *events(1, 40))
        await delivery.until_delivered()
        await forge(client, b"[]", "1")
        await write(it, delivery, *events(41, 80))
        await delivery.until_delivered()
        await client.close()
        for first, last in delivery.taken:
            watch.taken(first, last)
        task = asyncio.create_task(watch.run())
        await delivery.until(lambda: told)
        await end_tasks([task])
        assert len(told) == 1
        assert log.read == 1
