"""A serial port: RS-232, RS-485, CDC-ACM, USB adapters, ptys.

Bytes found in the port come first, as one stale chunk. Every way a port can go away ends in
LinkLost, with the reader removed first: a hung-up tty stays readable, and the loop would spin.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from functools import partial

from drivers.clock import Clock
from drivers.discovery.identity import port_identity
from drivers.discovery.port_choice import check_spelling, node_of
from drivers.errors import LinkLost
from drivers.link import LinkSpec
from drivers.queued_link import QueuedLink
from drivers.threads import open_in_thread
from drivers.tty.opening import open_tty
from drivers.tty.port import READ_SIZE, Tty, is_pty
from protocols.wiring import SerialWiring

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


class SerialPort(QueuedLink):
    """An open port, read by the event loop as bytes arrive."""

    def __init__(self, where: str, tty: Tty, clock: Clock) -> None:
        super().__init__(where, clock, tty.close)
        self._tty = tty
        self._fd = tty.fileno()
        if not (tty.line_errors.counted or is_pty(self._fd)):
            self.untold = "this adapter counts no bytes that it lost or that came damaged"
        self._unsent = bytearray()
        if tty.stale:
            self._received(clock.now(), tty.stale, stale=True)
        self._resume()

    def _resume(self) -> None:
        self._loop.add_reader(self._fd, self._receive)

    def _pause(self) -> None:
        self._loop.remove_reader(self._fd)

    def _stop(self) -> None:
        self._loop.remove_reader(self._fd)
        self._loop.remove_writer(self._fd)
        self._unsent.clear()

    def _receive(self) -> None:
        at = self._clock.now()
        try:
            data = os.read(self._fd, READ_SIZE)
        except (BlockingIOError, InterruptedError):
            return
        except OSError as error:
            self._lost(f"went away ({os.strerror(error.errno or 0)})", error)
            return
        if data:
            self._received(at, data, lost=self._tty.line_errors.news())
        else:
            self._lost("was unplugged")

    def _send(self, data: bytes) -> None:
        idle = not self._unsent
        self._unsent += data
        if idle:
            self._send_on()
        if len(self._unsent) > _UNSENT_LIMIT:
            self._lost(f"takes no bytes: {len(self._unsent)} wait to be sent")

    def _send_on(self) -> None:
        """Send what the port takes now; the rest when it takes more."""
        try:
            sent = os.write(self._fd, self._unsent)
        except (BlockingIOError, InterruptedError):
            sent = 0
        except OSError as error:
            self._lost(f"went away while written to ({os.strerror(error.errno or 0)})", error)
            return
        del self._unsent[:sent]
        if self._unsent:
            self._loop.add_writer(self._fd, self._send_on)
        else:
            self._loop.remove_writer(self._fd)

    def _lost(self, what: str, cause: OSError | None = None) -> None:
        lost = LinkLost(self.where, what, "check the cable and the adapter")
        lost.__cause__ = cause
        self._lose(lost)


async def open_serial_port(
    settings: SerialPortSettings, wiring: SerialWiring, clock: Clock
) -> SerialPort:
    """Open, lock and set the port. Raises LinkAbsent, LinkBusy, LinkDenied or LinkRefused."""
    baud = wiring.baud if settings.baud is None else settings.baud
    tty = await open_in_thread(
        f"opens {settings.port}", partial(open_tty, settings.port, baud, wiring), Tty.close
    )
    return SerialPort(settings.port, tty, clock)


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
