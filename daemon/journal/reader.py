"""Reading the journal: a second connection that never blocks the writer.

What is read is never believed to have the types it was written with: a flipped bit makes a text no
text, a number a blob. `stored` yields whatever is there, for those who look for damage; every other
method raises JournalFailed on such a row.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Self, TypeAlias

import apsw

from daemon.journal.chain import genesis
from daemon.journal.errors import JournalFailed, damaged, failed
from daemon.journal.files import open_for_reading
from daemon.journal.records import Answer, Record, RecordKind
from daemon.journal.schema import TABLE_IDS
from daemon.journal.walk import StoredRow

_PAGE: Final = 500
_COLUMNS: Final = "record, epoch, seq, kind, blob, chain"
_RAW_COLUMNS: Final = "record, CAST(epoch AS BLOB), seq, CAST(kind AS BLOB), blob, chain"

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

    @property
    def connection(self) -> apsw.Connection:
        """Return what is read through."""
        return self._connection

    def tables(self) -> tuple[str, ...]:
        """Return every table that has a record, in order."""
        return tuple(table for (table,) in self._typed((str,), TABLE_IDS))

    def head(self, table: str) -> Head:
        """Return where the table's journal ends."""
        rows = self._typed(
            (int, str, bytes),
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
        rows = self._typed(
            (str,),
            "SELECT epoch FROM records WHERE table_id=? AND record>? AND seq IS NOT NULL"
            " AND epoch<>? ORDER BY record LIMIT 1",
            table,
            last,
            epoch or "",
        )
        return next((later for (later,) in rows), None)

    def first_seq(self, table: str, epoch: str) -> int:
        """Return the seq of the epoch's first event that was not pruned, 0 if there is none."""
        return self._number(
            "SELECT min(seq) FROM records WHERE table_id=? AND epoch=? AND seq IS NOT NULL",
            table,
            epoch,
        )

    def events(
        self, table: str, epoch: str, after_seq: int, limit: int = _PAGE
    ) -> list[tuple[int, bytes]]:
        """Return up to `limit` events of the epoch after `after_seq`, as (seq, blob)."""
        return self._typed(
            (int, bytes),
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
        for row in self.stored(table, from_record):
            yield self._checked(row, (int, str, int | None, str, bytes, bytes))

    def stored(self, table: str, from_record: int = 1) -> Iterator[StoredRow]:
        """Yield the table's rows in order, with whatever types they have by now."""
        while page := self.page(table, from_record):
            yield from page
            last = page[-1][0]
            if not isinstance(last, int) or last < from_record:
                return  # the walker sees it, and a reader that went on would never end
            from_record = last + 1

    def page(self, table: str, from_record: int, limit: int = _PAGE) -> list[StoredRow]:
        """Return up to `limit` rows from this record on, with whatever types they have by now."""
        sql = "SELECT {} FROM records WHERE table_id=? AND record>=? ORDER BY record LIMIT ?"
        try:
            return self._connection.execute(
                sql.format(_COLUMNS), (table, from_record, limit)
            ).fetchall()
        except UnicodeDecodeError:  # one of them is no text any more: leave it as bytes
            rows = self._rows(sql.format(_RAW_COLUMNS), table, from_record, limit)
            return [tuple(_text_or_bytes(value) for value in row[:4]) + row[4:] for row in rows]
        except apsw.Error as error:
            raise self._failed(error) from error

    def last_state(self, table: str) -> Record | None:
        """Return the table's newest `state` record. It is near the end: one ends each round."""
        rows: list[Any] = self._typed(
            (int, str, int | None, str, bytes),
            "SELECT record, epoch, seq, kind, blob FROM records"
            " WHERE table_id=? AND kind='state' ORDER BY record DESC LIMIT 1",
            table,
        )
        return next((Record(*row) for row in rows), None)

    def find_answer(self, table: str, command_id: str) -> Answer | None:
        """Return what the command with this id was answered."""
        rows: list[Any] = self._typed(
            (str, bytes, bytes, float),
            "SELECT command_id, digest, blob, answered_at FROM answers"
            " WHERE table_id=? AND command_id=?",
            table,
            command_id,
        )
        return next((Answer(*row) for row in rows), None)

    def answers(self, after: int = 0) -> Iterator[tuple[int, str, Answer]]:
        """Yield the answers kept after this number, in order, as (number, table, answer)."""
        while page := self._typed(
            (int, str, str, bytes, bytes, float),
            "SELECT number, table_id, command_id, digest, blob, answered_at FROM answers"
            " WHERE number>? ORDER BY number LIMIT ?",
            after,
            _PAGE,
        ):
            for number, table, *columns in page:
                yield number, table, Answer(*columns)
            after = page[-1][0]

    def near(self, table: str, record: int) -> tuple[str | None, str | None]:
        """Return when and in which round an event before this record was told, else one after it.

        Whatever is there: what cannot be read is None.
        """
        for order, compare in (("DESC", "<"), ("ASC", ">=")):
            sql = (
                f"SELECT blob FROM records WHERE table_id=? AND record{compare}?"  # noqa: S608 - of two literals
                f" AND kind='event' ORDER BY record {order} LIMIT 1"
            )
            try:
                for (blob,) in self._typed((bytes,), sql, table, record):
                    event = json.loads(blob)
                    return str(event["time"]), event.get("subject")
            except (JournalFailed, ValueError, LookupError, TypeError, AttributeError):
                continue
        return None, None

    def extent(self, table: str) -> tuple[int, int, int]:
        """Return the numbers of the first and the last record, and how many there are."""
        (row,) = self._typed(
            (int | None, int | None, int),
            "SELECT min(record), max(record), count(*) FROM records WHERE table_id=?",
            table,
        )
        first, last, count = row
        return first or 0, last or 0, count

    def record_of(self, table: str, epoch: str, seq: int) -> int:
        """Return the record of an event, 0 if there is none."""
        return self._number(
            "SELECT record FROM records WHERE table_id=? AND epoch=? AND seq=?", table, epoch, seq
        )

    def last_event_before(self, table: str, record: int) -> tuple[str, int] | None:
        """Return the (epoch, seq) of the last event before this record."""
        rows: list[tuple[str, int]] = self._typed(
            (str, int),
            "SELECT epoch, seq FROM records WHERE table_id=? AND record<? AND seq IS NOT NULL"
            " ORDER BY record DESC LIMIT 1",
            table,
            record,
        )
        return next(iter(rows), None)

    def chain_at(self, table: str, record: int) -> bytes | None:
        """Return the stored chain value of a record, None if the record is missing."""
        rows: list[tuple[bytes]] = self._typed(
            (bytes,), "SELECT chain FROM records WHERE table_id=? AND record=?", table, record
        )
        return next((chain for (chain,) in rows), None)

    def checkpoints(self) -> Iterator[tuple[int, int, bytes]]:
        """Yield the checkpoints that are kept, oldest first, as (number, introduces, line)."""
        after = 0
        while page := self._typed(
            (int, int, bytes),
            "SELECT number, introduces, line FROM checkpoints WHERE number>?"
            " ORDER BY number LIMIT ?",
            after,
            _PAGE,
        ):
            yield from page
            after = page[-1][0]

    def bytes_used(self) -> int:
        """Return how many bytes of the file hold something."""
        pages: int = self._connection.pragma("page_count") - self._connection.pragma(
            "freelist_count"
        )
        page_bytes: int = self._connection.pragma("page_size")
        return pages * page_bytes

    def newest_checkpoint(self) -> tuple[int, bytes] | None:
        """Return the newest checkpoint's number and line."""
        rows = self._typed(
            (int, bytes), "SELECT number, line FROM checkpoints ORDER BY number DESC LIMIT 1"
        )
        return next(iter(rows), None)

    def _number(self, sql: str, *values: str | int) -> int:
        rows: list[tuple[int | None]] = self._typed((int | None,), sql, *values)
        return next((number or 0 for (number,) in rows), 0)

    def _typed(self, types: tuple[Any, ...], sql: str, *values: str | int) -> list[Any]:
        return [self._checked(row, types) for row in self._rows(sql, *values)]

    def _checked(self, row: Any, types: tuple[Any, ...]) -> Any:
        if not all(map(isinstance, row, types)):
            raise self._failed(damaged("a row has values of another type than were written"))
        return row

    def _rows(self, sql: str, *values: str | int) -> list[Any]:
        try:
            return self._connection.execute(sql, values).fetchall()
        except (apsw.Error, UnicodeDecodeError) as error:
            raise self._failed(error) from error

    def _failed(self, error: Exception) -> JournalFailed:
        """Return the failure that an error while reading means."""
        return failed(error)


def _text_or_bytes(value: Any) -> Any:
    try:
        return value.decode() if isinstance(value, bytes) else value
    except UnicodeDecodeError:
        return value


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
