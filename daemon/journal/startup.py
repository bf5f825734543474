"""What a start finds: where writing goes on, and whether what it resumes from is what was written.

Checked before anything is played, in time that does not grow with the journal:

* the newest checkpoint is signed by one of our keys;
* each table's records from its last state record on, of which the table is replayed, and from the
  newest checkpoint on, are chained, and are at the checkpoint what was signed there;
* behind the checkpoint lies what a crash can leave there: no end of a round, which is always signed
  with it, and nothing at all where the daemon had stopped in good order;
* answers to commands behind the checkpoint are numbered on.

What comes before is checked in the background (`background_check.py`), and before it is published.
A table whose records do not fit is *damaged*: it does not play on. Its old records stay, and it
goes on behind them, held, in a new epoch. A file that cannot be read is set aside by the caller.
"""

from __future__ import annotations

import re
import secrets
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final

from daemon.journal.chain import CHAIN_BYTES, genesis, link_answer
from daemon.journal.checkpoint import (
    AnswersHead,
    BadCheckpoint,
    ChainPoint,
    Checkpoint,
    TableHead,
    read,
)
from daemon.journal.errors import damaged
from daemon.journal.reader import ReadableJournal
from daemon.journal.signing import SigningKeys
from daemon.journal.walk import BadRecord, ChainWalk

_LAST_RECORD: Final = 2**53
_EPOCH: Final = re.compile(r"[0-9]{6,12}-[0-9A-Za-z]{1,32}")


@dataclass(frozen=True, slots=True)
class Start:
    """Where everything stands, and which tables may not play on from there."""

    stand: Checkpoint
    damage: Mapping[str, BadRecord]


def look(journal: ReadableJournal, keys: SigningKeys) -> Start:
    """Return what a journal of today's version holds. Raises JournalFailed (damaged)."""
    newest, doubt = _newest(journal, keys)
    tables: dict[str, TableHead] = {}
    damage: dict[str, BadRecord] = {}
    for table in sorted({*journal.tables(), *newest.tables}):
        signed = newest.tables.get(table)
        head, bad = _look_at_table(journal, table, signed, newest)
        if doubt is not None:
            bad = BadRecord(table, head.record, doubt)
        if bad is not None:
            damage[table] = _placed(journal, bad)
            head = _head_behind_damage(journal, table, signed)
        tables[table] = head
    answers, what = _answers(journal, newest.answers)
    if what is not None:
        damage = {table: BadRecord(table, tables[table].record, what) for table in tables} | damage
    return Start(replace(newest, tables=tables, answers=answers), damage)


def look_at_old(journal: ReadableJournal, cursors: Mapping[str, tuple[str, int]]) -> Start:
    """Return what a journal of version 1 holds, every record checked. Raises JournalFailed."""
    tables: dict[str, TableHead] = {}
    damage: dict[str, BadRecord] = {}
    for table in journal.tables():
        head, bad = _look_at_table(journal, table, None, None)
        if bad is not None:
            damage[table] = _placed(journal, bad)
            head = _head_behind_damage(journal, table, None)
        tables[table] = replace(head, published=cursors.get(table))
    return Start(replace(_nothing(), tables=tables), damage)


def _nothing() -> Checkpoint:
    return Checkpoint(journal=secrets.token_hex(8), number=0, at="", key="")


def _newest(journal: ReadableJournal, keys: SigningKeys) -> tuple[Checkpoint, str | None]:
    """Return the newest checkpoint, and why nothing may be built on it, where that is so."""
    found = journal.newest_checkpoint()
    if found is None:
        doubt = "the journal has records and no checkpoint" if journal.tables() else None
        return _nothing(), doubt
    number, line = found
    try:
        newest = read(line)
    except BadCheckpoint as error:
        return replace(_nothing(), number=number), f"the newest checkpoint is damaged: {error}"
    if newest.checkpoint.number != number:
        return newest.checkpoint, "the newest checkpoint stands under another number than its own"
    if newest.signers.isdisjoint(keys.public):
        return newest.checkpoint, (
            f"the newest checkpoint is signed with the key {newest.checkpoint.key}, and that key is"
            " not in the journal key's file; if it was changed, put the old key below the new one"
        )
    return newest.checkpoint, None


def _look_at_table(
    journal: ReadableJournal, table: str, signed: TableHead | None, newest: Checkpoint | None
) -> tuple[TableHead, BadRecord | None]:
    """Return where a table ends and the first record that does not fit, None if all do."""
    head = signed or TableHead(0, "", 0, genesis(table))
    walk = _walk_from(journal, table, head)
    if walk is None:
        return head, BadRecord(table, head.record, "it, or one before, is missing")
    bad = _against_checkpoint(table, walk, "", head, newest)
    rows = journal.stored(table, walk.at.number + 1)
    while bad is None and (row := next(rows, None)) is not None:
        if (what := walk.take(row)) is not None:
            bad = BadRecord(table, walk.at.number + 1, what)
        else:
            bad = _against_checkpoint(table, walk, row[3], head, newest)
    if bad is None and walk.at.number < head.record:
        what = f"it is missing: {head.record} records were signed, the end is cut off"
        bad = BadRecord(table, walk.at.number + 1, what)
    seq = head.seq if walk.seq is None else walk.seq
    if bad is None and walk.epoch and journal.last_seq(table, walk.epoch) != seq:
        bad = BadRecord(table, walk.at.number, "the index of events does not fit the records")
    return replace(
        head, record=walk.at.number, epoch=walk.epoch or "", seq=seq, chain=walk.at.chain
    ), bad


def _walk_from(journal: ReadableJournal, table: str, head: TableHead) -> ChainWalk | None:
    """Return a walk that stands before the last state record, or at the checkpoint, if earlier."""
    start, state = head.start(table), journal.last_state(table)
    at = max(start.number, min(head.record, state.record - 1 if state else 0))
    chain = start.chain if at == start.number else journal.chain_at(table, at)
    if chain is None or len(chain) != CHAIN_BYTES:
        return None
    if at == head.record:
        return ChainWalk(ChainPoint(at, chain), head.epoch, head.seq)
    return ChainWalk(ChainPoint(at, chain))


def _against_checkpoint(
    table: str, walk: ChainWalk, kind: str, signed: TableHead, newest: Checkpoint | None
) -> BadRecord | None:
    """Return the damage where the walk stands at or behind what was signed, and does not fit."""
    at = walk.at.number
    if newest is None or at < signed.record or not at:
        return None
    if at == signed.record:
        same_seq = walk.seq is None or walk.seq == signed.seq
        if walk.at.chain == signed.chain and walk.epoch == signed.epoch and same_seq:
            return None
        what = f"it, or one before, is not what checkpoint {newest.number} of {newest.at} signed"
    elif newest.closed:
        what = f"it was written after the daemon had stopped, at {newest.at}"
    elif kind == "state":
        what = f"it ends a round and was not signed; the newest checkpoint is of {newest.at}"
    else:
        return None
    return BadRecord(table, at, what)


def _head_behind_damage(
    journal: ReadableJournal, table: str, signed: TableHead | None
) -> TableHead:
    """Return the end of a damaged table: what comes now is numbered and chained on from there.

    Raises JournalFailed (damaged) where there is no end to go on from.
    """
    there = journal.head(table)
    epochs = [signed.epoch] if signed is not None else []
    epochs += [there.epoch] if there.epoch and _EPOCH.fullmatch(there.epoch) else []
    if not epochs or there.record > _LAST_RECORD:
        raise damaged(f"{table} ends with record {there.record} of an epoch that is none")
    chain = there.chain if len(there.chain) == CHAIN_BYTES else genesis(table)
    epoch = max(epochs)
    seq = journal.last_seq(table, epoch)
    published, pruned = (signed.published, signed.pruned) if signed else (None, None)
    return TableHead(there.record, epoch, seq, chain, published, pruned)


def _answers(journal: ReadableJournal, signed: AnswersHead) -> tuple[AnswersHead, str | None]:
    """Return where the chain of answers ends, and what does not fit behind the checkpoint."""
    last = signed.last
    what = None
    for number, table, answer in journal.answers(last.number):
        if number != last.number + 1:
            what = f"answers {last.number + 1} to {number - 1} to commands are missing"
        last = ChainPoint(number, link_answer(last.chain, table, answer))
    return replace(signed, last=last), what


def _placed(journal: ReadableJournal, bad: BadRecord) -> BadRecord:
    at, round_id = journal.near(bad.table, bad.record)
    return replace(bad, at=at, round_id=round_id)
