"""What is plugged into this machine, as far as the system tells without opening anything."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal

from serial.tools import list_ports
from serial.tools.list_ports_common import ListPortInfo

_SYSFS: Final = Path("/sys")
_NAMES: Final = (Path("/dev/serial/by-id"), Path("/dev/pitwire"), Path("/dev/serial/by-path"))
"""Folders of a port's stable names, the best first."""
_CAN: Final = "280"
"""ARPHRD_CAN, as /sys/class/net/*/type has it."""
_HUB: Final = "09"
_HID: Final = "03"
_KEYBOARD: Final = "01"

Wiring = Literal["serial", "usb", "can"]


@dataclass(frozen=True, slots=True)
class AttachedPort:
    """Something that a link can open.

    where       what the link's setting takes: a port, bus and ports of a USB device, an interface
    node        what is opened, "" for a CAN interface
    names       every stable name of a serial port, the best first
    vendor      with `product` and `serial`: of its USB side, None where it has none
    driver      the kernel's driver that has it now
    speaks      for a USB device: `keyboard` or `hid`, by its interfaces
    latency_ms  for how long an FTDI adapter holds received bytes back; None for others
    up          whether a CAN interface is set up
    """

    wiring: Wiring
    where: str
    node: str
    title: str
    names: tuple[str, ...] = ()
    vendor: int | None = None
    product: int | None = None
    serial: str | None = None
    location: str | None = None
    driver: str | None = None
    speaks: Literal["keyboard", "hid"] | None = None
    latency_ms: int | None = None
    up: bool | None = None


def plugged() -> tuple[AttachedPort, ...]:
    """Return everything that a link could open. Takes a moment: not for the event loop."""
    return (*serial_ports(), *usb_devices(), *_can_interfaces())


def serial_ports() -> tuple[AttachedPort, ...]:
    """Return the serial ports. Ptys are not among them."""
    return tuple(_serial_ports())


def _serial_ports() -> Iterator[AttachedPort]:
    for port in _comports():
        names = _names_of(port.device)
        tty = _SYSFS / "class/tty" / port.name / "device"
        latency = _text(tty / "latency_timer")
        yield AttachedPort(
            wiring="serial",
            where=_best_name(names, port.serial_number) or port.device,
            node=port.device,
            title=" ".join(filter(None, (port.manufacturer, port.product))) or "serial port",
            names=names,
            vendor=port.vid,
            product=port.pid,
            serial=port.serial_number,
            location=_location(port.location, _text(tty / "port_number")),
            driver=_link(tty / "driver"),
            latency_ms=int(latency) if latency and latency.isdecimal() else None,
        )


def _names_of(node: str) -> tuple[str, ...]:
    return tuple(str(path) for folder in _NAMES for path in _entries(folder) if _is(path, node))


def _comports() -> list[ListPortInfo]:
    try:
        return sorted(list_ports.comports())
    except (OSError, TypeError, ValueError):  # pyserial stumbles over an adapter that just went
        return []


def _entries(folder: Path) -> list[Path]:
    try:
        return sorted(folder.iterdir())
    except OSError:  # udev removes it with its last entry
        return []


def _is(path: Path, node: str) -> bool:
    try:
        return path.samefile(node)
    except OSError:  # a name that leads nowhere any more
        return False


def _best_name(names: tuple[str, ...], serial: str | None) -> str | None:
    """Return the name that means this port alone: by-id only where there is a serial number."""
    by_id = str(_NAMES[0])
    fitting = [name for name in names if serial or not name.startswith(by_id)]
    return next(iter(fitting), None)


def _location(usb_path: str | None, port_number: str | None) -> str | None:
    """Return where a port is: bus and ports, interface, and its number in a many-port adapter."""
    return f"{usb_path}#{port_number}" if usb_path and port_number not in (None, "0") else usb_path


def usb_devices() -> Iterator[AttachedPort]:
    """Yield the USB devices without a serial port of their own. From sysfs: it needs no libusb."""
    folder = _SYSFS / "bus/usb/devices"
    for device in _entries(folder):
        if ":" in device.name or _text(device / "bDeviceClass") in (None, _HUB):
            continue
        if any(device.glob("*:*/tty*")) or any(device.glob("*:*/tty/*")):
            continue
        node = f"/dev/bus/usb/{_number(device, 'busnum'):03d}/{_number(device, 'devnum'):03d}"
        maker, product = _text(device / "manufacturer"), _text(device / "product")
        interfaces = sorted(folder.glob(f"{device.name}:*"))
        yield AttachedPort(
            wiring="usb",
            where=device.name,
            node=node,
            title=" ".join(filter(None, (maker, product))) or "USB device",
            vendor=_number(device, "idVendor", 16),
            product=_number(device, "idProduct", 16),
            serial=_text(device / "serial"),
            location=device.name,
            driver=next(
                filter(None, (_link(interface / "driver") for interface in interfaces)), None
            ),
            speaks=_speaks(interfaces),
        )


def _speaks(interfaces: list[Path]) -> Literal["keyboard", "hid"] | None:
    hid = [interface for interface in interfaces if _text(interface / "bInterfaceClass") == _HID]
    if not hid:
        return None
    keyboard = any(_text(interface / "bInterfaceProtocol") == _KEYBOARD for interface in hid)
    return "keyboard" if keyboard else "hid"


def _can_interfaces() -> Iterator[AttachedPort]:
    folder = _SYSFS / "class/net"
    for interface in _entries(folder):
        if _text(interface / "type") == _CAN:
            driver = _link(interface / "device/driver")
            up = int(_text(interface / "flags") or "0", 16) & 1 == 1
            title = f"CAN interface of {driver}" if driver else "CAN interface"
            yield AttachedPort("can", interface.name, "", title, driver=driver, up=up)


def _text(path: Path) -> str | None:
    """Return what an attribute says, None where there is none."""
    try:
        return path.read_text("utf-8", "replace").strip() or None
    except OSError:
        return None


def _number(device: Path, name: str, base: int = 10) -> int:
    try:
        return int(_text(device / name) or "0", base)
    except ValueError:
        return 0


def _link(path: Path) -> str | None:
    try:
        return path.readlink().name
    except OSError:
        return None
