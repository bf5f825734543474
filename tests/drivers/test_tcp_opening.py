"""Opening a serial server over TCP: names, addresses, slots, and what is refused."""

from __future__ import annotations

import asyncio
import errno
import socket
from typing import Any

import pytest
from support.server_rig import RawServer, close_at_once, listening, opened, refused, reset

from drivers.errors import (
    LinkAbsent,
    LinkBusy,
    LinkDenied,
    LinkError,
    LinkRefused,
)
from drivers.links.tcp_serial import TcpSerialSettings
from drivers.tcp import connection as tcp

# --- slots -------------------------------------------------------------------------------------


async def test_fault_44_a_server_that_accepts_and_closes_is_busy() -> None:
    trouble = await refused(close_at_once)
    assert isinstance(trouble, LinkBusy)
    assert "accepts and closes at once: its slots are taken" in str(trouble)
    assert "who is connected" in trouble.action


async def test_what_a_server_says_before_it_closes_is_told() -> None:
    async def serve(_reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"Port already in use\r\n")
        writer.close()

    trouble = await refused(serve)
    assert isinstance(trouble, LinkBusy)
    assert "(Port already in use)" in str(trouble)


async def test_a_server_that_accepts_and_resets_is_busy() -> None:
    assert isinstance(await refused(reset), LinkBusy)


async def test_a_server_that_refuses_is_busy_or_serves_no_such_port() -> None:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))  # and does not listen
        with pytest.raises(LinkBusy) as caught:
            await opened(one.getsockname()[1])
    assert "slots are taken, or it serves no device on this TCP port" in str(caught.value)


async def test_fault_44_the_slot_is_free_again_once_the_link_is_closed() -> None:
    server = RawServer(refusal=b"full\r\n")
    async with listening(server.serve) as port:
        first = await opened(port)
        with pytest.raises(LinkBusy, match=r"\(full\)"):
            await opened(port)
        await first.aclose()
        await first.aclose()
        await server.until(RawServer.is_free)
        await (await opened(port)).aclose()
        assert server.served == 2


# --- opening -----------------------------------------------------------------------------------


async def test_a_server_that_does_not_answer_is_absent(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tcp, "CONNECT_WITHIN_S", 0.1)
    with socket.socket() as full, socket.socket() as first, socket.socket() as second:
        full.bind(("127.0.0.1", 0))
        full.listen(0)
        for one in (first, second):  # the queue is full: the kernel drops whoever asks next
            one.settimeout(0)
            one.connect_ex(full.getsockname())
        with pytest.raises(LinkAbsent) as caught:
            await opened(full.getsockname()[1])
    assert "does not answer" in str(caught.value)


async def test_a_host_of_two_addresses_is_tried_at_both(monkeypatch: pytest.MonkeyPatch) -> None:
    server = RawServer()
    async with listening(server.serve) as port:

        def both(*_: object, **__: object) -> list[Any]:
            kind = socket.SOCK_STREAM
            return [
                (socket.AF_INET, kind, 6, "", ("127.0.0.9", port)),
                (socket.AF_INET, kind, 6, "", ("127.0.0.1", port)),
            ]

        monkeypatch.setattr(socket, "getaddrinfo", both)
        link = await opened(port, host="both")
        await link.aclose()
        assert link.where.startswith("both:")


@pytest.mark.parametrize("host", ["bad..name", "x" * 64])
async def test_what_can_be_no_host_is_refused(host: str) -> None:
    with pytest.raises(LinkRefused) as caught:
        await opened(4001, host=host)
    assert caught.value.action == "correct `host`"


@pytest.mark.parametrize(
    ("number", "kind", "word"),
    [
        (socket.EAI_AGAIN, LinkAbsent, "no name server answers"),
        (socket.EAI_NONAME, LinkAbsent, "nobody knows"),
        (socket.EAI_FAIL, LinkRefused, "cannot be looked up"),
    ],
)
async def test_trouble_with_names_is_told_apart(
    monkeypatch: pytest.MonkeyPatch, number: int, kind: type[LinkError], word: str
) -> None:
    def no(*_: object, **__: object) -> None:
        raise socket.gaierror(number, "as the resolver says it")

    monkeypatch.setattr(socket, "getaddrinfo", no)
    with pytest.raises(kind) as caught:
        await opened(4001, host="server")
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
async def test_what_the_kernel_says_is_told_in_words(
    monkeypatch: pytest.MonkeyPatch, number: int, kind: type[LinkError]
) -> None:
    async def no(*_: object) -> None:
        raise OSError(number, "as the kernel says it")

    monkeypatch.setattr(asyncio.get_running_loop(), "sock_connect", no)
    with pytest.raises(kind):
        await opened(4001)


async def test_an_opening_that_is_given_up_leaves_nothing_open() -> None:
    server = RawServer()
    async with listening(server.serve) as port:
        opening = asyncio.create_task(opened(port))
        await server.until(lambda one: one.served == 1)
        opening.cancel()
        with pytest.raises(asyncio.CancelledError):
            await opening
        await server.until(RawServer.is_free)


@pytest.mark.parametrize(
    "settings",
    [{"port": 0}, {"port": 65536}, {"baud": 9600}, {"baud": 0, "protocol": "rfc2217"}],
)
def test_settings_that_mean_nothing_are_refused(settings: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=r"^(port|baud): "):
        TcpSerialSettings("moxa", **settings)


async def test_an_address_of_ipv6_is_told_in_brackets() -> None:
    with pytest.raises(LinkError) as caught:
        await opened(9, host="::1")
    assert "[::1]:9" in str(caught.value)
