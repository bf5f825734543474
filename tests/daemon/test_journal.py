from __future__ import annotations

import asyncio
import os
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import blake2b
from pathlib import Path

import apsw
import pytest
from durable import (
    EPOCH,
    TABLE,
    Fault,
    FaultyDisk,
    answer,
    body,
    event,
    events,
    faulty_disk,
    opened,
)

from daemon.journal.errors import JournalFailed
from daemon.journal.reader import JournalReader
from daemon.journal.verify import verify
from daemon.records import Record, Transaction


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "journal.db"


def written(path: Path, count: int = 9) -> Path:
    async def write() -> None:
        async with opened(path) as it:
            await it.write(*events(1, count))

    asyncio.run(write())
    return path


# --- append ----------------------------------------------------------------------------------


def test_transactions_are_acknowledged_in_order_and_read_as_written(path: Path) -> None:
    async def scenario() -> None:
        async with opened(path) as it:
            given = events(1, 200)
            await it.write(*given)
            assert it.acknowledged == given
            assert [*it.journal.records(TABLE)] == [one.records[0] for one in given]
            assert it.journal.events(TABLE, EPOCH, 197, 64) == [
                (198, body(198)),
                (199, body(199)),
                (200, body(200)),
            ]
            assert it.conditions == []

    asyncio.run(scenario())


def test_what_is_acknowledged_is_in_the_file(path: Path) -> None:
    async def scenario() -> None:
        async with opened(path) as it:
            seen: list[int] = []

            def look() -> None:
                with JournalReader.open(path) as reader:
                    seen.append(reader.head(TABLE).record)
                it.heard.set()

            it.journal.append(events(1, 1)[0], look)
            await it.until(lambda: seen)
            assert seen == [1]

    asyncio.run(scenario())


def test_each_table_has_its_own_chain(path: Path) -> None:
    async def scenario() -> None:
        async with opened(path) as it:
            await it.write(*events(1, 2, "A"), *events(1, 2, "B"))
            for table in ("A", "B"):
                chain = blake2b(b"pitwire/1\0" + table.encode(), digest_size=32).digest()
                for seq in (1, 2):
                    chain = blake2b(chain + body(seq), digest_size=32).digest()
                assert it.journal.head(table).chain == chain
            assert it.journal.tables() == ("A", "B")

    asyncio.run(scenario())


def test_the_head_counts_records_and_the_events_of_the_last_epoch(path: Path) -> None:
    later = "000002-77aa"

    async def scenario() -> None:
        async with opened(path) as it:
            assert (it.journal.head(TABLE).record, it.journal.head(TABLE).epoch) == (0, None)
            await it.write(*events(1, 3))
            first = Record(4, later, None, "input", b"{}")
            await it.write(Transaction(TABLE, (first, event(1, record=5, epoch=later))))
            head = it.journal.head(TABLE)
            assert (head.record, head.epoch, head.seq) == (5, later, 1)
            assert it.journal.last_seq(TABLE, EPOCH) == 3
            assert it.journal.next_epoch(TABLE, None) == EPOCH
            assert it.journal.next_epoch(TABLE, EPOCH) == later
            assert it.journal.next_epoch(TABLE, later) is None

    asyncio.run(scenario())


def test_the_last_state_is_found_behind_other_records(path: Path) -> None:
    async def scenario() -> None:
        async with opened(path) as it:
            assert it.journal.last_state(TABLE) is None
            states = [Record(one, EPOCH, None, "state", b'{"n":%d}' % one) for one in (1, 2)]
            await it.write(Transaction(TABLE, (*states, event(1, record=3))))
            assert it.journal.last_state(TABLE) == states[1]

    asyncio.run(scenario())


@pytest.mark.parametrize(
    "record",
    [event(4, record=5), event(5, record=4), event(3, record=4), event(2, record=4, epoch="x")],
    ids=["a record is missing", "a seq is missing", "a seq again", "an epoch from its middle"],
)
def test_a_record_that_does_not_follow_is_a_defect(path: Path, record: Record) -> None:
    async def scenario() -> None:
        async with opened(path) as it:
            it.append(*events(1, 3))
            with pytest.raises(ValueError, match="cannot follow"):
                it.append(Transaction(TABLE, (record,)))

    asyncio.run(scenario())


def test_an_empty_transaction_says_that_all_before_it_is_durable(path: Path) -> None:
    async def scenario() -> None:
        async with opened(path) as it:
            it.append(*events(1, 100))
            await it.write(Transaction(TABLE, ()))
            assert it.journal.head(TABLE).record == 100

    asyncio.run(scenario())


def test_closing_writes_what_was_appended(path: Path) -> None:
    async def scenario() -> None:
        async with opened(path) as it:
            it.append(*events(1, 500))
        assert len(it.acknowledged) == 500

    asyncio.run(scenario())
    assert verify(path).tables[0].records == 500


def test_a_defect_in_one_callback_does_not_swallow_the_next(path: Path) -> None:
    def defective() -> None:
        raise KeyError("ours")

    async def scenario() -> None:
        defects: list[str] = []
        asyncio.get_running_loop().set_exception_handler(
            lambda _, context: defects.append(context["message"])
        )
        async with opened(path) as it:
            it.journal.append(events(1, 1)[0], defective)
            await it.write(*events(2, 2))
            assert defects == ["defect in a journal callback"]

    asyncio.run(scenario())


# --- answers and cursors -------------------------------------------------------------------------


def test_a_command_keeps_its_answer_over_a_restart(path: Path) -> None:
    async def scenario() -> None:
        async with opened(path) as it:
            it.append(Transaction(TABLE, (), answer("c1", b"first")))
            assert it.journal.find_answer(TABLE, "c1") == answer("c1", b"first")
        async with opened(path) as it:
            assert it.journal.find_answer(TABLE, "c1") == answer("c1", b"first")
            assert it.journal.find_answer(TABLE, "c2") is None
            assert it.journal.find_answer("another", "c1") is None

    asyncio.run(scenario())


def test_only_answers_older_than_asked_are_forgotten(path: Path) -> None:
    async def scenario() -> None:
        async with opened(path) as it:
            await it.write(
                Transaction(TABLE, (), answer("old", at=99.0)),
                Transaction(TABLE, (), answer("new", at=100.0)),
            )
            it.journal.forget_answers(100.0)
            await it.write(Transaction(TABLE, (Record(1, EPOCH, None, "note", b"{}"),)))
            assert it.journal.find_answer(TABLE, "old") is None
            assert it.journal.find_answer(TABLE, "new") is not None

    asyncio.run(scenario())


def test_the_cursor_is_known_at_once_and_after_a_restart(path: Path) -> None:
    async def scenario() -> None:
        async with opened(path) as it:
            assert it.journal.cursor(TABLE) is None
            it.journal.move_cursor(TABLE, EPOCH, 6)
            it.journal.move_cursor(TABLE, EPOCH, 7)
            assert it.journal.cursor(TABLE) == (EPOCH, 7)
        async with opened(path) as it:
            assert it.journal.cursor(TABLE) == (EPOCH, 7)

    asyncio.run(scenario())


# --- the file ------------------------------------------------------------------------------------


def test_the_journal_is_private(path: Path) -> None:
    async def scenario() -> None:
        async with opened(path) as it:
            await it.write(*events(1, 1))
            modes = {one.name: one.stat().st_mode & 0o777 for one in path.parent.iterdir()}
            assert set(modes) == {f"journal.db{end}" for end in ("", "-wal", "-shm", ".lock")}
            assert set(modes.values()) == {0o600}

    asyncio.run(scenario())


def test_a_commit_is_synced_before_it_is_acknowledged(path: Path) -> None:
    async def scenario(disk: FaultyDisk) -> None:
        async with opened(path, vfs=disk.name) as it:
            for seq in (1, 2, 3):
                disk.fault = Fault("xSync", 1_000)
                await it.write(*events(seq, seq))
                assert disk.fault.nth < 1_000

    with faulty_disk() as disk:
        asyncio.run(scenario(disk))


def test_two_daemons_cannot_write_one_journal(path: Path) -> None:
    async def scenario() -> None:
        async with opened(path):
            with pytest.raises(JournalFailed, match=f"in use by process {os.getpid()}"):
                async with opened(path):
                    pass

    asyncio.run(scenario())


@pytest.mark.parametrize(
    ("sql", "said"),
    [
        ("PRAGMA user_version=2", "a journal of version 2; this program writes version 1"),
        ("PRAGMA application_id=7", "is another file"),
    ],
)
def test_another_schema_is_refused_and_left_as_it_is(path: Path, sql: str, said: str) -> None:
    with sqlite3.connect(written(path)) as db:
        db.execute(sql)
    db.close()
    before = path.read_bytes()

    async def scenario() -> None:
        with pytest.raises(JournalFailed, match=said):
            async with opened(path):
                pass

    asyncio.run(scenario())
    assert path.read_bytes() == before


def test_a_folder_that_is_not_there_is_named(tmp_path: Path) -> None:
    async def scenario() -> None:
        with pytest.raises(JournalFailed, match="nowhere"):
            async with opened(tmp_path / "nowhere" / "journal.db"):
                pass

    asyncio.run(scenario())


def test_a_corrupt_file_is_set_aside_byte_for_byte_with_its_log(path: Path, tmp_path: Path) -> None:
    crashed = tmp_path / "crashed"
    crashed.mkdir()

    async def crash() -> None:
        async with opened(path) as it:
            await it.write(*events(1, 50))
            for end in ("", "-wal"):
                name = path.name + end
                (crashed / name).write_bytes((path.parent / name).read_bytes())

    asyncio.run(crash())
    damaged = crashed / path.name
    damaged.write_bytes(b"\0" * 100 + damaged.read_bytes()[100:])
    log = (crashed / (path.name + "-wal")).read_bytes()
    log = log[:1000] + b"\xff" * 5000 + log[6000:]
    (crashed / (path.name + "-wal")).write_bytes(log)
    before = damaged.read_bytes()

    async def scenario() -> None:
        async with opened(damaged) as it:
            assert it.journal.set_aside == crashed / "journal.db.corrupt-1"
            assert it.journal.set_aside.read_bytes() == before
            assert (crashed / "journal.db.corrupt-1-wal").read_bytes() == log
            assert it.journal.tables() == ()
            await it.write(*events(1, 1))
        damaged.write_bytes(b"not a database" * 1000)
        async with opened(damaged) as it:
            assert it.journal.set_aside == crashed / "journal.db.corrupt-2"
        async with opened(damaged) as it:
            assert it.journal.set_aside is None

    asyncio.run(scenario())


def test_an_emptied_file_does_not_take_its_log_with_it(path: Path) -> None:
    path.touch()
    log = path.with_name("journal.db-wal")
    log.write_bytes(b"what a power cut left")

    async def scenario() -> None:
        async with opened(path) as it:
            assert it.journal.set_aside == path.with_name("journal.db.corrupt-1")
            kept = path.with_name("journal.db.corrupt-1-wal")
            assert kept.read_bytes() == b"what a power cut left"

    asyncio.run(scenario())


def test_damage_found_while_running_ends_the_journal_and_is_set_aside_at_the_next_start(
    path: Path,
) -> None:
    written(path, 400)
    whole = path.read_bytes()
    pages = [whole[at : at + 4096] for at in range(0, len(whole), 4096)]
    # Every leaf but the first pages: those that opening must read stay whole.
    path.write_bytes(b"".join(pages[:6] + [b"\x55" * 4096 for _ in pages[6:]]))

    async def scenario() -> None:
        with pytest.raises(JournalFailed, match="damaged") as failure:
            async with opened(path) as it:
                list(it.journal.records(TABLE))
        assert failure.value.damaged
        async with opened(path) as it:
            assert it.journal.set_aside is not None
        async with opened(path) as it:
            assert it.journal.set_aside is None

    asyncio.run(scenario())


# --- a disk that fails ---------------------------------------------------------------------------


def big(seq: int) -> Transaction:
    return Transaction(TABLE, (event(seq, note="x" * 200_000),))


@pytest.mark.parametrize("nth", range(1, 40))
def test_every_nth_write_without_space_is_told_kept_and_tried_again(path: Path, nth: int) -> None:
    async def scenario(disk: FaultyDisk) -> None:
        async with opened(path, vfs=disk.name) as it:
            disk.fault = Fault("xWrite", nth, apsw.FullError)
            given = events(1, 6, note="y" * 9000)
            for one in given:
                await it.write(one)
            assert disk.fault.hit
            assert it.acknowledged == given
            assert it.conditions == ["no space left on the disk: free some", None]
            assert it.failures == []

    with faulty_disk() as disk:
        asyncio.run(scenario(disk))
    assert (verify(path).bad, verify(path).tables[0].records) == ((), 6)


@pytest.mark.parametrize(("method", "most"), [("xWrite", 40), ("xSync", 7)])
def test_every_nth_failing_write_or_sync_ends_the_journal_and_loses_nothing_acknowledged(
    path: Path, method: str, most: int
) -> None:
    async def scenario(disk: FaultyDisk, file: Path, nth: int) -> int:
        async with opened(file, vfs=disk.name) as it:
            disk.fault = Fault(method, nth, apsw.IOError)
            it.append(*events(1, 3, note="y" * 9000))
            await it.until(lambda: it.failures or len(it.acknowledged) == 3)
            it.append(*events(4, 6, note="y" * 9000))
            await it.until(lambda: it.failures or len(it.acknowledged) == 6)
            assert bool(it.failures) == disk.fault.hit
            return len(it.acknowledged)

    with faulty_disk() as disk:
        for nth in range(1, most):
            file = path.with_name(f"{nth}.db")
            acknowledged = asyncio.run(scenario(disk, file, nth))
            disk.fault = Fault()
            report = verify(file)
            assert report.bad == ()
            assert sum(one.records for one in report.tables) >= acknowledged


def folding(path: Path, fault: Fault) -> tuple[list[JournalFailed], bool]:
    """Write more than fits in the log while something is wrong with the file itself."""

    async def scenario(disk: FaultyDisk) -> list[JournalFailed]:
        async with opened(path, vfs=disk.name) as it:
            disk.fault = fault
            it.append(*(big(seq) for seq in range(1, 61)))
            await it.until(lambda: it.failures or len(it.acknowledged) == 60)
            return it.failures

    with faulty_disk() as disk:
        return asyncio.run(scenario(disk)), fault.hit


@pytest.mark.parametrize("nth", [1, 2, 300])
def test_folding_the_log_may_lack_space(path: Path, nth: int) -> None:
    fault = Fault("xWrite", nth, apsw.FullError, only=apsw.SQLITE_OPEN_MAIN_DB)
    assert folding(path, fault) == ([], True)
    assert verify(path).tables[0].records == 60


def test_a_failed_sync_while_folding_the_log_is_not_overlooked(path: Path) -> None:
    fault = Fault("xSync", 1, apsw.IOError, only=apsw.SQLITE_OPEN_MAIN_DB)
    failures, hit = folding(path, fault)
    assert hit
    assert ["the disk failed" in one.what for one in failures] == [True]


def test_a_locked_file_blocks_and_resumes_by_itself(path: Path) -> None:
    async def scenario() -> None:
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

    asyncio.run(scenario())


@contextmanager
def tiny_disk(folder: Path) -> Iterator[Path]:
    folder.mkdir()
    mounting = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=512k", "tmpfs", folder],
        capture_output=True,
        check=False,
    )
    if mounting.returncode != 0:
        pytest.skip("a small file system can only be mounted by root")
    try:
        yield folder
    finally:
        subprocess.run(["umount", folder], check=True)


def test_a_full_disk_blocks_and_resumes_when_there_is_space(tmp_path: Path) -> None:
    async def scenario(disk: Path) -> None:
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

    with tiny_disk(tmp_path / "tiny") as disk:
        asyncio.run(scenario(disk))


def test_closing_while_blocked_leaves_the_unwritten_unacknowledged(path: Path) -> None:
    async def scenario() -> None:
        other = apsw.Connection(":memory:")
        async with opened(path) as it:
            await it.write(*events(1, 1))
            other = apsw.Connection(str(path))
            other.execute("BEGIN IMMEDIATE")
            it.append(*events(2, 100))
        assert len(it.acknowledged) == 1
        other.close()

    asyncio.run(scenario())
    assert (verify(path).bad, verify(path).tables[0].records) == ((), 1)


WRITER = """
import asyncio, os, sys
from pathlib import Path
from durable import TABLE, events, opened

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
    tests = Path(__file__).parent.parent
    environment = os.environ | {"PYTHONPATH": f"{tests}:{tests.parent}"}
    for enough in (1, 90, 400):
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


# --- verify --------------------------------------------------------------------------------------


def edited(path: Path, *statements: str) -> Path:
    db = sqlite3.connect(written(path), isolation_level=None)
    for one in statements:
        db.execute(one)
    db.close()
    return path


def test_an_untouched_journal_is_verified(path: Path) -> None:
    seen: list[tuple[str, int]] = []
    report = verify(written(path, 10_001), progress=lambda *one: seen.append(one))
    assert (report.bad, report.tables[0].records) == ((), 10_001)
    assert seen == [(TABLE, 10_000)]


@pytest.mark.parametrize("at", range(0, len(body(5)), 9))
def test_any_edited_byte_of_a_record_is_found(path: Path, at: int) -> None:
    written(path)
    file = bytearray(path.read_bytes())
    file[file.index(body(5)) + at] ^= 0x04
    path.write_bytes(file)
    assert [one.record for one in verify(path).bad] == [5]


@pytest.mark.parametrize(
    ("statement", "record", "what"),
    [
        ("DELETE FROM records WHERE record=4", 4, "it is missing; record 5 comes next"),
        ("UPDATE records SET kind='note', seq=NULL WHERE record=4", 5, "seq 4 of epoch"),
        ("UPDATE records SET kind='note' WHERE record=4", 4, "kind note has seq 4"),
        ("UPDATE records SET seq=NULL WHERE record=4", 4, "kind event has seq None"),
        ("UPDATE records SET seq=99 WHERE record=9", 9, "seq 9 of epoch"),
        ("UPDATE records SET epoch='x' WHERE record=9", 9, "seq 1 of epoch x is missing"),
        ("UPDATE records SET epoch='x', seq=1 WHERE record=9", 9, "not event 1 of epoch x"),
        ("UPDATE records SET chain=zeroblob(32) WHERE record=4", 4, "the chain does not fit"),
        ("UPDATE records SET table_id='B' WHERE record>6", 1, "it is missing; record 7"),
    ],
)
def test_an_edit_around_a_record_is_found(
    path: Path, statement: str, record: int, what: str
) -> None:
    bad = verify(edited(path, statement)).bad
    assert [one.record for one in bad] == [record]
    assert what in bad[0].what


def test_records_in_another_order_are_found(path: Path) -> None:
    swap = "UPDATE records SET record={} WHERE record={}"
    edited(path, swap.format(99, 3), swap.format(3, 4), swap.format(4, 99))
    assert [one.record for one in verify(path).bad] == [3]


def test_a_consistent_forgery_of_one_record_breaks_at_the_next(path: Path) -> None:
    with JournalReader.open(written(path)) as reader:
        before = [*reader.chained(TABLE)][2][5]
    forged = body(4, note="forged")
    chain = blake2b(before + forged, digest_size=32).digest()
    db = sqlite3.connect(path, isolation_level=None)
    db.execute("UPDATE records SET blob=?, chain=? WHERE record=4", (forged, chain))
    db.close()
    assert [one.record for one in verify(path).bad] == [5]


def test_verifying_changes_nothing_and_works_beside_a_running_daemon(path: Path) -> None:
    async def scenario() -> None:
        async with opened(path) as it:
            await it.write(*events(1, 30))
            assert verify(path, TABLE).tables[0].chain == it.journal.head(TABLE).chain
            await it.write(*events(31, 31))

    asyncio.run(scenario())
    before = path.read_bytes()
    verify(path)
    assert path.read_bytes() == before


def test_a_file_that_is_not_a_journal_cannot_be_verified(path: Path) -> None:
    path.write_text("not a journal at all, but long enough to be looked at " * 100)
    with pytest.raises(JournalFailed, match="cannot be read"):
        verify(path)
