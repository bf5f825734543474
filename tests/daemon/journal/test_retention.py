"""Old records go, never what is needed; and what is left still proves itself."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from support.durable import EPOCH, TABLE, Opened, answer, event, opened

from daemon.journal.background_check import BackgroundCheck
from daemon.journal.records import Record, Transaction
from daemon.journal.retention import Retention, let_go
from daemon.journal.verify import verify

DAY = 86400.0
ROUND = 10


class Clock:
    """The wall clock of checkpoints."""

    def __init__(self) -> None:
        self.now = 1.8e9

    def __call__(self) -> float:
        return self.now


def played(number: int, table: str = TABLE) -> Transaction:
    """A round of nine events and the state that it leaves."""
    first = number * ROUND + 1
    dealt = [event(number * (ROUND - 1) + n + 1, record=first + n) for n in range(ROUND - 1)]
    state = Record(first + ROUND - 1, EPOCH, None, "state", b"{}")
    return Transaction(table, (*dealt, state), (answer(f"c{number}"),))


@asynccontextmanager
async def a_round_a_day(path: Path, days: int) -> AsyncIterator[tuple[Opened, Clock]]:
    """A journal with a round of each of these days, all of them published."""
    clock = Clock()
    async with opened(path, wall=clock) as it:
        for day in range(days):
            clock.now += DAY
            await it.write(played(day))
            it.journal.move_cursor(TABLE, EPOCH, (day + 1) * (ROUND - 1))
        yield it, clock


async def test_what_is_older_goes_and_the_rest_is_verified_from_there(tmp_path: Path) -> None:
    path = tmp_path / "journal.db"
    async with a_round_a_day(path, 30) as (it, clock):
        retention = Retention.of(keep_days=10.5, keep_megabytes=None, gently=False)
        assert await let_go(it.journal, retention, now=clock.now) == 190
        assert it.journal.extent(TABLE) == (191, 300, 110)
        assert verify(path).good
        await it.write(played(30))
    async with opened(path) as it:
        assert it.journal.damage == {}
        assert it.journal.first_seq(TABLE, EPOCH) == 19 * 9 + 1
    report = verify(path, witnesses=it.checkpoints)
    assert (report.good, report.tables[0].records) == (True, 310)


async def test_a_stretch_that_somebody_else_cut_out_is_missed(tmp_path: Path) -> None:
    import apsw  # noqa: PLC0415 - only this test writes past the journal

    path = tmp_path / "journal.db"
    async with a_round_a_day(path, 30) as (it, clock):
        retention = Retention.of(keep_days=10.5, keep_megabytes=None, gently=False)
        await let_go(it.journal, retention, now=clock.now)
    file = apsw.Connection(str(path))
    file.execute("DELETE FROM records WHERE record<=200")
    file.close()
    (bad,) = verify(path).bad
    assert (bad.record, bad.what) == (191, "it is missing; record 201 comes next")


async def test_what_the_bus_does_not_have_stays_however_old(tmp_path: Path) -> None:
    retention = Retention.of(keep_days=7, keep_megabytes=None, gently=False)
    async with a_round_a_day(tmp_path / "journal.db", 3) as (it, clock):
        for number in (3, 4, 5):
            await it.write(played(number))
        clock.now += 1000 * DAY
        await it.write(played(6))
        assert await let_go(it.journal, retention, now=clock.now) == 28
        assert it.journal.events(TABLE, EPOCH, 0)[0] == (27, event(27).blob), "the last it has"
        assert await let_go(it.journal, retention, now=clock.now) == 0


async def test_what_a_restart_resumes_from_stays_however_old(tmp_path: Path) -> None:
    retention = Retention.of(keep_days=7, keep_megabytes=None, gently=False)
    path = tmp_path / "journal.db"
    async with a_round_a_day(path, 3) as (it, clock):
        clock.now += 1000 * DAY
        await it.write(Transaction(TABLE, (Record(31, EPOCH, None, "note", b"{}"),)))
        assert await let_go(it.journal, retention, now=clock.now) == 28
        assert it.journal.last_state(TABLE) == played(2).records[-1]
    async with opened(path) as it:
        assert it.journal.damage == {}


async def test_nothing_goes_of_a_table_that_was_never_published(tmp_path: Path) -> None:
    clock = Clock()
    async with opened(tmp_path / "journal.db", wall=clock) as it:
        for number in range(5):
            clock.now += DAY
            await it.write(played(number))
        clock.now += 1000 * DAY
        await it.write(played(5))
        assert await let_go(it.journal, Retention.of(7, None, gently=False), now=clock.now) == 0


async def test_a_clock_that_is_years_ahead_takes_a_day_and_not_everything(tmp_path: Path) -> None:
    async with a_round_a_day(tmp_path / "journal.db", 30) as (it, clock):
        ahead = clock.now + 3650 * DAY
        assert await let_go(it.journal, Retention.of(7, None), now=ahead) == ROUND
        assert await let_go(it.journal, Retention.of(7, None), now=ahead) == ROUND


async def test_a_file_that_is_too_large_loses_its_oldest_rounds(tmp_path: Path) -> None:
    async with a_round_a_day(tmp_path / "journal.db", 200) as (it, clock):
        used = it.journal.bytes_used()
        assert await let_go(it.journal, Retention(keep_bytes=used + 1), now=clock.now) == 0
        assert await let_go(it.journal, Retention(keep_bytes=used // 2), now=clock.now) > 0
        assert it.journal.bytes_used() == pytest.approx(used / 2, rel=0.2)
        first, last, count = it.journal.extent(TABLE)
        assert (first % ROUND, last, count) == (1, 2000, last - first + 1)
    assert verify(tmp_path / "journal.db").good


async def test_the_check_in_the_background_runs_beside_it(tmp_path: Path) -> None:
    async with a_round_a_day(tmp_path / "journal.db", 30) as (it, clock):
        check = BackgroundCheck(it.journal, lambda bad: pytest.fail(bad.sentence), Retention())
        assert await check._check(TABLE) is None
        await let_go(it.journal, Retention.of(10, None, gently=False), now=clock.now)
        assert await check._check(TABLE) is None
