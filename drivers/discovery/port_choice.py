"""Which serial port is meant: a path, or a USB adapter by maker, model and serial number.

/dev/serial/by-id/…    refused where two adapters share it: the link leads to the later one
usb:0403:6001          vendor and product in hex: the only port of such an adapter
usb:0403:6001:A50285   the one with this serial number
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from drivers.discovery.attached import AttachedPort, serial_ports
from drivers.errors import LinkAbsent, LinkRefused

_USB: Final = re.compile(r"usb:([0-9A-Fa-f]{4}):([0-9A-Fa-f]{4})(?::(.+))?")
_BY_ID: Final = "/dev/serial/by-id/"


def check_spelling(port: str) -> None:
    """Raise ValueError for a port that is spelled as an adapter and names none."""
    if port.startswith("usb:") and not _USB.fullmatch(port):
        raise ValueError(f"{port!r} is not vendor, product and serial number: usb:0403:6001:A50285")


def node_of(port: str) -> str:
    """Return the node to open. Raises LinkAbsent, and LinkRefused where several can be meant.

    Takes a moment: not for the event loop.
    """
    if port.startswith("usb:"):
        return _by_usb(port)
    if port.startswith(_BY_ID) and Path(port).exists():
        _refuse_shared(port, serial_ports())
    return port


def _by_usb(port: str) -> str:
    parts = _USB.fullmatch(port)
    if parts is None:
        action = "write vendor, product and serial number as usb:0403:6001:A50285"
        raise LinkRefused(port, "names no USB adapter", action)
    vendor, product, serial = int(parts[1], 16), int(parts[2], 16), parts[3]
    fitting = [
        attached
        for attached in serial_ports()
        if (attached.vendor, attached.product) == (vendor, product)
        and serial in (None, attached.serial)
    ]
    if not fitting:
        raise LinkAbsent(port, "is not there", "plug the adapter in, or correct `port`")
    if len(fitting) > 1:
        raise _ambiguous(port, fitting)
    return fitting[0].node


def _refuse_shared(port: str, ports: Sequence[AttachedPort]) -> None:
    """Udev makes one link of one name; who else would have had it is seen by its identity."""
    meant = next((attached for attached in ports if port in attached.names), None)
    alike = [
        attached
        for attached in ports
        if meant is not None and _identity(attached) == _identity(meant)
    ]
    if len(alike) > 1:
        raise _ambiguous(port, alike)


def _identity(attached: AttachedPort) -> tuple[object, ...]:
    """Return what udev makes a by-id name of."""
    _, _, part = (attached.location or "").partition(":")
    return attached.vendor, attached.product, attached.serial, attached.title, part


def _ambiguous(port: str, fitting: Sequence[AttachedPort]) -> LinkRefused:
    names = " and ".join(sorted(_told_apart(attached) for attached in fitting))
    what = f"can be any of {len(fitting)} ports: {names}"
    return LinkRefused(port, what, "choose one by its name under /dev/serial/by-path")


def _told_apart(attached: AttachedPort) -> str:
    by_path = next((name for name in attached.names if "/by-path/" in name), None)
    return by_path or f"{attached.node} at {attached.location or 'an unknown place'}"
