"""A serial server that is set up by RFC 2217, before pyserial's own server."""

from __future__ import annotations

import asyncio

import pytest
from support.pty_rig import heard
from support.server_rig import (
    PortServer,
    RawServer,
    Serve,
    close_at_once,
    ended,
    listening,
    opened,
    refused,
)

from drivers.errors import (
    LinkBusy,
    LinkLost,
    LinkRefused,
)
from drivers.links import tcp_serial
from protocols.wiring import SerialWiring

EVERY_BYTE = bytes(range(256))


async def test_the_port_is_set_as_the_device_needs() -> None:
    server = PortServer()
    async with listening(server.serve) as port:
        wiring = SerialWiring(4800, 7, "E", 2)
        link = await opened(port, wiring, protocol="rfc2217")
        await link.aclose()
        found = server.port.get_settings()
    assert (found["baudrate"], found["bytesize"], found["parity"]) == (4800, 7, "E")
    assert (found["stopbits"], found["xonxoff"], found["rtscts"]) == (2, False, False)


async def test_the_sites_speed_overrides_the_devices() -> None:
    server = PortServer()
    async with listening(server.serve) as port:
        await (await opened(port, protocol="rfc2217", baud=19200)).aclose()
        assert int(server.port.baudrate) == 19200


async def test_every_byte_goes_to_the_device_and_back_through_the_option() -> None:
    server = PortServer()
    async with listening(server.serve) as port:
        link = await opened(port, protocol="rfc2217")
        link.write(EVERY_BYTE + b"\xff\xff\xf0")
        data = await heard(link, 259)
        await link.aclose()
        assert data == EVERY_BYTE + b"\xff\xff\xf0"


async def test_a_speed_that_the_server_cannot_do_is_refused_with_what_it_stays_at(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    server = PortServer()
    stays = property(lambda _port: 2400, lambda _port, _baud: None)
    monkeypatch.setattr(type(server.port), "baudrate", stays)
    trouble = await refused(server.serve, protocol="rfc2217")
    assert isinstance(trouble, LinkRefused)
    assert "stays at speed 2400 where 9600 is needed" in str(trouble)


async def test_a_server_that_does_not_know_the_option_is_refused(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(tcp_serial, "NEGOTIATE_WITHIN_S", 0.1)
    trouble = await refused(RawServer().serve, protocol="rfc2217")
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
async def test_a_server_that_says_no_is_refused(reply: bytes, word: str) -> None:
    trouble = await refused(answering(reply), protocol="rfc2217")
    assert isinstance(trouble, LinkRefused)
    assert word in str(trouble)


async def test_a_taken_server_is_busy_in_rfc_2217_too() -> None:
    assert isinstance(await refused(close_at_once, protocol="rfc2217"), LinkBusy)


async def test_what_came_before_the_port_was_set_is_stale() -> None:
    class Talking(PortServer):
        async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            writer.write(b"?")
            await super().serve(reader, writer)

    async with listening(Talking().serve) as port:
        link = await opened(port, protocol="rfc2217")
        chunk = await link.read(None)
        await link.aclose()
    assert chunk is not None
    assert (chunk.data, chunk.stale) == (b"?", True)


@pytest.mark.parametrize("state", [0x02, 0x04, 0x08, 0x10, 0x60 | 0x04])
async def test_a_line_error_stands_among_the_bytes_as_nul(state: int) -> None:
    notice = b"\xff\xfa\x2c\x6a" + bytes((state,)) + b"\xff\xf0"
    assert (await _notified(notice))[0] == b"12\x0034"


@pytest.mark.parametrize(
    ("state", "lost"), [(0x02, "overrun"), (0x04 | 0x08, "parity, framing"), (0x61, "")]
)
async def test_f2_a_line_error_is_told_as_a_loss(state: int, lost: str) -> None:
    notice = b"\xff\xfa\x2c\x6a" + bytes((state,)) + b"\xff\xf0"
    assert (await _notified(notice))[1] == lost


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
async def test_other_notices_leave_the_bytes_as_they_are(notice: bytes) -> None:
    assert await _notified(notice) == (b"1234", "")


async def _notified(notice: bytes) -> tuple[bytes, str]:
    """Return the bytes around a notice as they are read, and what the link says it lost."""
    server = PortServer()
    writers: list[asyncio.StreamWriter] = []

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writers.append(writer)
        await server.serve(reader, writer)

    async with listening(serve) as port:
        link = await opened(port, protocol="rfc2217")
        writers[0].write(b"12" + notice + b"34")
        data, lost = b"", ""
        while not data.endswith(b"34"):
            chunk = await link.read(None)
            assert chunk is not None
            data += chunk.data
            lost += chunk.lost
        assert link.untold == ""
        await link.aclose()
        return data, lost


async def test_a_port_that_another_client_sets_anew_is_lost() -> None:
    server = PortServer()
    writers: list[asyncio.StreamWriter] = []

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writers.append(writer)
        await server.serve(reader, writer)

    async with listening(serve) as port:
        link = await opened(port, protocol="rfc2217")
        writers[0].write(b"\xff\xfa\x2c\x65\x00\x00\x09\x60\xff\xf0")
        trouble = await ended(link)
    assert isinstance(trouble, LinkLost)
    assert "stays at speed 2400 where 9600 is needed" in str(trouble)
