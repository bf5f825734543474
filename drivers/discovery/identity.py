"""What a wire itself says of the device on it: nothing but USB says anything."""

from __future__ import annotations

import contextlib
from pathlib import Path

from drivers.discovery.attached import AttachedPort, serial_ports, usb_devices
from drivers.discovery.port_choice import node_of
from drivers.errors import LinkError
from drivers.usb.settings import UsbDeviceSettings


def port_identity(port: str) -> str | None:
    """Return the USB adapter that a serial port is part of; None for every other port.

    It is the adapter's, not the device's behind it, unless the device has its own USB side.
    Takes a moment: not for the event loop.
    """
    with contextlib.suppress(LinkError, OSError):
        node = Path(node_of(port))
        for one in serial_ports():
            if node.samefile(one.node):
                return _words(one)
    return None


def usb_identity(settings: UsbDeviceSettings) -> str | None:
    """Return the only USB device that these settings mean; None where there is none, or several.

    Takes a moment: not for the event loop.
    """
    with contextlib.suppress(OSError):  # a device went away while it was looked at
        fitting = [one for one in usb_devices() if _fits(settings, one)]
        if len(fitting) == 1:
            return _words(fitting[0])
    return None


def _fits(settings: UsbDeviceSettings, one: AttachedPort) -> bool:
    pairs = (
        (settings.vendor, one.vendor),
        (settings.product, one.product),
        (settings.serial, one.serial),
        (settings.path, one.where),
    )
    return all(wanted in (None, found) for wanted, found in pairs)


def _words(one: AttachedPort) -> str | None:
    if one.vendor is None or one.product is None:
        return None
    serial = f"serial {one.serial}" if one.serial else "without serial number"
    return f"USB {one.vendor:04x}:{one.product:04x} {serial}"
