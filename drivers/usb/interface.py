"""One interface of a USB device, claimed for us alone: reports in, reports out, by libusb.

Everything here blocks: none of it is for the event loop.
"""

from __future__ import annotations

import contextlib
import errno
import os
import threading
import time
from dataclasses import dataclass
from typing import Final

import usb.core
import usb.util

from drivers.errors import LinkError, LinkLost

FAILURES_MAX: Final = 8
"""Failed transfers in a row that are tried again before the device counts as lost."""
_PAUSE_S: Final = 0.02
"""Between two tries: an unplugged device fails a while before it is gone, and says so then."""
_WAITING_S: Final = 0.1
"""A report that waits comes with the next poll; the slowest keyboards are polled every 10 ms."""
_STALE_MAX: Final = 256
_SEND_MS: Final = 1000
_TO_INTERFACE: Final = 0x21
_SET_REPORT: Final = 0x09
_OUTPUT: Final = 0x02
_CHECK_CABLE: Final = "check the cable and the hub"


@dataclass(frozen=True, slots=True)
class Pipes:
    """How an interface is talked to.

    source  address of the endpoint that it sends from
    size    bytes asked for at a time: the longest report, in whole packets of the endpoint
    sink    address of the endpoint that takes output reports, where it has one
    """

    number: int
    source: int
    size: int
    sink: int | None


class UsbInterface:
    """A claimed interface."""

    def __init__(self, where: str, device: usb.core.Device, pipes: Pipes) -> None:
        self.where = where
        self.stale: tuple[bytes, ...] = ()
        """Packets that waited in the device when it was opened; since when is unknown."""
        self.lost = ""
        """Why a report may be lost since the last one; its reader empties it."""
        self._device = device
        self._pipes = pipes
        self._failures = 0
        self._sending = threading.Lock()
        self._released = False

    def receive(self, timeout_s: float) -> bytes | None:
        """Return a packet, or None when there was none or its transfer failed. Raises LinkLost."""
        source = self._pipes.source
        try:
            report = self._device.read(source, self._pipes.size, round(timeout_s * 1000))
        except usb.core.USBTimeoutError:
            self._failures = 0
            return None
        except usb.core.USBError as error:
            self._failed(error)
            return None
        self._failures = 0
        return bytes([source]) + report.tobytes()

    def take_stale(self) -> None:
        """Take the packets that a device kept while it was not asked. Raises LinkLost."""
        packets: list[bytes] = []
        while len(packets) < _STALE_MAX and (packet := self.receive(_WAITING_S)) is not None:
            packets.append(packet)
        self.stale = tuple(packets)

    def send(self, packet: bytes) -> None:
        """Send a report (`protocols.wiring.UsbWiring`). Raises LinkLost."""
        kind, number = packet[0], packet[1]
        report = packet[1:] if number else packet[2:]
        with self._sending:
            if self._released:
                return
            try:
                if kind == _OUTPUT and self._pipes.sink is not None:
                    self._device.write(self._pipes.sink, report, _SEND_MS)
                else:
                    value, place = kind << 8 | number, self._pipes.number
                    self._device.ctrl_transfer(
                        _TO_INTERFACE, _SET_REPORT, value, place, report, _SEND_MS
                    )
            except usb.core.USBError as error:
                raise self._refused(number, error) from error

    def release(self) -> None:
        """Give the interface back; safe to call twice."""
        with self._sending:
            if self._released:
                return
            self._released = True
            give_back(self._device, self._pipes.number)

    def _failed(self, error: usb.core.USBError) -> None:
        """Let a failed transfer be tried again, if that can help. Raises LinkLost."""
        if error.errno == errno.ENODEV:
            raise LinkLost(self.where, "was unplugged", _CHECK_CABLE) from error
        self._failures += 1
        self.lost = f"a report: {_words(error)}"
        if self._failures > FAILURES_MAX:
            what = f"fails again and again ({_words(error)})"
            raise LinkLost(self.where, what, _CHECK_CABLE) from error
        try:
            if error.errno == errno.EPIPE:
                self._device.clear_halt(self._pipes.source)
            else:
                time.sleep(_PAUSE_S)
        except usb.core.USBError as worse:
            raise LinkLost(self.where, f"stays halted ({_words(worse)})", _CHECK_CABLE) from worse

    def _refused(self, number: int, error: usb.core.USBError) -> LinkError:
        if error.errno == errno.EPIPE:
            what = f"does not know the report {number:02x} that it was sent"
            return LinkLost(self.where, what, "correct the device's settings for this model")
        what = f"went away while written to ({_words(error)})"
        return LinkLost(self.where, what, _CHECK_CABLE)


def give_back(device: usb.core.Device, number: int) -> None:
    """Give an interface to the kernel's driver and close the device, which may be gone already.

    Also where no driver had it: then one before us was killed, and had taken it.
    """
    with contextlib.suppress(usb.core.USBError):
        usb.util.release_interface(device, number)
    with contextlib.suppress(usb.core.USBError):
        device.attach_kernel_driver(number)
    usb.util.dispose_resources(device)


def _words(error: usb.core.USBError) -> str:
    return os.strerror(error.errno) if error.errno else str(error)
