"""The one thread that writes the journal: many transactions, one commit, one fsync."""

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
_MARKS_EVERY_S: Final = 1.0  # a lost mark only publishes again, under the same id
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
    """There are marks."""


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
        self.marks: SimpleQueue[PublishedCursor] = SimpleQueue()
        self.closing = threading.Event()
        self._connection = connection
        self._loop = loop
        self._chains = dict(chains)
        self._reports = reports
        self._retry_s = retry_s
        self._condition: str | None = None
        self._marks_at = time.monotonic()
        self._log_pages = 0
        self._checkpoint_at = _CHECKPOINT_PAGES
        connection.set_wal_hook(self._logged)

    def run(self) -> None:
        """Write until told to stop or until nothing can be trusted."""
        try:
            while self._work():
                pass
        except Exception as error:  # noqa: BLE001 - a thread that dies unheard would lose the table
            self._tell(self._reports.failed, failed(error))

    def finish(self) -> None:
        """Wait for the thread's end and close its connection. Blocks."""
        self.join()
        # What a failed disk says at the very end was said before.
        with suppress(apsw.Error):
            self._connection.close()

    def _work(self) -> bool:
        batch: list[Append] = []
        forget: Forget | None = None
        going_on = True
        job = self._first_job()
        while job is not None:
            match job:
                case Append():
                    batch.append(job)
                case Forget():
                    forget = job
                case Stop():
                    going_on = False
                case Wake():
                    pass
            job = self._next_job() if going_on and len(batch) < _BATCH else None
        if not self._write(batch, forget, last=not going_on):
            return False
        if batch:
            self._tell(_run_all, self._loop, batch)
        self._checkpoint()
        return going_on

    def _first_job(self) -> Job | None:
        if self.marks.empty():
            return self.jobs.get()
        try:
            wait_s = self._marks_at + _MARKS_EVERY_S - time.monotonic()
            return self.jobs.get(timeout=max(wait_s, 0.0))
        except Empty:
            return None

    def _next_job(self) -> Job | None:
        try:
            return self.jobs.get_nowait()
        except Empty:
            return None

    def _write(self, batch: list[Append], forget: Forget | None, *, last: bool) -> bool:
        """Commit, trying again for as long as the trouble may pass. False: given up at close."""
        marks = self._due_marks(last=last)
        work = _Work(tuple(one.transaction for one in batch), marks, forget)
        while True:
            final = self.closing.is_set()
            try:
                self._commit(work)
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

    def _due_marks(self, *, last: bool) -> list[PublishedCursor]:
        now = time.monotonic()
        if not (last or now >= self._marks_at + _MARKS_EVERY_S):
            return []
        self._marks_at = now
        return [self.marks.get_nowait() for _ in range(self.marks.qsize())]

    def _commit(self, work: _Work) -> None:
        if work.empty:
            return
        chains: dict[str, bytes] = {}
        execute = self._connection.execute
        execute("BEGIN IMMEDIATE")
        self._connection.executemany(_INSERT_RECORD, self._record_rows(work, chains))
        self._connection.executemany(_INSERT_ANSWER, work.answer_rows())
        self._connection.executemany(_MOVE_CURSOR, work.mark_rows())
        if work.forget is not None:
            execute("DELETE FROM answers WHERE answered_at<?", (work.forget.before,))
        execute("COMMIT")
        self._chains.update(chains)

    def _record_rows(self, work: _Work, chains: dict[str, bytes]) -> list[Row]:
        rows: list[Row] = []
        for one in work.transactions:
            table = one.table
            chain = chains.get(table) or self._chains.get(table) or genesis(table)
            for record in one.records:
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
            # Nothing durable hangs on it: a full disk is told by the commit that needs room.
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
            # The loop was closed before the journal: nobody is left to acknowledge to.
            self.closing.set()


@dataclass(frozen=True, slots=True)
class _Work:
    transactions: tuple[Transaction, ...]
    marks: list[PublishedCursor]
    forget: Forget | None

    @property
    def empty(self) -> bool:
        written = any(one.records or one.answer for one in self.transactions)
        return not (written or self.marks or self.forget)

    def answer_rows(self) -> list[Row]:
        return [
            (one.table, answer.command_id, answer.digest, answer.blob, answer.answered_at)
            for one in self.transactions
            if (answer := one.answer) is not None
        ]

    def mark_rows(self) -> list[Row]:
        newest = {mark.table: mark for mark in self.marks}
        return [(mark.table, mark.epoch, mark.seq) for mark in newest.values()]


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


def _run_all(loop: AbstractEventLoop, batch: list[Append]) -> None:
    for one in batch:
        try:
            one.done()
        except Exception as error:  # noqa: BLE001 - one table's defect must not swallow another's acknowledgement
            loop.call_exception_handler(
                {"message": "defect in a journal callback", "exception": error}
            )
