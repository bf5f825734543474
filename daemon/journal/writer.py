"""The one thread that writes the journal: many transactions, one commit, one fsync.

The loop puts jobs into `jobs` and goes on; the thread takes what has gathered, at most 64
transactions, and commits it. SQLite runs with `synchronous=FULL` on a write-ahead log: COMMIT
returns when the log is synced to the disk. Only then are the transactions' `done` callbacks called,
on the loop, in the order of `append`. That is what *durable* means everywhere in the daemon.

States
  writing   a batch is committed as soon as there is one
  blocked   no space, a lock, a read-only disk: it may pass (`errors.py`). The batch is rolled back
            and tried again each second; nothing is lost, nothing acknowledged, later jobs wait. The
            log is folded meanwhile: it may be what fills the disk. `Reports.condition` tells why,
            and None when it goes on
  failed    I/O error, damage, a defect: nothing more can be promised. `Reports.failed` tells once,
            the thread ends, the daemon exits with 74
  closing   what was appended before `Stop` is written, with one last try where it is blocked; what
            cannot be written stays unacknowledged

A transaction is written whole or not at all: its records with their chain values, its answer, and
the checkpoint where one is due (`ledger.py`). A chain moves only after COMMIT, so a batch that is
tried again gets the same values. Where nothing is appended the thread wakes up to sign what is not
signed yet.

Cursors (how far the bus has the events) are signed with the next checkpoint. They promise nothing:
a lost one makes the publisher send some events again under their old ids.

The log is folded into the file (SQLite calls it a checkpoint) between commits and never inside one:
its errors must not look like those of a commit, and nothing durable depends on it. A program that
reads the file for long keeps the log from being used again: `Reports.grown` tells. The log never
takes the space that folding it needs.
"""

from __future__ import annotations

import os
import threading
from asyncio import AbstractEventLoop
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import Final, TypeAlias

import apsw

from daemon.journal.chain import link_answer
from daemon.journal.checkpoint import AnswersHead, ChainPoint, Checkpoint
from daemon.journal.errors import JournalFailed, failed, why_blocked
from daemon.journal.ledger import Batch, Ledger, PublishedCursor
from daemon.journal.reader import ReadableJournal
from daemon.journal.records import Transaction
from daemon.journal.schema import INSERT_ANSWER, INSERT_CHECKPOINT, INSERT_RECORD

_BATCH: Final = 64
_FOLD_PAGES: Final = 1000  # 4 MiB of log, SQLite's own default
_FOLD_PAGES_LEAST: Final = 16
_FOLD_SHARE: Final = 4  # a quarter of what is free
_FOLD_PAGES_BUSY: Final = 4000  # between commits that wait, folding the log costs latency
_GROWN: Final = 2  # so many folds in a row that left some of the log
_PAGE_BYTES: Final = 4096
_PAGES_PER_MIB: Final = 256

Done: TypeAlias = Callable[[], None]


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
class Prune:
    """Delete a table's records up to `last`, and the checkpoints before a number; call `done`."""

    table: str
    last: ChainPoint
    checkpoints_before: int
    done: Done


@dataclass(frozen=True, slots=True)
class Wake:
    """There are cursors to write, once they are due."""


@dataclass(frozen=True, slots=True)
class Stop:
    """Write what came before, then end."""


Job: TypeAlias = Append | Forget | Prune | Wake | Stop


@dataclass(frozen=True, slots=True)
class Reports:
    """Whom the thread tells, always on the loop.

    condition   a sentence when the journal is blocked, None when it goes on
    grown       a sentence when the write-ahead log cannot be folded, None when it is again
    checkpoint  the line of each checkpoint, once it is durable
    failed      once, when nothing can be promised any more
    """

    condition: Callable[[str | None], None]
    grown: Callable[[str | None], None]
    checkpoint: Callable[[bytes], None]
    failed: Callable[[JournalFailed], None]


class Writer(threading.Thread):
    """Owns the writing connection from `start` on."""

    def __init__(
        self,
        connection: apsw.Connection,
        loop: AbstractEventLoop,
        ledger: Ledger,
        reports: Reports,
        retry_s: float,
    ) -> None:
        super().__init__(name="journal", daemon=True)
        self.jobs: SimpleQueue[Job] = SimpleQueue()
        self.cursors: SimpleQueue[PublishedCursor] = SimpleQueue()
        self.closing = threading.Event()
        self._connection = connection
        self._reading = ReadableJournal(connection)
        self._loop = loop
        self._ledger = ledger
        self._reports = reports
        self._retry_s = retry_s
        self._condition: str | None = None
        self._unfolded = 0
        self._log_pages = 0
        self._fold_at = self._fold_every = self._pages_before_fold()
        connection.set_wal_hook(self._logged)

    @property
    def stand(self) -> Checkpoint:
        """Where everything stands after the last commit; may be read from any thread."""
        return self._ledger.stand

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
        deletes: list[Forget | Prune] = []
        going_on = True
        job = self._first_job()
        while job is not None:
            match job:
                case Append():
                    appends.append(job)
                case Forget() | Prune():
                    deletes.append(job)
                case Stop():
                    going_on = False
                case Wake():
                    pass
            job = self._next_job() if going_on and len(appends) < _BATCH else None
        if not self._write(appends, deletes, last=not going_on):
            return False
        callbacks = [job.done for job in (*appends, *deletes) if not isinstance(job, Forget)]
        if callbacks:
            self._tell(_run_all, self._loop, callbacks)
        self._fold_when_due()
        return going_on

    def _first_job(self) -> Job | None:
        try:
            return self.jobs.get(timeout=self._ledger.signs_in(waiting=not self.cursors.empty()))
        except Empty:
            return None

    def _next_job(self) -> Job | None:
        try:
            return self.jobs.get_nowait()
        except Empty:
            return None

    def _write(self, appends: list[Append], deletes: list[Forget | Prune], *, last: bool) -> bool:
        """Commit, trying again for as long as the error may pass. False: given up at close."""
        transactions = tuple(append.transaction for append in appends)
        cursors = self._due_cursors(at_once=last or bool(appends))
        while True:
            final = self.closing.is_set()
            try:
                self._commit(Batch(transactions, cursors, closing=last), deletes)
            except apsw.Error as error:
                why = why_blocked(error, self._connection.system_errno)
                if self._connection.in_transaction:
                    self._connection.execute("ROLLBACK")
                if why is None:
                    raise
                self._set_condition(why)
                if final:
                    return False
                if self._fold():
                    self._log_is_folded()
                self.closing.wait(self._retry_s)
            else:
                self._set_condition(None)
                return True

    def _due_cursors(self, *, at_once: bool) -> tuple[PublishedCursor, ...]:
        """Return the newest cursor of each table, where something is written or it is time."""
        if not (at_once or self._ledger.signs_in(waiting=True) == 0.0):
            return ()
        waiting = [self.cursors.get_nowait() for _ in range(self.cursors.qsize())]
        return tuple({cursor.table: cursor for cursor in waiting}.values())

    def _commit(self, batch: Batch, deletes: Sequence[Forget | Prune]) -> None:
        commit = None if deletes else self._ledger.stage(batch)
        if commit is not None and commit.empty:
            return
        if self._unfolded and self._free_pages() < self._log_pages:
            raise apsw.FullError("what is left is needed to fold the log")
        execute, executemany = self._connection.execute, self._connection.executemany
        execute("BEGIN IMMEDIATE")
        for job in deletes:
            match job:
                case Forget(before=before):
                    batch = replace(batch, answers=self._forget(before))
                case Prune():
                    batch = replace(batch, pruned={**batch.pruned, job.table: self._prune(job)})
        commit = commit or self._ledger.stage(batch)
        executemany(INSERT_RECORD, commit.records)
        executemany(INSERT_ANSWER, commit.answers)
        if commit.line is not None:
            row = (commit.stand.number, int(commit.introduces), commit.line)
            execute(INSERT_CHECKPOINT, row)
            execute("DELETE FROM checkpoints WHERE number=? AND NOT introduces", (commit.replaces,))
        execute("COMMIT")
        self._ledger.committed(commit)
        if commit.line is not None:
            self._tell(self._reports.checkpoint, commit.line)

    def _prune(self, job: Prune) -> ChainPoint:
        """Delete a table's oldest records; return the last of them."""
        where = (job.table, job.last.number)
        self._connection.execute("DELETE FROM records WHERE table_id=? AND record<=?", where)
        self._connection.execute(
            "DELETE FROM checkpoints WHERE number<? AND NOT introduces", (job.checkpoints_before,)
        )
        return job.last

    def _forget(self, before: float) -> AnswersHead:
        """Delete the oldest answers, up to the first that is not older; return what is left."""
        kept = self._ledger.stand.answers
        forgotten = kept.forgotten
        for number, table, answer in self._reading.answers(forgotten.number):
            if answer.answered_at >= before:
                break
            forgotten = ChainPoint(number, link_answer(forgotten.chain, table, answer))
        self._connection.execute("DELETE FROM answers WHERE number<=?", (forgotten.number,))
        return replace(kept, forgotten=forgotten)

    def _fold_when_due(self) -> None:
        """Fold the log into the file, here and not inside a commit, where errors go unseen."""
        may_wait = self._fold_every == _FOLD_PAGES and not self.jobs.empty()
        if self._log_pages < max(self._fold_at, _FOLD_PAGES_BUSY if may_wait else 0):
            return
        self._fold_at = self._log_pages + self._fold_every
        if self._fold():
            self._log_is_folded()
            return
        self._unfolded += 1
        if self._unfolded == _GROWN:
            self._tell(
                self._reports.grown,
                f"the write-ahead log has grown to {self._log_pages / _PAGES_PER_MIB:.1f} MiB: a"
                " program that reads the journal's file for long keeps it from being folded; end it"
                " (`fuser` names it)",
            )

    def _pages_before_fold(self) -> int:
        """Return how far the log may grow: on a small disk not so far that it fills it."""
        return max(_FOLD_PAGES_LEAST, min(_FOLD_PAGES, self._free_pages() // _FOLD_SHARE))

    def _free_pages(self) -> int:
        disk = os.statvfs(Path(self._connection.filename).parent)
        return disk.f_bavail * disk.f_frsize // _PAGE_BYTES

    def _fold(self) -> bool:
        """Fold the log into the file. Return whether all of it was."""
        try:
            pages, folded = self._connection.wal_checkpoint(mode=apsw.SQLITE_CHECKPOINT_PASSIVE)
        except apsw.Error as error:
            # Nothing durable depends on it: the next commit that needs room reports a full disk.
            if why_blocked(error, self._connection.system_errno) is None:
                raise
            return False
        return folded == pages

    def _logged(self, _connection: apsw.Connection, _name: str, pages: int) -> int:
        if pages < self._log_pages:
            self._fold_at = self._fold_every = self._pages_before_fold()
            self._log_is_folded()
        self._log_pages = pages
        return apsw.SQLITE_OK

    def _log_is_folded(self) -> None:
        if self._unfolded >= _GROWN:
            self._tell(self._reports.grown, None)
        self._unfolded = 0

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


def _run_all(loop: AbstractEventLoop, callbacks: Sequence[Done]) -> None:
    for callback in callbacks:
        try:
            callback()
        except Exception as error:  # noqa: BLE001 - one table's defect must not swallow another's acknowledgement
            loop.call_exception_handler(
                {"message": "defect in a journal callback", "exception": error}
            )
