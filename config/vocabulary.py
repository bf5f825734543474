"""What the other rooms offer, as plain values: so this room checks everything and imports none."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from protocols.device import DeviceKind
from protocols.wiring import Wiring


@dataclass(frozen=True, slots=True)
class KnownDevice:
    """A device: its settings dataclass, what it is, and how it is wired."""

    settings: type[Any]
    kind: DeviceKind
    wiring: type[Wiring]


@dataclass(frozen=True, slots=True)
class KnownLink:
    """A link: its settings dataclass, whether it is real hardware, and what wirings it carries."""

    settings: type[Any]
    live: bool
    carries: tuple[type[Wiring], ...]


@dataclass(frozen=True, slots=True)
class KnownGame:
    """A game: the dataclass of its house rules, and the kind of device that it reads.

    hides     house rules -> may any card lie face down?
    controls  the values of `round_control` that it can be played with
    inspects  house rules -> what has to pass an inspection each day
    """

    profile: type[Any]
    device_kind: DeviceKind
    hides: Callable[[Any], bool]
    controls: tuple[str, ...] = ("server", "device")
    inspects: Callable[[Any], tuple[str, ...]] = lambda _: ()


@dataclass(frozen=True, slots=True)
class Known:
    """Every name that a file may use.

    buses     name -> settings dataclass
    profiles  name -> TOML text of a profile that comes with pitwire
    sealing   a sealing key is handed over by the service manager
    """

    devices: Mapping[str, KnownDevice]
    links: Mapping[str, KnownLink]
    games: Mapping[str, KnownGame]
    buses: Mapping[str, type[Any]]
    profiles: Mapping[str, str]
    sealing: bool = False
