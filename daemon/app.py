"""The composition root: the only file that knows every part. Builds, runs and stops the daemon."""

from __future__ import annotations

import asyncio
import contextlib
import signal
from collections.abc import Coroutine, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from config.load import BridgeConfig, TableConfig
from daemon.delivery.bus import Address, BusUnavailable, OpenBus
from daemon.delivery.duplicate_daemon import find_duplicate
from daemon.delivery.publisher import Publisher, Reconciled
from daemon.devices.live_views import LiveViews
from daemon.devices.port_sharing import PortSharing
from daemon.devices.session import Session
from daemon.devices.session_metrics import SessionMetrics
from daemon.exits import Exit
from daemon.journal.cipher import Cipher
from daemon.journal.errors import JournalFailed
from daemon.journal.records import Transaction, new_epoch
from daemon.journal.store import Journal
from daemon.runtime.clocks import Timekeeper
from daemon.runtime.codec import EnvelopeFields, tombstone
from daemon.runtime.command_handler import TableCommands
from daemon.runtime.inbox import Inbox, JournalPosition, Outlets
from daemon.runtime.recovery import Recovered, code_digest, recover
from daemon.runtime.wakeup_timer import WakeupTimer
from daemon.service.assembly import plugs_of, setup_of
from daemon.service.catalog import buses
from daemon.service.control_socket import ControlCallbacks, ControlSocket
from daemon.service.sealing_keys import TableKeys
from daemon.service.status import table_status
from daemon.table.apply import start
from daemon.table.inputs import ClockSet, Opened, Restarted, RolledBack, Stopping, TimePassed
from daemon.table.state import TableSetup
from daemon.telemetry.logs import Log, defect
from daemon.telemetry.metrics import Metrics
from daemon.telemetry.sd_notify import Notifier
from drivers.clock import BootClock
from drivers.discovery.hotplug import Hotplug
from protocols.canonical import canonical

DRAIN_S = 3.0
"""How long a stop waits for the bus to take what is durable; the rest goes out after the start."""
ANSWERS_KEPT_S = 7 * 24 * 3600
"""The same command id gets the same answer for so long."""
FORGET_EVERY_S = 3600
STALL_S = 5.0
"""A journal thread that does not answer for so long is stuck: systemd is no longer told that we
are well."""


@dataclass(frozen=True, slots=True)
class Running:
    """One table at work."""

    inbox: Inbox
    alarm: WakeupTimer
    views: LiveViews
    sessions: tuple[Session, ...]
    publisher: Publisher
    commands: TableCommands


class App:
    """The daemon. `run` returns the exit code."""

    def __init__(self, config: BridgeConfig, log: Log, keys: Mapping[str, TableKeys]) -> None:
        self._config = config
        self._keys = keys
        self._log = log
        self._clock = BootClock(config.time_scale)
        self._time = Timekeeper(self._clock)
        self._metrics = Metrics()
        self._notifier = Notifier()
        self._hotplug = Hotplug()
        self._ending: asyncio.Future[Exit] = asyncio.get_running_loop().create_future()
        self._tables: dict[str, Running] = {}
        self._tasks: list[asyncio.Task[None]] = []
        self._bus_trouble: str | None = "not connected yet"
        self._journal_trouble: str | None = None
        self._journal_answered = self._clock.now()
        self._changed: set[str] = set()
        self._delivered: set[str] = set()
        self._ticks = 0
        self._control = ControlSocket(
            config.control, ControlCallbacks(self._status, self._command, self._views)
        )
        self._bus: OpenBus
        self._journal: Journal

    async def run(self) -> Exit:
        """Start, run until a signal or a failure, stop."""
        loop = asyncio.get_running_loop()
        for stop in (signal.SIGTERM, signal.SIGINT):
            loop.add_signal_handler(stop, self._end, Exit.OK)
        if self._keys:  # asyncio's own words show a callback's arguments: bytes from a device
            loop.set_exception_handler(self._callback_failed)
        with self._hotplug:
            return await self._run(loop)

    async def _run(self, loop: asyncio.AbstractEventLoop) -> Exit:
        try:
            await self._start(loop)
        except JournalFailed as error:
            self._log.error("journal_failed", error=str(error), action=error.action)
            return Exit.JOURNAL
        except OSError as error:
            where = f"{error.filename}: " if error.filename else ""
            self._log.error("start_failed", error=f"{where}{error.strerror or error}")
            return Exit.UNAVAILABLE
        self._notifier.tell("READY=1", f"STATUS={len(self._tables)} tables")
        self._log.info("daemon_started", table=list(self._tables), code=code_digest())
        code = await self._ending
        await self._stop(code)
        self._log.info("daemon_stopped", code=int(code))
        return code

    # --- start and stop ------------------------------------------------------------------

    async def _start(self, loop: asyncio.AbstractEventLoop) -> None:
        await self._control.start()
        self._journal = Journal.open(
            Path(self._config.journal),
            loop,
            on_condition=self._journal_condition,
            on_failed=self._journal_failed,
        )
        self._metrics.journal.set(1)
        if self._journal.set_aside is not None:
            self._log.error("journal_set_aside", where=str(self._journal.set_aside))
        self._bus = await buses()[self._config.bus.kind].connect(
            self._config.bus.settings, self._bus_changed
        )
        for table in self._config.tables:
            self._tables[table.id] = self._open(table)
        if self._config.metrics is not None:
            self._metrics.serve(*self._config.metrics)
        for running in self._tables.values():
            reading = [self._spawn(session.run()) for session in running.sessions]
            self._spawn(self._deliver(running, reading))
        everyone = [one for running in self._tables.values() for one in running.sessions]
        self._spawn(PortSharing(everyone).watch())
        self._spawn(self._pulse())

    async def _stop(self, code: Exit) -> None:
        self._notifier.tell("STOPPING=1")
        if code is Exit.OK:
            written = asyncio.gather(*(self._close(one) for one in self._tables.values()))
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(written, DRAIN_S)
                await self._drain()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self._control.stop()
        await self._bus.close()
        if code is not Exit.JOURNAL:
            await self._journal.close()
        self._notifier.close()

    async def _close(self, running: Running) -> None:
        """Write the table's last event down."""
        durable = asyncio.Event()
        running.inbox.put(Stopping("signal"), then=durable.set)
        running.alarm.cancel()
        await durable.wait()

    async def _drain(self) -> None:
        """Give the bus a moment to take what is durable."""
        until = asyncio.get_running_loop().time() + DRAIN_S
        while asyncio.get_running_loop().time() < until and self._bus_trouble is None:
            if all(one.publisher.state().lag == 0 for one in self._tables.values()):
                return
            await asyncio.sleep(0.01)

    def _end(self, code: Exit) -> None:
        if not self._ending.done():
            self._ending.set_result(code)

    def _spawn(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        task = asyncio.create_task(work)
        task.add_done_callback(self._ended)
        self._tasks.append(task)
        return task

    def _ended(self, task: asyncio.Task[None]) -> None:
        """A task ends by itself only when a replay is over; an exception is a defect of ours."""
        if task.cancelled() or (error := task.exception()) is None:
            return
        if isinstance(error, JournalFailed):
            self._journal_failed(error)
            return
        self._log.error("defect", **defect(error, hidden=bool(self._keys)))
        self._end(Exit.DEFECT)

    def _callback_failed(self, _loop: object, context: dict[str, Any]) -> None:
        self._log.error("defect", **defect(context.get("exception"), hidden=True))

    # --- one table -----------------------------------------------------------------------

    def _open(self, table: TableConfig) -> Running:
        keys = self._keys.get(table.id)
        cipher = keys.cipher if keys else None
        setup = setup_of(table, keys)
        head = self._journal.head(table.id)
        recovered = self._recover(setup, cipher) if head.epoch is not None else None
        publisher = Publisher(
            self._journal,
            self._bus,
            Address(self._config.site, table.id, table.mode),
            tombstone=tombstone,
            on_reconciled=lambda result: self._reconciled(table.id, result),
            clock=self._clock,
        )
        outlets = Outlets(
            lambda at: alarm.set(at),  # noqa: PLW0108 - the alarm is made after the inbox it rings
            lambda: self._published(table.id, publisher),
            self._control.show,
            lambda event, took: self._metrics.count_event(table.id, event, took),
        )
        inbox = Inbox(
            setup,
            self._stamp(table, head.epoch or new_epoch(None)),
            recovered.state if recovered else start(setup),
            JournalPosition(head.record, head.seq),
            self._journal,
            self._time,
            outlets,
            cipher=cipher,
        )
        alarm = WakeupTimer(self._time, lambda at: inbox.put(TimePassed(), at))
        self._take_up(inbox, recovered)
        watching = SessionMetrics(table.id, self._metrics, self._log, self._clock)
        views = LiveViews(
            self._clock, lambda done: self._journal.append(Transaction(table.id, ()), done)
        )
        sessions = tuple(
            Session(plug, inbox, self._clock, watching, views, self._hotplug.wait)
            for plug in plugs_of(table)
        )
        door = self._door(inbox, sessions, publisher)
        return Running(inbox, alarm, views, sessions, publisher, door)

    def _stamp(self, table: TableConfig, epoch: str) -> EnvelopeFields:
        site, digest = self._config.site, table.profile_digest
        return EnvelopeFields(site, table.id, table.mode, epoch, digest, code_digest())

    def _recover(self, setup: TableSetup, cipher: Cipher | None) -> Recovered:
        last = self._journal.last_state(setup.table)
        after = self._journal.records(setup.table, last.record + 1 if last else 1)
        return recover(setup, last, after, cipher)

    def _take_up(self, inbox: Inbox, recovered: Recovered | None) -> None:
        """Begin the table's first epoch, or go on where the journal ends."""
        if recovered is not None:
            for seq, event in recovered.events:
                inbox.remember(event, seq)
            inbox.put(Restarted("restart", recovered.replayed, recovered.differs, recovered.holds))
        elif self._journal.set_aside is None:
            inbox.put(Opened(None, "first_start"))
        else:
            inbox.put(Opened(None, "journal_set_aside"))
            inbox.put(RolledBack(f"a corrupt journal was set aside: {self._journal.set_aside}"))

    def _door(
        self, inbox: Inbox, sessions: tuple[Session, ...], publisher: Publisher
    ) -> TableCommands:
        return TableCommands(
            inbox,
            self._time,
            self._journal.find_answer,
            status=lambda: table_status(inbox, sessions, publisher, self._time),
            resend=publisher.resend,
            writable=lambda: self._journal_trouble is None,
            metrics=self._metrics,
        )

    def _address(self, running: Running) -> Address:
        stamp = running.inbox.stamp
        return Address(stamp.site, stamp.table, stamp.mode)

    def _published(self, table: str, publisher: Publisher) -> None:
        publisher.notify()
        self._changed.add(table)

    async def _deliver(self, running: Running, reading: Sequence[asyncio.Task[None]]) -> None:
        """Be this table on the bus for ever; where another daemon is, do not open it."""
        address, publisher = self._address(running), running.publisher
        refusal = await publisher.insist(
            lambda: find_duplicate(self._bus, address, self._time.wall())
        )
        if refusal is None:
            self._delivered.add(address.table)
            await self._bus.serve(address, running.commands.handle)
            await publisher.run()
            return
        for task in reading:
            task.cancel()
        publisher.give_up(refusal)
        told = {"error": refusal.what, "action": refusal.action}
        self._log.error("table_refused", table=address.table, **told)
        running.inbox.put(Stopping("another daemon is this table on the bus"))

    def _reconciled(self, table: str, result: Reconciled) -> None:
        inbox = self._tables[table].inbox
        if result == "rolled_back":
            inbox.new_epoch(new_epoch(inbox.stamp.epoch), "journal_rolled_back")
            inbox.put(RolledBack("the bus has events of this table that the journal does not have"))
        elif result == "unknown_epoch":
            self._log.warning("bus_changed", table=table, state="it has events of another journal")

    # --- conditions ----------------------------------------------------------------------

    def _bus_changed(self, why: str | None) -> None:
        if why != self._bus_trouble:
            tell = self._log.info if why is None else self._log.warning
            tell("bus_changed", state="connected" if why is None else why)
        self._bus_trouble = why
        self._metrics.bus.set(why is None)
        if why is None:
            for running in self._tables.values():
                running.publisher.bus_connected()

    def _journal_condition(self, why: str | None) -> None:
        self._journal_trouble = why
        self._metrics.journal.set(why is None)
        if why is None:
            self._log.info("journal_resumed")
        else:
            self._log.error("journal_blocked", error=why)

    def _journal_failed(self, error: JournalFailed) -> None:
        self._log.error("journal_failed", error=str(error), action=error.action)
        self._end(Exit.JOURNAL)

    # --- once a second -------------------------------------------------------------------

    async def _pulse(self) -> None:
        loop = asyncio.get_running_loop()
        due = loop.time()
        while True:
            due += 0.1
            await asyncio.sleep(max(0.0, due - loop.time()))
            self._metrics.loop_lag.set(max(0.0, loop.time() - due))
            due = max(due, loop.time() - 1.0)
            self._ticks += 1
            if self._ticks % 10 == 0:
                self._second()
                self._changed.update(self._tables)
            await self._tell_status()

    def _second(self) -> None:
        step = self._time.look()
        for name, running in self._tables.items():
            if step is not None:
                running.inbox.put(ClockSet(step))
            self._metrics.seq.labels(name).set(running.inbox.position.seq)
            self._metrics.held.labels(name).set(running.inbox.state.held)
            self._metrics.lag.labels(name).set(running.publisher.state().lag)
        if self._ticks % (10 * FORGET_EVERY_S) == 0:
            self._journal.forget_answers(self._time.wall().timestamp() - ANSWERS_KEPT_S)
        first = next(iter(self._tables))
        self._journal.append(Transaction(first, ()), self._journal_alive)
        quiet = self._clock.now().since(self._journal_answered) or 0.0
        if self._journal_trouble is not None or quiet / self._clock.scale < STALL_S:
            self._notifier.tell("WATCHDOG=1")

    def _journal_alive(self) -> None:
        self._journal_answered = self._clock.now()

    async def _tell_status(self) -> None:
        """Send the status of every table that changed, at most ten times a second."""
        changed, self._changed = self._changed & self._delivered, set()
        for table in changed:
            running = self._tables[table]
            status = running.commands.status()
            status["journal"] = self._journal_trouble
            try:
                await self._bus.publish_status(self._address(running), canonical(status))
            except BusUnavailable:
                return  # told by bus_changed, by the metric, and by the silence itself

    # --- the control socket --------------------------------------------------------------

    def _status(self) -> dict[str, Any]:
        return {
            "site": self._config.site,
            "bus": self._bus_trouble,
            "journal": self._journal_trouble,
            "tables": [one.commands.status() for one in self._tables.values()],
        }

    def _command(self, table: str, request: Any) -> Any:
        running = self._tables.get(table)
        return None if running is None else running.commands.handle(request)

    def _views(self, table: str) -> LiveViews | None:
        running = self._tables.get(table)
        return None if running is None else running.views
