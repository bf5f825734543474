"""Is the journal what was written? Read-only, offline or beside a running daemon.

Everything that can be known without a secret is compared, for none of it shows every damage:

  the file         SQLite's own check of pages, indexes and types; nothing but our tables in it; a
                   write-ahead log of which nothing is lost (not while a daemon writes it)
  each chain       from its start, or from what was pruned, to its end: numbers without a gap,
                   epochs and their events in order, every chain value computed again
  each end         against the counts of the file, the newest checkpoint, and what may follow it
  each checkpoint  its signature, by a trusted key, and the chain value of every table in it; those
                   of witnesses too, which the journal may have lost
  answers          their chain, against the newest checkpoint

Not seen without a witness: an older copy as a whole; what the last second wrote, if the end is cut
off exactly there, as a power cut would.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

import apsw

from daemon.journal.chain import link_answer
from daemon.journal.checkpoint import ChainPoint, Checkpoint, TableHead
from daemon.journal.errors import JournalFailed, failed
from daemon.journal.evidence import Evidence, weigh
from daemon.journal.files import is_open_somewhere, opened_as_evidence
from daemon.journal.log_file import lost_commits
from daemon.journal.reader import JournalReader, ReadableJournal
from daemon.journal.schema import altered, version_of
from daemon.journal.walk import BadRecord, ChainWalk

_PROGRESS_EVERY: Final = 10_000
_FAULTS_SHOWN: Final = 5

Progress = Callable[[str, int], None]


@dataclass(frozen=True, slots=True)
class VerifiedTable:
    """The verdict on one table. `chain` is the chain value at `records`, the last good one."""

    table: str
    records: int
    chain: bytes
    bad: BadRecord | None


@dataclass(frozen=True, slots=True)
class VerifyReport:
    """The verdict on the journal.

    faults  what is wrong with the file, its checkpoints, its answers
    notes   what was not looked at, or not believed
    newest  the newest checkpoint, None if there is none
    """

    tables: tuple[VerifiedTable, ...]
    faults: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    newest: Checkpoint | None = None

    @property
    def bad(self) -> tuple[BadRecord, ...]:
        """Return the first bad record of each table that has one."""
        return tuple(table.bad for table in self.tables if table.bad is not None)

    @property
    def good(self) -> bool:
        """Return whether nothing is wrong."""
        return not (self.bad or self.faults)


def verify(
    path: Path,
    table: str | None = None,
    progress: Progress | None = None,
    *,
    witnesses: Iterable[bytes] = (),
    trusted: Collection[str] = (),
) -> VerifyReport:
    """Check one table, or all, of the journal at `path`. Raises JournalFailed if unreadable.

    progress   is called with the table and the number of records checked so far
    witnesses  lines of published checkpoints
    trusted    public keys that the site vouches for
    """
    with _opened(path) as (connection, live):
        faults: list[str] = []
        notes: list[str] = []
        version = version_of(connection, path)
        faults += _file_faults(connection, path, version, live=live)
        journal = ReadableJournal(connection)
        evidence = weigh(_checkpoints(journal, version, faults), witnesses, trusted)
        if version == 1:
            notes.append("it is of version 1 and not signed: a cut-off end is not seen")
        tables = _tables(journal, evidence, faults)
        if table is not None and table not in tables:
            faults.append(f"it has no table {table}")
        if version > 1 and tables and evidence.newest is None:
            faults.append("it has records and no checkpoint that can be believed")
        verified = tuple(
            _verify_table(journal, name, evidence, progress)
            for name in tables
            if table in {None, name}
        )
        if evidence.newest is not None:
            faults += _answer_faults(journal, evidence.newest)
    return VerifyReport(
        verified,
        (*faults, *evidence.faults),
        (*notes, *evidence.notes),
        evidence.newest,
    )


@contextmanager
def _opened(path: Path) -> Iterator[tuple[apsw.Connection, bool]]:
    """Open the journal for looking, and say whether a daemon has it open."""
    if is_open_somewhere(path):
        with JournalReader.open(path) as journal:
            journal.connection.execute("BEGIN")  # one moment of it, whatever is appended meanwhile
            yield journal.connection, True
        return
    try:
        with opened_as_evidence(path) as connection:
            version_of(connection, path)
            yield connection, False
    except (apsw.Error, UnicodeDecodeError) as error:
        raise JournalFailed(
            f"{path} cannot be read ({error})",
            "it must exist and be a journal, and you must be allowed to read it",
        ) from error


# --- the file ----------------------------------------------------------------------------


def _file_faults(
    connection: apsw.Connection, path: Path, version: int, *, live: bool
) -> Iterator[str]:
    if not live and (lost := lost_commits(path)):
        yield (
            f"the write-ahead log ends in {lost} commits that do not fit their checksums, and are"
            " lost; one is what a power cut leaves of a write that nobody was told of"
        )
    try:
        if (what := altered(connection, version)) is not None:
            yield f"the file was altered: {what}"
        check = f"PRAGMA integrity_check({_FAULTS_SHOWN})"
        for (verdict,) in connection.execute(check).fetchall():
            if verdict != "ok":
                yield f"the file is damaged: {verdict}"
    except (apsw.Error, UnicodeDecodeError) as error:
        yield f"the file is damaged: {failed(error).what}"


def _checkpoints(
    journal: ReadableJournal, version: int, faults: list[str]
) -> Iterator[tuple[int, int, bytes]]:
    if version == 1:
        return
    try:
        yield from journal.checkpoints()
    except JournalFailed as error:
        faults.append(f"the checkpoints cannot be read: {error.what}")


def _tables(journal: ReadableJournal, evidence: Evidence, faults: list[str]) -> list[str]:
    """Return every table that has records, or had."""
    named = {name for one in (*evidence.kept, *evidence.witnessed) for name in one.tables}
    try:
        named.update(journal.tables())
    except JournalFailed as error:
        faults.append(f"the tables' names cannot be read: {error.what}")
    return sorted(named)


def _answer_faults(journal: ReadableJournal, newest: Checkpoint) -> Iterator[str]:
    """Walk the chain of answers; they have no chain values of their own beside them."""
    signed = newest.answers
    last = signed.forgotten
    fits = last == signed.last
    try:
        for number, table, answer in journal.answers():
            if number != last.number + 1:
                what = f"answer {last.number + 1} to a command is missing"
                yield f"{what}; {number}, to {answer.command_id} of {table}, comes next"
                return
            last = ChainPoint(number, link_answer(last.chain, table, answer))
            fits = fits or last == signed.last
    except JournalFailed as error:
        yield f"the answers to commands cannot be read: {error.what}"
        return
    if not fits:
        yield (
            f"the answers to commands are not what checkpoint {newest.number} of {newest.at} signed"
        )
    elif newest.closed and last != signed.last:
        yield f"an answer to a command was added after the daemon had stopped, at {newest.at}"


# --- one table -----------------------------------------------------------------------------


def _verify_table(
    journal: ReadableJournal, table: str, evidence: Evidence, progress: Progress | None
) -> VerifiedTable:
    head = evidence.newest and evidence.newest.tables.get(table)
    start = (head or TableHead(0, "", 0, b"")).start(table)
    walk = ChainWalk(start) if start.number else ChainWalk(start, "", 0)
    bad = _walk_on(journal, table, walk, progress)
    if bad is None:
        bad = _early_end(journal, table, walk, start)
    unsigned, proven = _against_evidence(journal, table, walk.at.number, start, evidence)
    if unsigned is not None and (bad is None or unsigned.record < bad.record):
        bad = unsigned
    if bad is None and evidence.newest is not None:
        bad = _behind_newest(journal, table, evidence.newest)
    if bad is not None:
        at, round_id = journal.near(table, bad.record)
        bad = replace(bad, proven=proven, at=at, round_id=round_id)
    return VerifiedTable(table, walk.at.number, walk.at.chain, bad)


def _walk_on(
    journal: ReadableJournal, table: str, walk: ChainWalk, progress: Progress | None
) -> BadRecord | None:
    rows = journal.stored(table, walk.at.number + 1)
    while True:
        try:
            row = next(rows, None)
        except JournalFailed as error:
            what = f"it cannot be read: {error.what}"
            return BadRecord(table, walk.at.number + 1, what)
        if row is None:
            return None
        if (what_is_wrong := walk.take(row)) is not None:
            return BadRecord(table, walk.at.number + 1, what_is_wrong)
        if progress is not None and walk.at.number % _PROGRESS_EVERY == 0:
            progress(table, walk.at.number)


def _early_end(
    journal: ReadableJournal, table: str, walk: ChainWalk, start: ChainPoint
) -> BadRecord | None:
    """Return the damage where the file holds more, or less, than the walk came to see."""
    try:
        first, last, count = journal.extent(table)
    except JournalFailed as error:
        what = f"it cannot be read: {error.what}"
        return BadRecord(table, walk.at.number + 1, what)
    if (first, last, count) == (start.number + 1, walk.at.number, walk.at.number - start.number):
        return None
    if not count and walk.at.number == start.number:
        return None
    what = f"the file counts {count} records, {first} to {last}: some cannot be reached"
    return BadRecord(table, walk.at.number + 1, what)


def _against_evidence(
    journal: ReadableJournal, table: str, good: int, start: ChainPoint, evidence: Evidence
) -> tuple[BadRecord | None, int]:
    """Return the first record that is not what was signed, and the last one that is.

    good  the last record up to which the chain fits
    """
    proven = start.number
    worst: BadRecord | None = None
    for checkpoint in evidence.about(table):
        head = checkpoint.tables[table]
        who = f"checkpoint {checkpoint.number} of {checkpoint.at}"
        if head.record < start.number:
            continue
        if head.record > good:
            if worst is None and journal.chain_at(table, good + 1) is None:
                what = f"it is missing: {who} signed {head.record} records"
                worst = BadRecord(table, good + 1, what)
        elif head.chain == (
            start.chain if head.record == start.number else journal.chain_at(table, head.record)
        ):
            proven = max(proven, head.record)
        elif worst is None or proven + 1 < worst.record:
            what = f"records {proven + 1} to {head.record} are not those that {who} signed"
            worst = BadRecord(table, proven + 1, what)
    return worst, proven


def _behind_newest(journal: ReadableJournal, table: str, newest: Checkpoint) -> BadRecord | None:
    """Return the damage where something lies behind the newest checkpoint that no crash left."""
    signed = newest.tables.get(table)
    for record in journal.records(table, signed.record + 1 if signed else 1):
        if newest.closed:
            what = f"it was written after the daemon had stopped, at {newest.at}"
            return BadRecord(table, record.record, what)
        if record.kind == "state":
            what = f"it ends a round and was not signed; the newest checkpoint is of {newest.at}"
            return BadRecord(table, record.record, what)
    return None
