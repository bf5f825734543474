"""Opening a wire for a person who looks at one device, without a table."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

from drivers.catalog import link_kinds
from drivers.clock import Clock
from drivers.clock_wait import real_seconds_until
from drivers.link import OpenLink
from drivers.links.can_bus import CanBusSettings
from drivers.links.serial_port import SerialPortSettings
from drivers.links.usb_device import UsbDeviceSettings
from protocols.device import Decoded, DeviceSpec, Settings
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
    """Open it. Raises LinkError, and ValueError for a target that cannot be one."""
    kind, settings = where_it_is(target, spec, baud)
    return await link_kinds()[kind].open(settings, spec.wiring, clock)


async def hear(
    link: OpenLink, spec: DeviceSpec, settings: Settings, clock: Clock, *, answer: bool
) -> AsyncIterator[tuple[Decoded, bool]]:
    """Yield each frame that an open link says, and whether it lay in the port before.

    answer  ask and acknowledge as the daemon would; otherwise nothing is written. Raises LinkError
    """
    decoder = spec.decoder(settings)
    decoded = decoder.tick(clock.now()) if answer and spec.writes == "poll" else ()
    stale = False
    while True:
        for one in decoded:
            if answer and one.reply is not None and not stale:
                link.write(one.reply)
            if one.raw:
                yield one, stale
        chunk = await link.read(real_seconds_until(clock, decoder.wake_at))
        if chunk is not None:
            decoded, stale = decoder.feed(chunk.at, chunk.data), chunk.stale
        else:
            decoded, stale = decoder.tick(clock.now()), False
