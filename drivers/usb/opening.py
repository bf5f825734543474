"""Opens an interface of a USB device, or says why not, with the action for a technician."""

from __future__ import annotations

import contextlib
import errno
import os
from typing import Final

import usb.core
import usb.util

from drivers.errors import LinkError, LinkRefused
from drivers.opening_errors import Advice, opening_error
from drivers.usb.finding import find_device
from drivers.usb.interface import Pipes, UsbInterface, give_back
from drivers.usb.settings import PresentDevice, UsbDeviceSettings
from protocols.wiring import UsbWiring

_IN: Final = 0x80
_KIND: Final = 0x03
_INTERRUPT: Final = 0x03
_TO_INTERFACE: Final = 0x21
_SET_IDLE: Final = 0x0A
_REQUEST_MS: Final = 1000


def open_interface(settings: UsbDeviceSettings, wiring: UsbWiring) -> UsbInterface:
    """Find the device and claim its interface, taking it from the kernel's driver.

    With the driver goes what the device would type into the desktop. Raises LinkAbsent, LinkBusy,
    LinkDenied, LinkRefused or LinkLost. May take seconds with a sick device: not for the event
    loop.
    """
    where = str(settings)
    try:
        device, present = find_device(settings)
    except usb.core.USBError as error:
        raise LinkRefused(where, f"cannot be looked for: {error}", "restart the service") from error
    try:
        pipes = _choose(where, _configuration(device), settings.interface, wiring)
        _claim(device, pipes.number)
    except usb.core.USBError as error:
        usb.util.dispose_resources(device)
        raise _trouble(where, present, error) from error
    except LinkError:
        usb.util.dispose_resources(device)
        raise
    interface = UsbInterface(where, device, pipes)
    try:
        interface.take_stale()
    except LinkError:
        interface.release()
        raise
    return interface


def _configuration(device: usb.core.Device) -> usb.core.Configuration:
    try:
        return device.get_active_configuration()
    except usb.core.USBError as error:
        if error.errno is not None:
            raise
    # Only where it has none: to choose it anew would restart the device.
    device.set_configuration()
    return device.get_active_configuration()


def _choose(
    where: str, configuration: usb.core.Configuration, number: int | None, wiring: UsbWiring
) -> Pipes:
    fitting = [
        pipes
        for interface in configuration
        if interface.bInterfaceClass == wiring.interface_class
        and interface.bAlternateSetting == 0
        and number in (None, interface.bInterfaceNumber)
        and (pipes := _pipes(interface, wiring.report_size)) is not None
    ]
    if len(fitting) == 1:
        return fitting[0]
    kind = f"of class {wiring.interface_class:02x} that sends reports"
    if not fitting:
        wanted = "no interface" if number is None else f"no interface {number}"
        action = "correct `interface`, or the device: it may be set to another mode"
        raise LinkRefused(where, f"has {wanted} {kind}", action)
    numbers = ", ".join(str(pipes.number) for pipes in fitting)
    raise LinkRefused(where, f"has several interfaces {kind}: {numbers}", "choose by `interface`")


def _pipes(interface: usb.core.Interface, report_size: int) -> Pipes | None:
    source: usb.core.Endpoint | None = None
    sink: int | None = None
    for endpoint in interface:
        if endpoint.bmAttributes & _KIND != _INTERRUPT:
            continue
        if not endpoint.bEndpointAddress & _IN:
            sink = endpoint.bEndpointAddress
        elif source is None:
            source = endpoint
    if source is None:
        return None
    packet = source.wMaxPacketSize
    size = -(-report_size // packet) * packet
    return Pipes(interface.bInterfaceNumber, source.bEndpointAddress, size, sink)


def _claim(device: usb.core.Device, number: int) -> None:
    if device.is_kernel_driver_active(number):
        device.detach_kernel_driver(number)
    try:
        usb.util.claim_interface(device, number)
    except usb.core.USBError:
        give_back(device, number)
        raise
    _want_changes_only(device, number)


def _want_changes_only(device: usb.core.Device, number: int) -> None:
    """Let a keyboard be silent while nothing changes, as the kernel's driver does."""
    with contextlib.suppress(usb.core.USBError):  # other devices need not know the request
        device.ctrl_transfer(_TO_INTERFACE, _SET_IDLE, 0, number, b"", _REQUEST_MS)


def _trouble(where: str, present: PresentDevice, error: usb.core.USBError) -> LinkError:
    number = error.errno
    if (
        number == errno.EIO
    ):  # what libusb makes of every errno that it does not know, EPERM among them
        number = _errno_of_opening(present.node)
    advice = Advice(
        absent="plug the device in",
        denied="install the udev rules that come with pitwire, or let a rule of your own give"
        f' vendor {present.vendor:04x} GROUP="dialout", MODE="0660" ({present.node})',
        outside="let the unit say DeviceAllow=char-usb_device rw",
        refused="plug it in anew, or correct the link",
    )
    return opening_error(where, present.node, error, number, advice)


def _errno_of_opening(node: str) -> int | None:
    """Return the errno of opening a node, None where it can be opened."""
    try:
        os.close(os.open(node, os.O_RDWR | os.O_CLOEXEC))
    except OSError as error:
        return error.errno
    return None
