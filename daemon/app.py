"""The composition root: the only file that knows every part. Builds, runs and stops the daemon.

One table's parts are put together in `service/running_table.py`; what goes by the clock is in
`service/pulse.py`; what stands in the way of bus and journal in `service/conditions.py`.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import threading
from collections.abc import Awaitable, Coroutine, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any, Final

from config.load import BridgeConfig
from daemon.delivery.bus import OpenBus, Request
from daemon.delivery.owner import owner_with
from daemon.devices.live_views import LiveViews
from daemon.devices.port_sharing import PortSharing
from daemon.exits import Exit
from daemon.journal.background_check import BackgroundCheck
from daemon.journal.errors import JournalFailed
from daemon.journal.retention import Retention
from daemon.journal.signing import SigningKeys
from daemon.journal.store import Journal
from daemon.journal.walk import BadRecord
from daemon.journal.writer import Reports
from daemon.runtime.catalog import buses
from daemon.runtime.clocks import Timekeeper
from daemon.runtime.recovery import code_digest
from daemon.runtime.tasks import end_tasks
from daemon.service.authentication import Authentication
from daemon.service.conditions import Conditions
from daemon.service.control_socket import ControlCallbacks, ControlSocket
from daemon.service.pulse import Pulse
from daemon.service.running_table import RunningTable, SharedParts
from daemon.service.sealing_keys import TableKeys
from daemon.telemetry.logs import Log, defect
from daemon.telemetry.metrics import Metrics
from daemon.telemetry.metrics_server import MetricsServer
from daemon.telemetry.sd_notify import Notifier
from drivers.clock import BootClock
from drivers.discovery.hotplug import Hotplug

DRAIN_S: Final = 3.0
"""How long a stop waits for the bus to take what is durable; the rest goes out after the start."""
RELEASE_S: Final = 1.0
"""How long a stop waits for the bus to take the leases back."""
STOP_LIMIT_S: Final = 12.0
"""How long a stop may take in all, before systemd would kill it: a task may not let itself be
cancelled, a port not be closed."""


class App:
    """The daemon. `run` returns the exit code.

    keys     each table's sealing keys by its id; empty where no card may be hidden
    signing  the keys that sign the journal's checkpoints
    """

    def __init__(
        self,
        config: BridgeConfig,
        log: Log,
        keys: Mapping[str, TableKeys],
        signing: SigningKeys,
    ) -> None:
        self._config = config
        self._keys = keys
        self._signing = signing
        self._log = log
        self._clock = BootClock(config.time_scale)
        self._metrics = Metrics()
        self._conditions = Conditions(log, self._metrics)
        self._notifier = Notifier()
        self._hotplug = Hotplug()
        self._exit: asyncio.Future[Exit] = asyncio.get_running_loop().create_future()
        self._tables: dict[str, RunningTable] = {}
        self._tasks: list[asyncio.Task[None]] = []
        self._control = ControlSocket(
            config.control,
            ControlCallbacks(
                self._daemon_status, self._authenticate, self._handle_command, self._views_of
            ),
        )
        self._metrics_server = config.metrics and MetricsServer(
            *config.metrics, self._metrics.registry, log
        )
        self._authentication = Authentication(config, self._software_changed, self._metrics, log)
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
        code = await self._exit
        await self._stop(code)
        self._log.info("daemon_stopped", code=int(code))
        return code

    # --- start and stop ------------------------------------------------------------------

    async def _start(self, loop: asyncio.AbstractEventLoop) -> None:
        # First: a second daemon with the same configuration ends here, before it opens anything.
        await self._control.start()
        self._journal = self._open_journal(loop)
        bus = self._config.bus
        self._bus = await buses()[bus.kind].connect(bus.settings, self._bus_changed)
        parts = self._shared_parts()
        for table in self._config.tables:
            self._tables[table.id] = RunningTable(table, self._keys.get(table.id), parts)
        for running in self._tables.values():
            running.run(self._spawn)
        sessions = [session for table in self._tables.values() for session in table.sessions]
        self._spawn(PortSharing(sessions).watch())
        keep = Retention.of(self._config.keep_days, self._config.keep_megabytes)
        self._spawn(BackgroundCheck(self._journal, self._damage_found, keep).run())
        self._spawn(self._authentication.run())
        if self._metrics_server is not None:
            self._spawn(self._metrics_server.run())
        self._spawn(Pulse(self._tables, parts, self._notifier).run())

    def _open_journal(self, loop: asyncio.AbstractEventLoop) -> Journal:
        journal = Journal.open(
            Path(self._config.journal),
            loop,
            self._signing,
            Reports(
                condition=self._conditions.journal_changed,
                grown=self._conditions.journal_grown,
                checkpoint=self._checkpoint_signed,
                failed=self._journal_failed,
            ),
        )
        self._metrics.journal.set(1)
        if journal.set_aside is not None:
            self._log.error("journal_set_aside", where=str(journal.set_aside))
        return journal

    def _shared_parts(self) -> SharedParts:
        return SharedParts(
            site=self._config.site,
            journal=self._journal,
            bus=self._bus,
            clock=self._clock,
            time=Timekeeper(self._clock),
            metrics=self._metrics,
            log=self._log,
            conditions=self._conditions,
            owner=owner_with(self._journal.path, self._journal.lock),
            show_event=self._control.show,
            wait=self._hotplug.wait,
        )

    async def _stop(self, code: Exit) -> None:
        """Stop in good order; whatever does not end by itself ends with the process."""
        end = threading.Timer(STOP_LIMIT_S, os._exit, (int(code),))
        end.daemon = True
        end.start()
        self._notifier.tell("STOPPING=1")
        if code is Exit.OK:
            stopped = asyncio.gather(*(table.stop() for table in self._tables.values()))
            with contextlib.suppress(TimeoutError, JournalFailed):
                await asyncio.wait_for(stopped, DRAIN_S)
                await self._drain()
                released = asyncio.gather(*(one.lease.release() for one in self._tables.values()))
                await asyncio.wait_for(released, RELEASE_S)
        await end_tasks(self._tasks)
        await self._control.stop()
        await self._bus.close()
        if code is not Exit.JOURNAL:
            await self._journal.close()
        self._notifier.close()

    async def _drain(self) -> None:
        """Give the bus a moment to take what is durable."""
        loop = asyncio.get_running_loop()
        until = loop.time() + DRAIN_S
        while loop.time() < until and self._conditions.bus is None:
            serving = [table for table in self._tables.values() if table.serves]
            if all(table.publisher.state().lag == 0 for table in serving):
                return
            await asyncio.sleep(0.01)

    # --- tasks and failures --------------------------------------------------------------

    def _end(self, code: Exit) -> None:
        if not self._exit.done():
            self._exit.set_result(code)

    def _spawn(self, coroutine: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        task = asyncio.create_task(coroutine)
        task.add_done_callback(self._task_ended)
        self._tasks.append(task)
        return task

    def _task_ended(self, task: asyncio.Task[None]) -> None:
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

    def _journal_failed(self, error: JournalFailed) -> None:
        self._log.error("journal_failed", error=str(error), action=error.action)
        self._end(Exit.JOURNAL)

    def _damage_found(self, bad: BadRecord) -> None:
        if (running := self._tables.get(bad.table)) is not None:
            running.journal_damaged(f"the journal is damaged: {bad.sentence}")
        else:
            self._log.error("journal_damaged", table=bad.table, error=bad.sentence)

    def _software_changed(self, what: str) -> None:
        for table in self._tables.values():
            table.software_changed(what)

    def _checkpoint_signed(self, line: bytes) -> None:
        """Hand a checkpoint to witnesses; it goes to the bus once that has a subject for it."""

    def _bus_changed(self, reason: str | None) -> None:
        self._conditions.bus_changed(reason)
        for table in self._tables.values():
            table.bus_changed(reason)

    # --- what the control socket asks for ------------------------------------------------

    def _daemon_status(self) -> dict[str, Any]:
        return {
            "site": self._config.site,
            "bus": self._conditions.bus,
            "journal": self._conditions.journal or self._conditions.journal_log,
            "software": self._authentication.changed,
            "metrics": self._metrics_server and self._metrics_server.trouble,
            "tables": [table.commands.status() for table in self._tables.values()],
        }

    async def _authenticate(self) -> dict[str, Any]:
        return asdict(await self._authentication.look())

    def _handle_command(self, table: str, request: Request) -> Awaitable[bytes] | None:
        running = self._tables.get(table)
        return None if running is None else running.commands.handle(request)

    def _views_of(self, table: str) -> LiveViews | None:
        running = self._tables.get(table)
        return None if running is None else running.views
