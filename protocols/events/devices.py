"""What happens to a device."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True)
class DeviceConnected:
    """The device's link is open. `stale_bytes` lay in the port before; they were not applied.

    Where cards may lie face down they are told by the kilobyte, rounded up.
    `wire` is what the link itself says of the device: its USB side's kind and serial number.
    """

    device: str
    role: str
    where: str
    stale_bytes: int = 0
    wire: str | None = None
    kind: Literal["device.connected"] = "device.connected"


@dataclass(frozen=True, slots=True)
class DeviceDisconnected:
    """The device's link went away or could not be opened."""

    device: str
    role: str
    reason: str
    kind: Literal["device.disconnected"] = "device.disconnected"


@dataclass(frozen=True, slots=True)
class DeviceStale:
    """The link is open but the device has been silent for longer than a healthy one is."""

    device: str
    role: str
    silent_s: float
    kind: Literal["device.stale"] = "device.stale"


@dataclass(frozen=True, slots=True)
class DeviceFaulted:
    """The device reports a fault, or its bytes are rejected too often. Named by `condition`."""

    device: str
    role: str
    condition: str
    detail: str
    kind: Literal["device.faulted"] = "device.faulted"


@dataclass(frozen=True, slots=True)
class DeviceRecovered:
    """A condition that was reported by faulted or stale is over."""

    device: str
    role: str
    condition: str
    kind: Literal["device.recovered"] = "device.recovered"


@dataclass(frozen=True, slots=True)
class DeviceIdentified:
    """The device said what it is."""

    device: str
    role: str
    text: str
    kind: Literal["device.identified"] = "device.identified"


@dataclass(frozen=True, slots=True)
class DeviceEnrolled:
    """A person says that this device is the table's own; `known_by` is what it is told by."""

    device: str
    role: str
    known_by: str
    who: str
    why: str
    kind: Literal["device.enrolled"] = "device.enrolled"
