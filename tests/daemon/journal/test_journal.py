from __future__ import annotations

import asyncio
import os
import sqlite3
from hashlib import blake2b
from pathlib import Path

import pytest
from support.durable import (
    EPOCH,
    TABLE,
    Fault,
    answer,
    body,
    event,
    events,
    faulty_disk,
    opened,
)

from daemon.journal.errors import JournalFailed
from daemon.journal.reader import JournalReader
from daemon.journal.records import Record, Transaction
from daemon.journal.verify import verify


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "journal.db"


async def written(path: Path, count: int = 9) -> Path:
    async with opened(path) as it:
        await it.write(*events(1, count))
    return path


# --- append ----------------------------------------------------------------------------------


async def test_transactions_are_acknowledged_in_order_and_read_as_written(path: Path) -> None:
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


async def test_what_is_acknowledged_is_in_the_file(path: Path) -> None:
    async with opened(path) as it:
        seen: list[int] = []

        def look() -> None:
            with JournalReader.open(path) as reader:
                seen.append(reader.head(TABLE).record)
            it.heard.set()

        it.journal.append(events(1, 1)[0], look)
        await it.until(lambda: seen)
        assert seen == [1]


async def test_each_table_has_its_own_chain(path: Path) -> None:
    async with opened(path) as it:
        await it.write(*events(1, 2, "A"), *events(1, 2, "B"))
        for table in ("A", "B"):
            chain = blake2b(b"pitwire/1\0" + table.encode(), digest_size=32).digest()
            for seq in (1, 2):
                columns = f"{seq}\0{EPOCH}\0{seq}\0event\0".encode()
                chain = blake2b(chain + columns + body(seq), digest_size=32).digest()
            assert it.journal.head(table).chain == chain
        assert it.journal.tables() == ("A", "B")


async def test_the_head_counts_records_and_the_events_of_the_last_epoch(path: Path) -> None:
    later = "000002-77aa"

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


@pytest.mark.parametrize("limit", [3, 500])
async def test_new_events_are_read_as_those_in_the_file(path: Path, limit: int) -> None:
    async with opened(path) as it:
        await it.write(*events(1, 20))
    async with opened(path) as it, asyncio.timeout(10):
        await it.write(*events(21, 50))
        later = [event(seq, record=50 + seq, epoch="000002-77aa") for seq in (1, 2)]
        await it.write(Transaction(TABLE, tuple(later)))
        with JournalReader.open(path) as reader:
            for epoch in (EPOCH, "000002-77aa", "unknown"):
                assert it.journal.next_epoch(TABLE, epoch) == reader.next_epoch(TABLE, epoch)
                for after in range(52):
                    asked = (TABLE, epoch, after, limit)
                    assert it.journal.events(*asked) == reader.events(*asked)


async def test_the_last_state_is_found_behind_other_records(path: Path) -> None:
    async with opened(path) as it:
        assert it.journal.last_state(TABLE) is None
        states = [Record(one, EPOCH, None, "state", b'{"n":%d}' % one) for one in (1, 2)]
        await it.write(Transaction(TABLE, (*states, event(1, record=3))))
        assert it.journal.last_state(TABLE) == states[1]


@pytest.mark.parametrize(
    "record",
    [event(4, record=5), event(5, record=4), event(3, record=4), event(2, record=4, epoch="x")],
    ids=["a record is missing", "a seq is missing", "a seq again", "an epoch from its middle"],
)
async def test_a_record_that_does_not_follow_is_a_defect(path: Path, record: Record) -> None:
    async with opened(path) as it:
        it.append(*events(1, 3))
        with pytest.raises(ValueError, match="cannot follow"):
            it.append(Transaction(TABLE, (record,)))


async def test_an_empty_transaction_says_that_all_before_it_is_durable(path: Path) -> None:
    async with opened(path) as it:
        it.append(*events(1, 100))
        await it.write(Transaction(TABLE, ()))
        assert it.journal.head(TABLE).record == 100


async def test_closing_writes_what_was_appended(path: Path) -> None:
    async with opened(path) as it:
        it.append(*events(1, 500))
    assert len(it.acknowledged) == 500
    assert verify(path).tables[0].records == 500


async def test_a_defect_in_one_callback_does_not_swallow_the_next(path: Path) -> None:
    def defective() -> None:
        raise KeyError("ours")

    defects: list[str] = []
    asyncio.get_running_loop().set_exception_handler(
        lambda _, context: defects.append(context["message"])
    )
    async with opened(path) as it:
        it.journal.append(events(1, 1)[0], defective)
        await it.write(*events(2, 2))
        assert defects == ["defect in a journal callback"]


# --- answers and cursors -------------------------------------------------------------------------


async def test_a_command_keeps_its_answer_over_a_restart(path: Path) -> None:
    async with opened(path) as it:
        it.append(Transaction(TABLE, (), (answer("c1", b"first"),)))
        assert it.journal.find_answer(TABLE, "c1") == answer("c1", b"first")
    async with opened(path) as it:
        assert it.journal.find_answer(TABLE, "c1") == answer("c1", b"first")
        assert it.journal.find_answer(TABLE, "c2") is None
        assert it.journal.find_answer("another", "c1") is None


async def test_only_answers_older_than_asked_are_forgotten(path: Path) -> None:
    async with opened(path) as it:
        await it.write(
            Transaction(TABLE, (), (answer("old", at=99.0),)),
            Transaction(TABLE, (), (answer("new", at=100.0),)),
        )
        it.journal.forget_answers(100.0)
        await it.write(Transaction(TABLE, (Record(1, EPOCH, None, "note", b"{}"),)))
        assert it.journal.find_answer(TABLE, "old") is None
        assert it.journal.find_answer(TABLE, "new") is not None


async def test_the_cursor_is_known_at_once_and_after_a_restart(path: Path) -> None:
    async with opened(path) as it:
        await it.write(*events(1, 7))
        assert it.journal.cursor(TABLE) is None
        it.journal.move_cursor(TABLE, EPOCH, 6)
        it.journal.move_cursor(TABLE, EPOCH, 7)
        assert it.journal.cursor(TABLE) == (EPOCH, 7)
    async with opened(path) as it:
        assert it.journal.cursor(TABLE) == (EPOCH, 7)


# --- the file ------------------------------------------------------------------------------------


async def test_the_journal_is_private(path: Path) -> None:
    async with opened(path) as it:
        await it.write(*events(1, 1))
        modes = {one.name: one.stat().st_mode & 0o777 for one in path.parent.iterdir()}
        assert set(modes) == {f"journal.db{end}" for end in ("", "-wal", "-shm", ".lock")}
        assert set(modes.values()) == {0o600}


async def test_a_commit_is_synced_before_it_is_acknowledged(path: Path) -> None:
    with faulty_disk() as disk:
        async with opened(path, vfs=disk.name) as it:
            for seq in (1, 2, 3):
                disk.fault = Fault("xSync", 1_000)
                await it.write(*events(seq, seq))
                assert disk.fault.nth < 1_000


async def test_two_daemons_cannot_write_one_journal(path: Path) -> None:
    async with opened(path):
        with pytest.raises(JournalFailed, match=f"in use by process {os.getpid()}"):
            async with opened(path):
                pass


@pytest.mark.parametrize(
    ("sql", "said"),
    [
        ("PRAGMA user_version=3", "a journal of version 3; this program writes version 2"),
        ("PRAGMA application_id=7", "is another file"),
    ],
)
async def test_another_schema_is_refused_and_left_as_it_is(path: Path, sql: str, said: str) -> None:
    with sqlite3.connect(await written(path)) as db:
        db.execute(sql)
    db.close()
    before = path.read_bytes()

    with pytest.raises(JournalFailed, match=said):
        async with opened(path):
            pass
    assert path.read_bytes() == before


async def test_a_folder_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(JournalFailed, match="nowhere"):
        async with opened(tmp_path / "nowhere" / "journal.db"):
            pass


async def test_a_corrupt_file_is_set_aside_byte_for_byte_with_its_log(
    path: Path, tmp_path: Path
) -> None:
    crashed = tmp_path / "crashed"
    crashed.mkdir()

    async with opened(path) as it:
        await it.write(*events(1, 50))
        for end in ("", "-wal"):
            name = path.name + end
            (crashed / name).write_bytes((path.parent / name).read_bytes())
    damaged = crashed / path.name
    damaged.write_bytes(b"\0" * 100 + damaged.read_bytes()[100:])
    log = (crashed / (path.name + "-wal")).read_bytes()
    log = log[:1000] + b"\xff" * 5000 + log[6000:]
    (crashed / (path.name + "-wal")).write_bytes(log)
    before = damaged.read_bytes()

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


async def test_an_emptied_file_does_not_take_its_log_with_it(path: Path) -> None:
    path.touch()
    log = path.with_name("journal.db-wal")
    log.write_bytes(b"what a power cut left")

    async with opened(path) as it:
        assert it.journal.set_aside == path.with_name("journal.db.corrupt-1")
        kept = path.with_name("journal.db.corrupt-1-wal")
        assert kept.read_bytes() == b"what a power cut left"


async def test_damage_found_while_running_ends_the_journal_and_is_set_aside_at_the_next_start(
    path: Path,
) -> None:
    async with opened(path) as it:
        state = Record(401, EPOCH, None, "state", b"{}")
        await it.write(*events(1, 400), Transaction(TABLE, (state,)))
    whole = path.read_bytes()
    pages = [whole[at : at + 4096] for at in range(0, len(whole), 4096)]
    # Leaves in the middle: what opening must read, the root and the end, stays whole.
    path.write_bytes(b"".join(pages[:12] + [b"\x55" * 4096 for _ in pages[12:20]] + pages[20:]))

    with pytest.raises(JournalFailed, match="damaged") as failure:
        async with opened(path) as it:
            list(it.journal.records(TABLE))
    assert failure.value.damaged
    async with opened(path) as it:
        assert it.journal.set_aside is not None
    async with opened(path) as it:
        assert it.journal.set_aside is None
