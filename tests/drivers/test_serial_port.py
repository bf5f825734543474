"""A serial port on a real pty: nothing lost, nothing dated falsely, every loss told."""

from __future__ import annotations

import array
import asyncio
import errno
import fcntl
import os
from collections.abc import Callable
from typing import Any

import pytest
from support.pty_rig import CLOCK, heard, opened, plugged_in

from drivers.catalog import link_kinds
from drivers.errors import LinkBusy, LinkLost
from drivers.links import serial_port
from drivers.links.serial_port import SerialPort, SerialPortSettings

TIOCVHANGUP = 0x5437
TIOCGICOUNT = 0x545D
FRAMING, OVERRUN = 6, 7


def test_an_adapter_that_is_misspelled_is_an_error_of_the_configuration() -> None:
    SerialPortSettings("usb:0403:6001:A50285")
    for port in ("usb:403:6001", "usb:0403", "usb:0403:6001:"):
        with pytest.raises(ValueError, match="usb:0403:6001:A50285"):
            SerialPortSettings(port)


def test_a_serial_port_is_live() -> None:
    assert link_kinds()["serial_port"].live


async def test_what_the_device_says_arrives_as_it_was_said() -> None:
    before = CLOCK.now()
    with plugged_in() as box:
        port = await opened(box.path)
        box.say(bytes(range(256)))
        first = await port.read(None)
        box.say(b"*X;1;011;34;0;057;0\r\n")
        second = await port.read(None)
        await port.aclose()
    assert first is not None
    assert second is not None
    assert (first.data, first.stale) == (bytes(range(256)), False)
    assert second.data == b"*X;1;011;34;0;057;0\r\n"
    assert before.ns < first.at.ns < second.at.ns


async def test_what_lay_in_the_port_comes_first_as_one_stale_chunk() -> None:
    old, new = b"1;07;0;000;1\r\n*X;5;040;33;0;000;1\r\n", b"*X;2;041;33;0;000;1\r\n"

    with plugged_in() as box:
        box.say_before_anybody_listens(old)
        port = await opened(box.path)
        first = await port.read(None)
        box.say(new)
        second = await port.read(None)
        await port.aclose()
    assert first is not None
    assert second is not None
    assert (first.data, first.stale) == (old, True)
    assert (second.data, second.stale) == (new, False)


async def test_b22_a_greeting_five_milliseconds_after_opening_is_heard_at_every_opening() -> None:
    greetings = []
    with plugged_in() as box:
        for _ in range(100):
            port = await opened(box.path)
            asyncio.get_running_loop().call_later(0.005, box.say, b"*V 2.17\r\n")
            greetings.append(await heard(port, 9))
            await port.aclose()
    assert greetings == [b"*V 2.17\r\n"] * 100


async def _lose(port: SerialPort) -> LinkLost:
    while True:
        try:
            await port.read(None)
        except LinkLost as lost:
            return lost


async def test_b15_an_unplugged_port_is_lost_after_its_last_bytes_and_never_read_again() -> None:
    with plugged_in() as box:
        port = await opened(box.path)
        reads = _count_reads(port)
        box.say(b"last words")
        data = await heard(port, 10)
        box.unplug()
        await _lose(port)
        seen = len(reads)
        with pytest.raises(LinkLost):
            await port.read(0)
        assert asyncio.get_running_loop().remove_reader(port._fd) is False
        await port.aclose()
        assert (data, len(reads) - seen) == (b"last words", 0)


def _count_reads(port: SerialPort) -> list[int]:
    """Put a counter before the port's own reader."""
    calls: list[int] = []
    receive: Callable[[], None] = port._receive

    def counted() -> None:
        calls.append(1)
        receive()

    asyncio.get_running_loop().add_reader(port._fd, counted)
    return calls


async def test_an_idle_port_is_not_read() -> None:
    with plugged_in() as box:
        port = await opened(box.path)
        reads = _count_reads(port)
        for _ in range(50):
            assert await port.read(0.001) is None
        await port.aclose()
        assert len(reads) == 0


async def test_a_hang_up_is_a_loss() -> None:
    with plugged_in() as box:
        port = await opened(box.path)
        try:
            fcntl.ioctl(box.host, TIOCVHANGUP)
        except PermissionError:
            box.unplug()
        await _lose(port)
        await port.aclose()


@pytest.mark.parametrize("number", [errno.EIO, errno.ENXIO, errno.ENODEV])
async def test_every_errno_of_a_vanished_device_is_a_loss(
    number: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    def gone(fd: int, size: int) -> bytes:
        raise OSError(number, f"read {size} of {fd}")

    with plugged_in() as box:
        port = await opened(box.path)
        with monkeypatch.context() as patch:
            patch.setattr("drivers.links.serial_port.os.read", gone)
            box.say(b"x")
            lost = await _lose(port)
        await port.aclose()
    assert os.strerror(number) in str(lost)
    assert isinstance(lost.__cause__, OSError)


async def test_a_read_that_would_block_is_no_loss(monkeypatch: pytest.MonkeyPatch) -> None:
    real, refusals = os.read, [BlockingIOError(errno.EAGAIN, "again")]

    def once(fd: int, size: int) -> bytes:
        if refusals:
            raise refusals.pop()
        return real(fd, size)

    with plugged_in() as box:
        port = await opened(box.path)
        with monkeypatch.context() as patch:
            patch.setattr("drivers.links.serial_port.os.read", once)
            box.say(b"still here")
            data = await heard(port, 10)
        await port.aclose()
        assert data == b"still here"
    assert not refusals


async def test_a_write_after_the_unplugging_surfaces_at_the_next_read() -> None:
    with plugged_in() as box:
        port = await opened(box.path)
        box.unplug()
        for _ in range(600):
            port.write(b"*u 1\r\n")
        await _lose(port)
        port.write(b"*u 1\r\n")
        await _lose(port)
        await port.aclose()


async def test_the_device_gets_every_byte_in_order_even_when_it_listens_late() -> None:
    words = os.urandom(40_000)

    with plugged_in() as box:
        port = await opened(box.path)
        for start in range(0, len(words), 1000):
            port.write(words[start : start + 1000])
        got = b""
        while len(got) < len(words):
            got += os.read(box.device, 4096)
            await asyncio.sleep(0)
        await port.aclose()
        assert got == words


async def test_a_device_that_takes_no_bytes_is_lost_before_memory_is() -> None:
    with plugged_in() as box:
        port = await opened(box.path)
        for _ in range(200):
            port.write(bytes(1000))
        lost = await _lose(port)
        await port.aclose()
        assert "takes no bytes" in str(lost)


async def test_a_reader_who_comes_late_finds_everything_and_the_port_waits_for_him() -> None:
    with plugged_in() as box:
        port = await opened(box.path)
        os.set_blocking(box.device, False)
        sent, idle = 0, 0
        while idle < 20:
            await asyncio.sleep(0.001)
            try:
                sent += os.write(box.device, b"\x00" * 4096)
                idle = 0
            except BlockingIOError:
                idle += 1
        assert port._queue.held < 2 * (1 << 20)
        got = len(await heard(port, sent))
        await port.aclose()
        assert (got - sent) == 0


async def test_a_cancelled_read_loses_nothing() -> None:
    with plugged_in() as box:
        port = await opened(box.path)
        data = b""
        for _ in range(20):
            reading = asyncio.ensure_future(port.read(None))
            await asyncio.sleep(0)
            box.say(b"ab")
            reading.cancel()
            await asyncio.wait([reading])
            chunk = None if reading.cancelled() else reading.result()
            data += chunk.data if chunk else b""
        data += await heard(port, 40 - len(data))
        await port.aclose()
        assert data == b"ab" * 20


async def test_an_opening_that_nobody_waits_for_any_more_gives_the_port_back() -> None:
    with plugged_in() as box:
        opening = asyncio.ensure_future(opened(box.path))
        await asyncio.sleep(0)
        opening.cancel()
        await asyncio.wait([opening])
        while True:
            try:
                await (await opened(box.path)).aclose()
            except LinkBusy:
                continue
            break


async def test_closing_ends_a_waiting_read() -> None:
    with plugged_in() as box:
        port = await opened(box.path)
        reading = asyncio.ensure_future(port.read(None))
        await asyncio.sleep(0)
        await port.aclose()
        with pytest.raises(LinkLost, match="closed by pitwire"):
            await reading


async def test_f2_what_the_line_counts_as_errors_is_told_with_the_bytes_behind_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A pty counts none, so the kernel's answer is given here: its counters, as it writes them."""
    counters = [0] * 20
    ioctl = fcntl.ioctl

    def answered(fd: int, request: int, *arguments: Any) -> Any:
        if request != TIOCGICOUNT:
            return ioctl(fd, request, *arguments)
        arguments[0][:] = array.array("i", counters)
        return 0

    monkeypatch.setattr(fcntl, "ioctl", answered)
    counters[FRAMING] = 4  # before it was opened
    lost = []
    with plugged_in() as box:
        port = await opened(box.path)
        for framing, overrun in ((4, 0), (5, 0), (5, 0), (5, 2)):
            counters[FRAMING], counters[OVERRUN] = framing, overrun
            box.say(b"5H\r\n")
            chunk = await port.read(None)
            assert chunk is not None
            lost.append(chunk.lost)
        await port.aclose()
    assert lost == ["", "framing 1", "", "overrun 2"]


async def test_f2_a_port_without_counters_says_that_it_cannot_tell(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with plugged_in() as box:
        of_a_pty = await opened(box.path)
        await of_a_pty.aclose()
        monkeypatch.setattr(serial_port, "is_pty", lambda _fd: False)
        of_an_adapter = await opened(box.path)
        await of_an_adapter.aclose()
    assert of_a_pty.untold == ""
    assert of_an_adapter.untold.startswith("this adapter counts no bytes")
