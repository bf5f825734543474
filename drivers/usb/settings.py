"""Which USB device is meant: by its kind, its serial number, or where it is plugged in."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

_PATH: Final = re.compile(r"[0-9]+-[0-9]+(?:\.[0-9]+)*")
_ID_MAX: Final = 0xFFFF


@dataclass(frozen=True, slots=True)
class UsbDeviceSettings:
    """What tells the device from every other: at least one of the first four.

    vendor     of its kind, as lsusb shows it: 0x0c2e
    product    of its kind: 0x0b61
    serial     its own serial number, where it has one
    path       where it is plugged in: bus and ports, 1-2.4
    interface  number of its interface, where several can be meant
    """

    vendor: int | None = None
    product: int | None = None
    serial: str | None = None
    path: str | None = None
    interface: int | None = None

    def __post_init__(self) -> None:
        if (self.vendor, self.product, self.serial, self.path) == (None, None, None, None):
            raise ValueError("no device is named: vendor and product, serial or path is needed")
        for number in (self.vendor, self.product):
            if number is not None and not 0 <= number <= _ID_MAX:
                raise ValueError(f"{number:#x} is not between 0 and {_ID_MAX:#x}")
        if self.path is not None and not _PATH.fullmatch(self.path):
            raise ValueError(f"the path {self.path!r} is not bus and ports, as 1-2.4")

    def __str__(self) -> str:
        """Return it as a technician reads it."""
        kind = f" {_hex(self.vendor)}:{_hex(self.product)}"
        serial = "" if self.serial is None else f" serial {self.serial}"
        path = "" if self.path is None else f" at {self.path}"
        part = "" if self.interface is None else f" interface {self.interface}"
        return f"USB{'' if kind == ' *:*' else kind}{serial}{path}{part}"

    def fits(self, present: PresentDevice) -> bool:
        """Return whether a device that is there can be the one that is meant."""
        return all(
            wanted is None or wanted == actual
            for wanted, actual in (
                (self.vendor, present.vendor),
                (self.product, present.product),
                (self.serial, present.serial),
                (self.path, present.path),
            )
        )


@dataclass(frozen=True, slots=True)
class PresentDevice:
    """A device that is plugged in.

    node  what is opened: /dev/bus/usb/001/004
    """

    vendor: int
    product: int
    serial: str | None
    path: str
    node: str

    def __str__(self) -> str:
        """Return it as a technician reads it."""
        serial = "without serial number" if self.serial is None else f"serial {self.serial}"
        return f"{self.vendor:04x}:{self.product:04x} {serial} at {self.path}"


def _hex(number: int | None) -> str:
    return "*" if number is None else f"{number:04x}"
