"""The USB identity of what is on a link: vendor, product and serial number."""

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
        for attached in serial_ports():
            if node.samefile(attached.node):
                return _words(attached)
    return None


def usb_identity(settings: UsbDeviceSettings) -> str | None:
    """Return the only USB device that these settings mean; None where there is none, or several.

    Takes a moment: not for the event loop.
    """
    with contextlib.suppress(OSError):  # a device went away while it was looked at
        fitting = [attached for attached in usb_devices() if _fits(settings, attached)]
        if len(fitting) == 1:
            return _words(fitting[0])
    return None


def _fits(settings: UsbDeviceSettings, attached: AttachedPort) -> bool:
    pairs = (
        (settings.vendor, attached.vendor),
        (settings.product, attached.product),
        (settings.serial, attached.serial),
        (settings.path, attached.where),
    )
    return all(wanted in (None, actual) for wanted, actual in pairs)


def _words(attached: AttachedPort) -> str | None:
    if attached.vendor is None or attached.product is None:
        return None
    serial = f"serial {attached.serial}" if attached.serial else "without serial number"
    return f"USB {attached.vendor:04x}:{attached.product:04x} {serial}"
