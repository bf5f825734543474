"""A device that is attached to a table."""

from __future__ import annotations

from dataclasses import dataclass

from drivers.link import LinkSettings, LinkSpec
from protocols.device import DeviceSpec, Settings
from protocols.table_terms import Role


@dataclass(frozen=True, slots=True)
class AttachedDevice:
    """A device of a table: its role there, its kind and settings, and the link that reaches it."""

    role: Role
    spec: DeviceSpec
    settings: Settings
    link: LinkSpec
    link_settings: LinkSettings
