from __future__ import annotations

import sqlite3
from hashlib import blake2b
from pathlib import Path

import pytest
from support.durable import (
    EPOCH,
    TABLE,
    body,
    events,
    opened,
)

from daemon.journal.errors import JournalFailed
from daemon.journal.reader import JournalReader
from daemon.journal.verify import verify


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "journal.db"


async def written(path: Path, count: int = 9) -> Path:
    async with opened(path) as it:
        await it.write(*events(1, count))
    return path


async def edited(path: Path, *statements: str) -> Path:
    db = sqlite3.connect(await written(path), isolation_level=None)
    for one in statements:
        db.execute(one)
    db.close()
    return path


async def test_an_untouched_journal_is_verified(path: Path) -> None:
    seen: list[tuple[str, int]] = []
    report = verify(await written(path, 10_001), progress=lambda *one: seen.append(one))
    assert (report.bad, report.tables[0].records) == ((), 10_001)
    assert seen == [(TABLE, 10_000)]


@pytest.mark.parametrize("at", range(0, len(body(5)), 9))
async def test_any_edited_byte_of_a_record_is_found(path: Path, at: int) -> None:
    await written(path)
    file = bytearray(path.read_bytes())
    file[file.index(body(5)) + at] ^= 0x04
    path.write_bytes(file)
    assert [one.record for one in verify(path).bad] == [5]


@pytest.mark.parametrize(
    ("statement", "record", "what"),
    [
        ("DELETE FROM records WHERE record=4", 4, "it is missing; record 5 comes next"),
        ("UPDATE records SET kind='note', seq=NULL WHERE record=4", 4, "the chain does not fit"),
        ("UPDATE records SET kind='note' WHERE record=4", 4, "kind note has seq 4"),
        ("UPDATE records SET seq=NULL WHERE record=4", 4, "kind event has seq None"),
        ("UPDATE records SET seq=99 WHERE record=9", 9, "seq 9 of epoch"),
        ("UPDATE records SET epoch='x' WHERE record=9", 9, "seq 1 of epoch x is missing"),
        ("UPDATE records SET epoch='x', seq=1 WHERE record=9", 9, "not event 1 of epoch x"),
        ("UPDATE records SET chain=zeroblob(32) WHERE record=4", 4, "the chain does not fit"),
    ],
)
async def test_an_edit_around_a_record_is_found(
    path: Path, statement: str, record: int, what: str
) -> None:
    bad = verify(await edited(path, statement)).bad
    assert [one.record for one in bad] == [record]
    assert what in bad[0].what


async def test_records_moved_to_another_table_are_missed_in_both(path: Path) -> None:
    await edited(path, "UPDATE records SET table_id='B' WHERE record>6")
    bad = verify(path).bad
    assert [(one.table, one.record) for one in bad] == [("B", 1), (TABLE, 7)]
    assert "it is missing; record 7 comes next" in bad[0].what
    assert "it is missing: checkpoint" in bad[1].what


async def test_records_in_another_order_are_found(path: Path) -> None:
    swap = "UPDATE records SET record={} WHERE record={}"
    await edited(path, swap.format(99, 3), swap.format(3, 4), swap.format(4, 99))
    assert [one.record for one in verify(path).bad] == [3]


async def test_a_consistent_forgery_of_one_record_breaks_at_the_next(path: Path) -> None:
    with JournalReader.open(await written(path)) as reader:
        before = [*reader.chained(TABLE)][2][5]
    forged = body(4, note="forged")
    columns = f"4\x00{EPOCH}\x004\x00event\x00"
    chain = blake2b(before + columns.encode() + forged, digest_size=32).digest()
    db = sqlite3.connect(path, isolation_level=None)
    db.execute("UPDATE records SET blob=?, chain=? WHERE record=4", (forged, chain))
    db.close()
    assert [one.record for one in verify(path).bad] == [5]


async def test_verifying_changes_nothing_and_works_beside_a_running_daemon(path: Path) -> None:
    async with opened(path) as it:
        await it.write(*events(1, 30))
        assert verify(path, TABLE).tables[0].chain == it.journal.head(TABLE).chain
        await it.write(*events(31, 31))
    before = path.read_bytes()
    verify(path)
    assert path.read_bytes() == before


def test_a_file_that_is_not_a_journal_cannot_be_verified(path: Path) -> None:
    path.write_text("not a journal at all, but long enough to be looked at " * 100)
    with pytest.raises(JournalFailed, match="cannot be read"):
        verify(path)
