"""A serial server over real sockets: nothing lost, nothing dated falsely, every trouble told."""

from __future__ import annotations

import asyncio
import ctypes
import errno
import socket
import struct
from typing import Any

import pytest
from pty_rig import CLOCK, heard, run
from server_rig import PortServer, RawServer, Serve, close_at_once, listening

from drivers.errors import (
    LinkAbsent,
    LinkBusy,
    LinkDenied,
    LinkError,
    LinkLost,
    LinkRefused,
)
from drivers.link import Chunk
from drivers.links import tcp_serial
from drivers.links.tcp_serial import TcpSerial, TcpSerialSettings, open_tcp_serial
from drivers.tcp import connection as tcp
from protocols.wiring import SerialWiring

LINE = b"*X;2;041;33;0;000;1\r\n"
EVERY_BYTE = bytes(range(256))
_SO_ATTACH_FILTER = 26


async def opened(
    port: int, wiring: SerialWiring | None = None, host: str = "127.0.0.1", **settings: Any
) -> TcpSerial:
    return await open_tcp_serial(
        TcpSerialSettings(host, port, **settings), wiring or SerialWiring(), CLOCK
    )


async def refused(serve: Serve, wiring: SerialWiring | None = None, **settings: Any) -> LinkError:
    """Return why a server served so cannot be opened."""
    async with listening(serve) as port:
        with pytest.raises(LinkError) as caught:
            await opened(port, wiring, **settings)
    assert f"127.0.0.1:{port}" in str(caught.value)
    assert caught.value.action
    return caught.value


async def ended(link: TcpSerial) -> LinkError:
    """Return why the link ended, whatever it still had to say."""
    try:
        while True:
            await link.read(None)
    except LinkError as trouble:
        return trouble


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
            link.close()
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
            link.close()
            return bytes(server.heard)

    assert run(work()) == EVERY_BYTE


def test_nothing_to_read_is_none() -> None:
    async def work() -> Chunk | None:
        server = RawServer()
        async with listening(server.serve) as port:
            link = await opened(port)
            chunk = await link.read(0.0)
            link.close()
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
            while not link._paused:  # noqa: ASYNC110 - nothing tells when
                await asyncio.sleep(0)
            for _ in range(200):
                await asyncio.sleep(0)
            assert link._inbox.held < 2 << 20
            data = await heard(link, size)
            await draining
            link.close()
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
            link.close()
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
            link.close()
            return chunk

    chunk = run(work())
    assert chunk is not None
    assert (chunk.data, chunk.stale) == (b"*", False)


# --- slots -------------------------------------------------------------------------------------


def test_fault_44_a_server_that_accepts_and_closes_is_busy() -> None:
    trouble = run(refused(close_at_once))
    assert isinstance(trouble, LinkBusy)
    assert "accepts and closes at once: its slots are taken" in str(trouble)
    assert "who is connected" in trouble.action


def test_what_a_server_says_before_it_closes_is_told() -> None:
    async def serve(_reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"Port already in use\r\n")
        writer.close()

    trouble = run(refused(serve))
    assert isinstance(trouble, LinkBusy)
    assert "(Port already in use)" in str(trouble)


def test_a_server_that_accepts_and_resets_is_busy() -> None:
    assert isinstance(run(refused(reset)), LinkBusy)


async def reset(_reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    one = writer.get_extra_info("socket")
    one.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    writer.transport.abort()


def test_a_server_that_refuses_is_busy_or_serves_no_such_port() -> None:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))  # and does not listen
        with pytest.raises(LinkBusy) as caught:
            run(opened(one.getsockname()[1]))
    assert "slots are taken, or it serves no device on this TCP port" in str(caught.value)


def test_fault_44_the_slot_is_free_again_once_the_link_is_closed() -> None:
    async def work() -> int:
        server = RawServer(refusal=b"full\r\n")
        async with listening(server.serve) as port:
            first = await opened(port)
            with pytest.raises(LinkBusy, match=r"\(full\)"):
                await opened(port)
            first.close()
            first.close()
            await server.until(RawServer.is_free)
            (await opened(port)).close()
            return server.served

    assert run(work()) == 2


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
            link.close()
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
            link.close()
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


# --- opening -----------------------------------------------------------------------------------


def test_a_server_that_does_not_answer_is_absent(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tcp, "CONNECT_WITHIN_S", 0.1)
    with socket.socket() as full, socket.socket() as first, socket.socket() as second:
        full.bind(("127.0.0.1", 0))
        full.listen(0)
        for one in (first, second):  # the queue is full: the kernel drops whoever asks next
            one.settimeout(0)
            one.connect_ex(full.getsockname())
        with pytest.raises(LinkAbsent) as caught:
            run(opened(full.getsockname()[1]))
    assert "does not answer" in str(caught.value)


def test_a_host_of_two_addresses_is_tried_at_both(monkeypatch: pytest.MonkeyPatch) -> None:
    async def work() -> str:
        server = RawServer()
        async with listening(server.serve) as port:

            async def both(*_: object, **__: object) -> list[Any]:
                kind = socket.SOCK_STREAM
                return [
                    (socket.AF_INET, kind, 6, "", ("127.0.0.9", port)),
                    (socket.AF_INET, kind, 6, "", ("127.0.0.1", port)),
                ]

            monkeypatch.setattr(asyncio.get_running_loop(), "getaddrinfo", both)
            link = await opened(port, host="both")
            link.close()
            return link.where

    assert run(work()).startswith("both:")


@pytest.mark.parametrize("host", ["bad..name", "x" * 64])
def test_what_can_be_no_host_is_refused(host: str) -> None:
    with pytest.raises(LinkRefused) as caught:
        run(opened(4001, host=host))
    assert caught.value.action == "correct `host`"


@pytest.mark.parametrize(
    ("number", "kind", "word"),
    [
        (socket.EAI_AGAIN, LinkAbsent, "no name server answers"),
        (socket.EAI_NONAME, LinkAbsent, "nobody knows"),
        (socket.EAI_FAIL, LinkRefused, "cannot be looked up"),
    ],
)
def test_trouble_with_names_is_told_apart(
    monkeypatch: pytest.MonkeyPatch, number: int, kind: type[LinkError], word: str
) -> None:
    async def work() -> None:
        async def no(*_: object, **__: object) -> None:
            raise socket.gaierror(number, "as the resolver says it")

        monkeypatch.setattr(asyncio.get_running_loop(), "getaddrinfo", no)
        await opened(4001, host="server")

    with pytest.raises(kind) as caught:
        run(work())
    assert word in str(caught.value)


@pytest.mark.parametrize(
    ("number", "kind"),
    [
        (errno.EPERM, LinkDenied),
        (errno.EHOSTUNREACH, LinkAbsent),
        (errno.ENETUNREACH, LinkAbsent),
        (errno.EADDRNOTAVAIL, LinkRefused),
    ],
)
def test_what_the_kernel_says_is_told_in_words(
    monkeypatch: pytest.MonkeyPatch, number: int, kind: type[LinkError]
) -> None:
    async def work() -> None:
        async def no(*_: object) -> None:
            raise OSError(number, "as the kernel says it")

        monkeypatch.setattr(asyncio.get_running_loop(), "sock_connect", no)
        await opened(4001)

    with pytest.raises(kind):
        run(work())


def test_an_opening_that_is_given_up_leaves_nothing_open() -> None:
    async def work() -> None:
        server = RawServer()
        async with listening(server.serve) as port:
            opening = asyncio.create_task(opened(port))
            await server.until(lambda one: one.served == 1)
            opening.cancel()
            with pytest.raises(asyncio.CancelledError):
                await opening
            await server.until(RawServer.is_free)

    run(work())


@pytest.mark.parametrize(
    "settings",
    [{"port": 0}, {"port": 65536}, {"baud": 9600}, {"baud": 0, "protocol": "rfc2217"}],
)
def test_settings_that_mean_nothing_are_refused(settings: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=r"^(port|baud): "):
        TcpSerialSettings("moxa", **settings)


def test_an_address_of_ipv6_is_told_in_brackets() -> None:
    with pytest.raises(LinkError) as caught:
        run(opened(9, host="::1"))
    assert "[::1]:9" in str(caught.value)


# --- RFC 2217, before pyserial's own server ----------------------------------------------------


def test_the_port_is_set_as_the_device_needs() -> None:
    async def work() -> dict[str, Any]:
        server = PortServer()
        async with listening(server.serve) as port:
            wiring = SerialWiring(4800, 7, "E", 2)
            link = await opened(port, wiring, protocol="rfc2217")
            link.close()
            return server.port.get_settings()

    found = run(work())
    assert (found["baudrate"], found["bytesize"], found["parity"]) == (4800, 7, "E")
    assert (found["stopbits"], found["xonxoff"], found["rtscts"]) == (2, False, False)


def test_the_sites_speed_overrides_the_devices() -> None:
    async def work() -> int:
        server = PortServer()
        async with listening(server.serve) as port:
            (await opened(port, protocol="rfc2217", baud=19200)).close()
            return int(server.port.baudrate)

    assert run(work()) == 19200


def test_every_byte_goes_to_the_device_and_back_through_the_option() -> None:
    async def work() -> bytes:
        server = PortServer()
        async with listening(server.serve) as port:
            link = await opened(port, protocol="rfc2217")
            link.write(EVERY_BYTE + b"\xff\xff\xf0")
            data = await heard(link, 259)
            link.close()
            return data

    assert run(work()) == EVERY_BYTE + b"\xff\xff\xf0"


def test_a_speed_that_the_server_cannot_do_is_refused_with_what_it_stays_at(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    server = PortServer()
    stays = property(lambda _port: 2400, lambda _port, _baud: None)
    monkeypatch.setattr(type(server.port), "baudrate", stays)
    trouble = run(refused(server.serve, protocol="rfc2217"))
    assert isinstance(trouble, LinkRefused)
    assert "stays at speed 2400 where 9600 is needed" in str(trouble)


def test_a_server_that_does_not_know_the_option_is_refused(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(tcp_serial, "NEGOTIATE_WITHIN_S", 0.1)
    trouble = run(refused(RawServer().serve, protocol="rfc2217"))
    assert isinstance(trouble, LinkRefused)
    assert "does not answer to RFC 2217" in str(trouble)
    assert 'protocol = "raw"' in trouble.action


def answering(reply: bytes) -> Serve:
    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read(1)
        writer.write(reply)
        await reader.read()

    return serve


@pytest.mark.parametrize(
    ("reply", "word"),
    [
        (b"\xff\xfe\x2c", "no RFC 2217"),
        (b"\xff\xfe\x00", "no binary transmission"),
        (b"\xff\xfc\x00", "no binary transmission"),
    ],
)
def test_a_server_that_says_no_is_refused(reply: bytes, word: str) -> None:
    trouble = run(refused(answering(reply), protocol="rfc2217"))
    assert isinstance(trouble, LinkRefused)
    assert word in str(trouble)


def test_a_taken_server_is_busy_in_rfc_2217_too() -> None:
    assert isinstance(run(refused(close_at_once, protocol="rfc2217")), LinkBusy)


def test_what_came_before_the_port_was_set_is_stale() -> None:
    class Talking(PortServer):
        async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            writer.write(b"?")
            await super().serve(reader, writer)

    async def work() -> Chunk | None:
        async with listening(Talking().serve) as port:
            link = await opened(port, protocol="rfc2217")
            chunk = await link.read(None)
            link.close()
            return chunk

    chunk = run(work())
    assert chunk is not None
    assert (chunk.data, chunk.stale) == (b"?", True)


@pytest.mark.parametrize("state", [0x02, 0x04, 0x08, 0x10, 0x60 | 0x04])
def test_a_line_error_stands_among_the_bytes_as_nul(state: int) -> None:
    assert _notified(b"\xff\xfa\x2c\x6a" + bytes((state,)) + b"\xff\xf0") == b"12\x0034"


@pytest.mark.parametrize(
    "notice",
    [
        b"\xff\xfa\x2c\x6a\x61\xff\xf0",  # data ready, transmitter empty
        b"\xff\xfa\x2c\x6b\xb0\xff\xf0",  # modem lines
        b"\xff\xf1",  # no operation
        b"\xff\xfa\x2c\x6c\xff\xf0",  # hold on
        b"\xff\xfd\x18",  # do terminal type
    ],
)
def test_other_notices_leave_the_bytes_as_they_are(notice: bytes) -> None:
    assert _notified(notice) == b"1234"


def _notified(notice: bytes) -> bytes:
    async def work() -> bytes:
        server = PortServer()
        writers: list[asyncio.StreamWriter] = []

        async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            writers.append(writer)
            await server.serve(reader, writer)

        async with listening(serve) as port:
            link = await opened(port, protocol="rfc2217")
            writers[0].write(b"12" + notice + b"34")
            data = b""
            while not data.endswith(b"34"):
                chunk = await link.read(None)
                assert chunk is not None
                data += chunk.data
            link.close()
            return data

    return run(work())


def test_a_port_that_another_client_sets_anew_is_lost() -> None:
    async def work() -> LinkError:
        server = PortServer()
        writers: list[asyncio.StreamWriter] = []

        async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            writers.append(writer)
            await server.serve(reader, writer)

        async with listening(serve) as port:
            link = await opened(port, protocol="rfc2217")
            writers[0].write(b"\xff\xfa\x2c\x65\x00\x00\x09\x60\xff\xf0")
            return await ended(link)

    trouble = run(work())
    assert isinstance(trouble, LinkLost)
    assert "stays at speed 2400 where 9600 is needed" in str(trouble)
