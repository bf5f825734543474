"""Checkpoints: written when they are due, kept while they are needed, believed by their key."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.durable import EPOCH, KEYS, TABLE, answer, event, events, opened

from daemon.gamekit.commitments import Concealed
from daemon.journal.checkpoint import (
    AnswersHead,
    BadCheckpoint,
    ChainPoint,
    Checkpoint,
    TableHead,
    read,
    signed,
)
from daemon.journal.evidence import contradicted, weigh
from daemon.journal.reader import JournalReader
from daemon.journal.records import Record, Transaction
from daemon.journal.signing import SigningKeys
from daemon.journal.verify import verify

OLD, NEW = (Concealed(letter * 32) for letter in (b"o", b"n"))
HEAD = TableHead(7, EPOCH, 3, bytes(range(32)), (EPOCH, 2), ChainPoint(4, bytes(32)))
EVERYTHING = Checkpoint(
    journal="a0",
    number=9,
    at="2026-12-01T02:53:00.000000Z",
    key=KEYS.in_force,
    closed=True,
    tables={TABLE: HEAD},
    answers=AnswersHead(ChainPoint(1, bytes(32)), ChainPoint(5, bytes(32))),
)
LINE = signed(EVERYTHING, KEYS, introduces=False)
STATE = Transaction(TABLE, (Record(2, EPOCH, None, "state", b"{}"),))


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "journal.db"


def kept(path: Path) -> list[Checkpoint]:
    with JournalReader.open(path) as journal:
        return [read(line).checkpoint for _, _, line in journal.checkpoints()]


# --- the line --------------------------------------------------------------------------------


def test_a_line_says_what_was_signed() -> None:
    assert read(LINE).checkpoint == EVERYTHING
    assert read(LINE).signers == {KEYS.in_force}


@given(st.integers(0, 8 * len(LINE) - 1))
def test_any_flipped_bit_of_a_line_is_refused(bit: int) -> None:
    torn = bytearray(LINE)
    torn[bit // 8] ^= 1 << bit % 8
    with pytest.raises(BadCheckpoint):
        read(bytes(torn))


@given(st.binary() | st.text().map(str.encode))
def test_no_bytes_at_all_raise_anything_else(line: bytes) -> None:
    with pytest.raises(BadCheckpoint):
        read(line)


def test_a_deeply_nested_line_is_refused() -> None:
    with pytest.raises(BadCheckpoint):
        read(b'{"body":' + b"[" * 100_000 + b',"signatures":{}}')


# --- when they are written -------------------------------------------------------------------


async def test_the_end_of_a_round_is_signed_in_the_same_transaction(path: Path) -> None:
    async with opened(path) as it:
        await it.write(*events(1, 1))
        await it.write(STATE)
        assert it.journal.stand.tables[TABLE].record == 2
        assert kept(path)[-1] == it.journal.stand


async def test_everything_else_is_signed_within_a_second_without_another_word(path: Path) -> None:
    async with opened(path) as it:
        await it.write(*events(1, 1))
        await it.write(*events(2, 3), Transaction(TABLE, (), (answer("c1"),)))
        it.journal.move_cursor(TABLE, EPOCH, 2)
        assert len(it.checkpoints) == 1, "the first after a start comes at once"
        await it.until(lambda: len(it.checkpoints) > 1)
        newest = read(it.checkpoints[-1]).checkpoint
        assert (newest.tables[TABLE].record, newest.tables[TABLE].published) == (3, (EPOCH, 2))
        assert newest.answers.last.number == 1


async def test_the_newest_and_the_last_of_every_minute_are_kept(path: Path) -> None:
    now = [1.8e9]
    async with opened(path, wall=lambda: now[0]) as it:
        for number in range(1, 11):
            now[0] += 25
            state = Record(number, EPOCH, None, "state", b"{}")
            await it.write(Transaction(TABLE, (state,)))
        assert len(it.checkpoints) == 10
    minutes = [one.at[:16] for one in kept(path)]
    first, *rest = minutes
    assert rest == sorted(set(rest)), "one of each minute"
    assert first == rest[0], "the first brought a key into force"
    assert kept(path)[-1].closed


async def test_a_stop_is_signed_once(path: Path) -> None:
    async with opened(path) as it:
        await it.write(*events(1, 1))
    assert [one.closed for one in kept(path)][-1]
    count = kept(path)[-1].number
    async with opened(path):
        pass
    assert kept(path)[-1].number == count, "nothing was written meanwhile"
    async with opened(path) as it:
        await it.write(*events(2, 2))
        assert not kept(path)[-1].closed


async def test_what_is_handed_out_is_what_is_kept(path: Path) -> None:
    async with opened(path) as it:
        await it.write(*events(1, 1), STATE)
    with JournalReader.open(path) as journal:
        lines = [line for _, _, line in journal.checkpoints()]
    assert lines[-1] == it.checkpoints[-1]
    assert {*lines} <= {*it.checkpoints}


# --- keys ------------------------------------------------------------------------------------


async def rotated(path: Path, *hands: SigningKeys) -> None:
    """Write an event under each of these keys in turn."""
    for seq, keys in enumerate(hands, 1):
        async with opened(path, keys=keys) as it:
            assert it.journal.damage == {}
            await it.write(*events(seq, seq))


async def test_a_new_key_is_introduced_by_the_old_one_which_may_then_go(path: Path) -> None:
    old, both, new = SigningKeys([OLD]), SigningKeys([NEW, OLD]), SigningKeys([NEW])
    await rotated(path, old, both, new)
    report = verify(path, trusted=old.public)
    assert (report.good, report.newest and report.newest.key) == (True, new.in_force)
    assert verify(path).good
    assert [len(read(line).signers) for line in _introducing(path)] == [1, 2]


def _introducing(path: Path) -> list[bytes]:
    with JournalReader.open(path) as journal:
        return [line for _, introduces, line in journal.checkpoints() if introduces]


async def test_a_key_that_nobody_introduced_holds_every_table_and_is_named(path: Path) -> None:
    old, new = SigningKeys([OLD]), SigningKeys([NEW])
    await rotated(path, old)
    async with opened(path, keys=new) as it:
        damage = it.journal.damage[TABLE]
        assert old.in_force in damage.what
        assert "put the old key below the new one" in damage.what
        await it.write(Transaction(TABLE, (event(1, record=2, epoch="000002-aa"),)))
    report = verify(path, trusted=old.public)
    assert new.in_force in report.faults[0]
    assert verify(path, trusted={*old.public, *new.public}).good


# --- witnesses -------------------------------------------------------------------------------


async def test_a_witness_tells_an_older_copy_and_says_from_when_it_is(path: Path) -> None:
    async with opened(path) as it:
        await it.write(*events(1, 3))
    copy = path.read_bytes()
    async with opened(path) as later:
        await later.write(*events(4, 9))
    path.write_bytes(copy)
    assert verify(path).good, "by itself it is what was written"
    report = verify(path, witnesses=[*it.checkpoints, *later.checkpoints])
    assert "older copy" in report.faults[0]
    assert [(bad.record, bad.proven) for bad in report.bad] == [(4, 3)]
    with JournalReader.open(path) as journal:
        told = contradicted(journal, later.checkpoints[-1], KEYS.public)
        assert [*told] == [TABLE]
        assert "older copy" in told[TABLE]
        assert contradicted(journal, it.checkpoints[-1], KEYS.public) == {}
        assert contradicted(journal, later.checkpoints[-1], {"another"}) == {}
        assert contradicted(journal, b"garbage", KEYS.public) == {}


async def test_what_a_witness_cannot_have_from_us_is_left_out_and_told(path: Path) -> None:
    async with opened(path) as it:
        await it.write(*events(1, 3))
    async with opened(path.with_name("other.db")) as other:
        await other.write(*events(1, 3))
    theirs = SigningKeys([NEW])
    stranger = signed(replace(EVERYTHING, key=theirs.in_force), theirs, introduces=True)
    lines = [b"", b"garbage", stranger, *it.checkpoints]
    report = verify(path, witnesses=lines)
    assert report.good
    assert len(report.notes) == 1, "one line is no checkpoint; another journal's says nothing"
    only = verify(path, witnesses=other.checkpoints)
    assert "no checkpoint of this journal" in only.faults[0]


def test_a_checkpoint_of_another_number_or_journal_is_a_fault() -> None:
    other = signed(Checkpoint("b1", 10, EVERYTHING.at, KEYS.in_force), KEYS, introduces=False)
    evidence = weigh([(9, 1, LINE), (10, 0, other), (11, 0, LINE)])
    assert len(evidence.kept) == 3
    assert ["another journal" in evidence.faults[0], "number" in evidence.faults[1]] == [True] * 2
