"""A journal in memory: what is appended is durable at once. A table starts on it as on a file."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path

from daemon.journal.chain import genesis
from daemon.journal.reader import Head
from daemon.journal.records import Answer, Record, Transaction
from daemon.journal.walk import BadRecord


class MemoryJournal:
    """The records of one table."""

    def __init__(self, records: Iterable[Record] = ()) -> None:
        self.kept = list(records)
        self.answers: dict[str, Answer] = {}
        self.set_aside: Path | None = None
        self.damage: Mapping[str, BadRecord] = {}

    def append(self, transaction: Transaction, done: Callable[[], None]) -> None:
        self.kept += transaction.records
        self.answers |= {answer.command_id: answer for answer in transaction.answers}
        done()

    def find_answer(self, _table: str, command_id: str) -> Answer | None:
        return self.answers.get(command_id)

    def appended(self, table: str) -> Head:
        if not self.kept:
            return Head(0, None, 0, genesis(table))
        last = self.kept[-1]
        seqs = (record.seq or 0 for record in self.kept if record.epoch == last.epoch)
        return Head(last.record, last.epoch, max(seqs), b"")

    def records(self, _table: str, from_record: int = 1) -> Iterator[Record]:
        return (record for record in self.kept if record.record >= from_record)

    def last_state(self, _table: str) -> Record | None:
        return next((record for record in reversed(self.kept) if record.kind == "state"), None)
