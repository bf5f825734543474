"""The journal of a daemon: append from the loop, be called when it is durable, read on the loop."""

from __future__ import annotations

import asyncio
import fcntl
import os
from asyncio import AbstractEventLoop
from collections import deque
from collections.abc import Callable
from contextlib import ExitStack, suppress
from functools import partial
from pathlib import Path
from typing import Any, Final

import apsw

from daemon.journal.errors import JournalFailed
from daemon.journal.reader import Head, ReadableJournal
from daemon.journal.records import Answer, Transaction
from daemon.journal.schema import open_for_reading, open_for_writing, suspect_file
from daemon.journal.writer import Append, Done, Forget, PublishedCursor, Reports, Stop, Wake, Writer

_RETRY_S: Final = 1.0
_READ_PATIENCE_S: Final = 1.0
_TAIL: Final = 16
_NOTHING: Final = Head(0, None, 0, b"")


class Journal(ReadableJournal):
    """One file, one writer thread, one reading connection on the loop. Made by `open`.

    path       the file
    set_aside  where a damaged journal was put at opening: every table in it opens held
    """

    def __init__(
        self, path: Path, lock: int, reading: apsw.Connection, set_aside: Path | None
    ) -> None:
        super().__init__(reading)
        self.path = path
        self.set_aside = set_aside
        self._lock = lock
        self._tails: dict[str, _Tail] = {}
        self._pending: dict[tuple[str, str], Answer] = {}
        self._expected: dict[str, Head] = {}
        self._cursors: dict[str, tuple[str, int]] = {}
        self._on_failed: Callable[[JournalFailed], None] | None = None
        self._writer: Writer

    @classmethod
    def open(
        cls,
        path: Path,
        loop: AbstractEventLoop,
        *,
        on_condition: Callable[[str | None], None],
        on_failed: Callable[[JournalFailed], None],
        retry_s: float = _RETRY_S,
        vfs: str | None = None,
    ) -> Journal:
        """Open the journal and start its writer. Raises JournalFailed.

        on_condition  on the loop: why nothing can be written now; None when it goes on
        on_failed     on the loop, once: exit 74, nothing more is acknowledged
        retry_s       seconds between two tries while blocked
        vfs           SQLite's file layer, for tests that make writes fail
        """
        with ExitStack() as undo:
            lock = _locked(path)
            undo.callback(os.close, lock)
            writing, set_aside = open_for_writing(path, vfs)
            undo.callback(writing.close)
            reading = open_for_reading(path, vfs, _READ_PATIENCE_S)
            undo.callback(reading.close)
            journal = cls(path, lock, reading, set_aside)
            chains = {table: journal._expect(table).chain for table in journal.tables()}
            journal._on_failed = on_failed
            reports = Reports(on_condition, journal._fail)
            journal._writer = Writer(writing, loop, chains, reports, retry_s)
            journal._writer.start()
            undo.pop_all()
        return journal

    def append(self, transaction: Transaction, done: Done) -> None:
        """Write the transaction and call `done` on the loop when it is durable. In order.

        An empty transaction writes nothing: its `done` says that all before it is durable.
        Raises ValueError when a record does not follow the table's last one: a defect.
        """
        head = self._expected.get(transaction.table) or self._expect(transaction.table)
        for record in transaction.records:
            last_seq = head.seq if record.epoch == head.epoch else 0
            if record.record != head.record + 1 or record.seq not in {None, last_seq + 1}:
                raise ValueError(
                    f"{transaction.table}: record {record.record}, seq {record.seq} of epoch"
                    f" {record.epoch} cannot follow {head.record}, {head.seq} of {head.epoch}"
                )
            head = Head(record.record, record.epoch, record.seq or last_seq, b"")
        self._expected[transaction.table] = head
        if (answer := transaction.answer) is not None:
            self._pending[transaction.table, answer.command_id] = answer
        self._writer.jobs.put(Append(transaction, partial(self._durable, transaction, done)))

    def events(
        self, table: str, epoch: str, after_seq: int, limit: int = 500
    ) -> list[tuple[int, bytes]]:
        """Return up to `limit` events of the epoch after `after_seq`, as (seq, blob)."""
        tail = self._tails.get(table)
        recent = None if tail is None or tail.epoch != epoch else tail.after(after_seq, limit)
        return super().events(table, epoch, after_seq, limit) if recent is None else recent

    def next_epoch(self, table: str, epoch: str | None) -> str | None:
        """Return the epoch of the first event after `epoch`'s last one, None if there is none."""
        if epoch is not None and self._expected.get(table, _NOTHING).epoch == epoch:
            return None
        return super().next_epoch(table, epoch)

    def find_answer(self, table: str, command_id: str) -> Answer | None:
        """Return what the command with this id was answered.

        The answer may not be durable yet: send it from the `done` of an empty transaction.
        """
        return self._pending.get((table, command_id)) or super().find_answer(table, command_id)

    def cursor(self, table: str) -> tuple[str, int] | None:
        """Return the (epoch, seq) of the last event that the bus has, None if none is known."""
        return self._cursors.get(table) or super().cursor(table)

    def move_cursor(self, table: str, epoch: str, seq: int) -> None:
        """Remember that the bus has this event. Written within a second, with other things."""
        self._cursors[table] = (epoch, seq)
        self._writer.cursors.put(PublishedCursor(table, epoch, seq))
        if self._writer.cursors.qsize() == 1:
            self._writer.jobs.put(Wake())

    def forget_answers(self, before: float) -> None:
        """Forget the answers given before this wall time, in seconds since the epoch."""
        self._writer.jobs.put(Forget(before))

    async def close(self) -> None:
        """Write what was appended and close. What cannot be written now stays unacknowledged."""
        self._writer.closing.set()
        self._writer.jobs.put(Stop())
        await asyncio.to_thread(self._writer.join)
        # Last, so that the connection that may write folds the log into the file.
        self._connection.close()
        await asyncio.to_thread(self._writer.finish)
        os.close(self._lock)

    def _expect(self, table: str) -> Head:
        """Note where the table's journal ends: what is appended has to follow that."""
        head = self._expected[table] = self.head(table)
        return head

    def _durable(self, transaction: Transaction, done: Done) -> None:
        if (answer := transaction.answer) is not None:
            self._pending.pop((transaction.table, answer.command_id), None)
        for record in transaction.records:
            if record.seq is None:
                continue
            tail = self._tails.get(transaction.table)
            if tail is None or tail.epoch != record.epoch:
                tail = self._tails[transaction.table] = _Tail(record.epoch)
            tail.events.append((record.seq, record.blob))
        done()

    def _rows(self, sql: str, *values: str | int) -> list[Any]:
        try:
            return super()._rows(sql, *values)
        except JournalFailed as error:
            self._fail(error)
            raise

    def _fail(self, why: JournalFailed) -> None:
        if why.damaged:
            suspect_file(self.path).touch()
        if self._on_failed is not None:
            report, self._on_failed = self._on_failed, None
            report(why)


class _Tail:
    """A table's newest durable events: the publisher is seldom further behind than these."""

    def __init__(self, epoch: str) -> None:
        self.epoch = epoch
        self.events: deque[tuple[int, bytes]] = deque(maxlen=_TAIL)

    def after(self, seq: int, limit: int) -> list[tuple[int, bytes]] | None:
        """Return the events after `seq`, None if some of them are kept here no longer."""
        if seq + 1 < self.events[0][0]:
            return None
        return [event for event in self.events if event[0] > seq][:limit]


def _locked(path: Path) -> int:
    """Take the journal for this process: two writers would tear the chain. Raises JournalFailed.

    The lock has a file of its own: closing a second descriptor of SQLite's file drops its locks.
    """
    name = path.with_name(path.name + ".lock")
    try:
        lock = os.open(name, os.O_CREAT | os.O_RDWR | os.O_CLOEXEC, 0o600)
    except OSError as error:
        raise JournalFailed(
            f"{name} cannot be opened ({error.strerror})",
            "its folder must exist and belong to the daemon's user",
        ) from error
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        holder = os.read(lock, 20).decode("ascii", "replace") or "unknown"
        os.close(lock)
        raise JournalFailed(
            f"{path} is in use by process {holder} ({error.strerror})",
            "stop the other daemon, or name another file in the config",
        ) from error
    # A full disk may refuse the holder's number; the lock itself is taken.
    with suppress(OSError):
        os.truncate(lock, 0)
        os.write(lock, str(os.getpid()).encode())
    return lock
