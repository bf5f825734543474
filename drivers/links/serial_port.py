"""A serial port: RS-232, RS-485, CDC-ACM, USB adapters, ptys.

Bytes found in the port come first, as one stale chunk. Every way a port can go away ends in
LinkLost, with the reader removed first: a hung-up tty is readable for ever.
"""

from __future__ import annotations

import asyncio
import os
from dataclasses import dataclass

from drivers.clock import Clock
from drivers.discovery.identity import port_identity
from drivers.discovery.port_choice import check_spelling, node_of
from drivers.errors import LinkLost
from drivers.link import Chunk, LinkSpec
from drivers.receive_queue import ReceiveQueue
from drivers.tty.opening import open_tty
from drivers.tty.port import READ_SIZE, Tty
from protocols.wiring import SerialWiring

_UNREAD_LIMIT = 1 << 20
_UNSENT_LIMIT = 1 << 16


@dataclass(frozen=True, slots=True)
class SerialPortSettings:
    """Where the device is plugged in. Raises ValueError for an adapter that is misspelled.

    port  path of the node, best a stable one: /dev/serial/by-id/… or by-path; or the USB adapter,
          usb:0403:6001 or usb:0403:6001:A50285 with its serial number
    baud  overrides the device's usual speed
    """

    port: str
    baud: int | None = None

    def __post_init__(self) -> None:
        check_spelling(self.port)


class SerialPort:
    """An open port, read by the event loop as bytes arrive."""

    def __init__(self, where: str, tty: Tty, clock: Clock) -> None:
        self.where = where
        self._tty = tty
        self._fd = tty.fileno()
        self._clock = clock
        self._loop = asyncio.get_running_loop()
        self._inbox = ReceiveQueue()
        self._unsent = bytearray()
        self._reading = False
        if tty.found:
            self._inbox.put(clock.now(), tty.found, stale=True)
        self._resume()

    async def read(self, timeout_s: float | None) -> Chunk | None:
        """Return the next chunk, or None after `timeout_s` real seconds. Raises LinkLost."""
        chunk = await self._inbox.take(timeout_s)
        if not self._reading and self._inbox.failure is None and self._inbox.held < _UNREAD_LIMIT:
            self._resume()
        return chunk

    def write(self, data: bytes) -> None:
        """Queue bytes for the device; a failure surfaces at the next `read`."""
        if self._inbox.failure is not None:
            return
        idle = not self._unsent
        self._unsent += data
        if idle:
            self._send()
        if len(self._unsent) > _UNSENT_LIMIT:
            self._lose(f"takes no bytes: {len(self._unsent)} wait to be sent")

    def close(self) -> None:
        """Give the port back; safe to call twice."""
        self._lose("closed by pitwire")
        self._tty.close()

    def _resume(self) -> None:
        self._reading = True
        self._loop.add_reader(self._fd, self._receive)

    def _pause(self) -> None:
        self._reading = False
        self._loop.remove_reader(self._fd)

    def _receive(self) -> None:
        at = self._clock.now()
        try:
            data = os.read(self._fd, READ_SIZE)
        except (BlockingIOError, InterruptedError):
            return
        except OSError as error:
            self._lose(f"went away ({os.strerror(error.errno or 0)})", error)
            return
        if not data:
            self._lose("was unplugged")
            return
        self._inbox.put(at, data)
        if self._inbox.held >= _UNREAD_LIMIT:
            self._pause()

    def _send(self) -> None:
        try:
            sent = os.write(self._fd, self._unsent)
        except (BlockingIOError, InterruptedError):
            sent = 0
        except OSError as error:
            self._lose(f"went away while written to ({os.strerror(error.errno or 0)})", error)
            return
        del self._unsent[:sent]
        if self._unsent:
            self._loop.add_writer(self._fd, self._send)
        else:
            self._loop.remove_writer(self._fd)

    def _lose(self, what: str, cause: OSError | None = None) -> None:
        if self._inbox.failure is not None:
            return
        self._pause()
        self._loop.remove_writer(self._fd)
        self._unsent.clear()
        lost = LinkLost(self.where, what, "check the cable and the adapter")
        lost.__cause__ = cause
        self._inbox.fail(lost)


async def open_serial_port(
    settings: SerialPortSettings, wiring: SerialWiring, clock: Clock
) -> SerialPort:
    """Open, lock and set the port. Raises LinkAbsent, LinkBusy, LinkDenied or LinkRefused."""
    baud = wiring.baud if settings.baud is None else settings.baud
    # A thread, because a sick USB adapter can hold an open for seconds.
    opening = asyncio.get_running_loop().run_in_executor(
        None, open_tty, settings.port, baud, wiring
    )
    try:
        tty = await asyncio.shield(opening)
    except asyncio.CancelledError:
        opening.add_done_callback(_close_unwanted)
        raise
    return SerialPort(settings.port, tty, clock)


def _close_unwanted(opening: asyncio.Future[Tty]) -> None:
    if not opening.cancelled() and opening.exception() is None:
        opening.result().close()


LINK = LinkSpec(
    key="serial_port",
    title="Serial port",
    settings=SerialPortSettings,
    live=True,
    carries=(SerialWiring,),
    open=open_serial_port,
    node=lambda settings: node_of(settings.port),
    identify=lambda settings: port_identity(settings.port),
)
