"""The examples and the profiles that come with pitwire load, with the real catalogs."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from config.load import Known, KnownDevice, KnownGame, KnownLink, builtin_profiles, load
from config.profiles import games_of
from daemon.runtime.catalog import buses, games
from drivers.catalog import link_kinds
from protocols.catalog import devices

EXAMPLES = sorted((Path(__file__).parents[2] / "config" / "examples").glob("*.toml"))

ONE_TABLE = """
site = "x"
[sealing]
key = "/etc/pitwire/sealing-key"
[bus]
kind = "{bus}"
[[table]]
id = "T-1"
game = "{game}"
profile = "{profile}"
[[table.device]]
role = "primary"
device = "{device}"
link = {{ kind = "serial_port", port = "/dev/serial/by-id/x" }}
"""


@pytest.fixture(scope="module")
def catalogs() -> Known:
    """Return every name that this tree really has."""
    return Known(
        devices={
            key: KnownDevice(one.settings, one.kind, type(one.wiring))
            for key, one in devices().items()
        },
        links={
            key: KnownLink(one.settings, one.live, one.carries) for key, one in link_kinds().items()
        },
        games={
            key: KnownGame(one.profile_type, one.device_kind, one.hides)
            for key, one in games().items()
        },
        buses={key: one.settings for key, one in buses().items()},
        profiles=builtin_profiles(),
    )


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_an_example_loads_without_a_warning(path: Path, catalogs: Known) -> None:
    text = path.read_text("utf-8")
    tables = tomllib.loads(text)["table"]
    named = {table["game"] for table in tables} | {table["profile"] for table in tables}
    missing = named - set(catalogs.games) - set(catalogs.profiles)
    if missing:
        pytest.skip(f"not in this tree yet: {', '.join(sorted(missing))}")
    config = load(text, catalogs, source=str(path))
    assert config.site == "riga-1"
    assert config.warnings == ()


def test_there_is_an_example_for_a_wheel_shoes_a_serial_server_buses_a_desk_and_a_whole_pc() -> (
    None
):
    stems = [path.stem for path in EXAMPLES]
    assert stems == [
        "can-shoe",
        "desk",
        "line-shoe",
        "mqtt",
        "one-shoe",
        "one-wheel",
        "serial-server",
        "table-pc",
    ]


def test_a_can_adapter_under_a_name_of_the_kernel_is_warned_of(catalogs: Known) -> None:
    path = next(path for path in EXAMPLES if path.stem == "can-shoe")
    adapter = 'interface = "slcan", channel = "/dev/ttyACM0"'
    text = path.read_text("utf-8").replace('channel = "can-table9"', adapter)
    (warning,) = load(text, catalogs, source=str(path)).warnings
    assert warning.where == "table[0].device[0].link.channel"
    assert "another device" in warning.what


@pytest.mark.parametrize("profile", sorted(builtin_profiles()))
def test_a_profile_that_comes_with_pitwire_states_every_rule_of_its_game(
    profile: str, catalogs: Known
) -> None:
    game = games_of(catalogs.profiles)[profile]
    kind = catalogs.games[game].device_kind
    device = next(key for key, one in catalogs.devices.items() if one.kind == kind)
    text = ONE_TABLE.format(
        bus=next(iter(catalogs.buses)), game=game, profile=profile, device=device
    )
    (table,) = load(text, catalogs, source="test").tables
    assert table.profile_digest.startswith("b2:")
    assert len(table.profile_digest) == len("b2:") + 64
