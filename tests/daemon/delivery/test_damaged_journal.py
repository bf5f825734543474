"""A journal with a hole or an unreadable event: named, held, and never a busy loop."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest
from support.delivering import Site, delivering, on_the_bus, write
from support.durable import EPOCH, TABLE, body, event, events, nats_server, opened

from daemon.journal.records import Record, Transaction

LATER = "000002-77aa"
NEXT_EPOCH = Transaction(
    TABLE,
    (Record(11, LATER, None, "input", b"{}"), event(1, record=12, epoch=LATER)),
)


async def damaged(path: Path, *statements: str) -> Path:
    """Write ten events and the first of a later epoch, then change the file behind our back."""
    async with opened(path) as it:
        await it.write(*events(1, 10), NEXT_EPOCH)
    file = sqlite3.connect(path, isolation_level=None)
    for statement in statements:
        file.execute(statement)
    file.close()
    return path


@pytest.mark.parametrize(
    ("statement", "delivered", "what"),
    [
        ("DELETE FROM records WHERE record=4", 3, "event 4 is missing; event 5 comes next"),
        ("UPDATE records SET seq=20 WHERE seq=6", 5, "event 6 is missing; event 7 comes next"),
        ("UPDATE records SET blob=x'7b7d' WHERE seq=6", 5, "record of event 6 is another"),
        ("UPDATE records SET blob=x'ff' WHERE seq=6", 5, "record of event 6 is another"),
    ],
)
async def test_events_up_to_the_damage_and_the_next_epoch_are_delivered(
    tmp_path: Path, statement: str, delivered: int, what: str
) -> None:
    path = await damaged(tmp_path / "journal.db", statement)
    with nats_server(tmp_path / "nats") as (server, url):
        site = Site(server, url, tmp_path / "nats", "")
        async with opened(path) as it, delivering(it, site.url) as delivery:
            await delivery.until(lambda: delivery.publisher.state().published > delivered)
            assert [one[2] for one in await on_the_bus(url)] == [
                *(body(seq) for seq in range(1, delivered + 1)),
                body(1, LATER),
            ]
            assert [(epoch, what in told) for epoch, told in delivery.damage] == [(EPOCH, True)]
            await write(it, delivery, Transaction(TABLE, (event(2, record=13, epoch=LATER),)))
            await delivery.until_delivered()


async def test_a_resend_over_an_old_hole_is_answered_with_the_damage(tmp_path: Path) -> None:
    path = tmp_path / "journal.db"
    with nats_server(tmp_path / "nats") as (_server, url):
        async with opened(path) as it, delivering(it, url) as delivery:
            await write(it, delivery, *events(1, 60))
            await delivery.until_delivered()
        file = sqlite3.connect(path, isolation_level=None)
        file.execute("DELETE FROM records WHERE record=4")
        file.close()
        async with opened(path) as it, delivering(it, url) as delivery:
            await delivery.until(lambda: delivery.reconciled)
            delivery.publisher.resend(1)
            await delivery.until(lambda: delivery.damage)
            assert "event 4 is missing" in delivery.damage[0][1]
