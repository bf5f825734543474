"""CAN interfaces of the machine, and what python-can itself does."""

from __future__ import annotations

import asyncio
import errno
import os
import socket
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path

import can
import pytest
from support.can_rig import end_of, opened
from support.pty_rig import CLOCK

from drivers.can import opening as can_opening
from drivers.can.opening import Bus, message_of, packet_of
from drivers.errors import LinkAbsent, LinkError, LinkLost, LinkRefused
from drivers.links.can_bus import CanBus, CanBusSettings

HEARTBEAT = bytes.fromhex("00000711 01000000 05")
POSITION = bytes.fromhex("00000191 04000000 A4010000")


# --- interfaces of the machine ---------------------------------------------------------------


async def test_an_interface_that_is_not_there_is_absent_or_the_system_has_no_can() -> None:
    with pytest.raises(LinkError) as caught:
        await opened(CanBusSettings("can_nowhere"))
    error = caught.value
    try:
        socket.socket(socket.AF_CAN, socket.SOCK_RAW, socket.CAN_RAW).close()
    except OSError:
        assert isinstance(error, LinkRefused)
        assert "no CAN" in error.what
        assert "can_raw" in error.action
    else:
        assert isinstance(error, LinkAbsent)


async def test_an_interface_that_has_left_its_bus_is_absent_until_it_is_started_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "can0").mkdir()
    (tmp_path / "can0" / "carrier").write_text("0\n")
    monkeypatch.setattr(can_opening, "NETWORK", tmp_path)

    with pytest.raises(LinkAbsent) as caught:
        await opened(CanBusSettings("can0"))
    error = caught.value
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


async def lose(gone: Gone, *said: bytes) -> LinkLost:
    link = CanBus(Bus("can0", gone, "look after it"), (), CLOCK)
    for one in said:
        link.write(one)
    lost = await end_of(link)
    for _ in range(10):
        await asyncio.sleep(0)
    assert asyncio.get_running_loop().remove_reader(gone.fds[0]) is False
    await link.aclose()
    return lost


async def test_an_interface_that_vanished_is_lost_at_the_one_time_it_is_told() -> None:
    gone = Gone(errno.ENODEV)
    lost = await lose(gone)
    assert "No such device" in lost.what
    assert lost.action == "look after it"
    assert gone.reads == 1


async def test_an_interface_that_is_taken_down_says_how_to_bring_it_up() -> None:
    lost = await lose(Gone(errno.ENETDOWN))
    assert lost.what == "was taken down"
    assert lost.action == "ip link set can0 up"


async def test_a_loss_that_was_never_told_does_not_spin() -> None:
    gone = Gone(None)
    assert (await lose(gone)).what == "speaks, but no CAN"
    assert gone.reads <= 101


async def test_a_bus_that_takes_no_frame_is_lost() -> None:
    lost = await lose(Gone(None, readable=False), HEARTBEAT)
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
