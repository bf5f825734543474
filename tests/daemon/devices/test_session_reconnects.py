"""Sessions on real ptys: a device that is pulled, written to when it is gone, or long silent."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import replace
from tempfile import TemporaryDirectory
from typing import Any

import pytest
import structlog
from support.hidden_bench import HiddenTable
from support.inboxes import inbox_of
from support.shoe_line import kind, kinds

from daemon.devices import port_sharing
from daemon.devices.attachment import AttachedDevice
from daemon.devices.feed import REOPEN_AFTER_SILENCES
from daemon.devices.port_sharing import PortSharing
from daemon.devices.session import Session
from daemon.devices.session_metrics import SessionMetrics
from daemon.service.assembly import attached_devices, one_table
from daemon.table.inputs import DeviceSilent
from daemon.telemetry.metrics import Metrics
from drivers.catalog import link_kinds
from drivers.clock import BootClock, Clock
from drivers.link import OpenLink
from drivers.links.serial_port import SerialPortSettings
from drivers.pty_simulator import SimulatorOnPty
from protocols.cards import Card
from protocols.catalog import devices
from protocols.device import Decoded, DeviceKind
from protocols.rejects import RejectReason
from protocols.shoes.line_profile.example import EXAMPLE
from protocols.simulator import Cue, DrawCard, Fault, PowerOn, ThrowDice
from protocols.wiring import SerialWiring, Wiring

GAMES: Mapping[DeviceKind, tuple[str, str]] = {
    "shoe": ("baccarat", "baccarat-dk"),
    "wheel": ("roulette", "roulette-dk"),
    "dice": ("sic_bo", "sic-bo"),
}
SAYING: Mapping[DeviceKind, Cue] = {
    "shoe": DrawCard(Card("K", "D"), "player", 1),
    "wheel": PowerOn(),
    "dice": ThrowDice((1, 2, 3)),
}
SERIAL = [key for key, one in devices().items() if isinstance(one.wiring, SerialWiring)]


class Seen(SessionMetrics):
    """Counts and logs as ever, and its readings can be waited for."""

    def __init__(self, clock: Clock) -> None:
        super().__init__("T", Metrics(), structlog.get_logger(), clock)
        self.readings = 0
        self.changed = asyncio.Event()

    def decoded(self, plug: AttachedDevice, one: Decoded, *, stale: bool) -> None:
        super().decoded(plug, one, stale=stale)
        self.readings += not stale and not isinstance(one.body, RejectReason)
        self.changed.set()


class Seat:
    """One device on a pty and a session at its other end.

    The session opens it by a stable name: the number of an unplugged pty may be a stranger's next.
    """

    def __init__(self, device: str, scale: float, folder: str) -> None:
        self.spec = devices()[device]
        self.clock = BootClock(scale)
        game, profile = GAMES[self.spec.kind]
        self.config = one_table(game, profile, device)
        (self.plug,) = attached_devices(self.config)
        simulator = self.plug.spec.simulator(self.plug.settings)
        self.port = SimulatorOnPty(simulator, self.clock, f"{folder}/by-id/device")
        self.seen = Seen(self.clock)
        self.events: list[dict[str, Any]] = []
        self.read = self.tries = self.opened = 0
        self.session: Session

    async def until(self, wanted: str) -> None:
        """Wait for the next event of this kind."""
        while wanted not in kinds(self.events[self.read :]):
            await self._change()
        self.read += kinds(self.events[self.read :]).index(wanted) + 1

    async def until_read(self) -> None:
        before = self.seen.readings
        while self.seen.readings == before:
            await self._change()

    async def until_tried(self, times: int) -> None:
        wanted = self.tries + times
        while self.tries < wanted:
            await self._change()

    async def _change(self) -> None:
        self.seen.changed.clear()
        await self.seen.changed.wait()

    async def _open(self, settings: Any, wiring: Wiring, clock: Clock) -> OpenLink:
        del settings, wiring
        self.tries += 1
        self.seen.changed.set()
        link = link_kinds()["serial_port"]
        at_pty = SerialPortSettings(self.port.path)
        opened = await link.open(at_pty, SerialWiring(), clock)  # it has no parity
        self.opened += 1
        return opened

    def start(self) -> asyncio.Task[None]:
        inbox = inbox_of(self.config, self.clock, self._shown)
        link = replace(self.plug.link, open=self._open, node=lambda _: self.port.path)
        plug = replace(self.plug, link=link)

        async def soon(_most_s: float) -> None:
            await asyncio.sleep(0.002)

        self.session = Session(plug, inbox, self.clock, self.seen, wait=soon)
        return asyncio.create_task(self.session.run())

    def _shown(self, blob: bytes) -> None:
        self.events.append(json.loads(blob))
        self.seen.changed.set()


@asynccontextmanager
async def seated(device: str, scale: float = 20.0) -> AsyncIterator[Seat]:
    with TemporaryDirectory() as folder:
        seat = Seat(device, scale, folder)
        async with asyncio.timeout(20), seat.port:
            running = seat.start()
            try:
                await seat.until("device.connected")
                yield seat
            finally:
                running.cancel()
                with contextlib.suppress(asyncio.CancelledError):
                    await running


@pytest.mark.parametrize("device", SERIAL)
async def test_b20_a_device_of_any_framing_is_heard_again_after_it_was_pulled(device: str) -> None:
    async with seated(device) as seat:
        for _ in range(2):
            seat.port.cue(PowerOn())
            seat.port.cue(SAYING[seat.spec.kind])
            await seat.until_read()
            seat.port.unplug()
            await seat.until("device.disconnected")
            seat.port.replug()
            await seat.until("device.connected")
        seat.port.cue(SAYING[seat.spec.kind])
        await seat.until_read()
        links = [one for one in kinds(seat.events) if one.startswith("device.")]
    connected, disconnected = "device.connected", "device.disconnected"
    assert [one for one in links if one in (connected, disconnected)] == [
        connected,
        *[disconnected, connected] * 2,
    ]


async def test_b18_a_port_that_vanished_while_it_is_written_to_is_told_once() -> None:
    with structlog.testing.capture_logs() as lines:
        async with seated("feig_obid") as seat:  # it is asked five times a second
            await seat.until_read()
            link = seat.session.link
            seat.port.unplug()
            for _ in range(600):  # every 100 ms for a minute
                if link is not None:
                    link.write(b"\x07\xff\xb0\x01\x00\x1c\x56")
            await seat.until("device.disconnected")
            await seat.until_tried(240)  # every quarter of a second for a minute
    lines = [one for one in lines if one["log_level"] in ("warning", "error")]
    assert len(lines) <= 10
    assert [one["state"] for one in lines if one["event"] == "link_changed"] == ["lost"]


@pytest.mark.skipif(os.geteuid() != 0, reason="an open port is exclusive, except for root")
async def test_b16_a_second_reader_whom_we_may_not_see_is_told_all_the_same(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(port_sharing, "holders_of", lambda nodes: dict.fromkeys(nodes, ()))
    monkeypatch.setattr(port_sharing, "LOOK_EVERY_S", 0.01)

    async with seated("barcode_lines") as seat:
        readers = PortSharing([seat.session])
        looked = asyncio.create_task(readers.watch())
        while not readers._openings:  # noqa: ASYNC110 - filled by a thread
            await asyncio.sleep(0)
        other = os.open(seat.port.path, os.O_RDONLY | os.O_NOCTTY)
        await seat.until("device.faulted")
        os.close(other)
        await seat.until("device.recovered")
        looked.cancel()
        (faulted,) = (one for one in seat.events if kind(one) == "device.faulted")
    assert faulted["data"]["condition"] == "second_reader"
    assert faulted["data"]["detail"].startswith("another process, which we may not see, has the")


def test_b48_a_silent_can_adapter_is_told_with_what_brings_it_back() -> None:
    bench = HiddenTable()
    session = bench.session
    session.attached = replace(session.attached, link=link_kinds()["can_bus"])
    bench.inbox.put(DeviceSilent("primary", session.attached.spec.key, 2.0))
    (device,) = bench.status()["devices"]
    assert device["state"] == "stale"
    assert "power-cycle the adapter" in device["action"]


async def test_b19_a_link_that_is_open_and_silent_is_told_opened_anew_and_heard_again() -> None:
    async with seated("line_profile", scale=60.0) as seat:
        seat.port.cue(PowerOn())
        await seat.until_read()
        seat.port.cue(Fault("silent"))
        await seat.until("device.stale")
        assert seat.session.state == "connected"
        before = seat.opened
        await seat.until_tried(1)
        seat.port.cue(Fault("silent"))  # it is no more
        await seat.until("device.recovered")
        events, opened = seat.events, seat.opened - before
    assert REOPEN_AFTER_SILENCES * EXAMPLE.silence_s == 60.0
    assert opened >= 1
    silence = [one for one in events if kind(one) in ("device.stale", "device.recovered")]
    stale, recovered, *_ = silence  # and then that frames are missing
    assert stale["data"]["silent_s"] >= EXAMPLE.silence_s
    assert recovered["data"]["condition"] == "silent"
