"""Old records are checked while the journal is written: found once, named, nobody kept waiting."""

from __future__ import annotations

import asyncio
import time
from pathlib import Path

import pytest
from support.durable import EPOCH, TABLE, Opened, events, opened
from support.tampering import edit

from daemon.journal.background_check import BackgroundCheck, check_unpublished
from daemon.journal.records import Record, Transaction
from daemon.journal.retention import Retention
from daemon.journal.walk import BadRecord

STATE = Transaction(TABLE, (Record(301, EPOCH, None, "state", b"{}"),))


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "journal.db"


async def with_an_old_hole(path: Path) -> None:
    async with opened(path) as it:
        await it.write(*events(1, 300), STATE, *events(1, 300, "B"))
    edit(path, "DELETE FROM records WHERE table_id='T-07' AND record=40")


async def found(it: Opened, seconds: float = 5.0) -> list[BadRecord]:
    """Return what a check every few milliseconds finds until it finds something."""
    bad: list[BadRecord] = []
    task = asyncio.create_task(
        BackgroundCheck(it.journal, bad.append, Retention(), every_s=0.005).run()
    )
    async with asyncio.timeout(seconds):
        while not bad:  # noqa: ASYNC110 - nobody announces it
            await asyncio.sleep(0.005)
    await asyncio.sleep(0.1)  # it would be told again by now
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)
    return bad


async def test_an_old_hole_that_a_start_does_not_see_is_found_and_told_once(path: Path) -> None:
    await with_an_old_hole(path)
    async with opened(path) as it:
        assert it.journal.damage == {}
        (bad,) = await found(it)
        assert (bad.table, bad.record) == (TABLE, 40)
        assert bad.what == "it is missing; record 41 comes next"


async def test_what_is_appended_meanwhile_is_no_damage(path: Path) -> None:
    async with opened(path) as it:
        await it.write(*events(1, 300), STATE)
        check = BackgroundCheck(it.journal, lambda bad: pytest.fail(bad.sentence), Retention())
        checking = asyncio.create_task(check._check(TABLE))
        seq = 300
        while not checking.done():
            seq += 1
            await it.write(Transaction(TABLE, (Record(seq + 1, EPOCH, None, "note", b"{}"),)))
        assert checking.result() is None
        assert seq > 300


async def test_what_the_bus_lacks_is_checked_from_its_last_event_on(path: Path) -> None:
    await with_an_old_hole(path)
    async with opened(path) as it:
        bad = await check_unpublished(it.journal, TABLE)
        assert bad is not None
        assert bad.record == 40
        it.journal.move_cursor(TABLE, EPOCH, 50)
        assert await check_unpublished(it.journal, TABLE) is None
        assert await check_unpublished(it.journal, "never heard of") is None


async def test_the_loop_is_never_kept_for_long(path: Path) -> None:
    async with opened(path) as it:
        await it.write(*events(1, 5000, note="x" * 300))
        check = BackgroundCheck(it.journal, lambda bad: pytest.fail(bad.sentence), Retention())
        task = asyncio.create_task(check._check(TABLE))
        late, busy_s, began = 0.0, time.thread_time(), time.monotonic()
        while not task.done():
            due = time.monotonic() + 0.001
            await asyncio.sleep(0.001)
            late = max(late, time.monotonic() - due)
        took_s = time.monotonic() - began
        assert task.result() is None
        assert (time.thread_time() - busy_s) / took_s < 0.6, "most of the time is others'"
        assert late < 0.5, "a step takes a millisecond; the rest is the machine's load"
