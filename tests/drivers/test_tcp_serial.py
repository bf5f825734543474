"""A serial server over real sockets: nothing lost, nothing dated falsely, every trouble told."""

from __future__ import annotations

import asyncio
import ctypes
import socket
import struct

import pytest
from support.pty_rig import CLOCK, heard, run
from support.server_rig import RawServer, ended, listening, opened, reset

from drivers.errors import (
    LinkError,
    LinkLost,
)
from drivers.link import Chunk
from drivers.tcp import connection as tcp

LINE = b"*X;2;041;33;0;000;1\r\n"
EVERY_BYTE = bytes(range(256))
_SO_ATTACH_FILTER = 26


# --- bytes -------------------------------------------------------------------------------------


def test_what_the_device_says_arrives_as_it_was_said_with_the_offset_counted() -> None:
    server = RawServer()

    async def work() -> tuple[Chunk | None, Chunk | None]:
        async with listening(server.serve) as port:
            link = await opened(port)
            server.say(EVERY_BYTE)
            first = await link.read(None)
            server.say(LINE)
            second = await link.read(None)
            await link.close()
            return first, second

    before = CLOCK.now()
    first, second = run(work())
    assert first is not None
    assert second is not None
    assert (first.data, first.offset, first.stale) == (EVERY_BYTE, 0, False)
    assert (second.data, second.offset) == (LINE, 256)
    assert before.ns < first.at.ns < second.at.ns


def test_what_is_written_reaches_the_device_as_it_is() -> None:
    async def work() -> bytes:
        server = RawServer()
        async with listening(server.serve) as port:
            link = await opened(port)
            link.write(EVERY_BYTE)
            await server.until(lambda one: len(one.heard) == 256)
            await link.close()
            return bytes(server.heard)

    assert run(work()) == EVERY_BYTE


def test_nothing_to_read_is_none() -> None:
    async def work() -> Chunk | None:
        server = RawServer()
        async with listening(server.serve) as port:
            link = await opened(port)
            chunk = await link.read(0.0)
            await link.close()
            return chunk

    assert run(work()) is None


def test_megabytes_that_nobody_reads_wait_in_the_network_and_none_is_lost() -> None:
    size = 8 << 20

    async def work() -> bytes:
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
            await link.close()
            return data

    assert run(work()) == EVERY_BYTE * (size // 256)


# --- what a server kept (B21, B22) -------------------------------------------------------------


def test_b21_what_the_server_kept_while_nobody_listened_comes_first_as_one_stale_chunk() -> None:
    old = b"1;07;0;000;1\r\n*X;5;040;33;0;000;1\r\n"

    async def work() -> tuple[Chunk | None, Chunk | None]:
        server = RawServer(kept=old)
        async with listening(server.serve) as port:
            link = await opened(port)
            first = await link.read(None)
            server.say(LINE)
            second = await link.read(None)
            await link.close()
            return first, second

    first, second = run(work())
    assert first is not None
    assert second is not None
    assert (first.data, first.stale, first.offset) == (old, True, 0)
    assert (second.data, second.stale, second.offset) == (LINE, False, len(old))


def test_the_first_byte_of_a_line_that_is_being_said_is_fresh() -> None:
    async def work() -> Chunk | None:
        server = RawServer(kept=b"*")
        async with listening(server.serve) as port:
            link = await opened(port)
            chunk = await link.read(None)
            await link.close()
            return chunk

    chunk = run(work())
    assert chunk is not None
    assert (chunk.data, chunk.stale) == (b"*", False)


# --- ends --------------------------------------------------------------------------------------


def test_what_was_said_before_the_end_is_read_before_it() -> None:
    async def work() -> tuple[Chunk | None, LinkError]:
        server = RawServer()
        async with listening(server.serve) as port:
            link = await opened(port)
            server.say(LINE)
            server.writer.close()
            chunk = await link.read(None)
            trouble = await ended(link)
            link.write(LINE)  # nobody is there: the next read says so again
            assert await ended(link) is trouble
            await link.close()
            return chunk, trouble

    chunk, trouble = run(work())
    assert chunk is not None
    assert chunk.data == LINE
    assert isinstance(trouble, LinkLost)
    assert "was closed by the server" in str(trouble)


def test_a_server_that_starts_anew_cuts_the_link_off() -> None:
    async def work() -> LinkError:
        server = RawServer()
        async with listening(server.serve) as port:
            link = await opened(port)
            await reset(asyncio.StreamReader(), server.writer)
            return await ended(link)

    trouble = run(work())
    assert isinstance(trouble, LinkLost)
    assert "was cut off by the server" in str(trouble)


def test_a_server_that_takes_nothing_loses_the_link() -> None:
    async def deaf(reader: asyncio.StreamReader, _writer: asyncio.StreamWriter) -> None:
        reader._transport.pause_reading()  # type: ignore[attr-defined]

    async def work() -> LinkError:
        async with listening(deaf) as port:
            link = await opened(port)
            for _ in range(1024):
                link.write(bytes(1 << 16))
            return await ended(link)

    assert "takes no bytes" in str(run(work()))


def test_the_kernel_is_asked_to_notice_a_dead_server() -> None:
    async def work() -> list[int]:
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
            await link.close()
            return options

    assert run(work()) == [1, 5, 2, 3, 10_000, 1]


@pytest.mark.parametrize("told", [b"", LINE], ids=["quiet", "written to"])
def test_fault_44_a_server_that_is_gone_without_a_word_is_noticed(
    monkeypatch: pytest.MonkeyPatch, told: bytes
) -> None:
    monkeypatch.setattr(tcp, "QUIET_S", 1)
    monkeypatch.setattr(tcp, "ASK_AGAIN_S", 1)
    monkeypatch.setattr(tcp, "UNACKNOWLEDGED_MS", 1000)

    async def work() -> LinkError:
        server = RawServer()
        async with listening(server.serve) as port:
            link = await opened(port)
            _fall_dead(server.writer.get_extra_info("socket"))
            link.write(told)
            return await ended(link)

    trouble = run(work())
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
