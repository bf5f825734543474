"""A CAN bus: an interface of this machine, a serial adapter, or a socketcand server.

The event loop reads it; python-can's own way of doing so never hears that an adapter is gone, and
spins (4.6.1, measured). One frame is one chunk. What the bus reports in place of a frame, and what
came too damaged to be one, comes as an error frame, for the decoder to reject and to count.
"""

from __future__ import annotations

import asyncio
import contextlib
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from typing import Final, Literal, Protocol

from drivers.clock import Clock
from drivers.errors import LinkLost
from drivers.link import Chunk, LinkSpec
from drivers.receive_queue import ReceiveQueue
from protocols.can_frame import BUS_OFF, ERROR, REMOTE
from protocols.instant import Instant
from protocols.wiring import CanWiring

_UNREAD_LIMIT: Final = 1 << 18
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

    def send(self, data: bytes) -> None:
        """Send a frame; may block. Raises LinkLost."""

    def close(self) -> None:
        """Give the bus back; safe to call twice."""


class CanBus:
    """An open bus, read by the event loop as frames arrive."""

    def __init__(self, bus: PacketBus, identifiers: tuple[int, ...], clock: Clock) -> None:
        self.where = bus.where
        self._bus = bus
        self._fd = bus.fileno()
        self._identifiers = frozenset(identifiers)
        self._clock = clock
        self._loop = asyncio.get_running_loop()
        self._inbox = ReceiveQueue()
        # An adapter may take its time; one thread keeps the order.
        self._sender = ThreadPoolExecutor(1, f"can {bus.where}")
        self._empty = 0
        self._reading = False
        self._resume()

    async def read(self, timeout_s: float | None) -> Chunk | None:
        """Return the next frame, or None after `timeout_s` real seconds. Raises LinkLost."""
        chunk = await self._inbox.take(timeout_s)
        if not self._reading and self._inbox.failure is None and self._inbox.held < _UNREAD_LIMIT:
            self._resume()
        return chunk

    def write(self, data: bytes) -> None:
        """Queue a frame; a failure surfaces at the next `read`."""
        if self._inbox.failure is None:
            self._sender.submit(self._bus.send, data).add_done_callback(self._sent)

    def close(self) -> None:
        """Give the bus back; safe to call twice."""
        self._lose(LinkLost(self.where, "closed by pitwire", "nothing to do"))
        self._bus.close()

    def _resume(self) -> None:
        self._reading = True
        self._loop.add_reader(self._fd, self._receive)
        self._loop.call_soon(self._receive)  # the bus may hold more than its descriptor shows

    def _pause(self) -> None:
        self._reading = False
        self._loop.remove_reader(self._fd)

    def _receive(self) -> None:
        at = self._clock.now()
        self._empty += 1
        for _ in range(_BATCH):
            if not self._reading:
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
        if not error and self._identifiers and identifier & ~REMOTE not in self._identifiers:
            return
        self._inbox.put(at, data)
        if error and identifier & BUS_OFF == BUS_OFF:
            action = "check wiring, terminators and bit rate; `restart-ms 100` on its interface"
            action += " lets it come back alone"
            self._lose(LinkLost(self.where, "has left the bus (bus-off)", action))
        elif self._inbox.held >= _UNREAD_LIMIT:
            self._pause()

    def _sent(self, sending: Future[None]) -> None:
        """Take note of how sending went; called in its thread."""
        error = None if sending.cancelled() else sending.exception()
        if isinstance(error, LinkLost):
            with contextlib.suppress(RuntimeError):  # the loop is over, and the link with it
                self._loop.call_soon_threadsafe(self._lose, error)

    def _lose(self, lost: LinkLost) -> None:
        if self._inbox.failure is None:
            self._pause()
            self._sender.shutdown(wait=False, cancel_futures=True)
            self._inbox.fail(lost)


async def open_can_bus(settings: CanBusSettings, wiring: CanWiring, clock: Clock) -> CanBus:
    """Open the bus. Raises LinkAbsent, LinkBusy, LinkDenied or LinkRefused."""
    # A thread: python-can takes its time to load, an adapter to start, a server to answer.
    opening = asyncio.get_running_loop().run_in_executor(None, _open, settings, wiring)
    try:
        bus = await asyncio.shield(opening)
    except asyncio.CancelledError:
        opening.add_done_callback(_close_unwanted)
        raise
    return CanBus(bus, settings.receive_ids, clock)


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


def _close_unwanted(opening: asyncio.Future[PacketBus]) -> None:
    if not opening.cancelled() and opening.exception() is None:
        opening.result().close()


LINK = LinkSpec(
    key="can_bus",
    title="CAN bus",
    settings=CanBusSettings,
    live=True,
    carries=(CanWiring,),
    open=open_can_bus,
    silent="check the bus and the device's power; power-cycle the adapter",
)
