"""One table while the daemon runs: its parts, put together, and its life from start to stop.

Start     on what the journal has of it (`runtime/table_start.py`). Its devices are read at once,
          unless the journal says that another daemon has the lease, or has nothing of the table:
          then the bus is asked first.
Serve     nothing of it goes to the bus, and no command is taken from there, before the table's
          lease is ours and the bus's newest event was compared with the journal
          (`delivery/lease.py`, `delivery/comparison.py`).
Lose      where another daemon has the lease, the devices are let go, commands are refused, and the
          lease is asked for. When it is ours again, the table is taken up as after a restart.
Epochs    the bus may have events that the journal lacks, or somebody else's in the table's name:
          a new epoch begins, and the table is held. Consumers order by (epoch, seq) and are not
          contradicted.
Stop      the last event is on the disk before the devices are closed; then the lease is given back.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Coroutine
from dataclasses import asdict, dataclass
from functools import partial
from typing import Any, TypeAlias

from config.load import TableConfig
from daemon.delivery.bus import Address, OpenBus, Request
from daemon.delivery.comparison import Comparison, Place
from daemon.delivery.foreign_events import ForeignEvents
from daemon.delivery.lease import Owner
from daemon.delivery.lease_keeper import LeaseKeeper
from daemon.delivery.publisher import Publisher
from daemon.delivery.reports import PublisherEvents
from daemon.devices.live_views import LiveViews
from daemon.devices.session import Session
from daemon.devices.session_metrics import SessionMetrics
from daemon.journal.records import Transaction, new_epoch
from daemon.journal.store import Journal
from daemon.runtime.clocks import Timekeeper
from daemon.runtime.codec import tombstone
from daemon.runtime.command_handler import TableCommands
from daemon.runtime.inbox import Outlets
from daemon.runtime.table_start import begin_first_epoch, resume_table
from daemon.runtime.tasks import end_tasks
from daemon.runtime.wakeup_timer import WakeupTimer
from daemon.service.assembly import attached_devices, setup_of
from daemon.service.conditions import Conditions
from daemon.service.sealing_keys import TableKeys
from daemon.service.status import lease_status, table_status
from daemon.table.inputs import (
    BusLostEvents,
    ForeignEventFound,
    Restarted,
    RolledBack,
    ServedByAnother,
    Serving,
    SoftwareChanged,
    Stopping,
    TimePassed,
)
from daemon.telemetry.logs import Log
from daemon.telemetry.metrics import Metrics
from drivers.clock import Clock
from protocols.canonical import canonical

Spawn: TypeAlias = Callable[[Coroutine[Any, Any, None]], "asyncio.Task[None]"]
"""Starts a task that the daemon watches and ends."""


@dataclass(frozen=True, slots=True)
class SharedParts:
    """What all tables of the daemon use.

    owner       who we are in the tables' leases
    show_event  hands a durable event to whoever tails the daemon
    wait        sleeps for some seconds, or until something is plugged in
    """

    site: str
    journal: Journal
    bus: OpenBus
    clock: Clock
    time: Timekeeper
    metrics: Metrics
    log: Log
    conditions: Conditions
    owner: Owner
    show_event: Callable[[bytes], None]
    wait: Callable[[float], Awaitable[None]]


class RunningTable:
    """One table at work. `status_changed`: since its status was last sent."""

    def __init__(self, table: TableConfig, keys: TableKeys | None, parts: SharedParts) -> None:
        self.address = Address(parts.site, table.id, table.mode)
        self.status_changed = False
        self._parts = parts
        self._spawn: Spawn = asyncio.create_task
        self._reading: tuple[asyncio.Task[None], ...] = ()
        self._term = 0
        self.lease = LeaseKeeper(
            parts.bus, self.address, parts.owner, self._lease_lost, parts.clock
        )
        self._foreign = ForeignEvents(
            parts.journal,
            parts.bus.log,
            self.address,
            ours=self.lease.is_confirmed,
            withheld=lambda place: self.publisher.was_withheld(place),  # noqa: PLW0108 - made below
            foreign=self._foreign_found,
        )
        self.publisher = Publisher(
            parts.journal,
            parts.bus,
            self.address,
            self.lease,
            tombstone=tombstone,
            tell=PublisherEvents(
                self._compared,
                self.journal_damaged,
                self._foreign_found,
                partial(parts.conditions.bus_unkept, table.id),
                self._foreign.taken,
            ),
            clock=parts.clock,
        )
        self._timer = WakeupTimer(parts.time, lambda at: self.inbox.put(TimePassed(), at))
        damage = parts.journal.damage.get(table.id)
        if damage is not None:
            self._log_damage(damage.sentence)
        self.inbox = resume_table(
            setup_of(table, keys),
            self.address,
            parts.journal,
            parts.time,
            self._outlets(),
            keys.cipher if keys else None,
        )
        parts.metrics.follow_table(
            table.id, lambda: self.inbox.position.seq, lambda: self.inbox.state.held
        )
        self.views = LiveViews(parts.clock, self._when_durable)
        metrics = SessionMetrics(table.id, parts.metrics, parts.log, parts.clock)
        self.sessions = tuple(
            Session(attached, self.inbox, parts.clock, metrics, self.views, parts.wait)
            for attached in attached_devices(table)
        )
        self.commands = self._commands()

    @property
    def serves(self) -> bool:
        """Return whether the table is ours beyond doubt."""
        return self.inbox.begun and self.lease.is_confirmed()

    def run(self, spawn: Spawn) -> None:
        """Start reading the devices and, as soon as the bus allows it, deliver."""
        self._spawn = spawn
        if self._not_serving() is None:
            self._read()
        spawn(self.lease.run())
        spawn(self.publisher.run())
        spawn(self._foreign.run())

    async def stop(self) -> None:
        """Return when the table's last event is durable."""
        durable = asyncio.Event()
        self.inbox.put(Stopping("signal"), then=durable.set)
        self._timer.cancel()
        await durable.wait()

    async def send_status(self) -> None:
        """Send the table's status to the bus. Raises BusUnavailable."""
        await self._parts.bus.publish_status(self.address, canonical(self.commands.status()))

    def _status(self) -> dict[str, Any]:
        parts = self._parts
        trouble = parts.conditions.journal or parts.conditions.journal_log
        lease = lease_status(self.inbox, self.lease)
        return asdict(
            table_status(self.inbox, self.sessions, self.publisher, lease, parts.time, trouble)
        )

    # --- building ------------------------------------------------------------------------

    def _outlets(self) -> Outlets:
        parts, table = self._parts, self.address.table
        return Outlets(
            wake=self._timer.set,
            published=self._events_durable,
            shown=parts.show_event,
            counted=lambda event, read_at: parts.metrics.count_event(
                table, event, parts.time.now().since(read_at)
            ),
        )

    def _commands(self) -> TableCommands:
        parts = self._parts
        return TableCommands(
            self.inbox,
            parts.time,
            parts.journal.find_answer,
            status=self._status,
            resend=self.publisher.resend,
            writable=lambda: parts.conditions.journal is None,
            refused=self._not_serving,
            metrics=parts.metrics,
        )

    def _when_durable(self, done: Callable[[], None]) -> None:
        """Call `done` when all that this table wrote so far is on the disk."""
        self._parts.journal.append(Transaction(self.address.table, ()), done)

    # --- the bus -------------------------------------------------------------------------

    def bus_changed(self, reason: str | None) -> None:
        """Note that the bus is there again (None), or why it is gone."""
        if reason is None:
            self.publisher.bus_connected()
            self.lease.look()
        else:
            self.lease.bus_disconnected()

    def _events_durable(self) -> None:
        self.publisher.notify()
        self.status_changed = True

    def _read(self) -> None:
        if not self._reading:
            self._reading = tuple(self._spawn(session.run()) for session in self.sessions)

    async def _let_devices_go(self) -> None:
        await end_tasks(self._reading)
        self._reading = ()
        if self._not_serving() is None:  # it was ours again before they were closed
            self._read()

    async def _command(self, request: Request) -> bytes | None:
        """Answer a command from the bus, where the table is ours to answer for."""
        return await self.commands.handle(request) if await self.lease.confirmed() else None

    def _not_serving(self) -> str | None:
        """Return why no command is taken, None where the table is ours as far as is known."""
        if (owner := self.lease.lease.other or self.inbox.state.served_by) is not None:
            return f"another daemon serves the table: {owner}"
        if not self.inbox.begun:
            return "the journal has nothing of the table, and the bus has not yet said what it has"
        return None

    def _compared(self, found: Comparison) -> None:
        """Take up what the bus said; from here on the table is served."""
        inbox, journal = self.inbox, self._parts.journal
        if not inbox.begun:
            begin_first_epoch(inbox, found.bus_epoch, journal.set_aside)
        elif found.verdict in ("rolled_back", "unknown_epoch"):
            epoch = new_epoch(inbox.stamp.epoch, found.bus_epoch)
            reason = "journal_rolled_back" if found.verdict == "rolled_back" else "journal_lost"
            inbox.new_epoch(epoch, reason, found.bus_epoch or inbox.stamp.epoch)
            inbox.put(RolledBack(found.detail))
        elif found.position is not None and found.lost is not None and found.verdict == "bus_lost":
            self._tell_lost(found.position, found.lost)
        self._foreign.follow(found.number, anew=self._term != self.lease.term)
        if self._term != self.lease.term:
            self._term = self.lease.term
            self._take_up()

    def _tell_lost(self, position: Place, last: Place) -> None:
        (epoch, seq), (to_epoch, to_seq) = position, last
        self._parts.log.error(
            "bus_lost_events",
            table=self.address.table,
            error=f"the bus lost what it had: {epoch}.{seq + 1} to {to_epoch}.{to_seq}",
            action="they go out again; look at the server's store and at who may purge the stream",
        )
        self.inbox.put(BusLostEvents(epoch, seq + 1, to_epoch, to_seq))

    def _take_up(self) -> None:
        """Serve the table: the lease has become ours."""
        inbox, lost = self.inbox, self.inbox.state.served_by is not None
        if self._parts.bus.leases is not None:
            inbox.put(Serving(self.lease.lease.number, self._parts.owner.who))
        if lost:
            inbox.put(Restarted("lease_regained", 0))
        self._parts.log.info("table_served", table=self.address.table)
        self._read()
        self._spawn(self._parts.bus.serve(self.address, self._command))

    def _lease_lost(self, owner: str) -> None:
        """Let the devices go: another daemon has the lease."""
        self._term = 0
        self._spawn(self._let_devices_go())
        self._spawn(self._parts.bus.serve(self.address, None))
        self.inbox.put(ServedByAnother(owner))
        self.publisher.notify()
        self._parts.log.error(
            "table_served_by_another",
            table=self.address.table,
            error=f"another daemon serves the table: {owner}",
            action="stop it, or give one of the two another id; the lease is asked for again",
        )

    def _foreign_found(self, what: str) -> None:
        self._parts.log.error(
            "foreign_event",
            table=self.address.table,
            error=what,
            action="look who may publish on the table's subjects; consumers may have taken it",
        )
        inbox = self.inbox
        if all(hold.violation.code != "foreign_event" for hold in inbox.state.open):
            # Consumers that took it for our next event would drop ours as a repeat.
            epoch = inbox.stamp.epoch
            inbox.new_epoch(new_epoch(epoch), "foreign_event", epoch)
        inbox.put(ForeignEventFound(what))

    def journal_damaged(self, what: str) -> None:
        """Hold the table: what was written down of it is not what is there now."""
        inbox = self.inbox
        self._log_damage(what)
        if inbox.begun and not self.publisher.publishes(inbox.stamp.epoch):
            previous = inbox.stamp.epoch
            inbox.new_epoch(new_epoch(previous), "journal_damaged", previous)
        inbox.put(RolledBack(what))

    def software_changed(self, what: str) -> None:
        """Hold the table: what plays is not known to be what is installed."""
        codes = {hold.violation.code for hold in self.inbox.state.open}
        if self.inbox.begun and "software_changed" not in codes:
            self.inbox.put(SoftwareChanged(what))

    def _log_damage(self, what: str) -> None:
        self._parts.log.error(
            "journal_damaged",
            table=self.address.table,
            error=what,
            action="copy the file and its -wal; `pitwire journal verify` names what is damaged",
        )
