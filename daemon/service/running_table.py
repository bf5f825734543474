"""One table while the daemon runs: its parts, put together, and its life from start to stop.

Start     on what the journal has of it (`runtime/table_start.py`). Its devices are read at once.
Deliver   nothing of it goes to the bus before the bus has said that no other daemon serves it; then
          it takes commands and its publisher runs. Where another daemon does serve it, it stops
          reading its devices and stays refused until the daemon is started again.
Epochs    the bus may have events that the journal lacks (it was rolled back): a new epoch begins,
          and the table is held. Consumers order by (epoch, seq) and are not contradicted.
Stop      the last event is on the disk before the devices are closed.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Coroutine
from dataclasses import asdict, dataclass
from typing import Any, TypeAlias

from config.load import TableConfig
from daemon.delivery.bus import Address, OpenBus
from daemon.delivery.duplicate_daemon import find_duplicate
from daemon.delivery.publisher import Publisher, Reconciled
from daemon.devices.live_views import LiveViews
from daemon.devices.session import Session
from daemon.devices.session_metrics import SessionMetrics
from daemon.journal.records import Transaction, new_epoch
from daemon.journal.store import Journal
from daemon.runtime.clocks import Timekeeper
from daemon.runtime.codec import tombstone
from daemon.runtime.command_handler import TableCommands
from daemon.runtime.inbox import Outlets
from daemon.runtime.table_start import resume_table
from daemon.runtime.wakeup_timer import WakeupTimer
from daemon.service.assembly import attached_devices, setup_of
from daemon.service.conditions import Conditions
from daemon.service.sealing_keys import TableKeys
from daemon.service.status import table_status
from daemon.table.inputs import RolledBack, Stopping, TimePassed
from daemon.telemetry.logs import Log
from daemon.telemetry.metrics import Metrics
from drivers.clock import Clock
from protocols.canonical import canonical

Spawn: TypeAlias = Callable[[Coroutine[Any, Any, None]], "asyncio.Task[None]"]
"""Starts a task that the daemon watches and ends."""


@dataclass(frozen=True, slots=True)
class SharedParts:
    """What all tables of the daemon use.

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
    show_event: Callable[[bytes], None]
    wait: Callable[[float], Awaitable[None]]


class RunningTable:
    """One table at work. `status_changed`: since its status was last sent."""

    def __init__(self, table: TableConfig, keys: TableKeys | None, parts: SharedParts) -> None:
        self.address = Address(parts.site, table.id, table.mode)
        self.status_changed = False
        self.delivers = False
        self._parts = parts
        self._reading: tuple[asyncio.Task[None], ...] = ()
        self.publisher = Publisher(
            parts.journal,
            parts.bus,
            self.address,
            tombstone=tombstone,
            on_reconciled=self._reconciled,
            on_damage=self.journal_damaged,
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

    def run(self, spawn: Spawn) -> None:
        """Start reading the devices and, as soon as the bus allows it, deliver."""
        self._reading = tuple(spawn(session.run()) for session in self.sessions)
        spawn(self._deliver())

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
        status = table_status(self.inbox, self.sessions, self.publisher, parts.time, trouble)
        return asdict(status)

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
            metrics=parts.metrics,
        )

    def _when_durable(self, done: Callable[[], None]) -> None:
        """Call `done` when all that this table wrote so far is on the disk."""
        self._parts.journal.append(Transaction(self.address.table, ()), done)

    # --- the bus -------------------------------------------------------------------------

    def _events_durable(self) -> None:
        self.publisher.notify()
        self.status_changed = True

    async def _deliver(self) -> None:
        """Serve this table on the bus for ever; where another daemon does, refuse it here."""
        parts, publisher = self._parts, self.publisher
        refusal = await publisher.insist(
            lambda: find_duplicate(parts.bus, self.address, parts.time.wall())
        )
        if refusal is None:
            self.delivers = True
            await parts.bus.serve(self.address, self.commands.handle)
            await publisher.run()
            return
        for task in self._reading:
            task.cancel()
        publisher.give_up(refusal)
        parts.log.error(
            "table_refused",
            table=self.address.table,
            error=refusal.what,
            action=refusal.action,
        )
        self.inbox.put(Stopping("another daemon is this table on the bus"))

    def _reconciled(self, result: Reconciled) -> None:
        inbox = self.inbox
        if result == "rolled_back":
            inbox.new_epoch(new_epoch(inbox.stamp.epoch), "journal_rolled_back")
            inbox.put(RolledBack("the bus has events of this table that the journal does not have"))
        elif result == "unknown_epoch":
            theirs = self.publisher.bus_epoch
            inbox.new_epoch(new_epoch(inbox.stamp.epoch, theirs), "journal_lost")
            inbox.put(
                RolledBack(
                    f"the bus has events of epoch {theirs}, and the journal has none of them"
                )
            )

    def journal_damaged(self, what: str) -> None:
        """Hold the table: what was written down of it is not what is there now."""
        inbox = self.inbox
        self._log_damage(what)
        if not self.publisher.publishes(inbox.stamp.epoch):
            inbox.new_epoch(new_epoch(inbox.stamp.epoch), "journal_damaged")
        inbox.put(RolledBack(what))

    def _log_damage(self, what: str) -> None:
        self._parts.log.error(
            "journal_damaged",
            table=self.address.table,
            error=what,
            action="copy the file and its -wal; `pitwire journal verify` names what is damaged",
        )
