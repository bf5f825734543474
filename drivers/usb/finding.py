"""Finds the USB device that is meant, or says which there are."""

from __future__ import annotations

import ctypes
import socket
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import usb.backend.libusb1
import usb.core

from drivers.errors import LinkAbsent, LinkRefused
from drivers.usb.settings import PresentDevice, UsbDeviceSettings

_SYSFS: Final = Path("/sys/bus/usb/devices")
_UEVENTS: Final = 15
"""NETLINK_KOBJECT_UEVENT: where libusb hears of devices."""


def find_device(settings: UsbDeviceSettings) -> tuple[usb.core.Device, PresentDevice]:
    """Return the only device that fits. Raises LinkAbsent, or LinkRefused where several do."""
    backend = usb.backend.libusb1.get_backend()
    if backend is None:
        raise _no_libusb(str(settings))
    devices = [
        (device, _look_at(device)) for device in usb.core.find(find_all=True, backend=backend)
    ]
    fitting = [pair for pair in devices if settings.fits(pair[1])]
    if not fitting:
        action = "plug it in, or correct `vendor`, `product`, `serial` or `path`"
        alike = ", ".join(sorted(_alike(settings, (present for _, present in devices))))
        raise LinkAbsent(
            str(settings), f"is not there{f'; there is {alike}' if alike else ''}", action
        )
    if len(fitting) > 1:
        names = " and ".join(sorted(str(present) for _, present in fitting))
        what = f"can be any of {len(fitting)} devices: {names}"
        raise LinkRefused(str(settings), what, "choose one by `path`, or by `serial`")
    return fitting[0]


def _look_at(device: usb.core.Device) -> PresentDevice:
    ports = ".".join(map(str, device.port_numbers or ()))
    path = f"{device.bus}-{ports}" if ports else f"usb{device.bus}"
    # Not asked of the device itself: that needs the right to open it.
    serial = _SYSFS / path / "serial"
    try:
        text = serial.read_text("utf-8", "replace").strip() or None
    except OSError:
        text = None
    node = f"/dev/bus/usb/{device.bus or 0:03d}/{device.address or 0:03d}"
    return PresentDevice(device.idVendor, device.idProduct, text, path, node)


def _alike(settings: UsbDeviceSettings, devices: Iterator[PresentDevice]) -> Iterator[str]:
    """Yield the devices of the kind that is meant, or at its place."""
    for present in devices:
        same_product = settings.product in (None, present.product)
        same_kind = settings.vendor == present.vendor and same_product
        if same_kind or settings.path == present.path:
            yield str(present)


def _no_libusb(where: str) -> LinkRefused:
    """Return why pyusb has no backend, which it does not say itself."""
    try:
        ctypes.CDLL("libusb-1.0.so.0")
    except OSError:
        return LinkRefused(where, "libusb is not installed", "install libusb-1.0-0")
    try:
        socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, _UEVENTS).close()
    except OSError:
        return LinkRefused(
            where,
            "libusb may not listen for devices (no netlink socket)",
            "add AF_NETLINK to RestrictAddressFamilies= of the service",
        )
    return LinkRefused(
        where,
        "libusb is there but does not start",
        "run `LIBUSB_DEBUG=4 pitwire run` as the service's user to see why",
    )
