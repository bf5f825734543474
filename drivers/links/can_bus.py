"""A CAN bus: an interface of this machine, a serial adapter, or a socketcand server.

The event loop reads it; python-can's own way of doing so never hears that an adapter is gone, and
spins (4.6.1, measured). One frame is one chunk. What the bus reports in place of a frame, and what
came too damaged to be one, comes as an error frame, for the decoder to reject and to count.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Final, Literal, Protocol

from drivers.clock import Clock
from drivers.errors import LinkLost
from drivers.link import LinkSpec
from drivers.queued_link import QueuedLink
from drivers.threads import SendingThread, open_in_thread
from protocols.can_frame import (
    BUS_OFF,
    CONTROLLER,
    ERROR,
    EXTENDED_MAX,
    HEAD,
    RECEIVE_OVERFLOW,
    REMOTE,
)
from protocols.instant import Instant
from protocols.wiring import CanWiring

_SENT_WITHIN_S: Final = 1.0
"""How long a frame may take that is just being sent when the bus is closed."""
_BATCH: Final = 256
"""Frames read before others may run."""
_EMPTY_MAX: Final = 100
"""Times in a row that a bus may have something to read which is no frame."""


@dataclass(frozen=True, slots=True)
class CanBusSettings:
    """Where the bus is. Raises ValueError for a server without a port.

    channel      an interface (can0), the path of a slcan adapter, or the name of a server's bus
    interface    which of them
    bitrate      overrides the device's usual one, which a slcan adapter is set to; an interface
                 of this machine is set up by the system, a server's bus by the server
    receive_ids  the only identifiers to hear, with bit 31 where one has 29 bits; empty: all.
                 Errors are always heard
    settle_s     how long a slcan adapter may start anew after its port is opened
    server       host:port of socketcand
    """

    channel: str
    interface: Literal["socketcan", "slcan", "socketcand"] = "socketcan"
    bitrate: int | None = None
    receive_ids: tuple[int, ...] = ()
    settle_s: float = 2.0
    server: str = "localhost:29536"

    def __post_init__(self) -> None:
        host, _, port = self.server.rpartition(":")
        if not host or not port.isdecimal():
            raise ValueError(f"the server {self.server!r} is not host:port")


class PacketBus(Protocol):
    """An open bus that speaks packets; see `drivers.can.opening`."""

    where: str

    def fileno(self) -> int:
        """Return what becomes readable with the next frame, and when the bus is gone."""

    def receive(self) -> bytes | None:
        """Return the next frame, None where there is none yet. Raises LinkLost."""

    def lost(self) -> str:
        """Return what was lost on the way from the bus since it was asked last, for people."""

    def send(self, data: bytes) -> None:
        """Send a frame; may block. Raises LinkLost."""

    def close(self) -> None:
        """Give the bus back; safe to call twice."""


class CanBus(QueuedLink):
    """An open bus, read by the event loop as frames arrive."""

    unread_limit = 1 << 18

    def __init__(self, bus: PacketBus, identifiers: tuple[int, ...], clock: Clock) -> None:
        super().__init__(bus.where, clock, self._close_bus)
        self._bus = bus
        self._fd = bus.fileno()
        self._identifiers = frozenset(identifiers)
        # An adapter may take its time to take a frame.
        self._sender = SendingThread(f"sends to {bus.where}", bus.send, self._lose)
        self._empty = 0
        self._resume()

    def _resume(self) -> None:
        self._loop.add_reader(self._fd, self._receive)
        self._loop.call_soon(self._receive)  # the bus may hold more than its descriptor shows

    def _pause(self) -> None:
        self._loop.remove_reader(self._fd)

    def _stop(self) -> None:
        self._pause()
        self._sender.end()

    def _close_bus(self) -> None:
        self._sender.join(_SENT_WITHIN_S)
        self._bus.close()

    def _send(self, data: bytes) -> None:
        self._sender.put(data)

    def _receive(self) -> None:
        at = self._clock.now()
        self._empty += 1
        for _ in range(_BATCH):
            if self._is_paused or self.is_lost:
                return
            try:
                data = self._bus.receive()
            except LinkLost as lost:
                self._lose(lost)
                return
            if data is None:
                break
            self._empty = 0
            self._take(at, data)
        else:
            self._loop.call_soon(self._receive)
        if self._empty >= _EMPTY_MAX:
            action = "check that it is what `interface` says, and its speed"
            self._lose(LinkLost(self.where, "speaks, but no CAN", action))

    def _take(self, at: Instant, data: bytes) -> None:
        identifier = int.from_bytes(data[:4], "big")
        error = identifier & ERROR
        lost = self._bus.lost()
        if error:
            lost = _lost_with(identifier, data) or lost
        elif self._identifiers and identifier & ~REMOTE not in self._identifiers:
            if lost:
                self._received(at, b"", lost=lost)
            return
        self._received(at, data, lost=lost)
        if error and identifier & BUS_OFF == BUS_OFF:
            action = "check wiring, terminators and bit rate; `restart-ms 100` on its interface"
            action += " lets it come back alone"
            self._lose(LinkLost(self.where, "has left the bus (bus-off)", action))


def _lost_with(identifier: int, data: bytes) -> str:
    """Return which frames were lost for good where the bus reports an error, empty for none."""
    if not identifier & EXTENDED_MAX:
        return "a frame that came too damaged to be read"
    told = data[HEAD + 1 : HEAD + 2]
    if identifier & CONTROLLER and (not told or told[0] & RECEIVE_OVERFLOW):
        return "frames that the controller had no room for"
    return ""


def untold(settings: CanBusSettings) -> str:
    """Return what is between host and bus, and cannot tell what it lost."""
    match settings.interface:
        case "slcan":
            return (
                "the adapter tells of no frame that it had no room for, and its serial line has no"
                " check value"
            )
        case "socketcand":
            return "the server tells of no frame that it had no room for"
        case _:
            return ""


async def open_can_bus(settings: CanBusSettings, wiring: CanWiring, clock: Clock) -> CanBus:
    """Open the bus. Raises LinkAbsent, LinkBusy, LinkDenied or LinkRefused."""
    # python-can takes its time to load, an adapter to start, a server to answer.
    bus = await open_in_thread(
        f"opens {settings.channel}", partial(_open, settings, wiring), lambda bus: bus.close()
    )
    link = CanBus(bus, settings.receive_ids, clock)
    link.untold = untold(settings)
    return link


def _open(settings: CanBusSettings, wiring: CanWiring) -> PacketBus:
    from drivers.can import opening as can  # noqa: PLC0415 - loads python-can, only when configured

    bitrate = wiring.bitrate if settings.bitrate is None else settings.bitrate
    match settings.interface:
        case "socketcan":
            return can.open_socketcan(settings.channel, bitrate, settings.receive_ids)
        case "slcan":
            return can.open_slcan(settings.channel, bitrate, settings.settle_s)
        case "socketcand":
            return can.open_socketcand(settings.server, settings.channel)


LINK = LinkSpec(
    key="can_bus",
    title="CAN bus",
    settings=CanBusSettings,
    live=True,
    carries=(CanWiring,),
    open=open_can_bus,
    untold=untold,
    silent="check the bus and the device's power; power-cycle the adapter",
)
