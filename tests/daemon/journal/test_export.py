"""An export proves itself: one changed, missing or added line is found, by whoever reads it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from support.durable import EPOCH, KEYS, TABLE, events, opened
from support.tampering import edit

from daemon.journal.errors import JournalFailed
from daemon.journal.export import check_export, export
from daemon.journal.reader import JournalReader
from daemon.journal.records import Record, Transaction


async def exported(path: Path, table: str | None = None, from_record: int = 1) -> list[bytes]:
    async with opened(path) as it:
        await it.write(*events(1, 20), *events(1, 5, "B"))
    with JournalReader.open(path) as journal:
        return [*export(journal, table, from_record)]


async def test_every_record_is_there_and_the_whole_is_signed(tmp_path: Path) -> None:
    lines = await exported(tmp_path / "journal.db")
    assert len(lines) == 1 + 25 + 1
    assert [*check_export(lines)] == []
    assert [*check_export(lines, KEYS.public)] == []
    assert json.loads(lines[-2])["blob"] == events(20, 20)[0].records[0].blob.decode()


@pytest.mark.parametrize("from_record", [1, 7, 20])
async def test_a_part_proves_itself_too(tmp_path: Path, from_record: int) -> None:
    lines = await exported(tmp_path / "journal.db", TABLE, from_record)
    assert len(lines) == 1 + 21 - from_record + 1
    assert [*check_export(lines)] == []


@pytest.mark.parametrize("at", range(27))
async def test_a_line_less_is_found(tmp_path: Path, at: int) -> None:
    lines = await exported(tmp_path / "journal.db")
    assert [*check_export(lines[:at] + lines[at + 1 :])] != []


@pytest.mark.parametrize("at", range(27))
async def test_a_line_twice_is_found(tmp_path: Path, at: int) -> None:
    lines = await exported(tmp_path / "journal.db")
    assert [*check_export(lines[: at + 1] + lines[at:])] != []


async def test_any_changed_byte_is_found(tmp_path: Path) -> None:
    lines = await exported(tmp_path / "journal.db", from_record=18)
    whole = b"\n".join(lines)
    for at in range(len(whole)):
        changed = bytearray(whole)
        changed[at] ^= 1
        assert [*check_export(bytes(changed).split(b"\n"))] != [], at


async def test_a_key_that_is_not_trusted_is_named(tmp_path: Path) -> None:
    lines = await exported(tmp_path / "journal.db")
    (what,) = check_export(lines, {"another key"})
    assert KEYS.in_force in what


async def test_what_nothing_signed_yet_is_left_out(tmp_path: Path) -> None:
    async with opened(tmp_path / "journal.db") as it:
        await it.write(Transaction(TABLE, (Record(1, EPOCH, None, "state", b"{}"),)))
        await it.write(Transaction(TABLE, (Record(2, EPOCH, None, "note", b"{}"),)))
        lines = [*export(it.journal)]
        assert [json.loads(line).get("record") for line in lines] == [None, 1, None]
        assert [*check_export(lines)] == []


async def test_a_damaged_journal_is_not_exported(tmp_path: Path) -> None:
    await exported(tmp_path / "journal.db")
    edit(tmp_path / "journal.db", "UPDATE records SET blob=x'ff' WHERE record=3")
    with (
        JournalReader.open(tmp_path / "journal.db") as journal,
        pytest.raises(JournalFailed, match="record 3 of B is no text"),
    ):
        list(export(journal))
