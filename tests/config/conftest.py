"""A small world of names, so that these tests depend on no device, game or bus."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import pytest

from config.errors import Problem
from config.load import (
    BridgeConfig,
    ConfigError,
    Known,
    KnownDevice,
    KnownGame,
    KnownLink,
    load,
)
from protocols.wiring import SerialWiring, UsbWiring


@dataclass(frozen=True, slots=True)
class WheelSettings:
    pockets: Literal[37, 38] = 37
    levelled: bool = True


@dataclass(frozen=True, slots=True)
class ShoeSettings:
    wrap: Literal["auto", "fixed"] = "auto"


@dataclass(frozen=True, slots=True)
class PortSettings:
    port: str
    baud: int | None = None


@dataclass(frozen=True, slots=True)
class UsbSettings:
    vendor: int
    serial: str | None = None

    def __str__(self) -> str:
        return f"USB {self.vendor:04x} {self.serial}"


@dataclass(frozen=True, slots=True)
class TcpSettings:
    host: str
    port: int


@dataclass(frozen=True, slots=True)
class ReplaySettings:
    file: str
    speed: float = 0


@dataclass(frozen=True, slots=True)
class BusSettings:
    servers: tuple[str, ...] = ("nats://127.0.0.1:4222",)


@dataclass(frozen=True, slots=True)
class RouletteProfile:
    pockets: int
    min_revolutions: int
    rim_event: Literal["live", "after_bets"] = "after_bets"
    spin_timeout_s: float | None = None

    def __post_init__(self) -> None:
        if self.min_revolutions < 1:
            raise ValueError("min_revolutions must be at least 1")


@dataclass(frozen=True, slots=True)
class BaccaratProfile:
    decks: int
    burn_reasons: frozenset[str] = frozenset()


ROULETTE_LV = """
game = "roulette"
title = "Latvia"
source = "house rules, chapter 3"
[rules]
pockets = 37
min_revolutions = 3
rim_event = "after_bets"
[clauses]
pockets = "ours: general knowledge"
min_revolutions = "LV roulette 3.1.1"
rim_event = "ours: nobody may learn it earlier"
"""

BACCARAT_LV = """
game = "baccarat"
title = "Latvia"
source = "house rules, chapter 1"
[rules]
decks = 8
burn_reasons = ["misdeal", "shuffle"]
"""

GOOD = """
site = "riga-1"

[bus]
kind = "nats_jetstream"
servers = ["nats://10.0.0.1:4222", "nats://10.0.0.2:4222"]

[metrics]
listen = "127.0.0.1:9464"

[[table]]
id = "R-01"
game = "roulette"
profile = "roulette-lv"
rules = { min_revolutions = 4 }

[[table.device]]
role = "primary"
device = "cammegh_ss2"
settings = { pockets = 38 }
link = { kind = "serial_port", port = "/dev/serial/by-id/usb-FTDI_A1-if00-port0" }

[[table]]
id = "BAC-07"
game = "baccarat"
profile = "baccarat-lv"
round_control = "device"

[[table.device]]
role = "primary"
device = "angel_eye"
link = { kind = "serial_port", port = "/dev/serial/by-id/usb-FTDI_A2-if00-port0", baud = 9600 }
"""


def _burns_at_discretion(rules: BaccaratProfile) -> bool:
    """Stand for the rule that lets cards lie face down here."""
    return "discretion" in rules.burn_reasons


@pytest.fixture
def good() -> str:
    """Return a file without a fault."""
    return GOOD


@pytest.fixture
def known() -> Known:
    """Return the names that these files may use."""
    return Known(
        devices={
            "cammegh_ss2": KnownDevice(WheelSettings, "wheel", SerialWiring),
            "angel_eye": KnownDevice(ShoeSettings, "shoe", SerialWiring),
            "wedge": KnownDevice(ShoeSettings, "shoe", UsbWiring),
        },
        links={
            "serial_port": KnownLink(PortSettings, live=True, carries=(SerialWiring,)),
            "tcp_serial": KnownLink(TcpSettings, live=True, carries=(SerialWiring,)),
            "usb_device": KnownLink(UsbSettings, live=True, carries=(UsbWiring,)),
            "replay": KnownLink(ReplaySettings, live=False, carries=(SerialWiring, UsbWiring)),
        },
        games={
            "roulette": KnownGame(RouletteProfile, "wheel", lambda _rules: False),
            "baccarat": KnownGame(BaccaratProfile, "shoe", _burns_at_discretion),
        },
        buses={"nats_jetstream": BusSettings},
        profiles={"roulette-lv": ROULETTE_LV, "baccarat-lv": BACCARAT_LV},
    )


@pytest.fixture
def loaded(known: Known) -> Callable[[str], BridgeConfig]:
    """Return a loader of texts that are good."""
    return lambda text: load(text, known, source="pitwire.toml")


@pytest.fixture
def problems(known: Known) -> Callable[[str], tuple[Problem, ...]]:
    """Return a loader of texts that are not: it gives every problem in them."""

    def complain(text: str) -> tuple[Problem, ...]:
        with pytest.raises(ConfigError) as caught:
            load(text, known, source="pitwire.toml")
        return caught.value.problems

    return complain
