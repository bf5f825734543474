"""Checking old records while the daemon plays: in small steps, with a share of one processor.

A start checks only what it resumes from (`startup.py`). The rest is checked here: what was not
published yet, before it is published; and every chain from its beginning, an hour after the last
time it was. A step reads some hundred records through a connection of its own, so it neither keeps
the writer waiting nor the log from being folded; between steps it sleeps.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Final

from daemon.journal.checkpoint import BadCheckpoint, ChainPoint, TableHead, read
from daemon.journal.errors import JournalFailed
from daemon.journal.reader import JournalReader
from daemon.journal.retention import Retention, let_go
from daemon.journal.store import Journal
from daemon.journal.walk import BadRecord, ChainWalk

EVERY_S: Final = 3600.0
BACKGROUND: Final = 0.1
"""The share of one processor that a check takes that nobody waits for."""
FOREGROUND: Final = 0.5
_STEP: Final = 100  # records: less than a millisecond of the loop
_PATIENCE_S: Final = 0.1


class BackgroundCheck:
    """Checks every chain again and again; `run` is its task.

    on_damage  is called with the first bad record of a table, once for each table
    retention  what is kept: after each check the rest of what proved good is deleted
    """

    def __init__(
        self,
        journal: Journal,
        on_damage: Callable[[BadRecord], None],
        retention: Retention,
        every_s: float = EVERY_S,
    ) -> None:
        self._journal = journal
        self._on_damage = on_damage
        self._retention = retention
        self._every_s = every_s
        self._told: set[str] = set(journal.damage)

    async def run(self) -> None:
        """Check for ever. Raises JournalFailed where the file cannot be read."""
        while True:
            await asyncio.sleep(self._every_s)
            for table in tuple(self._journal.stand.tables):
                if table in self._told:
                    continue
                bad = await self._check(table)
                if bad is not None:
                    self._told.add(table)
                    self._on_damage(bad)
            await let_go(self._journal, self._retention, self._told)

    async def _check(self, table: str) -> BadRecord | None:
        """Return the first bad record; what is pruned on the way is no damage."""
        while True:
            head = self._journal.stand.tables[table]
            start = head.start(table)
            bad = await check(self._journal.path, table, start, head, BACKGROUND)
            if bad is None or start == self._journal.stand.tables[table].start(table):
                return bad


async def check_unpublished(journal: Journal, table: str) -> BadRecord | None:
    """Return the first bad record of those whose events the bus does not have yet.

    `proven` is the last one before it that the bus has, or that a kept checkpoint signed: an edit
    may have moved the break in the chain to a later record.
    """
    head = journal.stand.tables.get(table)
    if head is None:
        return None
    start, cursor = head.start(table), journal.cursor(table)
    if cursor is not None:
        record = journal.record_of(table, *cursor)
        chain = journal.chain_at(table, record)
        start = start if chain is None else ChainPoint(record, chain)
    bad = await check(journal.path, table, start, head, FOREGROUND)
    return None if bad is None else replace(bad, proven=_proven(journal, bad, start.number))


def _proven(journal: Journal, bad: BadRecord, published: int) -> int:
    proven = published
    for _number, _introduces, line in journal.checkpoints():
        try:
            signed = read(line)
        except BadCheckpoint:
            continue
        head = signed.checkpoint.tables.get(bad.table)
        if head is None or not proven < head.record < bad.record:
            continue
        if journal.trusts(signed) and journal.chain_at(bad.table, head.record) == head.chain:
            proven = head.record
    return proven


async def check(
    path: Path, table: str, start: ChainPoint, end: TableHead, share: float
) -> BadRecord | None:
    """Return the first bad record after `start` and up to `end`, whose chain value is known.

    share  of one processor
    Raises JournalFailed where the file cannot be read.
    """
    walk = ChainWalk(start) if start.number else ChainWalk(start, "", 0)
    with JournalReader.open(path, _PATIENCE_S) as reader:
        while walk.at.number < end.record:
            began = time.perf_counter()
            bad = _step(reader, table, walk, end)
            if bad is not None:
                at, round_id = reader.near(table, bad.record)
                return replace(bad, at=at, round_id=round_id)
            await asyncio.sleep((time.perf_counter() - began) * (1 / share - 1))
    return None


def _step(reader: JournalReader, table: str, walk: ChainWalk, end: TableHead) -> BadRecord | None:
    """Walk on by some records; return the first that does not fit."""
    due = walk.at.number + 1
    try:
        for row in reader.page(table, due, _STEP):
            if (what := walk.take(row)) is not None:
                return BadRecord(table, walk.at.number + 1, what)
            if walk.at.number == end.record:
                break
    except JournalFailed as error:
        return BadRecord(table, walk.at.number + 1, f"it cannot be read: {error.what}")
    if walk.at.number < due:
        return BadRecord(table, due, f"it is missing: {end.record} records were written")
    if walk.at.number == end.record and walk.at.chain != end.chain:
        return BadRecord(table, end.record, "it, or one before, is not what was written")
    return None
