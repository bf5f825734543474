"""A scenario played: its table, its devices, and every record that it writes."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final

from daemon.gamekit.commitments import Concealed
from daemon.journal.records import Record, Transaction
from daemon.service.assembly import one_table, setup_of
from daemon.service.offline_replay import OfflineReplay, Reader
from daemon.table.state import TableSetup
from drivers.capture import read_capture
from protocols.catalog import devices
from protocols.table_terms import Role

SCENARIOS: Final = Path(__file__).parents[1] / "scenarios"
BESIDE: Final[tuple[Role, ...]] = ("hole", "witness")
KEY: Final = Concealed(b"the key of every scenario: public")


def every_capture() -> list[Path]:
    """Return every recording of a device in the tree."""
    return sorted((SCENARIOS.parent / "captures").glob("*/*.capture"))


def every_scenario() -> list[Path]:
    """Return every scenario's capture; those of devices beside the primary one belong to it."""
    captures = SCENARIOS.glob("*/*.capture")
    return sorted(one for one in captures if not any(f".{role}" in one.name for role in BESIDE))


@dataclass
class Played:
    """What a scenario wrote. Is its journal, in which everything is durable at once."""

    setup: TableSetup
    readers: Mapping[Role, Reader]
    records: list[Record] = field(default_factory=list)
    events: list[bytes] = field(default_factory=list)

    def append(self, transaction: Transaction, done: Callable[[], None]) -> None:
        self.records += transaction.records
        done()


def play(path: Path) -> Played:
    """Replay a scenario, as its header says."""
    capture = read_capture(path)
    header = capture.header
    spec = devices()[header["device"]]
    table = one_table(
        header["game"],
        header["profile"],
        spec.key,
        settings=json.loads(header.get("settings", "{}")),
        round_control=header.get("control", "server"),
        rules=json.loads(header.get("rules", "{}")),
    )
    settings = table.devices[0].settings
    captures = {
        role: read_capture(path.with_name(header[role])) for role in BESIDE if role in header
    }
    specs = {role: devices()[one.header["device"]] for role, one in captures.items()}
    beside: dict[Role, Reader] = {role: (one, one.settings()) for role, one in specs.items()}
    setup = setup_of(table)
    wait_s = float(header.get("witness-wait", 0))
    setup = replace(setup, key=KEY, devices={**setup.devices, **specs}, witness_wait_s=wait_s)
    played = Played(setup, {"primary": (spec.under(settings), settings), **beside})
    _replay(played).run(capture, captures)
    return played


GAMES: Final = {
    "shoe": ("baccarat", "baccarat-dk"),
    "wheel": ("roulette", "roulette-dk"),
    "dice": ("sic_bo", "sic-bo"),
}
"""What is played with each kind of device."""


def play_capture(path: Path) -> Played:
    """Play a recording of a device at a table that opens its rounds itself."""
    capture = read_capture(path)
    spec = devices()[capture.header["device"]]
    table = one_table(*GAMES[spec.kind], spec.key, round_control="device")
    settings = table.devices[0].settings
    played = Played(setup_of(table), {"primary": (spec.under(settings), settings)})
    _replay(played).run(capture)
    return played


def _replay(played: Played) -> OfflineReplay:
    spec, settings = played.readers["primary"]
    beside = {role: reader for role, reader in played.readers.items() if role != "primary"}
    return OfflineReplay(played.setup, spec, settings, played.events.append, played, beside=beside)
