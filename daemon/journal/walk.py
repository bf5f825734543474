"""Walking along one table's chain: each record is the one that was written, or is named.

A walk begins at a point of the chain that is known (its start, or a record that a checkpoint
signed) and takes record after record as it is stored, of whatever type a damaged file has them.
The first one that does not fit ends it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final, TypeAlias

from daemon.journal.chain import CHAIN_BYTES, link
from daemon.journal.checkpoint import ChainPoint
from daemon.journal.records import Record

StoredRow: TypeAlias = tuple[Any, ...]
"""record, epoch, seq, kind, blob, chain, as the file has them."""

_TYPES: Final = (
    ("record", int),
    ("epoch", str),
    ("seq", int | None),
    ("kind", str),
    ("blob", bytes),
    ("chain", bytes),
)


@dataclass(frozen=True, slots=True)
class BadRecord:
    """The first record of a table that is not as it was written, and what is wrong with it.

    proven    the last record before it that a checkpoint signed, None where that was not looked at
    at        the time of the event before it, else of one after it, None where there is none
    round_id  the round of that event
    """

    table: str
    record: int
    what: str
    proven: int | None = None
    at: str | None = None
    round_id: str | None = None

    @property
    def where(self) -> str:
        """Return which record it is, when that was and in which round."""
        round_id = f", in round {self.round_id}" if self.round_id else ""
        return f"record {self.record} of {self.table}{round_id}" + (
            f", about {self.at}" if self.at else ""
        )

    @property
    def sentence(self) -> str:
        """Return all of it, for people."""
        doubtful = self.record if self.proven is None else self.proven + 1
        if doubtful >= self.record:
            return f"{self.where}: {self.what}"
        return f"{self.where}: {self.what}; from record {doubtful} on nothing is proven"


class ChainWalk:
    """A walk that stands at `at` and fits so far.

    epoch  of the record it stands at, None where that is not known
    seq    of the last event of that epoch, None where that is not known
    """

    def __init__(self, at: ChainPoint, epoch: str | None = None, seq: int | None = None) -> None:
        self.at = at
        self.epoch = epoch
        self.seq = seq
        self._past: set[str] = set()

    def take(self, row: StoredRow) -> str | None:
        """Go on to this row; return what is wrong with it instead, where something is."""
        if (what := _mistyped(row)) is not None:
            return what
        *columns, stored = row
        record = Record(*columns)
        due = self.at.number + 1
        if record.record != due:
            return f"it is missing; record {record.record} comes next"
        if (what := self._out_of_sequence(record)) is not None:
            return what
        chain = link(self.at.chain, record)
        if chain != stored:
            return "the chain does not fit: it or one before was edited"
        self.at = ChainPoint(due, chain)
        return None

    def _out_of_sequence(self, record: Record) -> str | None:
        """Epochs follow each other, and their events count 1, 2, 3."""
        epoch, seq = record.epoch, record.seq
        if epoch in self._past:
            return f"epoch {epoch} comes back after it had ended"
        if epoch != self.epoch:
            if self.epoch is not None:
                self._past.add(self.epoch)
                self.seq = 0
            self.epoch = epoch
        if (seq is not None) != (record.kind == "event"):
            return f"a record of kind {record.kind} has seq {seq}"
        if seq is None:
            return None
        if self.seq is not None and seq != self.seq + 1:
            return f"seq {self.seq + 1} of epoch {epoch} is missing; {seq} comes next"
        self.seq = seq
        stated = (f'"epoch":"{epoch}"'.encode(), f'"sequence":"{seq:020d}"'.encode())
        if not all(member in record.blob for member in stated):
            return f"its body is not event {seq} of epoch {epoch}"
        return None


def _mistyped(row: StoredRow) -> str | None:
    for value, (column, kind) in zip(row, _TYPES, strict=True):
        if not isinstance(value, kind):
            return f"its {column} is damaged: it is of another type than was written"
    if len(row[-1]) != CHAIN_BYTES:
        return f"its chain value has {len(row[-1])} bytes"
    return None
