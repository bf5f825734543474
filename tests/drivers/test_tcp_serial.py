"""A serial server over real sockets: nothing lost, nothing dated falsely, every trouble told."""

from __future__ import annotations

import asyncio
import ctypes
import socket
import struct

import pytest
from support.pty_rig import CLOCK, heard
from support.server_rig import RawServer, ended, listening, opened, reset

from drivers.errors import (
    LinkLost,
)
from drivers.tcp import connection as tcp

LINE = b"*X;2;041;33;0;000;1\r\n"
EVERY_BYTE = bytes(range(256))
_SO_ATTACH_FILTER = 26


# --- bytes -------------------------------------------------------------------------------------


async def test_what_the_device_says_arrives_as_it_was_said() -> None:
    server = RawServer()

    before = CLOCK.now()

    async with listening(server.serve) as port:
        link = await opened(port)
        server.say(EVERY_BYTE)
        first = await link.read(None)
        server.say(LINE)
        second = await link.read(None)
        await link.aclose()
    assert first is not None
    assert second is not None
    assert (first.data, first.stale) == (EVERY_BYTE, False)
    assert second.data == LINE
    assert before.ns < first.at.ns < second.at.ns


async def test_what_is_written_reaches_the_device_as_it_is() -> None:
    server = RawServer()
    async with listening(server.serve) as port:
        link = await opened(port)
        link.write(EVERY_BYTE)
        await server.until(lambda one: len(one.heard) == 256)
        await link.aclose()
        assert bytes(server.heard) == EVERY_BYTE


async def test_f2_a_raw_server_cannot_tell_what_its_port_lost() -> None:
    server = RawServer()
    async with listening(server.serve) as port:
        link = await opened(port)
        await link.aclose()
    assert "tells of no byte that its port lost" in link.untold


async def test_nothing_to_read_is_none() -> None:
    server = RawServer()
    async with listening(server.serve) as port:
        link = await opened(port)
        chunk = await link.read(0.0)
        await link.aclose()
        assert chunk is None


async def test_megabytes_that_nobody_reads_wait_in_the_network_and_none_is_lost() -> None:
    size = 8 << 20

    server = RawServer()
    async with listening(server.serve) as port:
        link = await opened(port)
        server.say(EVERY_BYTE * (size // 256))
        draining = asyncio.create_task(server.writer.drain())
        while not link._is_paused:  # noqa: ASYNC110 - nothing tells when
            await asyncio.sleep(0)
        for _ in range(200):
            await asyncio.sleep(0)
        assert link._queue.held < 2 << 20
        data = await heard(link, size)
        await draining
        await link.aclose()
        assert data == EVERY_BYTE * (size // 256)


# --- what a server kept (B21, B22) -------------------------------------------------------------


async def test_b21_what_the_server_kept_while_nobody_listened_is_one_stale_chunk() -> None:
    old = b"1;07;0;000;1\r\n*X;5;040;33;0;000;1\r\n"

    server = RawServer(kept=old)
    async with listening(server.serve) as port:
        link = await opened(port)
        first = await link.read(None)
        server.say(LINE)
        second = await link.read(None)
        await link.aclose()
    assert first is not None
    assert second is not None
    assert (first.data, first.stale) == (old, True)
    assert (second.data, second.stale) == (LINE, False)


async def test_the_first_byte_of_a_line_that_is_being_said_is_fresh() -> None:
    server = RawServer(kept=b"*")
    async with listening(server.serve) as port:
        link = await opened(port)
        chunk = await link.read(None)
        await link.aclose()
    assert chunk is not None
    assert (chunk.data, chunk.stale) == (b"*", False)


# --- ends --------------------------------------------------------------------------------------


async def test_what_was_said_before_the_end_is_read_before_it() -> None:
    server = RawServer()
    async with listening(server.serve) as port:
        link = await opened(port)
        server.say(LINE)
        server.writer.close()
        chunk = await link.read(None)
        trouble = await ended(link)
        link.write(LINE)  # nobody is there: the next read says so again
        assert await ended(link) is trouble
        await link.aclose()
    assert chunk is not None
    assert chunk.data == LINE
    assert isinstance(trouble, LinkLost)
    assert "was closed by the server" in str(trouble)


async def test_a_server_that_starts_anew_cuts_the_link_off() -> None:
    server = RawServer()
    async with listening(server.serve) as port:
        link = await opened(port)
        await reset(asyncio.StreamReader(), server.writer)
        trouble = await ended(link)
    assert isinstance(trouble, LinkLost)
    assert "was cut off by the server" in str(trouble)


async def test_a_server_that_takes_nothing_loses_the_link() -> None:
    async def deaf(reader: asyncio.StreamReader, _writer: asyncio.StreamWriter) -> None:
        reader._transport.pause_reading()  # type: ignore[attr-defined]

    async with listening(deaf) as port:
        link = await opened(port)
        for _ in range(1024):
            link.write(bytes(1 << 16))
        assert "takes no bytes" in str(await ended(link))


async def test_the_kernel_is_asked_to_notice_a_dead_server() -> None:
    server = RawServer()
    async with listening(server.serve) as port:
        link = await opened(port)
        one = link._transport.get_extra_info("socket")
        options = [
            one.getsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE),
            one.getsockopt(socket.IPPROTO_TCP, socket.TCP_KEEPIDLE),
            one.getsockopt(socket.IPPROTO_TCP, socket.TCP_KEEPINTVL),
            one.getsockopt(socket.IPPROTO_TCP, socket.TCP_KEEPCNT),
            one.getsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT),
            one.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY),
        ]
        await link.aclose()
        assert options == [1, 5, 2, 3, 10_000, 1]


@pytest.mark.parametrize("told", [b"", LINE], ids=["quiet", "written to"])
async def test_fault_44_a_server_that_is_gone_without_a_word_is_noticed(
    monkeypatch: pytest.MonkeyPatch, told: bytes
) -> None:
    monkeypatch.setattr(tcp, "QUIET_S", 1)
    monkeypatch.setattr(tcp, "ASK_AGAIN_S", 1)
    monkeypatch.setattr(tcp, "UNACKNOWLEDGED_MS", 1000)

    server = RawServer()
    async with listening(server.serve) as port:
        link = await opened(port)
        _fall_dead(server.writer.get_extra_info("socket"))
        link.write(told)
        trouble = await ended(link)
    assert isinstance(trouble, LinkLost)
    assert "does not answer any more" in str(trouble)


def _fall_dead(one: socket.socket) -> None:
    """Let the kernel drop whatever arrives at a socket, as if its machine had no power."""
    drop_all = ctypes.create_string_buffer(struct.pack("HBBI", 0x06, 0, 0, 0))  # BPF: return 0
    program = struct.pack("HP", 1, ctypes.addressof(drop_all))
    try:
        one.setsockopt(socket.SOL_SOCKET, _SO_ATTACH_FILTER, program)
    except PermissionError:
        pytest.skip("this user may put no filter on a socket")
