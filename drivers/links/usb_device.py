"""A USB device without a serial port of its own: scanners and keyboard wedges, read by libusb.

libusb blocks, so a thread of its own reads. It also gives the interface back, whatever ended it.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from drivers.clock import Clock
from drivers.discovery.identity import usb_identity
from drivers.errors import LinkError, LinkLost
from drivers.link import LinkSpec
from drivers.queued_link import QueuedLink
from drivers.threads import SendingThread, open_in_thread
from drivers.usb.settings import UsbDeviceSettings
from protocols.wiring import UsbWiring

if TYPE_CHECKING:
    from drivers.usb.interface import UsbInterface

__all__ = ["LINK", "UsbDeviceSettings"]

_LOOK_UP_S: Final = 0.25
"""How long the thread waits for a report before it looks whether it shall end."""
_UNSENT_LIMIT: Final = 64


class UsbDevice(QueuedLink):
    """An open device. One packet is one chunk; those that waited in it come first, as stale."""

    def __init__(self, interface: UsbInterface, clock: Clock) -> None:
        self._thread = threading.Thread(target=self._work, name=interface.where)
        super().__init__(interface.where, clock, self._thread.join)
        self._interface = interface
        self._sender = SendingThread(f"sends to {self.where}", interface.send, self._end)
        self._ending = threading.Event()
        self._reason: LinkError | None = None
        self._has_room = threading.Event()
        self._has_room.set()
        for packet in interface.stale:
            self._received(clock.now(), packet, stale=True)
        self._thread.start()

    def _send(self, data: bytes) -> None:
        if self._ending.is_set():
            return
        self._sender.put(data)
        if self._sender.waiting > _UNSENT_LIMIT:
            self._end(self._lost(f"takes no reports: {self._sender.waiting} wait to be sent"))

    def _pause(self) -> None:
        self._has_room.clear()

    def _resume(self) -> None:
        self._has_room.set()

    def _stop(self) -> None:
        self._ending.set()
        self._sender.end()

    def _end(self, reason: LinkError) -> None:
        """Let the thread end. It tells the reason: by then the device can be opened again."""
        if not self._ending.is_set():
            self._reason = reason
            self._ending.set()

    # --- the thread ----------------------------------------------------------------------

    def _work(self) -> None:
        try:
            while not self._ending.is_set():
                # The device holds its reports until it is asked again.
                if self._has_room.wait(_LOOK_UP_S):
                    packet = self._interface.receive(_LOOK_UP_S)
                    lost, self._interface.lost = self._interface.lost, ""
                    if packet is not None or lost:
                        received = partial(self._received, lost=lost)
                        self._tell(received, self._clock.now(), packet or b"")
        except LinkError as error:
            self._end(error)
        except Exception as error:  # noqa: BLE001 - a reader that died must not look like a silent device
            self._end(self._lost(f"cannot be read: {error!r}"))
        finally:
            self._interface.release()
        if self._reason is not None:
            self._tell(self._lose, self._reason)

    def _tell(self, call: Callable[..., None], *arguments: Any) -> None:
        try:
            self._loop.call_soon_threadsafe(call, *arguments)
        except RuntimeError:  # the loop is over: nothing will be read any more
            self._ending.set()

    def _lost(self, what: str) -> LinkLost:
        return LinkLost(self.where, what, "check the cable and the hub")


async def open_usb_device(
    settings: UsbDeviceSettings, wiring: UsbWiring, clock: Clock
) -> UsbDevice:
    """Find and claim it. Raises LinkAbsent, LinkBusy, LinkDenied, LinkRefused or LinkLost."""
    interface = await open_in_thread(
        f"opens {settings}", partial(_open, settings, wiring), lambda opened: opened.release()
    )
    return UsbDevice(interface, clock)


def _open(settings: UsbDeviceSettings, wiring: UsbWiring) -> UsbInterface:
    from drivers.usb.opening import open_interface  # noqa: PLC0415 - pyusb only where it is used

    return open_interface(settings, wiring)


LINK = LinkSpec(
    key="usb_device",
    title="USB device",
    settings=UsbDeviceSettings,
    live=True,
    carries=(UsbWiring,),
    open=open_usb_device,
    identify=usb_identity,
)
