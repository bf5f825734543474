"""What the other rooms offer, as plain values: so this room checks everything and imports none."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

Kind = Literal["shoe", "wheel"]


@dataclass(frozen=True, slots=True)
class KnownDevice:
    """A device: its settings dataclass, and what it is."""

    settings: type[Any]
    kind: Kind


@dataclass(frozen=True, slots=True)
class KnownLink:
    """A link: its settings dataclass, and whether its bytes come from real hardware."""

    settings: type[Any]
    live: bool


@dataclass(frozen=True, slots=True)
class KnownGame:
    """A game: the dataclass of its house rules, and the kind of device that it reads."""

    profile: type[Any]
    device_kind: Kind


@dataclass(frozen=True, slots=True)
class Known:
    """Every name that a file may use.

    buses     name -> settings dataclass
    profiles  name -> TOML text of a profile that comes with pitwire
    """

    devices: Mapping[str, KnownDevice]
    links: Mapping[str, KnownLink]
    games: Mapping[str, KnownGame]
    buses: Mapping[str, type[Any]]
    profiles: Mapping[str, str]
