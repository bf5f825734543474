"""A pty that plays the device, and a fake device."""

from __future__ import annotations

import array
import fcntl
import os
import termios
import tty
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field

from drivers.clock import BootClock
from drivers.link import OpenLink
from drivers.links.serial_port import SerialPort, SerialPortSettings, open_serial_port
from protocols.instant import Instant
from protocols.simulator import Cue, Fault, PowerOn
from protocols.wiring import SerialWiring

CLOCK = BootClock()


@dataclass
class Box:
    """The far end of a port: a device's socket."""

    device: int
    host: int
    path: str

    def say(self, data: bytes) -> None:
        os.write(self.device, data)

    def say_before_anybody_listens(self, data: bytes) -> None:
        self.say(data)
        waiting = array.array("i", [0])
        while waiting[0] < len(data):
            fcntl.ioctl(self.host, termios.FIONREAD, waiting)

    def unplug(self) -> None:
        for fd in (self.host, self.device):
            if fd >= 0:
                os.close(fd)
        self.host = self.device = -1


@contextmanager
def plugged_in() -> Iterator[Box]:
    device, host = os.openpty()
    tty.setraw(host)
    box = Box(device, host, os.ttyname(host))
    try:
        yield box
    finally:
        box.unplug()


async def opened(
    path: str, baud: int | None = None, wiring: SerialWiring | None = None
) -> SerialPort:
    return await open_serial_port(SerialPortSettings(path, baud), wiring or SerialWiring(), CLOCK)


async def heard(link: OpenLink, size: int) -> bytes:
    """Read until `size` bytes came."""
    data = b""
    while len(data) < size:
        chunk = await link.read(None)
        assert chunk is not None
        data += chunk.data
    return data


@dataclass
class Parrot:
    """A small simulator: says its name at power on, repeats what it hears, ticks when asked."""

    wake_at: Instant | None = None
    faults: Sequence[str] = ("tick",)
    waiting: list[bytes] = field(default_factory=list)
    tick_s: float = 0.01

    def cue(self, at: Instant, cue: Cue) -> None:
        match cue:
            case PowerOn():
                self.waiting.append(b"*V 2.17\r\n")
            case Fault("tick"):
                self.wake_at = at.after(self.tick_s)
            case _:
                raise ValueError("a parrot plays no cards")

    def hear(self, at: Instant, data: bytes) -> None:
        assert at.boot
        self.waiting.append(data)

    def speak(self, at: Instant) -> Sequence[bytes]:
        said, self.waiting = self.waiting, []
        if self.wake_at is not None and at.reached(self.wake_at):
            self.wake_at = None
            said.append(b"tick\r\n")
        return said
