"""Reading the journal: a second connection that never blocks the writer."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Self, TypeAlias

import apsw

from daemon.journal.chain import genesis
from daemon.journal.errors import failed
from daemon.journal.records import Answer, Record, RecordKind
from daemon.journal.schema import TABLE_IDS, open_for_reading

_PAGE: Final = 500

Chained: TypeAlias = tuple[int, str, int | None, RecordKind, bytes, bytes]
"""record, epoch, seq, kind, blob, chain"""


@dataclass(frozen=True, slots=True)
class Head:
    """Where a table's journal ends.

    record  the last record's number, 0 if there is none
    epoch   the last record's epoch, None if there is none
    seq     the last event of that epoch, 0 if there is none
    chain   the last record's chain value
    """

    record: int
    epoch: str | None
    seq: int
    chain: bytes


class ReadableJournal:
    """Reads what is durable. Every method raises JournalFailed.

    No statement stays open between calls: an open one would keep the log from being reused.
    """

    def __init__(self, connection: apsw.Connection) -> None:
        self._connection = connection

    def tables(self) -> tuple[str, ...]:
        """Return every table that has a record, in order."""
        return tuple(table for (table,) in self._rows(TABLE_IDS))

    def head(self, table: str) -> Head:
        """Return where the table's journal ends."""
        rows = self._rows(
            "SELECT record, epoch, chain FROM records"
            " WHERE table_id=? ORDER BY record DESC LIMIT 1",
            table,
        )
        for record, epoch, chain in rows:
            return Head(record, epoch, self.last_seq(table, epoch), chain)
        return Head(0, None, 0, genesis(table))

    def last_seq(self, table: str, epoch: str) -> int:
        """Return the seq of the epoch's last event, 0 if the journal has none of that epoch."""
        return self._number(
            "SELECT max(seq) FROM records WHERE table_id=? AND epoch=? AND seq IS NOT NULL",
            table,
            epoch,
        )

    def next_epoch(self, table: str, epoch: str | None) -> str | None:
        """Return the epoch of the first event after `epoch`'s last one, None if there is none.

        With `epoch` None: the epoch of the table's first event.
        """
        last = 0
        if epoch is not None:
            last = self._number(
                "SELECT record FROM records WHERE table_id=? AND epoch=? AND seq IS NOT NULL"
                " ORDER BY seq DESC LIMIT 1",
                table,
                epoch,
            )
        rows = self._rows(
            "SELECT epoch FROM records WHERE table_id=? AND record>? AND seq IS NOT NULL"
            " AND epoch<>? ORDER BY record LIMIT 1",
            table,
            last,
            epoch or "",
        )
        return next((later for (later,) in rows), None)

    def events(
        self, table: str, epoch: str, after_seq: int, limit: int = _PAGE
    ) -> list[tuple[int, bytes]]:
        """Return up to `limit` events of the epoch after `after_seq`, as (seq, blob)."""
        return self._rows(
            "SELECT seq, blob FROM records WHERE table_id=? AND epoch=? AND seq>?"
            " ORDER BY seq LIMIT ?",
            table,
            epoch,
            after_seq,
            limit,
        )

    def records(self, table: str, from_record: int = 1) -> Iterator[Record]:
        """Yield the table's records in order; what is appended meanwhile may be yielded too."""
        for record, epoch, seq, kind, blob, _chain in self.chained(table, from_record):
            yield Record(record, epoch, seq, kind, blob)

    def chained(self, table: str, from_record: int = 1) -> Iterator[Chained]:
        """Yield the table's records in order as stored, each with its chain value."""
        while True:
            page: list[Chained] = self._rows(
                "SELECT record, epoch, seq, kind, blob, chain FROM records"
                " WHERE table_id=? AND record>=? ORDER BY record LIMIT ?",
                table,
                from_record,
                _PAGE,
            )
            yield from page
            if len(page) < _PAGE:
                return
            from_record = page[-1][0] + 1

    def last_state(self, table: str) -> Record | None:
        """Return the table's newest `state` record."""
        rows = self._rows(
            "SELECT record, epoch, seq, kind, blob FROM records"
            " WHERE table_id=? AND kind='state' ORDER BY record DESC LIMIT 1",
            table,
        )
        return next((Record(*row) for row in rows), None)

    def find_answer(self, table: str, command_id: str) -> Answer | None:
        """Return what the command with this id was answered."""
        rows = self._rows(
            "SELECT command_id, digest, blob, answered_at FROM answers"
            " WHERE table_id=? AND command_id=?",
            table,
            command_id,
        )
        return next((Answer(*row) for row in rows), None)

    def cursor(self, table: str) -> tuple[str, int] | None:
        """Return the (epoch, seq) of the last event that the bus has, None if none is known."""
        rows = self._rows("SELECT epoch, seq FROM cursors WHERE table_id=?", table)
        return next(((epoch, seq) for epoch, seq in rows), None)

    def _number(self, sql: str, *values: str | int) -> int:
        return next((number or 0 for (number,) in self._rows(sql, *values)), 0)

    def _rows(self, sql: str, *values: str | int) -> list[Any]:
        try:
            return self._connection.execute(sql, values).fetchall()
        except apsw.Error as error:
            raise failed(error) from error


class JournalReader(ReadableJournal):
    """The journal of a running or stopped daemon, for those who must not be able to change it."""

    @classmethod
    def open(cls, path: Path, patience_s: float = 5.0) -> JournalReader:
        """Open the file read-only; wait up to `patience_s` where it is locked.

        Raises JournalFailed when it cannot be read or is not ours.
        """
        return cls(open_for_reading(path, None, patience_s))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_exception: object) -> None:
        self._connection.close()
