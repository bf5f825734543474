"""systemd's watchdog is fed only while the journal's thread answers, or says why it does not."""

import asyncio
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path

import pytest
import structlog
from support.durable import Opened, opened

from daemon.buses.stdout import StdoutBus
from daemon.delivery.lease import Owner
from daemon.runtime.clocks import Timekeeper
from daemon.runtime.table_start import begin_first_epoch
from daemon.service.assembly import one_table
from daemon.service.conditions import Conditions
from daemon.service.offline_replay import OfflineClock
from daemon.service.pulse import STALL_S, Pulse
from daemon.service.running_table import RunningTable, SharedParts
from daemon.telemetry.metrics import Metrics
from daemon.telemetry.sd_notify import Notifier


@dataclass
class Service:
    """One table of a daemon that nothing drives but the test."""

    clock: OfflineClock
    journal: Opened
    parts: SharedParts
    table: RunningTable
    pulse: Pulse
    systemd: socket.socket

    def second(self, seconds: float = 1.0) -> list[str]:
        """Let this much time pass at once; return what systemd is told at its end."""
        self.clock.at = self.clock.at.after(seconds)
        self.pulse._every_second()
        told = []
        while True:
            try:
                told.append(self.systemd.recv(4096).decode())
            except BlockingIOError:
                return told

    async def durable(self) -> None:
        """Return when the journal has answered to everything so far."""
        answered = asyncio.Event()
        self.table._when_durable(answered.set)
        await answered.wait()


@asynccontextmanager
async def service(folder: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Service]:
    systemd = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_NONBLOCK)
    systemd.bind(str(folder / "notify"))
    monkeypatch.setenv("NOTIFY_SOCKET", str(folder / "notify"))
    clock, metrics, log = OfflineClock(), Metrics(), structlog.get_logger()
    async with opened(folder / "journal.db") as journal:
        parts = SharedParts(
            site="oslo",
            journal=journal.journal,
            bus=StdoutBus(BytesIO()),
            clock=clock,
            time=Timekeeper(clock, lambda: "unknown"),
            metrics=metrics,
            log=log,
            conditions=Conditions(log, metrics),
            owner=Owner("we", "here"),
            show_event=lambda _blob: None,
            wait=asyncio.sleep,
        )
        table = RunningTable(one_table("roulette", "roulette-lv", "cammegh_ss2"), None, parts)
        begin_first_epoch(table.inbox, None)
        notifier = Notifier()
        pulse = Pulse({table.address.table: table}, parts, notifier)
        try:
            yield Service(clock, journal, parts, table, pulse, systemd)
        finally:
            await table.stop()
            notifier.close()
            systemd.close()


async def test_a_journal_that_answers_feeds_the_watchdog(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with service(tmp_path, monkeypatch) as running:
        for _ in range(10):
            assert running.second() == ["WATCHDOG=1"]
            await running.durable()


async def test_a_journal_thread_that_is_stuck_starves_it_and_feeds_it_again_later(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with service(tmp_path, monkeypatch) as running:
        assert running.second(STALL_S - 1) == ["WATCHDOG=1"]
        assert running.second() == []
        assert running.second() == []
        await running.durable()
        assert running.second() == ["WATCHDOG=1"]


async def test_a_journal_that_says_it_is_blocked_is_no_reason_to_be_killed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with service(tmp_path, monkeypatch) as running:
        running.parts.conditions.journal_changed("no space left on the disk: free some")
        assert running.second(STALL_S) == ["WATCHDOG=1"]
        running.parts.conditions.journal_changed(None)
        assert running.second() == []


async def test_the_clock_is_scaled_like_the_table_and_the_watchdog_is_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with service(tmp_path, monkeypatch) as running:
        running.clock.scale = 10.0
        assert running.second(STALL_S * 9) == ["WATCHDOG=1"]
        assert running.second(STALL_S) == []
