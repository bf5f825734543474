from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import apsw
import pytest
from support.durable import (
    TABLE,
    Fault,
    event,
    events,
    faulty_disk,
    opened,
)

from daemon.journal.errors import JournalFailed
from daemon.journal.records import Transaction
from daemon.journal.verify import verify


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "journal.db"


def big(seq: int) -> Transaction:
    return Transaction(TABLE, (event(seq, note="x" * 200_000),))


@pytest.mark.parametrize("nth", range(1, 40))
async def test_every_nth_write_without_space_is_told_kept_and_tried_again(
    path: Path, nth: int
) -> None:
    with faulty_disk() as disk:
        async with opened(path, vfs=disk.name) as it:
            disk.fault = Fault("xWrite", nth, apsw.FullError)
            given = events(1, 6, note="y" * 9000)
            for one in given:
                await it.write(one)
            assert disk.fault.hit
            assert it.acknowledged == given
            assert it.conditions == ["no space left on the disk: free some", None]
            assert it.failures == []
    assert (verify(path).bad, verify(path).tables[0].records) == ((), 6)


@pytest.mark.parametrize(("method", "most"), [("xWrite", 40), ("xSync", 7)])
async def test_every_nth_failing_write_or_sync_ends_the_journal_and_loses_nothing_acknowledged(
    path: Path, method: str, most: int
) -> None:
    with faulty_disk() as disk:
        for nth in range(1, most):
            file = path.with_name(f"{nth}.db")
            async with opened(file, vfs=disk.name) as it:
                disk.fault = Fault(method, nth, apsw.IOError)
                it.append(*events(1, 3, note="y" * 9000))
                await it.until(lambda: it.failures or len(it.acknowledged) == 3)
                it.append(*events(4, 6, note="y" * 9000))
                await it.until(lambda: it.failures or len(it.acknowledged) == 6)
                assert bool(it.failures) == disk.fault.hit
                acknowledged = len(it.acknowledged)
            disk.fault = Fault()
            report = verify(file)
            assert report.bad == ()
            assert sum(one.records for one in report.tables) >= acknowledged


async def folding(path: Path, fault: Fault) -> tuple[list[JournalFailed], bool]:
    """Write more than fits in the log while something is wrong with the file itself."""

    with faulty_disk() as disk:
        async with opened(path, vfs=disk.name) as it:
            disk.fault = fault
            it.append(*(big(seq) for seq in range(1, 61)))
            await it.until(lambda: it.failures or len(it.acknowledged) == 60)
    return it.failures, fault.hit


@pytest.mark.parametrize("nth", [1, 2, 300])
async def test_folding_the_log_may_lack_space(path: Path, nth: int) -> None:
    fault = Fault("xWrite", nth, apsw.FullError, only=apsw.SQLITE_OPEN_MAIN_DB)
    assert await folding(path, fault) == ([], True)
    assert verify(path).tables[0].records == 60


async def test_a_failed_sync_while_folding_the_log_is_not_overlooked(path: Path) -> None:
    fault = Fault("xSync", 1, apsw.IOError, only=apsw.SQLITE_OPEN_MAIN_DB)
    failures, hit = await folding(path, fault)
    assert hit
    assert ["the disk failed" in one.what for one in failures] == [True]


async def test_a_locked_file_blocks_and_resumes_by_itself(path: Path) -> None:
    async with opened(path) as it:
        await it.write(*events(1, 1))
        other = apsw.Connection(str(path))
        other.execute("BEGIN IMMEDIATE")
        it.append(*events(2, 40))
        await it.until(lambda: it.conditions)
        assert it.conditions == ["another program holds the file locked: end it"]
        assert len(it.acknowledged) == 1
        other.execute("COMMIT")
        other.close()
        await it.until(lambda: len(it.acknowledged) == 40)
        assert it.conditions[1:] == [None]


@contextmanager
def tiny_disk(folder: Path, size: str = "512k") -> Iterator[Path]:
    folder.mkdir()
    mounting = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", folder],
        capture_output=True,
        check=False,
    )
    if mounting.returncode != 0:
        pytest.skip("a small file system can only be mounted by root")
    try:
        yield folder
    finally:
        subprocess.run(["umount", folder], check=True)


async def test_a_full_disk_blocks_and_resumes_when_there_is_space(tmp_path: Path) -> None:
    with tiny_disk(tmp_path / "tiny") as disk:
        filler = disk / "somebody's video"
        async with opened(disk / "journal.db") as it:
            filler.write_bytes(b"\0" * 300_000)
            given = events(1, 60, note="y" * 2000)
            it.append(*given)
            await it.until(lambda: it.conditions)
            assert it.conditions == ["no space left on the disk: free some"]
            acknowledged = len(it.acknowledged)
            assert it.journal.head(TABLE).record == acknowledged < 60
            filler.unlink()
            await it.until(lambda: len(it.acknowledged) == 60)
            assert (it.acknowledged, it.conditions[1:]) == (given, [None])
        assert verify(disk / "journal.db").bad == ()


async def test_a_small_disk_is_not_filled_by_the_log_of_what_is_written(tmp_path: Path) -> None:
    with tiny_disk(tmp_path / "tiny", "2m") as disk:
        async with opened(disk / "journal.db") as it:
            for one in events(1, 600, note="y" * 200):
                await it.write(one)
            assert it.conditions == []
        assert verify(disk / "journal.db").good


async def test_a_log_that_fills_the_disk_is_folded_when_its_reader_goes(tmp_path: Path) -> None:
    with tiny_disk(tmp_path / "tiny", "2m") as disk:
        async with opened(disk / "journal.db") as it:
            await it.write(*events(1, 3))
            reader = apsw.Connection(str(disk / "journal.db"), flags=apsw.SQLITE_OPEN_READONLY)
            reader.execute("BEGIN")
            assert reader.execute("SELECT count(*) FROM records").fetchall() == [(3,)]
            given = events(4, 600, note="y" * 200)
            for one in given:
                it.append(one)
                await it.until(lambda: it.conditions or len(it.acknowledged) == it.appended)
            assert it.conditions == ["no space left on the disk: free some"]
            assert "keeps it from being folded" in (it.growths[0] or "")
            reader.close()
            await it.until(lambda: len(it.acknowledged) == 600)
            assert it.conditions[1:] == [None]
            await it.write(*events(601, 640))
            assert it.growths[-1] is None
        assert verify(disk / "journal.db").good


async def test_closing_while_blocked_leaves_the_unwritten_unacknowledged(path: Path) -> None:
    other = apsw.Connection(":memory:")
    async with opened(path) as it:
        await it.write(*events(1, 1))
        other = apsw.Connection(str(path))
        other.execute("BEGIN IMMEDIATE")
        it.append(*events(2, 100))
    assert len(it.acknowledged) == 1
    other.close()
    assert (verify(path).bad, verify(path).tables[0].records) == ((), 1)


WRITER = """
import asyncio, os, sys
from pathlib import Path
from support.durable import TABLE, events, opened

async def main(path):
    async with opened(path) as it:
        first = it.journal.head(TABLE).record + 1
        for one in events(first, first + 100_000):
            it.journal.append(one, lambda n=one.records[0].record: os.write(1, b"%d\\n" % n))
            if one.records[0].record % 7 == 0:
                await asyncio.sleep(0)

asyncio.run(main(Path(sys.argv[1])))
"""


def test_kill_9_loses_nothing_that_was_acknowledged(path: Path) -> None:
    tests = Path(__file__).parents[2]
    environment = os.environ | {"PYTHONPATH": f"{tests}:{tests.parent}"}
    for enough in (1, 300):
        child = subprocess.Popen(
            [sys.executable, "-c", WRITER, path], stdout=subprocess.PIPE, env=environment
        )
        assert child.stdout is not None
        acknowledged = [int(child.stdout.readline()) for _ in range(enough)]
        child.send_signal(signal.SIGKILL)
        acknowledged += [int(line) for line in child.stdout.read().split(b"\n")[:-1]]
        child.stdout.close()
        child.wait()
        report = verify(path)
        assert report.bad == ()
        assert report.tables[0].records >= acknowledged[-1]
        assert acknowledged == [*range(acknowledged[0], acknowledged[-1] + 1)]
