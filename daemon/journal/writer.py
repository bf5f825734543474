"""The one thread that writes the journal: many transactions, one commit, one fsync.

The loop puts jobs into `jobs` and goes on; the thread takes what has gathered, at most 64
transactions, and commits it. SQLite runs with `synchronous=FULL` on a write-ahead log: COMMIT
returns when the log is synced to the disk. Only then are the transactions' `done` callbacks called,
on the loop, in the order of `append`. That is what *durable* means everywhere in the daemon.

States
  writing   a batch is committed as soon as there is one
  blocked   no space, a lock, a read-only disk: it may pass (`errors.py`). The batch is rolled back
            and tried again each second; nothing is lost, nothing acknowledged, later jobs wait.
            `Reports.condition` tells why, and None when it goes on
  failed    I/O error, damage, a defect: nothing more can be promised. `Reports.failed` tells once,
            the thread ends, the daemon exits with 74
  closing   what was appended before `Stop` is written, with one last try where it is blocked; what
            cannot be written stays unacknowledged

A transaction is written whole or not at all: a record, its chain value, its answer. The chain of a
table is kept here and moves only after COMMIT, so a batch that is tried again gets the same values.

Cursors (how far the bus has the events) are written with the next commit, or a second later. They
promise nothing: a lost one makes the publisher send some events again under their old ids.

The log is folded into the file (checkpoint) here, between commits, and never inside one: its errors
must not look like those of a commit, and nothing durable depends on it.
"""

from __future__ import annotations

import threading
import time
from asyncio import AbstractEventLoop
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from queue import Empty, SimpleQueue
from typing import Final, TypeAlias

import apsw

from daemon.journal.chain import genesis, link
from daemon.journal.errors import JournalFailed, failed, why_blocked
from daemon.journal.records import Transaction

_BATCH: Final = 64
_CURSORS_EVERY_S: Final = 1.0
_CHECKPOINT_PAGES: Final = 1000  # 4 MiB of log, SQLite's own default
_CHECKPOINT_PAGES_BUSY: Final = 4000  # between commits that wait, folding the log costs latency

Done: TypeAlias = Callable[[], None]
Row: TypeAlias = tuple[str | int | float | bytes | None, ...]


@dataclass(frozen=True, slots=True)
class Append:
    """Write this, then call `done` on the loop."""

    transaction: Transaction
    done: Done


@dataclass(frozen=True, slots=True)
class Forget:
    """Delete the answers given before this wall time."""

    before: float


@dataclass(frozen=True, slots=True)
class PublishedCursor:
    """The bus has this event."""

    table: str
    epoch: str
    seq: int


@dataclass(frozen=True, slots=True)
class Wake:
    """There are cursors to write, once they are due."""


@dataclass(frozen=True, slots=True)
class Stop:
    """Write what came before, then end."""


Job: TypeAlias = Append | Forget | Wake | Stop


@dataclass(frozen=True, slots=True)
class Reports:
    """Whom the thread tells, always on the loop.

    condition  a sentence when the journal is blocked, None when it goes on
    failed     once, when nothing can be promised any more
    """

    condition: Callable[[str | None], None]
    failed: Callable[[JournalFailed], None]


class Writer(threading.Thread):
    """Owns the writing connection from `start` on."""

    def __init__(
        self,
        connection: apsw.Connection,
        loop: AbstractEventLoop,
        chains: Mapping[str, bytes],
        reports: Reports,
        retry_s: float,
    ) -> None:
        super().__init__(name="journal", daemon=True)
        self.jobs: SimpleQueue[Job] = SimpleQueue()
        self.cursors: SimpleQueue[PublishedCursor] = SimpleQueue()
        self.closing = threading.Event()
        self._connection = connection
        self._loop = loop
        self._chains = dict(chains)
        self._reports = reports
        self._retry_s = retry_s
        self._condition: str | None = None
        self._cursors_at = time.monotonic()
        self._log_pages = 0
        self._checkpoint_at = _CHECKPOINT_PAGES
        connection.set_wal_hook(self._logged)

    def run(self) -> None:
        """Write until told to stop or until nothing can be trusted."""
        try:
            while self._next_batch():
                pass
        except Exception as error:  # noqa: BLE001 - a thread that dies unheard would lose the table
            self._tell(self._reports.failed, failed(error))

    def finish(self) -> None:
        """Wait for the thread's end and close its connection. Blocks."""
        self.join()
        # An error here was reported when it first occurred.
        with suppress(apsw.Error):
            self._connection.close()

    def _next_batch(self) -> bool:
        """Wait for jobs and write them. Return False when it was the last batch."""
        appends: list[Append] = []
        forget: Forget | None = None
        going_on = True
        job = self._first_job()
        while job is not None:
            match job:
                case Append():
                    appends.append(job)
                case Forget():
                    forget = job
                case Stop():
                    going_on = False
                case Wake():
                    pass
            job = self._next_job() if going_on and len(appends) < _BATCH else None
        if not self._write(appends, forget, last=not going_on):
            return False
        if appends:
            self._tell(_run_all, self._loop, appends)
        self._checkpoint()
        return going_on

    def _first_job(self) -> Job | None:
        if self.cursors.empty():
            return self.jobs.get()
        try:
            wait_s = self._cursors_at + _CURSORS_EVERY_S - time.monotonic()
            return self.jobs.get(timeout=max(wait_s, 0.0))
        except Empty:
            return None

    def _next_job(self) -> Job | None:
        try:
            return self.jobs.get_nowait()
        except Empty:
            return None

    def _write(self, appends: list[Append], forget: Forget | None, *, last: bool) -> bool:
        """Commit, trying again for as long as the error may pass. False: given up at close."""
        transactions = tuple(append.transaction for append in appends)
        batch = _Batch(transactions, self._due_cursors(last=last), forget)
        while True:
            final = self.closing.is_set()
            try:
                self._commit(batch)
            except apsw.Error as error:
                why = why_blocked(error, self._connection.system_errno)
                if self._connection.in_transaction:
                    self._connection.execute("ROLLBACK")
                if why is None:
                    raise
                self._set_condition(why)
                if final:
                    return False
                self.closing.wait(self._retry_s)
            else:
                self._set_condition(None)
                return True

    def _due_cursors(self, *, last: bool) -> list[PublishedCursor]:
        now = time.monotonic()
        if not (last or now >= self._cursors_at + _CURSORS_EVERY_S):
            return []
        self._cursors_at = now
        return [self.cursors.get_nowait() for _ in range(self.cursors.qsize())]

    def _commit(self, batch: _Batch) -> None:
        if batch.empty:
            return
        chains: dict[str, bytes] = {}
        execute = self._connection.execute
        execute("BEGIN IMMEDIATE")
        self._connection.executemany(_INSERT_RECORD, self._record_rows(batch, chains))
        self._connection.executemany(_INSERT_ANSWER, batch.answer_rows())
        self._connection.executemany(_MOVE_CURSOR, batch.cursor_rows())
        if batch.forget is not None:
            execute("DELETE FROM answers WHERE answered_at<?", (batch.forget.before,))
        execute("COMMIT")
        self._chains.update(chains)

    def _record_rows(self, batch: _Batch, chains: dict[str, bytes]) -> list[Row]:
        """Return the rows of the batch's records, and in `chains` where each chain then ends."""
        rows: list[Row] = []
        for transaction in batch.transactions:
            table = transaction.table
            chain = chains.get(table) or self._chains.get(table) or genesis(table)
            for record in transaction.records:
                chain = link(chain, record)
                rows.append(
                    (
                        table,
                        record.record,
                        record.epoch,
                        record.seq,
                        record.kind,
                        record.blob,
                        chain,
                    )
                )
            chains[table] = chain
        return rows

    def _checkpoint(self) -> None:
        """Fold the log into the file, here and not inside a commit, where errors go unseen."""
        limit = self._checkpoint_at if self.jobs.empty() else _CHECKPOINT_PAGES_BUSY
        if self._log_pages < max(limit, self._checkpoint_at):
            return
        self._checkpoint_at = self._log_pages + _CHECKPOINT_PAGES
        try:
            self._connection.wal_checkpoint(mode=apsw.SQLITE_CHECKPOINT_PASSIVE)
        except apsw.Error as error:
            # Nothing durable depends on it: the next commit that needs room reports a full disk.
            if why_blocked(error, self._connection.system_errno) is None:
                raise

    def _logged(self, _connection: apsw.Connection, _name: str, pages: int) -> int:
        if pages < self._log_pages:
            self._checkpoint_at = _CHECKPOINT_PAGES
        self._log_pages = pages
        return apsw.SQLITE_OK

    def _set_condition(self, why: str | None) -> None:
        if why != self._condition:
            self._condition = why
            self._tell(self._reports.condition, why)

    def _tell(self, callback: Callable[..., None], *values: object) -> None:
        try:
            self._loop.call_soon_threadsafe(callback, *values)
        except RuntimeError:
            # The loop was closed before the journal: no callback can run any more.
            self.closing.set()


@dataclass(frozen=True, slots=True)
class _Batch:
    """What one commit writes."""

    transactions: tuple[Transaction, ...]
    cursors: list[PublishedCursor]
    forget: Forget | None

    @property
    def empty(self) -> bool:
        written = any(each.records or each.answer for each in self.transactions)
        return not (written or self.cursors or self.forget)

    def answer_rows(self) -> list[Row]:
        return [
            (each.table, answer.command_id, answer.digest, answer.blob, answer.answered_at)
            for each in self.transactions
            if (answer := each.answer) is not None
        ]

    def cursor_rows(self) -> list[Row]:
        newest = {cursor.table: cursor for cursor in self.cursors}
        return [(cursor.table, cursor.epoch, cursor.seq) for cursor in newest.values()]


_INSERT_RECORD: Final = (
    "INSERT INTO records(table_id, record, epoch, seq, kind, blob, chain) VALUES(?,?,?,?,?,?,?)"
)
_INSERT_ANSWER: Final = (
    "INSERT INTO answers(table_id, command_id, digest, blob, answered_at) VALUES(?,?,?,?,?)"
)
_MOVE_CURSOR: Final = (
    "INSERT INTO cursors(table_id, epoch, seq) VALUES(?,?,?)"
    " ON CONFLICT(table_id) DO UPDATE SET epoch=excluded.epoch, seq=excluded.seq"
)


def _run_all(loop: AbstractEventLoop, appends: list[Append]) -> None:
    for append in appends:
        try:
            append.done()
        except Exception as error:  # noqa: BLE001 - one table's defect must not swallow another's acknowledgement
            loop.call_exception_handler(
                {"message": "defect in a journal callback", "exception": error}
            )
