"""The n-th write, sync or cut of the journal fails: without space, with an I/O error, or halfway.

What fails for lack of space is told and written later; after any other failure the daemon ends with
74. Either way, what was acknowledged is there at the next start, the chains are whole, and nothing
is held.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Final

import apsw
from support.durable import Opened, opened
from support.sitting import Sitting, an_evening, writing

from daemon.journal.errors import JournalFailed
from daemon.journal.verify import verify

_METHODS: Final = ("xWrite", "xSync", "xTruncate")
_ERRORS: Final[dict[str, tuple[type[apsw.Error], bool]]] = {
    "no space": (apsw.FullError, False),
    "an I/O error": (apsw.IOError, False),
    "no space in mid-write": (apsw.FullError, True),
    "an I/O error in mid-write": (apsw.IOError, True),
}


@dataclass
class Failure:
    """The n-th call of `method` fails, once; `short`: half of a write is done before."""

    method: str
    nth: int
    error: type[apsw.Error]
    short: bool
    hit: bool = False

    def comes(self, method: str) -> bool:
        if method != self.method:
            return False
        self.nth -= 1
        self.hit = self.hit or self.nth == 0
        return self.nth == 0


class FailingDisk(apsw.VFS):
    """SQLite's own file layer, with one failure to come; counts the calls."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.failure: Failure | None = None
        self.calls: Counter[str] = Counter()
        super().__init__(name, "")

    def call(self, method: str) -> Failure | None:
        self.calls[method] += 1
        failure = self.failure
        return failure if failure is not None and failure.comes(method) else None

    def xOpen(self, name: str | apsw.URIFilename | None, flags: list[int]) -> apsw.VFSFile:  # noqa: N802 - SQLite's name
        return _FailingFile(self, name, flags)


class _FailingFile(apsw.VFSFile):
    def __init__(
        self, disk: FailingDisk, name: str | apsw.URIFilename | None, flags: list[int]
    ) -> None:
        super().__init__("", name, flags)
        self._disk = disk

    def xWrite(self, data: bytes, offset: int) -> None:  # noqa: N802 - SQLite's name
        failure = self._disk.call("xWrite")
        if failure is None:
            super().xWrite(data, offset)
            return
        if failure.short:
            super().xWrite(bytes(data)[: len(data) // 2], offset)
        raise failure.error("made to fail")

    def xSync(self, flags: int) -> None:  # noqa: N802 - SQLite's name
        if (failure := self._disk.call("xSync")) is not None:
            raise failure.error("made to fail")
        super().xSync(flags)

    def xTruncate(self, size: int) -> None:  # noqa: N802 - SQLite's name
        if (failure := self._disk.call("xTruncate")) is not None:
            raise failure.error("made to fail")
        super().xTruncate(size)


class FailWrite:
    """Every n of every kind of call, with every kind of failure.

    sample  how many of them are tried, None for all
    """

    name = "failwrite"

    def __init__(self, rounds: int = 2, sample: int | None = None) -> None:
        self.total: int | None = None
        self.outcomes: Counter[str] = Counter()
        self._rounds = rounds
        self._sample = sample

    async def prepare(self, folder: Path, seed: int) -> None:
        self._folder = folder
        self._sitting: Sitting = an_evening(self._rounds)
        disk = FailingDisk("counting")
        try:
            async with writing(folder / "counted.db", self._sitting, vfs=disk.name):
                pass
        finally:
            disk.unregister()
        self._trials: Sequence[tuple[str, int, str]] = [
            (method, nth, error)
            for method in _METHODS
            for nth in range(1, disk.calls[method] + 1)
            for error in _ERRORS
            if method == "xWrite" or not _ERRORS[error][1]
        ]
        if self._sample is not None:
            self._trials = Random(seed).sample(self._trials, self._sample)
        self.total = len(self._trials)

    async def trial(self, number: int) -> str | None:
        method, nth, what = self._trials[number]
        error, short = _ERRORS[what]
        path = self._folder / "journal.db"
        for old in self._folder.glob("journal.db*"):
            old.unlink()
        disk = FailingDisk("failing")
        disk.failure = Failure(method, nth, error, short)
        try:
            acknowledged, wrong = await self._write(path, disk)
        finally:
            disk.unregister()
        wrong += await self._take_up(path, acknowledged)
        return f"{what} in {method} {nth}: {'; '.join(wrong)}" if wrong else None

    async def _write(self, path: Path, disk: FailingDisk) -> tuple[int, list[str]]:
        """Write the evening on a disk that fails; return how much of it was acknowledged."""
        failure = disk.failure
        assert failure is not None
        it: Opened | None = None
        try:
            async with writing(path, self._sitting, vfs=disk.name) as it:
                acknowledged, failures = len(it.acknowledged), list(it.failures)
        except JournalFailed:
            self.outcomes["ended at its start or its end"] += 1
            return len(it.acknowledged) if it is not None else 0, []
        if failures:
            self.outcomes["ended with 74"] += 1
            return acknowledged, []
        self.outcomes["blocked and went on" if it.conditions else "not noticed"] += 1
        whole = acknowledged == len(self._sitting.transactions)
        return acknowledged, [] if whole else [f"it stopped after {acknowledged}"]

    async def _take_up(self, path: Path, acknowledged: int) -> list[str]:
        """Return what is wrong at the next start."""
        wrong = []
        async with opened(path) as it:
            if it.journal.set_aside is not None and acknowledged:
                wrong.append("the file was set aside")
            wrong += [bad.sentence for bad in it.journal.damage.values()]
            there = {table: list(it.journal.records(table)) for table in self._sitting.setups}
        for table, records in there.items():
            mine = self._sitting.records(table)
            if records != mine[: len(records)]:
                wrong.append(f"{table}: its records are not those that were written")
        due: Counter[str] = Counter()
        for transaction in self._sitting.transactions[:acknowledged]:
            due[transaction.table] += len(transaction.records)
        for table, count in due.items():
            if len(there[table]) < count:
                wrong.append(f"{table}: {len(there[table])} records, {count} were acknowledged")
        report = verify(path)
        if not report.good:
            wrong += [*report.faults, *(bad.sentence for bad in report.bad)]
        return wrong
