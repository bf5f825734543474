"""A device in its place at a table."""

from __future__ import annotations

from dataclasses import dataclass

from daemon.gamekit.spec import Role
from drivers.link import LinkSettings, LinkSpec
from protocols.device import DeviceSpec, Settings


@dataclass(frozen=True, slots=True)
class AttachedDevice:
    """What the device is, what it plays, and the wire it hangs on."""

    role: Role
    spec: DeviceSpec
    settings: Settings
    link: LinkSpec
    link_settings: LinkSettings
