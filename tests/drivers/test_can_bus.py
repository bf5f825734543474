"""CAN, really through python-can: slcan over a pty, socketcand over TCP, and buses that go away.

Tried with faults seeded in the link, each noticed: errors read past the first, an end of stream
taken for silence, garbage that ends the link or stays in python-can's buffer, filters that drop
errors, bus-off that leaves the link open, a port that a lost link keeps, a lock taken too late.
"""

from __future__ import annotations

import asyncio
import errno
import os
import socket
import subprocess
import sys
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from pathlib import Path

import can
import pytest
from can.interfaces.socketcand import SocketCanDaemonBus
from can_rig import SocketcandServer, end_of, frames, opened, slcan
from pty_rig import CLOCK, plugged_in, run

from drivers.can import opening as can_opening
from drivers.can import socketcand
from drivers.can.opening import GARBLED, Bus, message_of, packet_of
from drivers.errors import LinkAbsent, LinkBusy, LinkError, LinkLost, LinkRefused
from drivers.links import can_bus
from drivers.links.can_bus import CanBus, CanBusSettings

HEARTBEAT = bytes.fromhex("00000711 01000000 05")
POSITION = bytes.fromhex("00000191 04000000 A4010000")


def open_descriptors() -> int:
    return len(list(Path("/proc/self/fd").iterdir()))


# --- slcan over a pty: real python-can, real pyserial ----------------------------------------


def test_frames_come_one_by_one_as_the_packets_that_the_layout_makes_of_them() -> None:
    async def work() -> list[bytes]:
        async with slcan() as (adapter, link):
            adapter.box.say(b"t711105\rt1914A4010000\r")
            adapter.box.say(b"T18FF50E5811223344")
            adapter.box.say(b"55667788\rr7111\rR18FF50E50\rt7000\r")
            found = [await link.read(None) for _ in range(6)]
            assert [one.offset for one in found if one] == [0, 9, 21, 37, 45, 53]
            return [one.data for one in found if one]

    assert run(work()) == [
        HEARTBEAT,
        POSITION,
        bytes.fromhex("98FF50E5 08000000 1122334455667788"),
        bytes.fromhex("40000711 01000000"),
        bytes.fromhex("D8FF50E5 00000000"),
        bytes.fromhex("00000700 00000000"),
    ]


def test_a_frame_of_can_fd_says_so_in_its_packet() -> None:
    async def work() -> list[bytes]:
        async with slcan() as (adapter, link):
            adapter.box.say(b"d7111AA\r")
            return await frames(link, 1)

    assert run(work()) == [bytes.fromhex("00000711 01040000 AA")]


def test_the_adapter_is_set_to_the_devices_bit_rate_or_to_the_operators() -> None:
    async def said(**settings: int) -> bytes:
        async with slcan(**settings) as (adapter, _):
            return adapter.heard

    assert b"S4\r" in run(said())
    assert b"S6\r" in run(said(bitrate=500_000))


def test_what_is_written_leaves_as_frames_in_order() -> None:
    async def work() -> None:
        async with slcan() as (adapter, link):
            link.write(bytes.fromhex("00000000 02000000 0111"))
            link.write(bytes.fromhex("98FF50E5 01000000 AB"))
            link.write(bytes.fromhex("40000711 01000000"))
            await adapter.hears(b"t00020111\rT18FF50E51AB\rr7111\r")

    run(work())


@pytest.mark.parametrize(
    "garbage",
    [b"t19\r", b"tXYZ105\r", b"t711Z05\r", b"t7\xff1105\r", b"T18\r", b"t71110\r"],
    ids=["torn", "no identifier", "no length", "not ASCII", "torn long", "half a byte"],
)
def test_garbage_is_counted_and_the_frames_behind_it_are_heard(garbage: bytes) -> None:
    async def work() -> list[bytes]:
        async with slcan() as (adapter, link):
            adapter.box.say(b"t711105\r" + garbage)
            found = await frames(link, 2)
            adapter.box.say(b"t711105\r")
            return [*found, *await frames(link, 1)]

    assert run(work()) == [HEARTBEAT, GARBLED, HEARTBEAT]


def test_a_frame_that_lost_bytes_keeps_the_length_that_gives_it_away() -> None:
    async def work() -> list[bytes]:
        async with slcan() as (adapter, link):
            adapter.box.say(b"t1914A40100\r")
            return await frames(link, 1)

    assert run(work()) == [bytes.fromhex("00000191 04000000 A40100")]


def test_an_adapter_that_never_ends_a_line_is_no_adapter() -> None:
    async def work() -> LinkLost:
        async with slcan() as (adapter, link):
            loop = asyncio.get_running_loop()
            loop.add_writer(adapter.box.device, lambda: os.write(adapter.box.device, b"U"))
            lost = await end_of(link)
            loop.remove_writer(adapter.box.device)
            return lost

    assert run(work()).what == "speaks, but no CAN"


def test_an_unplugged_adapter_is_lost_after_its_last_frame_and_never_read_again() -> None:
    async def work() -> tuple[list[bytes], LinkLost, int]:
        async with slcan() as (adapter, link):
            adapter.box.say(b"t711105\r")
            found = await frames(link, 1)
            adapter.box.unplug()
            lost = await end_of(link)
            reads = _count(link)
            with pytest.raises(LinkLost):
                await link.read(0)
            assert asyncio.get_running_loop().remove_reader(link._fd) is False
            return found, lost, len(reads)

    found, lost, reads = run(work())
    assert found == [HEARTBEAT]
    assert "went away" in lost.what
    assert "power-cycle" in lost.action
    assert reads == 0


def _count(link: CanBus) -> list[None]:
    calls: list[None] = []
    receive = link._bus.receive

    def counted() -> bytes | None:
        calls.append(None)
        return receive()

    link._bus.receive = counted  # type: ignore[method-assign]
    return calls


def test_a_lost_adapter_leaves_no_descriptor_behind_and_is_opened_again(tmp_path: Path) -> None:
    stable = tmp_path / "adapter"

    async def once() -> bytes:
        with plugged_in() as box:
            stable.unlink(missing_ok=True)
            stable.symlink_to(box.path)
            link = await opened(CanBusSettings(str(stable), interface="slcan", settle_s=0))
            box.say(b"t711105\r")
            (frame,) = await frames(link, 1)
            box.unplug()
            await end_of(link)
            link.close()
            link.close()
        with pytest.raises(LinkAbsent):
            await opened(CanBusSettings(str(stable), interface="slcan", settle_s=0))
        return frame

    async def work() -> list[bytes]:
        first = await once()
        before = open_descriptors()
        found = [first, *[await once() for _ in range(3)]]
        assert open_descriptors() == before
        return found

    assert run(work()) == [HEARTBEAT] * 4


def test_an_adapter_that_is_taken_stays_with_its_owner_undisturbed() -> None:
    async def work() -> bytes:
        async with slcan() as (adapter, link):
            adapter.heard = b""
            with pytest.raises(LinkBusy) as caught:
                await opened(CanBusSettings(adapter.box.path, interface="slcan", settle_s=0))
            assert "fuser" in caught.value.action
            link.write(HEARTBEAT)
            await adapter.hears(b"t711105\r")
            return adapter.heard

    assert run(work()) == b"t711105\r"


def test_a_bit_rate_that_no_adapter_has_is_refused_and_the_port_let_go() -> None:
    async def work() -> LinkRefused:
        with plugged_in() as box:
            before = open_descriptors()
            settings = CanBusSettings(box.path, interface="slcan", settle_s=0, bitrate=123)
            with pytest.raises(LinkRefused) as caught:
                await opened(settings)
            assert open_descriptors() == before
            return caught.value

    refused = run(work())
    assert "500000" in refused.what
    assert "`bitrate`" in refused.action


# --- socketcand over TCP ---------------------------------------------------------------------


def over_tcp(
    work: Callable[[SocketcandServer, CanBus], Awaitable[None]],
    receive_ids: tuple[int, ...] = (),
) -> None:
    async def scenario() -> None:
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
                link.close()

    run(scenario())


def test_words_are_frames_however_tcp_cuts_them() -> None:
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

    over_tcp(work)


@pytest.mark.parametrize("unread", [1 << 18, 900], ids=["as they come", "slower than they come"])
def test_many_frames_in_one_segment_are_all_heard_without_another(
    unread: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(can_bus, "_UNREAD_LIMIT", unread)

    async def work(server: SocketcandServer, link: CanBus) -> None:
        await server.say(b"< frame 711 1.0 05 >" * 2000)
        assert await frames(link, 2000) == [HEARTBEAT] * 2000

    over_tcp(work)


def test_our_server_speaks_as_python_cans_own_host_expects() -> None:
    async def work() -> can.Message | None:
        async with SocketcandServer() as server:
            host, _, port = server.address.partition(":")
            bus = await asyncio.to_thread(SocketCanDaemonBus, "can0", host, int(port))
            await server.say(b"< frame 711 1.0 05 >")
            message = await asyncio.to_thread(bus.recv, 5.0)
            bus.shutdown()
            return message

    message = run(work())
    assert message is not None
    assert packet_of(message) == HEARTBEAT


def test_a_frame_is_sent_in_socketcands_words() -> None:
    async def work(server: SocketcandServer, link: CanBus) -> None:
        link.write(bytes.fromhex("00000000 02000000 0111"))
        assert (await server.hears(b"send")).endswith(b"< send 000 2 1 11 >")

    over_tcp(work)


def test_words_that_are_no_frames_are_counted_and_cost_nothing_else() -> None:
    garbage = [b"< frame XYZ 1.0 05 >", b"< frame 711 >", b"hello >", b"\xff\xfe >", b"z" * 300]

    async def work(server: SocketcandServer, link: CanBus) -> None:
        for one in garbage:
            await server.say(one)
            assert await frames(link, 1) == [GARBLED]
            await server.say(b"< frame 711 1.0 05 >")
            assert await frames(link, 1) == [HEARTBEAT]

    over_tcp(work)


def test_an_error_of_the_bus_comes_as_an_error_frame_whatever_is_filtered() -> None:
    async def work(server: SocketcandServer, link: CanBus) -> None:
        await server.say(b"< frame 712 1.0 05 >< error 004 1.0 >< frame 711 1.0 05 >")
        error, frame = await frames(link, 2)
        assert error.hex() == "a00000040100000000"  # python-can gives it 29 bits and a nought
        assert frame == HEARTBEAT

    over_tcp(work, receive_ids=(0x711,))


def test_an_identifier_of_29_bits_is_another_one() -> None:
    async def work(server: SocketcandServer, link: CanBus) -> None:
        await server.say(b"< frame 00000711 1.0 05 >< frame 711 1.0 05 >< frame 18FF50E5 1.0  >")
        assert await frames(link, 2) == [HEARTBEAT, bytes.fromhex("98FF50E5 00000000")]

    over_tcp(work, receive_ids=(0x711, 0x98FF50E5))


def test_b46_bus_off_is_told_and_ends_the_link() -> None:
    async def work(server: SocketcandServer, link: CanBus) -> None:
        await server.say(b"< frame 711 1.0 05 >< error 040 1.0 >< frame 711 1.0 05 >")
        frame, error = await frames(link, 2)
        assert (frame, error[:4]) == (HEARTBEAT, bytes.fromhex("A0000040"))
        lost = await end_of(link)
        assert lost.what == "has left the bus (bus-off)"
        assert "restart-ms" in lost.action

    over_tcp(work)


def test_a_server_that_hangs_up_is_a_lost_link_and_not_silence() -> None:
    async def work(server: SocketcandServer, link: CanBus) -> None:
        await server.say(b"< frame 711 1.0 05 >< frame 7")
        assert await frames(link, 1) == [HEARTBEAT]
        server.hang_up()
        assert "hung up" in (await end_of(link)).what
        assert asyncio.get_running_loop().remove_reader(link._fd) is False

    over_tcp(work)


def test_a_server_is_found_again_after_it_hung_up() -> None:
    async def work() -> int:
        async with SocketcandServer() as server:
            settings = CanBusSettings("can0", interface="socketcand", server=server.address)
            for _ in range(3):
                link = await opened(settings)
                await server.say(b"< frame 711 1.0 05 >")
                assert await frames(link, 1) == [HEARTBEAT]
                server.hang_up()
                await end_of(link)
                link.close()
            return server.hosts

    assert run(work()) == 3


def test_a_server_that_is_not_there_is_absent_at_the_first_try() -> None:
    async def work() -> LinkError:
        with socket.create_server(("127.0.0.1", 0)) as taken:
            address = f"127.0.0.1:{taken.getsockname()[1]}"
        with pytest.raises(LinkAbsent) as caught:
            await opened(CanBusSettings("can0", interface="socketcand", server=address))
        return caught.value

    assert "start socketcand" in run(work()).action


def test_a_server_that_does_not_greet_is_not_waited_for_for_ever(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(socketcand, "_ANSWER_WITHIN_S", 0.05)

    async def work() -> LinkError:
        async with SocketcandServer(greeting=b"") as server:
            with pytest.raises(LinkAbsent) as caught:
                await opened(CanBusSettings("can0", interface="socketcand", server=server.address))
            return caught.value

    assert run(work()).what == "does not answer"


def test_a_bus_that_the_server_has_not_is_refused_in_its_words() -> None:
    async def work() -> LinkError:
        async with SocketcandServer(refusal=b"< error could not open bus >") as server:
            settings = CanBusSettings("can7", interface="socketcand", server=server.address)
            with pytest.raises(LinkRefused) as caught:
                await opened(settings)
            return caught.value

    refused = run(work())
    assert "could not open bus" in refused.what
    assert refused.where.startswith("can7 at ")


def test_a_server_needs_a_port() -> None:
    with pytest.raises(ValueError, match="not host:port"):
        CanBusSettings("can0", interface="socketcand", server="table-7")


# --- interfaces of the machine ---------------------------------------------------------------


def test_an_interface_that_is_not_there_is_absent_or_the_system_has_no_can() -> None:
    async def work() -> LinkError:
        with pytest.raises(LinkError) as caught:
            await opened(CanBusSettings("can_nowhere"))
        return caught.value

    error = run(work())
    try:
        socket.socket(socket.AF_CAN, socket.SOCK_RAW, socket.CAN_RAW).close()
    except OSError:
        assert isinstance(error, LinkRefused)
        assert "no CAN" in error.what
        assert "can_raw" in error.action
    else:
        assert isinstance(error, LinkAbsent)


def test_an_interface_that_has_left_its_bus_is_absent_until_it_is_started_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "can0").mkdir()
    (tmp_path / "can0" / "carrier").write_text("0\n")
    monkeypatch.setattr(can_opening, "NETWORK", tmp_path)

    async def work() -> LinkError:
        with pytest.raises(LinkAbsent) as caught:
            await opened(CanBusSettings("can0"))
        return caught.value

    error = run(work())
    assert "bus-off" in error.what
    assert "bitrate 125000" in error.action


@dataclass
class Gone:
    """A socket of python-can whose interface is gone: told once, then None for ever (measured)."""

    error: int | None
    readable: bool = True
    fds: tuple[int, int] = field(default_factory=os.pipe)
    reads: int = 0

    def fileno(self) -> int:
        if self.readable:
            os.write(self.fds[1], b".")  # for ever: nobody reads it
        return self.fds[0]

    def recv(self, _timeout: float, /) -> can.Message | None:
        self.reads += 1
        if self.reads == 1 and self.error is not None:
            raise can.CanOperationError("Error receiving", self.error)
        return None

    def send(self, _message: can.Message, _timeout: float, /) -> None:
        raise can.CanOperationError("Failed to transmit", errno.ENOBUFS)

    def shutdown(self) -> None:
        for fd in self.fds:
            os.close(fd)


def lose(gone: Gone, *said: bytes) -> LinkLost:
    async def work() -> LinkLost:
        link = CanBus(Bus("can0", gone, "look after it"), (), CLOCK)
        for one in said:
            link.write(one)
        lost = await end_of(link)
        for _ in range(10):
            await asyncio.sleep(0)
        assert asyncio.get_running_loop().remove_reader(gone.fds[0]) is False
        link.close()
        return lost

    return run(work())


def test_an_interface_that_vanished_is_lost_at_the_one_time_it_is_told() -> None:
    gone = Gone(errno.ENODEV)
    lost = lose(gone)
    assert "No such device" in lost.what
    assert lost.action == "look after it"
    assert gone.reads == 1


def test_an_interface_that_is_taken_down_says_how_to_bring_it_up() -> None:
    lost = lose(Gone(errno.ENETDOWN))
    assert lost.what == "was taken down"
    assert lost.action == "ip link set can0 up"


def test_a_loss_that_was_never_told_does_not_spin() -> None:
    gone = Gone(None)
    assert lose(gone).what == "speaks, but no CAN"
    assert gone.reads <= 101


def test_a_bus_that_takes_no_frame_is_lost() -> None:
    lost = lose(Gone(None, readable=False), HEARTBEAT)
    assert lost.what == "takes no frame (No buffer space available)"


# --- python-can itself -----------------------------------------------------------------------


@pytest.mark.parametrize(
    "data",
    [
        HEARTBEAT,
        POSITION,
        bytes.fromhex("98FF50E5 08000000 1122334455667788"),
        bytes.fromhex("40000711 01000000"),
        bytes.fromhex("20000004 08000000 0004000000000000"),
        bytes.fromhex("00000000 00000000"),
    ],
    ids=["data", "four bytes", "29 bits", "request", "error", "empty"],
)
def test_a_packet_crosses_a_bus_of_python_can_unchanged(data: bytes) -> None:
    with can.Bus(interface="virtual", channel="packets", ignore_config=True) as host:
        bus = Bus("virtual", can.Bus(interface="virtual", channel="packets"), "")
        host.send(message_of(data))
        assert bus.receive() == data
        bus.send(data)
        received = host.recv(1.0)
        bus.close()
        bus.close()
    assert received is not None
    assert packet_of(received) == data


def test_python_can_is_not_loaded_before_a_can_bus_is_opened() -> None:
    program = "import daemon.app, drivers.catalog, sys; drivers.catalog.link_kinds()"
    program += "; sys.exit('can' in sys.modules)"
    assert subprocess.run([sys.executable, "-P", "-c", program], check=False).returncode == 0
