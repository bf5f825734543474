"""CAN over TCP: the link against a socketcand server of ours."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Awaitable, Callable

import pytest
from can.interfaces.socketcand import SocketCanDaemonBus
from support.can_rig import SocketcandServer, end_of, frames, opened

from drivers.can import socketcand
from drivers.can.opening import GARBLED, packet_of
from drivers.errors import LinkAbsent, LinkRefused
from drivers.links.can_bus import CanBus, CanBusSettings

HEARTBEAT = bytes.fromhex("00000711 01000000 05")
POSITION = bytes.fromhex("00000191 04000000 A4010000")


async def over_tcp(
    work: Callable[[SocketcandServer, CanBus], Awaitable[None]],
    receive_ids: tuple[int, ...] = (),
) -> None:
    async with SocketcandServer() as server:
        link = await opened(
            CanBusSettings(
                "can0",
                interface="socketcand",
                server=server.address,
                receive_ids=receive_ids,
            )
        )
        try:
            await work(server, link)
        finally:
            await link.aclose()


async def test_words_are_frames_however_tcp_cuts_them() -> None:
    async def work(server: SocketcandServer, link: CanBus) -> None:
        await server.say(b"< frame 711 1.000000 05 >< frame 191 1.1", b"00000 A4010000 ", b">")
        await server.say(b"< frame 18FF50E5 2.5 1122 >\n< frame 700 3.0  >")
        assert await frames(link, 4) == [
            HEARTBEAT,
            POSITION,
            bytes.fromhex("98FF50E5 02000000 1122"),
            bytes.fromhex("00000700 00000000"),
        ]

        assert await server.hears(b"rawmode") == b"< open can0 >< rawmode >"

    await over_tcp(work)


@pytest.mark.parametrize("unread", [1 << 18, 900], ids=["as they come", "slower than they come"])
async def test_many_frames_in_one_segment_are_all_heard_without_another(
    unread: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(CanBus, "unread_limit", unread)

    async def work(server: SocketcandServer, link: CanBus) -> None:
        await server.say(b"< frame 711 1.0 05 >" * 2000)
        assert await frames(link, 2000) == [HEARTBEAT] * 2000

    await over_tcp(work)


async def test_our_server_speaks_as_python_cans_own_host_expects() -> None:
    async with SocketcandServer() as server:
        host, _, port = server.address.partition(":")
        bus = await asyncio.to_thread(SocketCanDaemonBus, "can0", host, int(port))
        await server.say(b"< frame 711 1.0 05 >")
        message = await asyncio.to_thread(bus.recv, 5.0)
        bus.shutdown()
    assert message is not None
    assert packet_of(message) == HEARTBEAT


async def test_a_frame_is_sent_in_socketcands_words() -> None:
    async def work(server: SocketcandServer, link: CanBus) -> None:
        link.write(bytes.fromhex("00000000 02000000 0111"))
        assert (await server.hears(b"send")).endswith(b"< send 000 2 1 11 >")

    await over_tcp(work)


async def test_words_that_are_no_frames_are_counted_and_cost_nothing_else() -> None:
    garbage = [b"< frame XYZ 1.0 05 >", b"< frame 711 >", b"hello >", b"\xff\xfe >", b"z" * 300]

    async def work(server: SocketcandServer, link: CanBus) -> None:
        for one in garbage:
            await server.say(one)
            assert await frames(link, 1) == [GARBLED]
            await server.say(b"< frame 711 1.0 05 >")
            assert await frames(link, 1) == [HEARTBEAT]

    await over_tcp(work)


async def test_an_error_of_the_bus_comes_as_an_error_frame_whatever_is_filtered() -> None:
    async def work(server: SocketcandServer, link: CanBus) -> None:
        await server.say(b"< frame 712 1.0 05 >< error 004 1.0 >< frame 711 1.0 05 >")
        error, frame = await frames(link, 2)
        assert error.hex() == "a00000040100000000"  # python-can gives it 29 bits and a nought
        assert frame == HEARTBEAT

    await over_tcp(work, receive_ids=(0x711,))


async def test_an_identifier_of_29_bits_is_another_one() -> None:
    async def work(server: SocketcandServer, link: CanBus) -> None:
        await server.say(b"< frame 00000711 1.0 05 >< frame 711 1.0 05 >< frame 18FF50E5 1.0  >")
        assert await frames(link, 2) == [HEARTBEAT, bytes.fromhex("98FF50E5 00000000")]

    await over_tcp(work, receive_ids=(0x711, 0x98FF50E5))


async def test_b46_bus_off_is_told_and_ends_the_link() -> None:
    async def work(server: SocketcandServer, link: CanBus) -> None:
        await server.say(b"< frame 711 1.0 05 >< error 040 1.0 >< frame 711 1.0 05 >")
        frame, error = await frames(link, 2)
        assert (frame, error[:4]) == (HEARTBEAT, bytes.fromhex("A0000040"))
        lost = await end_of(link)
        assert lost.what == "has left the bus (bus-off)"
        assert "restart-ms" in lost.action

    await over_tcp(work)


async def test_a_server_that_hangs_up_is_a_lost_link_and_not_silence() -> None:
    async def work(server: SocketcandServer, link: CanBus) -> None:
        await server.say(b"< frame 711 1.0 05 >< frame 7")
        assert await frames(link, 1) == [HEARTBEAT]
        server.hang_up()
        assert "hung up" in (await end_of(link)).what
        assert asyncio.get_running_loop().remove_reader(link._fd) is False

    await over_tcp(work)


async def test_a_server_is_found_again_after_it_hung_up() -> None:
    async with SocketcandServer() as server:
        settings = CanBusSettings("can0", interface="socketcand", server=server.address)
        for _ in range(3):
            link = await opened(settings)
            await server.say(b"< frame 711 1.0 05 >")
            assert await frames(link, 1) == [HEARTBEAT]
            server.hang_up()
            await end_of(link)
            await link.aclose()
        assert server.hosts == 3


async def test_a_server_that_is_not_there_is_absent_at_the_first_try() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        address = f"127.0.0.1:{taken.getsockname()[1]}"
    with pytest.raises(LinkAbsent) as caught:
        await opened(CanBusSettings("can0", interface="socketcand", server=address))
    assert "start socketcand" in caught.value.action


async def test_a_server_that_does_not_greet_is_not_waited_for_for_ever(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(socketcand, "_ANSWER_WITHIN_S", 0.05)

    async with SocketcandServer(greeting=b"") as server:
        with pytest.raises(LinkAbsent) as caught:
            await opened(CanBusSettings("can0", interface="socketcand", server=server.address))
        assert caught.value.what == "does not answer"


async def test_a_bus_that_the_server_has_not_is_refused_in_its_words() -> None:
    async with SocketcandServer(refusal=b"< error could not open bus >") as server:
        settings = CanBusSettings("can7", interface="socketcand", server=server.address)
        with pytest.raises(LinkRefused) as caught:
            await opened(settings)
        refused = caught.value
    assert "could not open bus" in refused.what
    assert refused.where.startswith("can7 at ")


def test_a_server_needs_a_port() -> None:
    with pytest.raises(ValueError, match="not host:port"):
        CanBusSettings("can0", interface="socketcand", server="table-7")
