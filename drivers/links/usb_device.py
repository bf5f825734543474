"""A USB device without a serial port of its own: scanners and keyboard wedges, read by libusb.

libusb blocks, so a thread of its own reads. It also gives the interface back, whatever ended it.
"""

from __future__ import annotations

import asyncio
import contextlib
import threading
from collections import deque
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final

from drivers.clock import Clock
from drivers.discovery.identity import usb_identity
from drivers.errors import LinkError, LinkLost
from drivers.link import Chunk, LinkSpec
from drivers.receive_queue import ReceiveQueue
from drivers.usb.settings import UsbDeviceSettings
from protocols.wiring import UsbWiring

if TYPE_CHECKING:
    from drivers.usb.interface import UsbInterface

__all__ = ["LINK", "UsbDeviceSettings"]

_LOOK_UP_S: Final = 0.25
"""How long the thread waits for a report before it looks whether it shall end."""
_UNREAD_LIMIT: Final = 1 << 20
_UNSENT_LIMIT: Final = 64


class UsbDevice:
    """An open device. One packet is one chunk; those that waited in it come first, as stale."""

    def __init__(self, interface: UsbInterface, clock: Clock) -> None:
        self.where = interface.where
        self._interface = interface
        self._clock = clock
        self._loop = asyncio.get_running_loop()
        self._inbox = ReceiveQueue()
        self._unsent: deque[bytes] = deque()
        self._sending: asyncio.Task[None] | None = None
        self._ending = threading.Event()
        self._reason: LinkError | None = None
        for packet in interface.found:
            self._inbox.put(clock.now(), packet, stale=True)
        threading.Thread(target=self._work, name=self.where).start()

    async def read(self, timeout_s: float | None) -> Chunk | None:
        """Return the next packet, or None after `timeout_s` real seconds. Raises LinkLost."""
        return await self._inbox.take(timeout_s)

    def write(self, data: bytes) -> None:
        """Queue a report for the device; a failure surfaces at the next `read`."""
        if self._ending.is_set():
            return
        self._unsent.append(data)
        if len(self._unsent) > _UNSENT_LIMIT:
            self._end(self._lost(f"takes no reports: {len(self._unsent)} wait to be sent"))
        elif self._sending is None or self._sending.done():
            self._sending = self._loop.create_task(self._send())

    def close(self) -> None:
        """Let the thread give the device back, within a moment; safe to call twice."""
        self._end(self._lost("closed by pitwire"))
        self._inbox.fail(self._lost("closed by pitwire"))

    async def _send(self) -> None:
        while self._unsent and not self._ending.is_set():
            try:
                await asyncio.to_thread(self._interface.send, self._unsent.popleft())
            except LinkError as error:
                self._end(error)

    def _end(self, reason: LinkError) -> None:
        """Let the thread end. It tells the reason: by then the device can be opened again."""
        if not self._ending.is_set():
            self._reason = reason
            self._ending.set()

    # --- the thread ----------------------------------------------------------------------

    def _work(self) -> None:
        try:
            while not self._ending.is_set():
                packet = self._interface.receive(_LOOK_UP_S)
                if packet is not None:
                    self._tell(self._inbox.put, self._clock.now(), packet)
                while self._inbox.held >= _UNREAD_LIMIT and not self._ending.wait(_LOOK_UP_S):
                    pass  # the device holds its reports until it is asked again
        except LinkError as error:
            self._end(error)
        except Exception as error:  # noqa: BLE001 - a reader that died must not look like a silent device
            self._end(self._lost(f"cannot be read: {error!r}"))
        finally:
            self._interface.release()
        if self._reason is not None:
            self._tell(self._inbox.fail, self._reason)

    def _tell(self, what: Callable[..., None], *said: Any) -> None:
        try:
            self._loop.call_soon_threadsafe(what, *said)
        except RuntimeError:  # the loop is gone, and nobody will ever read
            self._ending.set()

    def _lost(self, what: str) -> LinkLost:
        return LinkLost(self.where, what, "check the cable and the hub")


async def open_usb_device(
    settings: UsbDeviceSettings, wiring: UsbWiring, clock: Clock
) -> UsbDevice:
    """Find and claim it. Raises LinkAbsent, LinkBusy, LinkDenied, LinkRefused or LinkLost."""
    opening = asyncio.get_running_loop().run_in_executor(None, _open, settings, wiring)
    try:
        interface = await asyncio.shield(opening)
    except asyncio.CancelledError:
        opening.add_done_callback(_release_unwanted)
        raise
    return UsbDevice(interface, clock)


def _open(settings: UsbDeviceSettings, wiring: UsbWiring) -> UsbInterface:
    from drivers.usb.opening import open_interface  # noqa: PLC0415 - pyusb only where it is used

    return open_interface(settings, wiring)


def _release_unwanted(opening: asyncio.Future[UsbInterface]) -> None:
    with contextlib.suppress(LinkError, asyncio.CancelledError):
        opening.result().release()


LINK = LinkSpec(
    key="usb_device",
    title="USB device",
    settings=UsbDeviceSettings,
    live=True,
    carries=(UsbWiring,),
    open=open_usb_device,
    identify=usb_identity,
)
