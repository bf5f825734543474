"""What one commit writes: rows with their chain values, and the checkpoint when one is due.

The ledger knows where every chain stands after the last commit. A commit is staged from it, written
by the writer, and taken over when it is durable; one that failed is staged again.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final, TypeAlias

from daemon.journal.chain import genesis, link, link_answer
from daemon.journal.checkpoint import (
    AnswersHead,
    ChainPoint,
    Checkpoint,
    TableHead,
    rfc3339,
    signed,
)
from daemon.journal.records import Transaction
from daemon.journal.schema import answer_row
from daemon.journal.signing import SigningKeys

Row: TypeAlias = tuple[Any, ...]

CHECKPOINT_EVERY_S: Final = 1.0
"""How long all but the end of a round waits for its signature."""
_MINUTE: Final = len("2026-12-01T02:53")


@dataclass(frozen=True, slots=True)
class PublishedCursor:
    """The bus has this event."""

    table: str
    epoch: str
    seq: int


@dataclass(frozen=True, slots=True)
class Batch:
    """What the writer was given since the last commit.

    answers  what is left of the answers when old ones are forgotten; None: none are
    pruned   the last record that is deleted, of each table of which some are
    closing  nothing comes after it
    """

    transactions: Sequence[Transaction] = ()
    cursors: Sequence[PublishedCursor] = ()
    answers: AnswersHead | None = None
    pruned: Mapping[str, ChainPoint] = field(default_factory=dict)
    closing: bool = False


@dataclass(frozen=True, slots=True)
class Commit:
    """What is written together.

    line      of the checkpoint, None if none is due
    replaces  the number of the checkpoint that is no longer kept beside it
    stand     where everything stands afterwards
    """

    records: Sequence[Row]
    answers: Sequence[Row]
    line: bytes | None
    introduces: bool
    replaces: int | None
    stand: Checkpoint

    @property
    def empty(self) -> bool:
        """Return whether there is nothing to write."""
        return not (self.records or self.answers or self.line)


class Ledger:
    """Where everything stands, and when it has to be signed again.

    stand  as of the last commit; its number is that of the last checkpoint
    """

    def __init__(
        self, stand: Checkpoint, keys: SigningKeys, wall: Callable[[], float] = time.time
    ) -> None:
        self.stand = stand
        self._keys = keys
        self._wall = wall
        self._moved = False
        self._signed_at: float | None = None

    def signs_in(self, *, waiting: bool) -> float | None:
        """Return in how many seconds a checkpoint is due, None if everything is signed.

        waiting  there are cursors to be signed
        """
        if not (self._moved or waiting):
            return None
        if self._signed_at is None:
            return 0.0
        return max(0.0, self._signed_at + CHECKPOINT_EVERY_S - time.monotonic())

    def stage(self, batch: Batch) -> Commit:
        """Return what this batch writes. Nothing is taken over before `committed`."""
        tables = dict(self.stand.tables)
        records = [
            row for transaction in batch.transactions for row in _records(transaction, tables)
        ]
        kept = batch.answers or self.stand.answers
        answers, kept = _answers(batch.transactions, kept)
        for cursor in batch.cursors:
            if (head := tables.get(cursor.table)) is not None:
                tables[cursor.table] = replace(head, published=(cursor.epoch, cursor.seq))
        for table, point in batch.pruned.items():
            tables[table] = replace(tables[table], pruned=point)
        stand = replace(self.stand, tables=tables, answers=kept)
        if not self._is_due(batch, moved=bool(records or answers)):
            return Commit(records, answers, None, introduces=False, replaces=None, stand=stand)
        stand = replace(
            stand,
            number=stand.number + 1,
            at=rfc3339(self._wall()),
            key=self._keys.in_force,
            closed=batch.closing,
        )
        introduces = stand.key != self.stand.key
        return Commit(
            records,
            answers,
            signed(stand, self._keys, introduces=introduces),
            introduces,
            self._replaced(stand.at),
            stand,
        )

    def committed(self, commit: Commit) -> None:
        """Take over what is durable now."""
        self.stand = commit.stand
        self._moved = commit.line is None and (self._moved or not commit.empty)
        if commit.line is not None:
            self._signed_at = time.monotonic()

    def _is_due(self, batch: Batch, *, moved: bool) -> bool:
        if batch.closing:
            return moved or self._moved or not (self.stand.closed or not self.stand.tables)
        if batch.answers is not None or batch.pruned or any(map(_ends_round, batch.transactions)):
            return True
        if not (moved or self._moved or batch.cursors):
            return False
        return self.signs_in(waiting=True) == 0.0

    def _replaced(self, at: str) -> int | None:
        same_minute = self.stand.at[:_MINUTE] == at[:_MINUTE]
        return self.stand.number if same_minute else None


def _ends_round(transaction: Transaction) -> bool:
    return any(record.kind == "state" for record in transaction.records)


def _records(transaction: Transaction, tables: dict[str, TableHead]) -> Iterable[Row]:
    table = transaction.table
    head = tables.get(table) or TableHead(0, "", 0, genesis(table))
    for record in transaction.records:
        chain = link(head.chain, record)
        last_seq = head.seq if record.epoch == head.epoch else 0
        head = replace(
            head,
            record=record.record,
            epoch=record.epoch,
            seq=record.seq or last_seq,
            chain=chain,
        )
        yield table, record.record, record.epoch, record.seq, record.kind, record.blob, chain
        tables[table] = head


def _answers(
    transactions: Sequence[Transaction], kept: AnswersHead
) -> tuple[list[Row], AnswersHead]:
    rows: list[Row] = []
    last = kept.last
    for transaction in transactions:
        for answer in transaction.answers:
            last = ChainPoint(last.number + 1, link_answer(last.chain, transaction.table, answer))
            rows.append(answer_row(last.number, transaction.table, answer))
    return rows, replace(kept, last=last)
