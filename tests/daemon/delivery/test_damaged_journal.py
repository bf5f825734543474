"""A journal with a hole or an unreadable event: named, held, and never a busy loop."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest
from support.delivering import delivering, on_the_bus, write
from support.durable import EPOCH, TABLE, body, event, events, nats_server, opened

from daemon.journal.records import Record, Transaction

LATER, LAST = "000002-77aa", "000003-c0de"
NEXT_EPOCH = Transaction(
    TABLE,
    (
        Record(11, LATER, None, "input", b"{}"),
        event(1, record=12, epoch=LATER),
        Record(13, LATER, None, "state", b"{}"),
    ),
)


async def damaged(path: Path, *statements: str) -> Path:
    """Write ten events and the first of a later epoch, then change the file behind our back.

    A checkpoint of its own signs the first event.
    """
    async with opened(path) as it:
        await it.write(*events(1, 1))
        await it.write(*events(2, 10), NEXT_EPOCH)
    file = sqlite3.connect(path, isolation_level=None)
    for statement in statements:
        file.execute(statement)
    file.close()
    return path


@pytest.mark.parametrize(
    ("statement", "record", "what"),
    [
        ("DELETE FROM records WHERE record=4", 4, "it is missing; record 5 comes next"),
        ("UPDATE records SET seq=20 WHERE seq=6", 6, "seq 6 of epoch 000001-9f2c is missing"),
        ("UPDATE records SET blob=x'7b7d' WHERE seq=6", 6, "its body is not event 6"),
        ("UPDATE records SET epoch=CAST(x'ff' AS TEXT) WHERE seq=6", 6, "its epoch is damaged"),
        ("UPDATE records SET blob=x'7b7d' WHERE record=1", 1, "its body is not event 1"),
    ],
)
async def test_events_that_are_proven_are_delivered_and_then_those_of_a_new_epoch(
    tmp_path: Path, statement: str, record: int, what: str
) -> None:
    path = await damaged(tmp_path / "journal.db", statement)
    with nats_server(tmp_path / "nats") as (_server, url):
        async with opened(path) as it, delivering(it, url) as delivery:
            assert it.journal.damage == {}
            await delivery.until(lambda: delivery.damage)
            assert f"record {record} of T-07" in delivery.damage[0]
            assert what in delivery.damage[0]
            assert not delivery.publisher.publishes(LATER)
            new = Transaction(TABLE, (event(1, record=14, epoch=LAST),))
            await write(it, delivery, new)
            await delivery.until_delivered()
            assert [one[2] for one in await on_the_bus(url)] == [
                *(body(seq) for seq in range(1, min(record, 2))),
                body(1, LAST),
            ]
            assert len(delivery.damage) == 1


async def test_of_a_table_that_is_damaged_since_the_start_only_the_new_epoch_is_delivered(
    tmp_path: Path,
) -> None:
    path = await damaged(tmp_path / "journal.db", "DELETE FROM records WHERE record=13")
    with nats_server(tmp_path / "nats") as (_server, url):
        async with opened(path) as it:
            assert it.journal.damage[TABLE].record == 13
            await it.write(Transaction(TABLE, (event(1, record=13, epoch=LAST),)))
            async with delivering(it, url) as delivery:
                await delivery.until_delivered()
                assert [one[2] for one in await on_the_bus(url)] == [body(1, LAST)]
                assert delivery.damage == []


async def test_a_resend_over_an_old_hole_is_answered_with_the_damage(tmp_path: Path) -> None:
    path = tmp_path / "journal.db"
    with nats_server(tmp_path / "nats") as (_server, url):
        async with opened(path) as it, delivering(it, url) as delivery:
            state = Transaction(TABLE, (Record(61, EPOCH, None, "state", b"{}"),))
            await write(it, delivery, *events(1, 60), state)
            await delivery.until_delivered()
        file = sqlite3.connect(path, isolation_level=None)
        file.execute("DELETE FROM records WHERE record=4")
        file.close()
        async with opened(path) as it, delivering(it, url) as delivery:
            await delivery.until(lambda: delivery.found)
            delivery.publisher.resend(1)
            await delivery.until(lambda: delivery.damage)
            assert "event 4 of epoch 000001-9f2c is missing" in delivery.damage[0]
