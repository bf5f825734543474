"""Taking a journal up as a start of the daemon does: what it plays on from, and publishes.

Whatever was done to the file, a table either plays on from exactly the state that it had, and the
bus gets exactly the events that it lacks; or it is held, and the bus gets none but some of these.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from support.durable import KEYS, Opened, opened
from support.sitting import Sitting

from daemon.delivery.bus import (
    Address,
    CommandHandler,
    EventLog,
    Keeping,
    Outgoing,
    StoredEvent,
)
from daemon.delivery.comparison import Comparison
from daemon.delivery.lease import Owner
from daemon.delivery.lease_keeper import LeaseKeeper
from daemon.delivery.publisher import Publisher
from daemon.delivery.reports import PublisherEvents
from daemon.journal.errors import JournalFailed
from daemon.journal.evidence import contradicted
from daemon.journal.records import Record, Transaction, new_epoch
from daemon.journal.store import Journal
from daemon.runtime.codec import StateCodec, tombstone
from daemon.runtime.recovery import recover
from daemon.table.state import TableSetup
from drivers.clock import BootClock
from protocols.canonical import canonical

LACKING = 3
"""How many of each table's events the bus does not have yet."""
PATIENCE_S = 10.0


def no_positions(_first: int, _last: int) -> None:
    """Hear nothing of positions: this bus has none."""


class MemoryBus:
    """A bus that takes everything at once, an event once, and has some of it already."""

    keeps_all = True

    def __init__(self, there: Sequence[bytes]) -> None:
        self.there = list(there)
        self.taken: list[bytes] = []

    @property
    def log(self) -> EventLog:
        return self

    @property
    def leases(self) -> None: ...

    async def newest(self, _address: Address) -> StoredEvent | None:
        return StoredEvent(len(self.there), self.there[-1]) if self.there else None

    async def keeping(self, _address: Address) -> Keeping:
        return Keeping()

    async def after(self, _address: Address, _number: int, _limit: int) -> Sequence[StoredEvent]:
        return ()

    @property
    def bulk(self) -> None: ...

    async def publish(self, _address: Address, event: Outgoing, _fence: int) -> int:
        await asyncio.sleep(0)
        if event.payload not in self.there:  # an id is taken once
            self.taken.append(event.payload)
        return 0

    async def publish_status(self, _address: Address, _payload: bytes) -> None: ...

    async def serve(self, _address: Address, _handler: CommandHandler | None) -> None: ...

    async def close(self) -> None: ...


@dataclass
class TableTakenUp:
    """What became of a table. `state`: None where it could not be told, and the table is held."""

    held: list[str] = field(default_factory=list)
    published: list[bytes] = field(default_factory=list)
    state: bytes | None = None


@dataclass
class Original:
    """What was written, and how every table stood at its end."""

    sitting: Sitting

    @cached_property
    def ends(self) -> Mapping[str, bytes]:
        return {
            table: state_after(setup, self.sitting.records(table))
            for table, setup in self.sitting.setups.items()
        }

    def bus_of(self, table: str) -> MemoryBus:
        events = self.sitting.events(table)
        return MemoryBus(events[:-LACKING] if len(events) > LACKING else ())

    def lacking(self, table: str) -> list[bytes]:
        return self.sitting.events(table)[-LACKING:]


def state_after(setup: TableSetup, records: Sequence[Record]) -> bytes:
    """Return how a table stands after its records, as a restart would have it."""
    last = max((n for n, one in enumerate(records) if one.kind == "state"), default=None)
    state = None if last is None else records[last]
    rest = records if last is None else records[last + 1 :]
    return canonical(StateCodec(setup.game).dump(recover(setup, state, rest).state))


async def take_up(
    path: Path, original: Original, witness: bytes = b""
) -> Mapping[str, TableTakenUp] | str:
    """Start on a journal; return what became of each table, or why the daemon ended with 74.

    witness  the last checkpoint that a witness has, where the daemon asks one
    """
    try:
        async with asyncio.timeout(PATIENCE_S), opened(path) as it:
            tables = {
                table: await _take_up(it, table, setup, original.bus_of(table))
                for table, setup in original.sitting.setups.items()
            }
            for table, what in contradicted(it.journal, witness, trusted()).items():
                tables[table].held.append(what)
            if it.failures:
                return it.failures[0].what
            return tables
    except JournalFailed as error:
        return error.what


async def _take_up(it: Opened, table: str, setup: TableSetup, bus: MemoryBus) -> TableTakenUp:
    journal, taken = it.journal, TableTakenUp()
    if journal.set_aside is not None:
        taken.held.append("the journal was set aside")
    elif (bad := journal.damage.get(table)) is not None:
        taken.held.append(bad.sentence)
        await _begin_new_epoch(it, table)
    else:
        _recover(journal, table, setup, taken)
    found: list[Comparison] = []
    damage: list[str] = []
    address, clock = Address("replay", table, "live"), BootClock()
    lease = LeaseKeeper(bus, address, Owner("we", "here"), damage.append, clock)
    publisher = Publisher(
        journal,
        bus,
        address,
        lease,
        tombstone=tombstone,
        tell=PublisherEvents(
            found.append, damage.append, damage.append, damage.extend, no_positions
        ),
        clock=clock,
    )
    await lease.run()  # this bus has no leases: it is ours at once
    task = asyncio.create_task(publisher.run())
    try:
        while not (found and (damage or publisher.state().lag == 0)):
            if task.done():
                task.result()
            await asyncio.sleep(0)
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
    taken.held += damage
    taken.held += [one.verdict for one in found if one.verdict not in ("agrees", "empty")]
    taken.published = bus.taken
    return taken


async def _begin_new_epoch(it: Opened, table: str) -> None:
    """Begin the epoch in which a damaged table is held."""
    head = it.journal.appended(table)
    record = Record(head.record + 1, new_epoch(head.epoch), None, "note", b"{}")
    await it.write(Transaction(table, (record,)))


def _recover(journal: Journal, table: str, setup: TableSetup, taken: TableTakenUp) -> None:
    last = journal.last_state(table)
    recovered = recover(setup, last, journal.records(table, last.record + 1 if last else 1))
    if recovered.holds:
        taken.held.append(recovered.differs or "recovery differs")
    taken.state = canonical(StateCodec(setup.game).dump(recovered.state))


def wrong_accepts(taken: Mapping[str, TableTakenUp] | str, original: Original) -> list[str]:
    """Return what the daemon would have played or published, and must not have."""
    if isinstance(taken, str):
        return []
    wrong = []
    for table, one in taken.items():
        lacking = original.lacking(table)
        if one.published != lacking[: len(one.published)]:
            wrong.append(f"{table}: the bus got what was never written")
        if one.held:
            continue
        if one.state != original.ends[table]:
            wrong.append(f"{table}: it plays on from a state that it never had")
        if one.published != lacking:
            wrong.append(f"{table}: {len(one.published)} of {len(lacking)} events were published")
    return wrong


def trusted() -> frozenset[str]:
    """Return the public key that the harnesses' journals are signed with."""
    return frozenset(KEYS.public)
