"""A power cut at any moment of an evening: what was acknowledged is there, and nothing else.

Every operation on the disk is a moment; what was not synced then may be there or not
(`crash_disk.py`). Each time the journal is opened again: whole transactions, as many as were
acknowledged or more, chained and signed, no table held; each table stands as a twin stood that
never crashed; and it goes on from there.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from dataclasses import replace
from pathlib import Path
from random import Random

from support.crash_disk import Cut, RecordingDisk, Replayer, every_cut
from support.durable import Opened, opened
from support.sitting import an_evening, writing
from support.take_up import state_after

from daemon.journal.errors import JournalFailed
from daemon.journal.verify import verify

_TORN_END = "the write-ahead log ends in 1 commits"
_SUFFIXES = ("", "-wal", "-shm", "-journal", ".suspect")


class PowerCut:
    """Every moment of an evening with about a hundred events.

    states  how many moments are tried, None for all
    lying   the disk says that it has synced, and has not: then the harness must find losses
    """

    name = "powercut"

    def __init__(self, rounds: int = 12, states: int | None = None, *, lying: bool = False) -> None:
        self.total: int | None = None
        self.outcomes: Counter[str] = Counter()
        self._rounds = rounds
        self._wanted = states
        self._lying = lying

    async def prepare(self, folder: Path, seed: int) -> None:
        self._path = folder / "journal.db"
        self._sitting = an_evening(self._rounds)
        self._acknowledged: list[int] = []
        written = folder / "written.db"
        disk = RecordingDisk("recording", written)
        try:
            then = lambda: self._acknowledged.append(len(disk.operations))  # noqa: E731 - bound here
            async with writing(written, self._sitting, vfs=disk.name, then=then):
                pass
            operations = tuple(
                replace(one, kind="write") if self._lying and one.kind == "sync" else one
                for one in disk.operations
            )
        finally:
            disk.unregister()
        chance = Random(seed)
        self._cuts = list(every_cut(operations, chance))
        if self._wanted is not None and self._wanted < len(self._cuts):
            kept = sorted(chance.sample(range(len(self._cuts)), self._wanted))
            self._cuts = [self._cuts[number] for number in kept]
        self.total = len(self._cuts)
        self._replayer = Replayer(operations)
        self._states: dict[tuple[str, int], bytes] = {}

    async def trial(self, number: int) -> str | None:
        cut = self._cuts[number]
        self._replayer.go_to(cut.after)
        self._put(self._replayer.disk(cut))
        acknowledged = bisect_right(self._acknowledged, cut.after)
        wrong = self._look_at(cut, acknowledged)
        async with opened(self._path) as it:
            if it.journal.set_aside is not None and acknowledged:
                wrong.append("the file was set aside")
            wrong += [bad.sentence for bad in it.journal.damage.values()]
            wrong += self._compare(it, acknowledged)
            wrong += await self._go_on(it)
        if not verify(self._path).good:
            wrong.append(f"it is not what was written after it was taken up: {verify(self._path)}")
        self.outcomes["plain" if cut.is_plain else "with lost writes"] += 1
        return f"{cut}: {'; '.join(wrong)}" if wrong else None

    def _put(self, files: dict[str, bytearray]) -> None:
        for suffix in _SUFFIXES:
            self._path.with_name(self._path.name + suffix).unlink(missing_ok=True)
        for suffix, content in files.items():
            self._path.with_name(self._path.name + suffix).write_bytes(content)

    def _look_at(self, cut: Cut, acknowledged: int) -> list[str]:
        """Return what `verify` has against it as it was found."""
        if not self._path.exists():
            return []
        try:
            report = verify(self._path)
        except JournalFailed as error:
            return [error.what] if acknowledged else []  # the very first write was cut
        may_be_torn = not cut.is_plain
        faults = [one for one in report.faults if not (may_be_torn and one.startswith(_TORN_END))]
        return faults + [bad.sentence for bad in report.bad]

    def _compare(self, it: Opened, acknowledged: int) -> list[str]:
        """Return what is there and should not be, or should be and is not."""
        wrong = []
        whole = 0
        for table in self._sitting.setups:
            records = list(it.journal.records(table))
            mine = [one for one in self._sitting.transactions if one.table == table]
            there: list[object] = []
            for transaction in mine:
                if len(there) >= len(records):
                    break
                there += transaction.records
                whole += 1
            if records != there:
                wrong.append(f"{table}: {len(records)} records are not whole transactions")
            wrong += self._state(table, len(records))
        if whole < acknowledged:
            wrong.append(f"{whole} transactions, and {acknowledged} were acknowledged")
        for transaction in self._sitting.transactions[:whole]:
            for answer in transaction.answers:
                kept = it.journal.find_answer(transaction.table, answer.command_id)
                if kept != answer:
                    wrong.append(f"the answer to {answer.command_id} is lost")
        return wrong

    def _state(self, table: str, count: int) -> list[str]:
        """Return how a table differs from its twin that never crashed."""
        twin = self._sitting.states[table].get(count)
        if twin is None:
            return []
        records = self._sitting.records(table)[:count]
        if (table, count) not in self._states:
            self._states[table, count] = state_after(self._sitting.setups[table], records)
        if self._states[table, count] != twin:
            return [f"{table} stands after {count} records as its twin never did"]
        return []

    async def _go_on(self, it: Opened) -> list[str]:
        """Write the rest of the evening, or as much as shows that it goes on."""
        for table in self._sitting.setups:
            count = it.journal.appended(table).record
            mine = [one for one in self._sitting.transactions if one.table == table]
            rest = [one for one in mine if one.records[0].record > count][:2]
            await it.write(*rest)
        return [it.failures[0].what] if it.failures else []
