"""The journal of a daemon: append from the loop, be called when it is durable, read on the loop."""

from __future__ import annotations

import asyncio
import os
import time
from asyncio import AbstractEventLoop
from collections import deque
from collections.abc import Callable, Iterable, Mapping
from contextlib import ExitStack
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Final

import apsw

from daemon.journal.chain import genesis
from daemon.journal.checkpoint import ChainPoint, Checkpoint, SignedCheckpoint, rfc3339
from daemon.journal.errors import DAMAGED, JournalFailed, damaged
from daemon.journal.files import (
    lock_for_writing,
    open_for_reading,
    open_for_writing,
    set_aside,
    suspect_file,
)
from daemon.journal.ledger import Ledger, PublishedCursor
from daemon.journal.log_file import lost_commits
from daemon.journal.reader import Head, ReadableJournal
from daemon.journal.records import Answer, Transaction
from daemon.journal.schema import VERSION, version_of
from daemon.journal.signing import SigningKeys
from daemon.journal.startup import Start, look
from daemon.journal.upgrade import upgrade_from_1
from daemon.journal.walk import BadRecord
from daemon.journal.writer import Append, Done, Forget, Prune, Reports, Stop, Wake, Writer

_RETRY_S: Final = 1.0
_READ_PATIENCE_S: Final = 1.0
_TAIL: Final = 16


class Journal(ReadableJournal):
    """One file, one writer thread, one reading connection on the loop. Made by `open`.

    path       the file
    set_aside  where a damaged journal was put at opening: every table in it opens held
    damage     the tables whose records were not what was written: each opens held, in a new epoch
    """

    def __init__(
        self,
        path: Path,
        lock: int,
        reading: apsw.Connection,
        set_aside: Path | None,
        start: Start,
        trusted: Iterable[str],
    ) -> None:
        super().__init__(reading)
        self.path = path
        self.set_aside = set_aside
        self.damage: Mapping[str, BadRecord] = start.damage
        self._lock = lock
        self._trusted = frozenset(trusted)
        self._tails: dict[str, _Tail] = {}
        self._pending: dict[tuple[str, str], Answer] = {}
        self._expected = {
            table: Head(head.record, head.epoch, head.seq, head.chain)
            for table, head in start.stand.tables.items()
        }
        self._cursors = {
            table: head.published
            for table, head in start.stand.tables.items()
            if head.published is not None
        }
        self._on_failed: Callable[[JournalFailed], None] | None = None
        self._writer: Writer

    @classmethod
    def open(
        cls,
        path: Path,
        loop: AbstractEventLoop,
        keys: SigningKeys,
        reports: Reports,
        *,
        retry_s: float = _RETRY_S,
        wall: Callable[[], float] = time.time,
        vfs: str | None = None,
    ) -> Journal:
        """Open the journal and start its writer. Raises JournalFailed.

        retry_s  seconds between two tries while blocked
        wall     the clock of checkpoints, in seconds since the epoch
        vfs      SQLite's file layer, for tests that make writes fail
        """
        with ExitStack() as undo:
            lock = lock_for_writing(path)
            undo.callback(os.close, lock)
            writing, start, aside = _opened(path, vfs, keys, wall)
            undo.callback(writing.close)
            reading = open_for_reading(path, vfs, _READ_PATIENCE_S)
            undo.callback(reading.close)
            journal = cls(path, lock, reading, aside, start, keys.public)
            journal._on_failed = reports.failed
            journal._writer = Writer(
                writing,
                loop,
                Ledger(start.stand, keys, wall),
                replace(reports, failed=journal._fail),
                retry_s,
            )
            journal._writer.start()
            undo.pop_all()
        return journal

    @property
    def lock(self) -> int:
        """The open file whose lock keeps every other process from writing this journal."""
        return self._lock

    @property
    def stand(self) -> Checkpoint:
        """Where everything stands after the last commit."""
        return self._writer.stand

    def trusts(self, checkpoint: SignedCheckpoint) -> bool:
        """Return whether one of our keys signed this."""
        return not checkpoint.signers.isdisjoint(self._trusted)

    def appended(self, table: str) -> Head:
        """Return where the table's records end, with what is still on its way to the disk."""
        return self._expected.get(table) or Head(0, None, 0, genesis(table))

    def append(self, transaction: Transaction, done: Done) -> None:
        """Write the transaction and call `done` on the loop when it is durable. In order.

        An empty transaction writes nothing: its `done` says that all before it is durable.
        Raises ValueError when a record does not follow the table's last one: a defect.
        """
        head = self.appended(transaction.table)
        for record in transaction.records:
            last_seq = head.seq if record.epoch == head.epoch else 0
            if record.record != head.record + 1 or record.seq not in {None, last_seq + 1}:
                raise ValueError(
                    f"{transaction.table}: record {record.record}, seq {record.seq} of epoch"
                    f" {record.epoch} cannot follow {head.record}, {head.seq} of {head.epoch}"
                )
            head = Head(record.record, record.epoch, record.seq or last_seq, b"")
        self._expected[transaction.table] = head
        for answer in transaction.answers:
            self._pending[transaction.table, answer.command_id] = answer
        self._writer.jobs.put(Append(transaction, partial(self._durable, transaction, done)))

    def events(
        self, table: str, epoch: str, after_seq: int, limit: int = 500
    ) -> list[tuple[int, bytes]]:
        """Return up to `limit` events of the epoch after `after_seq`, as (seq, blob)."""
        tail = self._tails.get(table)
        recent = None if tail is None or tail.epoch != epoch else tail.after(after_seq, limit)
        return super().events(table, epoch, after_seq, limit) if recent is None else recent

    def last_durable_seq(self, table: str, epoch: str) -> int:
        """Return the seq of the last event that `events` returns, 0 where there is none."""
        tail = self._tails.get(table)
        if tail is None or tail.epoch != epoch:
            return self.last_seq(table, epoch)
        return tail.events[-1][0]

    def has_events(self, table: str, epoch: str, after_seq: int) -> bool:
        """Return whether the file has events of the epoch after `after_seq`.

        The file has them a moment before `events` returns them: that waits for their `done`.
        """
        return bool(super().events(table, epoch, after_seq, 1))

    def next_epoch(self, table: str, epoch: str | None) -> str | None:
        """Return the epoch of the first event after `epoch`'s last one, None if there is none."""
        if epoch is not None and self.appended(table).epoch == epoch:
            return None
        return super().next_epoch(table, epoch)

    def find_answer(self, table: str, command_id: str) -> Answer | None:
        """Return what the command with this id was answered.

        The answer may not be durable yet: send it from the `done` of an empty transaction.
        """
        return self._pending.get((table, command_id)) or super().find_answer(table, command_id)

    def cursor(self, table: str) -> tuple[str, int] | None:
        """Return the (epoch, seq) of the last event that the bus has, None if none is known."""
        return self._cursors.get(table)

    def move_cursor(self, table: str, epoch: str, seq: int) -> None:
        """Remember that the bus has this event. It is signed within a second."""
        self._cursors[table] = (epoch, seq)
        self._writer.cursors.put(PublishedCursor(table, epoch, seq))
        if self._writer.cursors.qsize() == 1:
            self._writer.jobs.put(Wake())

    def forget_answers(self, before: float) -> None:
        """Forget the answers given before this wall time, in seconds since the epoch."""
        self._writer.jobs.put(Forget(before))

    async def prune(self, table: str, last: ChainPoint, checkpoints_before: int) -> None:
        """Delete a table's records up to `last`, and the checkpoints before that number.

        Returns when that is durable, and signed. What may be deleted: `retention.py`.
        """
        pruned: asyncio.Future[None] = asyncio.get_running_loop().create_future()

        def done() -> None:
            if not pruned.done():  # whoever waited may be gone
                pruned.set_result(None)

        self._writer.jobs.put(Prune(table, last, checkpoints_before, done))
        await pruned

    async def close(self) -> None:
        """Write what was appended and close. What cannot be written now stays unacknowledged."""
        self._writer.closing.set()
        self._writer.jobs.put(Stop())
        await asyncio.to_thread(self._writer.join)
        # Last, so that the connection that may write folds the log into the file.
        self._connection.close()
        await asyncio.to_thread(self._writer.finish)
        os.close(self._lock)

    def _durable(self, transaction: Transaction, done: Done) -> None:
        for answer in transaction.answers:
            self._pending.pop((transaction.table, answer.command_id), None)
        for record in transaction.records:
            if record.seq is None:
                continue
            tail = self._tails.get(transaction.table)
            if tail is None or tail.epoch != record.epoch:
                tail = self._tails[transaction.table] = _Tail(record.epoch)
            tail.events.append((record.seq, record.blob))
        done()

    def _failed(self, error: Exception) -> JournalFailed:
        failure = super()._failed(error)
        self._fail(failure)
        return failure

    def _fail(self, why: JournalFailed) -> None:
        if why.damaged:
            suspect_file(self.path).touch()
        if self._on_failed is not None:
            report, self._on_failed = self._on_failed, None
            report(why)


def _opened(
    path: Path, vfs: str | None, keys: SigningKeys, wall: Callable[[], float]
) -> tuple[apsw.Connection, Start, Path | None]:
    """Open the file and look at it; set a damaged one aside and begin a new one."""
    try:
        try:
            return *_looked_at(path, vfs, keys, wall), None
        except (*DAMAGED, JournalFailed) as error:
            if isinstance(error, JournalFailed) and not error.damaged:
                raise
            aside = set_aside(path)
            return *_looked_at(path, vfs, keys, wall), aside
    except (apsw.Error, OSError) as error:
        raise JournalFailed(
            f"{path} cannot be opened ({error})",
            "its folder must exist, have space, and belong to the daemon's user",
        ) from error


def _looked_at(
    path: Path, vfs: str | None, keys: SigningKeys, wall: Callable[[], float]
) -> tuple[apsw.Connection, Start]:
    connection = open_for_writing(path, vfs)
    try:
        start = _look(connection, path, keys, wall)
        # A damaged file is set aside as it was found; a good one may be folded when it is closed.
        connection.config(apsw.SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 0)
    except BaseException:
        connection.close()
        raise
    return connection, start


def _look(
    connection: apsw.Connection, path: Path, keys: SigningKeys, wall: Callable[[], float]
) -> Start:
    frames, _ = connection.wal_checkpoint(mode=apsw.SQLITE_CHECKPOINT_NOOP)
    if (lost := lost_commits(path, frames)) > 1:
        raise damaged(f"{lost} commits in its write-ahead log do not fit their checksums")
    if version_of(connection, path) < VERSION:
        return upgrade_from_1(connection, keys, rfc3339(wall()))
    return look(ReadableJournal(connection), keys)


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
