"""Is the journal what was written? Recomputes every chain, read-only, and names the first fault."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from daemon.journal.chain import genesis, link
from daemon.journal.errors import JournalFailed
from daemon.journal.reader import JournalReader
from daemon.journal.records import Record

_PROGRESS_EVERY: Final = 10_000


@dataclass(frozen=True, slots=True)
class BadRecord:
    """The first record of a table that is not as it was written, and what is wrong with it."""

    table: str
    record: int
    what: str


@dataclass(frozen=True, slots=True)
class VerifiedTable:
    """The verdict on one table. `chain` is the chain value at `records`, the last good one."""

    table: str
    records: int
    chain: bytes
    bad: BadRecord | None


@dataclass(frozen=True, slots=True)
class VerifyReport:
    """The verdict on each table of the journal."""

    tables: tuple[VerifiedTable, ...]

    @property
    def bad(self) -> tuple[BadRecord, ...]:
        """Return the first bad record of each table that has one."""
        return tuple(table.bad for table in self.tables if table.bad is not None)


def verify(
    path: Path, table: str | None = None, progress: Callable[[str, int], None] | None = None
) -> VerifyReport:
    """Check one table, or all, of the journal at `path`. Raises JournalFailed if unreadable.

    `progress` is called with the table and the number of records checked so far. A missing end is
    not seen here: compare `records` and `chain` with values that were written down before.
    """
    with JournalReader.open(path) as journal:
        names = journal.tables() if table is None else (table,)
        return VerifyReport(tuple(_verify_table(journal, name, progress) for name in names))


def _verify_table(
    journal: JournalReader, table: str, progress: Callable[[str, int], None] | None
) -> VerifiedTable:
    count, chain, seqs = 0, genesis(table), _Seqs()
    rows = journal.chained(table)
    while True:
        try:
            row = next(rows, None)
        except JournalFailed as error:
            return _bad(table, count, chain, f"it cannot be read: {error.what}")
        if row is None:
            return VerifiedTable(table, count, chain, None)
        record, epoch, seq, kind, blob, stored = row
        if record != count + 1:
            return _bad(table, count, chain, f"it is missing; record {record} comes next")
        if what := seqs.wrong(epoch, seq, kind, blob):
            return _bad(table, count, chain, what)
        computed = link(chain, Record(record, epoch, seq, kind, blob))
        if computed != stored:
            return _bad(table, count, chain, "the chain does not fit: it or one before was edited")
        count, chain = record, computed
        if progress is not None and count % _PROGRESS_EVERY == 0:
            progress(table, count)


def _bad(table: str, count: int, chain: bytes, what: str) -> VerifiedTable:
    return VerifiedTable(table, count, chain, BadRecord(table, count + 1, what))


class _Seqs:
    """Watches that epochs follow each other and that their events count 1, 2, 3."""

    def __init__(self) -> None:
        self._epoch = ""
        self._last = 0
        self._past: set[str] = set()

    def wrong(self, epoch: str, seq: int | None, kind: str, blob: bytes) -> str | None:
        if epoch in self._past:
            return f"epoch {epoch} comes back after it had ended"
        if epoch != self._epoch:
            self._past.add(self._epoch)
            self._epoch, self._last = epoch, 0
        if (seq is not None) != (kind == "event"):
            return f"a record of kind {kind} has seq {seq}"
        if seq is None:
            return None
        if seq != self._last + 1:
            return f"seq {self._last + 1} of epoch {epoch} is missing; {seq} comes next"
        self._last = seq
        stated = (f'"epoch":"{epoch}"'.encode(), f'"sequence":"{seq:020d}"'.encode())
        if not all(part in blob for part in stated):
            return f"its body is not event {seq} of epoch {epoch}"
        return None
