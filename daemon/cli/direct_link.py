"""Opening a port for a person who looks at one device, without daemon and table."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

from daemon.devices.feed import DeviceFeed, Heard
from drivers.catalog import link_kinds
from drivers.clock import Clock
from drivers.clock_wait import real_seconds_until
from drivers.link import OpenLink
from drivers.links.can_bus import CanBusSettings
from drivers.links.serial_port import SerialPortSettings
from drivers.links.usb_device import UsbDeviceSettings
from protocols.device import DeviceSpec
from protocols.instant import Instant, earliest
from protocols.wiring import CanWiring, SerialWiring, UsbWiring


def where_it_is(target: str, spec: DeviceSpec, baud: int | None) -> tuple[str, Any]:
    """Return the kind of link that a device of this wiring needs, and its settings.

    target  a serial port, bus and ports of a USB device (1-2.4), or a CAN interface
    """
    match spec.wiring:
        case SerialWiring():
            return "serial_port", SerialPortSettings(target, baud)
        case UsbWiring():
            return "usb_device", UsbDeviceSettings(path=target)
        case CanWiring():
            slcan = "/" in target
            return "can_bus", CanBusSettings(target, "slcan" if slcan else "socketcan")


async def open_direct_link(
    target: str, spec: DeviceSpec, baud: int | None, clock: Clock
) -> OpenLink:
    """Open the link. Raises LinkError, and ValueError for a target that cannot be a port."""
    kind, settings = where_it_is(target, spec, baud)
    return await link_kinds()[kind].open(settings, spec.wiring, clock)


async def hear(
    link: OpenLink, feed: DeviceFeed, clock: Clock, *, answer: bool, until: Instant | None = None
) -> AsyncIterator[Heard]:
    """Yield what an open link says, item by item, until an instant or for ever. Raises LinkError.

    answer  ask and acknowledge as the daemon would; otherwise nothing is written
    """
    items = feed.open(clock.now())
    while True:
        for heard in items:
            if answer and heard.reply is not None:
                link.write(heard.reply)
            yield heard
        if until is not None and clock.now().reached(until):
            return
        chunk = await link.read(real_seconds_until(clock, earliest(until, feed.wake_at)))
        items = feed.tick(clock.now()) if chunk is None else feed.take(chunk)
