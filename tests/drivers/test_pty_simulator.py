"""A simulator on a pty behaves like something plugged in; a simulated link needs no pty."""

from __future__ import annotations

import asyncio
import fcntl
import os
import termios
from collections.abc import Callable
from pathlib import Path

import pytest
from support.pty_rig import CLOCK, Parrot, heard, opened

from drivers.clock import BootClock
from drivers.errors import LinkAbsent, LinkLost, LinkRefused
from drivers.links.simulated import SimulatedLink, SimulatedSettings, open_simulated
from drivers.pty_simulator import SimulatorOnPty
from protocols.cards import Card
from protocols.catalog import devices
from protocols.rejects import RejectReason
from protocols.simulator import DrawCard, Fault, PowerOn
from protocols.wiring import SerialWiring


async def test_it_says_what_it_is_cued_to_and_hears_what_is_written() -> None:
    async with SimulatorOnPty(Parrot(), CLOCK) as puppet:
        port = await opened(puppet.path)
        puppet.cue(PowerOn())
        greeting = await heard(port, 9)
        port.write(b"*u 1\r\n")
        echo = await heard(port, 6)
        puppet.cue(Fault("tick"))
        tick = await heard(port, 6)
        await port.aclose()
        assert (greeting, echo, tick) == (b"*V 2.17\r\n", b"*u 1\r\n", b"tick\r\n")


async def test_an_hour_of_the_clock_passes_at_the_clocks_own_pace() -> None:
    fast = BootClock(scale=1_000_000)

    async with SimulatorOnPty(Parrot(tick_s=3600), fast) as puppet:
        port = await opened(puppet.path)
        puppet.cue(Fault("tick"))
        data = await heard(port, 6)
        await port.aclose()
        assert data == b"tick\r\n"


async def test_a_cue_it_cannot_play_is_refused() -> None:
    async with SimulatorOnPty(Parrot(), CLOCK) as puppet:
        with pytest.raises(ValueError, match="no cards"):
            puppet.cue(DrawCard(Card("A", "S")))


async def test_unplugged_and_replugged_it_is_found_again_by_its_name(tmp_path: Path) -> None:
    name = tmp_path / "by-id" / "usb-wheel"
    line = b"*X;1;011;34;0;057;0\r\n"

    async with SimulatorOnPty(Parrot(), CLOCK, str(name)) as puppet:
        port = await opened(puppet.path)
        first_node = name.readlink()
        for _ in range(60):
            puppet.simulator.hear(CLOCK.now(), line)
        puppet.cue(PowerOn())
        assert await heard(port, 60 * len(line) + 9) == line * 60 + b"*V 2.17\r\n"
        puppet.unplug()
        with pytest.raises(LinkLost):
            await port.read(None)
        with pytest.raises(LinkAbsent):
            await opened(puppet.path)
        puppet.replug()
        assert name.readlink() != first_node  # the lost port still has the old number
        await port.aclose()
        port = await opened(puppet.path)
        for _ in range(60):
            puppet.simulator.hear(CLOCK.now(), line)
        puppet.cue(PowerOn())
        assert await heard(port, 60 * len(line) + 9) == line * 60 + b"*V 2.17\r\n"
        await port.aclose()
    assert not name.is_symlink()


async def test_a_stable_name_is_replaced_and_somebody_elses_is_not_removed(tmp_path: Path) -> None:
    name = tmp_path / "wheel"
    name.symlink_to("/nowhere")

    async with SimulatorOnPty(Parrot(), CLOCK, str(name)) as puppet:
        assert str(name.readlink()).startswith("/dev/pts/")
        name.unlink()
        name.symlink_to("/elsewhere")
        puppet.unplug()
    assert str(name.readlink()) == "/elsewhere"


async def _until(reached: Callable[[], object]) -> None:
    while not reached():  # noqa: ASYNC110 - what nobody announces
        await asyncio.sleep(0)


async def test_what_is_said_while_unplugged_is_lost_and_counted() -> None:
    async with SimulatorOnPty(Parrot(), CLOCK) as puppet:
        puppet.unplug()
        assert not puppet.plugged_in
        puppet.cue(PowerOn())
        await _until(lambda: puppet.lost)
        assert puppet.lost == 9


async def test_it_does_not_wait_for_a_host_who_does_not_read() -> None:
    async with SimulatorOnPty(Parrot(), CLOCK) as puppet:
        puppet.simulator.hear(CLOCK.now(), bytes(1_000_000))
        puppet.cue(PowerOn())
        await _until(lambda: puppet.lost)


async def test_a_host_that_died_with_the_port_to_itself_does_not_keep_the_next_one_out() -> None:
    tiocgexcl = 0x80045440

    parrot = Parrot()
    async with SimulatorOnPty(parrot, CLOCK) as puppet:
        assert puppet._fds is not None
        dead = os.open(puppet.path, os.O_RDWR | os.O_NOCTTY)
        fcntl.ioctl(dead, termios.TIOCEXCL)
        os.close(dead)
        before = any(fcntl.ioctl(puppet._fds[1], tiocgexcl, bytes(4)))
        puppet.cue(PowerOn())
        await _until(lambda: not parrot.waiting)
        assert (before, any(fcntl.ioctl(puppet._fds[1], tiocgexcl, bytes(4)))) == (True, False)


async def test_a_simulators_defect_comes_out_when_it_is_closed() -> None:
    class Broken(Parrot):
        def speak(self, at: object) -> list[bytes]:
            raise AssertionError(f"a defect at {at}")

    puppet = SimulatorOnPty(Broken(), CLOCK)
    await puppet.start()
    await asyncio.sleep(0)
    with pytest.raises(AssertionError, match="a defect"):
        await puppet.close()
    await puppet.close()


def _open_descriptors() -> int:
    return len(list(Path("/proc/self/fd").iterdir()))


async def test_closing_leaves_no_descriptor_open() -> None:
    before = _open_descriptors()
    for _ in range(5):
        async with SimulatorOnPty(Parrot(), CLOCK) as puppet:
            await (await opened(puppet.path)).aclose()
            puppet.replug()
    after = _open_descriptors()
    assert before == after


@pytest.mark.parametrize(
    "key", sorted(key for key, one in devices().items() if isinstance(one.wiring, SerialWiring))
)
async def test_every_device_we_know_is_heard_through_a_pty(key: str) -> None:
    spec = devices()[key]
    clock = BootClock(scale=20)
    decoder = spec.decoder(spec.settings())
    readings: list[object] = []
    async with SimulatorOnPty(spec.simulator(spec.settings()), clock, None) as puppet:
        port = await opened(puppet.path, wiring=spec.wiring)
        puppet.cue(PowerOn())
        if spec.kind == "shoe":  # some say nothing until a card leaves them
            puppet.cue(DrawCard(Card("K", "S"), "player", 1))
        while not readings:
            for one in decoder.tick(clock.now()):  # some say nothing until they are asked
                port.write(one.reply or b"")
            chunk = await port.read(0.05)
            if chunk is not None:
                decoded = decoder.feed(chunk.at, chunk.data)
                readings += [one.body for one in decoded if not isinstance(one.body, RejectReason)]
        await port.aclose()
    assert readings


async def test_a_simulated_link_needs_no_wire() -> None:
    link = SimulatedLink("a parrot", Parrot(), CLOCK)
    assert await link.read(0) is None
    link.cue(PowerOn())
    link.write(b"hello")
    first, second = await link.read(None), await link.read(1)
    assert first is not None
    assert second is not None
    assert first.data == b"*V 2.17\r\n"
    assert second.data == b"hello"
    link.cue(Fault("tick"))
    tick = await link.read(None)
    assert tick is not None
    assert tick.data == b"tick\r\n"


async def test_a_cue_wakes_whoever_reads_a_simulated_link() -> None:
    link = SimulatedLink("a parrot", Parrot(), CLOCK)
    reading = asyncio.ensure_future(link.read(None))
    await asyncio.sleep(0)
    link.cue(PowerOn())
    chunk = await reading
    assert chunk is not None
    assert chunk.data == b"*V 2.17\r\n"


async def test_a_closed_simulated_link_is_lost() -> None:
    link = SimulatedLink("a parrot", Parrot(), CLOCK)
    reading = asyncio.ensure_future(link.read(None))
    await asyncio.sleep(0)
    await link.aclose()
    with pytest.raises(LinkLost):
        await reading
    await link.aclose()


async def test_an_unknown_device_cannot_be_simulated() -> None:
    with pytest.raises(LinkRefused, match="no such device"):
        await open_simulated(SimulatedSettings("abacus"), SerialWiring(), CLOCK)


@pytest.mark.parametrize("key", sorted(devices()))
async def test_every_device_can_be_simulated_by_its_key(key: str) -> None:
    link = await open_simulated(SimulatedSettings(key), SerialWiring(), CLOCK)
    assert link.where == f"simulated {key}"
    await link.aclose()
