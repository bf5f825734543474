"""What happens to a device."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from protocols.table_terms import Role


@dataclass(frozen=True, slots=True)
class DeviceConnected:
    """The device's link is open.

    where        the port or address that was opened
    stale_bytes  bytes that lay in the port before it was opened: they were not applied. Where cards
                 may lie face down they are told by the kilobyte, rounded up
    wire         what the link itself says of the device, its USB side's kind and serial number;
                 None where it says nothing
    """

    device: str
    role: Role
    where: str
    stale_bytes: int = 0
    wire: str | None = None
    kind: Literal["device.connected"] = "device.connected"


@dataclass(frozen=True, slots=True)
class DeviceDisconnected:
    """The device's link went away or could not be opened."""

    device: str
    role: Role
    reason: str
    kind: Literal["device.disconnected"] = "device.disconnected"


@dataclass(frozen=True, slots=True)
class DeviceStale:
    """The link is open but the device has been silent for longer than a healthy one is.

    silent_s  for how long it has been silent, in seconds
    """

    device: str
    role: Role
    silent_s: float
    kind: Literal["device.stale"] = "device.stale"


@dataclass(frozen=True, slots=True)
class DeviceFaulted:
    """The device reports a fault, or its bytes are rejected too often.

    condition  the fault's name, until a `device.recovered` of the same name: `garbled`,
               `not_enrolled`, `second_reader`, `shoe_error_4` and others. A new version may have
               more
    """

    device: str
    role: Role
    condition: str
    detail: str
    kind: Literal["device.faulted"] = "device.faulted"


@dataclass(frozen=True, slots=True)
class DeviceRecovered:
    """A condition that was reported by `device.faulted` or `device.stale` is over.

    condition  the name it was reported by; `silent` ends a `device.stale`
    """

    device: str
    role: Role
    condition: str
    kind: Literal["device.recovered"] = "device.recovered"


@dataclass(frozen=True, slots=True)
class DeviceIdentified:
    """The device said what it is.

    text  in the device's own words
    """

    device: str
    role: Role
    text: str
    kind: Literal["device.identified"] = "device.identified"


@dataclass(frozen=True, slots=True)
class DeviceEnrolled:
    """A person says that this device is the table's own.

    known_by  what it is told from others by: its link's serial number, or what it says of itself
    """

    device: str
    role: Role
    known_by: str
    who: str
    why: str
    kind: Literal["device.enrolled"] = "device.enrolled"
