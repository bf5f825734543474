"""Letting old records go: whole stretches that are signed, published, and needed by nobody here.

What goes        by age, all records that a checkpoint of that age has signed; by size, all up to
                 the first checkpoint behind which little enough is left
What stays       the last event that the bus has, and what it does not have yet; the last state
                 record and all after it, of which a restart resumes; everything of a table that is
                 damaged; the newest checkpoint and each that brought a key into force
How it is told   the next checkpoint signs where each chain begins now, in the transaction that
                 deletes: `verify` goes on from there, and a stretch that somebody else cut out is
                 not taken for one of these

Records are deleted some at a time, so that the writer is never kept from a card. SQLite uses the
space again; the file does not get smaller.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from daemon.journal.checkpoint import BadCheckpoint, ChainPoint, Checkpoint, read, rfc3339
from daemon.journal.store import Journal

_AT_ONCE: Final = 1000
_MOST_AT_A_TIME: Final = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class Retention:
    """What is kept. None: as long, or as much, as there is.

    keep_s      seconds
    keep_bytes  of the file
    gently      at most a day's records each time: a clock that is years ahead takes only one
    """

    keep_s: float | None = None
    keep_bytes: int | None = None
    gently: bool = True

    @classmethod
    def of(
        cls, keep_days: float | None, keep_megabytes: float | None, *, gently: bool = True
    ) -> Retention:
        """Return what is kept, in the units that people use."""
        keep_s = None if keep_days is None else keep_days * 86400
        keep_bytes = None if keep_megabytes is None else round(keep_megabytes * 1e6)
        return cls(keep_s, keep_bytes, gently)


async def let_go(
    journal: Journal, retention: Retention, damaged: Collection[str] = (), now: float | None = None
) -> int:
    """Delete what need not be kept; return how many records that were. Raises JournalFailed.

    damaged  tables of which nothing is deleted
    now      wall time, seconds since the epoch
    """
    if retention.keep_s is None and retention.keep_bytes is None:
        return 0
    until = _limit(journal, retention, time.time() if now is None else now)
    if until is None:
        return 0
    deleted = 0
    for table, head in until.tables.items():
        if table in damaged or table in journal.damage:
            continue
        last = min(head.record, _needed_from(journal, table) - 1)
        for point in _steps(journal, table, last):
            before = journal.stand.tables[table].start(table).number
            await journal.prune(table, point, until.number)
            deleted += point.number - before
            await asyncio.sleep(0)
    return deleted


def _limit(journal: Journal, retention: Retention, now: float) -> Checkpoint | None:
    """Return the checkpoint up to which everything may go, None if nothing may."""
    kept = tuple(_kept(journal))
    if not kept:
        return None
    limit: Checkpoint | None = None
    if retention.keep_s is not None:
        oldest_kept = rfc3339(now - retention.keep_s)
        if retention.gently:
            oldest_kept = min(oldest_kept, _a_day_after(kept[0].at))
        limit = next((one for one in reversed(kept) if one.at < oldest_kept), None)
    if retention.keep_bytes is not None:
        too_much = _over_size(journal, kept, retention.keep_bytes)
        if too_much is not None and (limit is None or too_much.number > limit.number):
            limit = too_much
    return limit


def _kept(journal: Journal) -> Iterator[Checkpoint]:
    """Yield the checkpoints behind which something could go, oldest first."""
    now = journal.stand.tables
    for _number, _introduces, line in journal.checkpoints():
        try:
            tables = (checkpoint := read(line).checkpoint).tables
        except BadCheckpoint:  # `verify` names it
            continue
        if any(head.record > now[table].start(table).number for table, head in tables.items()):
            yield checkpoint


def _over_size(
    journal: Journal, kept: Collection[Checkpoint], keep_bytes: int
) -> Checkpoint | None:
    """Return the first checkpoint behind which so little is left as may be kept."""
    used = journal.bytes_used()
    now = journal.stand.tables
    there = sum(head.record - head.start(table).number for table, head in now.items())
    if used <= keep_bytes or not there:
        return None
    spare = there * (used - keep_bytes) // used
    for checkpoint in kept:
        gone = sum(
            max(0, head.record - now[table].start(table).number)
            for table, head in checkpoint.tables.items()
            if table in now
        )
        if gone >= spare:
            return checkpoint
    return None


def _needed_from(journal: Journal, table: str) -> int:
    """Return the first record that is still needed here: to be published, or to resume from."""
    state, published = journal.last_state(table), journal.stand.tables[table].published
    if state is None or published is None:
        return 0
    return min(state.record, journal.record_of(table, *published))


def _steps(journal: Journal, table: str, last: int) -> Iterator[ChainPoint]:
    """Yield the ends of the stretches that are deleted one after the other."""
    at = journal.stand.tables[table].start(table).number
    while at < last:
        at = min(at + _AT_ONCE, last)
        chain = journal.chain_at(table, at)
        if chain is None:
            return  # a hole: leave it for `verify`
        yield ChainPoint(at, chain)


def _a_day_after(at: str) -> str:
    return rfc3339((datetime.fromisoformat(at) + _MOST_AT_A_TIME).timestamp())
