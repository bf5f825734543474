"""A device that is attached to a table."""

from __future__ import annotations

from dataclasses import dataclass

from daemon.gamekit.spec import Role
from drivers.link import LinkSettings, LinkSpec
from protocols.device import DeviceSpec, Settings


@dataclass(frozen=True, slots=True)
class AttachedDevice:
    """A device of a table: its role there, its kind and settings, and the link that reaches it."""

    role: Role
    spec: DeviceSpec
    settings: Settings
    link: LinkSpec
    link_settings: LinkSettings
