"""What the daemon does by the clock: metrics, systemd's watchdog, old answers, status to the bus.

Ten times a second the status of each table that changed is sent; once a second the status of all.
The watchdog is fed only while the journal's thread answers, or says itself that it is blocked: a
thread that hangs would accept inputs for ever and make none of them durable.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Final

from daemon.delivery.bus import BusUnavailable
from daemon.journal.records import Transaction
from daemon.service.running_table import RunningTable, SharedParts
from daemon.table.inputs import ClockSet
from daemon.telemetry.sd_notify import Notifier

TICK_S: Final = 0.1
TICKS_PER_SECOND: Final = 10
CATCH_UP_S: Final = 1.0
"""A loop that was held up longer than this starts counting anew instead of ticking it all off."""
ANSWERS_KEPT_S: Final = 7 * 24 * 3600
"""The same command id gets the same answer for this long."""
FORGET_EVERY_S: Final = 3600
STALL_S: Final = 5.0
"""A journal thread that does not answer for this many real seconds counts as stuck."""


class Pulse:
    """The daemon's heartbeat; `run` is its task."""

    def __init__(
        self, tables: Mapping[str, RunningTable], parts: SharedParts, notifier: Notifier
    ) -> None:
        self._tables = tables
        self._parts = parts
        self._notifier = notifier
        self._ticks = 0
        self._journal_answered = parts.clock.now()

    async def run(self) -> None:
        """Tick for ever."""
        loop, loop_lag = asyncio.get_running_loop(), self._parts.metrics.loop_lag
        due = loop.time()
        while True:
            due += TICK_S
            await asyncio.sleep(max(0.0, due - loop.time()))
            loop_lag.set(max(0.0, loop.time() - due))
            due = max(due, loop.time() - CATCH_UP_S)
            self._ticks += 1
            every_second = self._ticks % TICKS_PER_SECOND == 0
            if every_second:
                self._every_second()
            await self._send_status(to_all=every_second)

    def _every_second(self) -> None:
        parts = self._parts
        clock_step = parts.time.look()
        for name, table in self._tables.items():
            if clock_step is not None:
                table.inbox.put(ClockSet(clock_step))
            parts.metrics.lag.labels(name).set(table.publisher.state().lag)
        if self._ticks % (TICKS_PER_SECOND * FORGET_EVERY_S) == 0:
            parts.journal.forget_answers(parts.time.wall().timestamp() - ANSWERS_KEPT_S)
        self._feed_watchdog()

    def _feed_watchdog(self) -> None:
        """Tell systemd that all is well, and ask the journal's thread whether it still answers."""
        parts = self._parts
        any_table = next(iter(self._tables))
        parts.journal.append(Transaction(any_table, ()), self._journal_answers)
        quiet_s = (parts.clock.now().since(self._journal_answered) or 0.0) / parts.clock.scale
        if parts.conditions.journal is not None or quiet_s < STALL_S:
            self._notifier.tell("WATCHDOG=1")

    def _journal_answers(self) -> None:
        self._journal_answered = self._parts.clock.now()

    async def _send_status(self, *, to_all: bool) -> None:
        due = [table for table in self._tables.values() if to_all or table.status_changed]
        for table in due:
            table.status_changed = False
        for table in due:
            if table.serves:
                try:
                    await table.send_status()
                except BusUnavailable:
                    return  # told by bus_changed, by the metric, and by the silence itself
