"""From catalogs to values: what config may name, and what a configured table stands for."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from config.load import BridgeConfig, TableConfig, builtin_profiles, load
from config.vocabulary import Known, KnownDevice, KnownGame, KnownLink
from daemon.devices.attachment import AttachedDevice
from daemon.runtime.catalog import buses, games
from daemon.service.sealing_keys import TableKeys, find_key
from daemon.table.state import NO_KEY, TableSetup
from drivers.catalog import link_kinds
from protocols.catalog import devices


def known() -> Known:
    """Return every name that a configuration may use."""
    return Known(
        devices={
            key: KnownDevice(one.settings, one.kind, type(one.wiring))
            for key, one in devices().items()
        },
        links={
            key: KnownLink(one.settings, one.live, one.carries) for key, one in link_kinds().items()
        },
        games={
            key: KnownGame(one.profile_type, one.device_kind, one.hides, one.controls)
            for key, one in games().items()
        },
        buses={key: one.settings for key, one in buses().items()},
        profiles=builtin_profiles(),
        sealing=find_key(None) is not None,
    )


def setup_of(table: TableConfig, keys: TableKeys | None = None) -> TableSetup:
    """Return what is fixed while this table runs; without keys it hides nothing from anybody."""
    return TableSetup(
        table=table.id,
        game=games()[table.game],
        profile=table.profile,
        profile_key=table.profile_key,
        digest=table.profile_digest,
        control=table.round_control,
        devices={one.role: devices()[one.device].under(one.settings) for one in table.devices},
        key=keys.commitments if keys else NO_KEY,
        lock=keys.lock if keys else None,
        enrolment=table.enrolment,
    )


def plugs_of(table: TableConfig) -> tuple[AttachedDevice, ...]:
    """Return the table's devices in their places."""
    return tuple(
        AttachedDevice(
            one.role,
            devices()[one.device].under(one.settings),
            one.settings,
            link_kinds()[one.link_kind],
            one.link,
        )
        for one in table.devices
    )


def rehearsal(
    *,
    tables: Mapping[str, Mapping[str, Any]],
    bus: Mapping[str, Any],
    journal: str,
    control: str = "",
    time_scale: float = 1.0,
) -> str:
    """Return the text of a configuration in which nothing is live.

    tables  id -> game, profile, device, link (its settings with `kind`), and optionally
            round_control, rules, settings and mode
    """
    lines = ['site = "house"', f"time_scale = {float(time_scale)}"]
    lines += [f"journal = {_toml({'path': journal})}", f"bus = {_toml(bus)}"]
    lines += [f"control = {_toml({'socket': control})}"] if control else []
    lines += ['metrics = { listen = "" }']
    for key, one in tables.items():
        lines += [
            "[[table]]",
            f"id = {_toml(key)}",
            f"mode = {_toml(one.get('mode', 'rehearsal'))}",
        ]
        lines += [f"{name} = {_toml(one[name])}" for name in ("game", "profile")]
        lines += [f"round_control = {_toml(one.get('round_control', 'server'))}"]
        lines += [f"rules = {_toml(one['rules'])}"] if one.get("rules") else []
        lines += ["[[table.device]]", 'role = "primary"', f"device = {_toml(one['device'])}"]
        lines += [f"settings = {_toml(one.get('settings', {}))}", f"link = {_toml(one['link'])}"]
    return "\n".join(lines) + "\n"


def one_table(
    game: str,
    profile: str,
    device: str,
    *,
    settings: Mapping[str, Any] | None = None,
    round_control: str = "device",
    file: str = "-",
    rules: Mapping[str, Any] | None = None,
) -> TableConfig:
    """Return the configuration of one table that replays a file. Raises ConfigError.

    rules  override those of the profile
    """
    table = {
        "game": game,
        "profile": profile,
        "device": device,
        "settings": settings or {},
        "rules": rules or {},
        "round_control": round_control,
        "mode": "replay",
        "link": {"kind": "replay", "file": file},
    }
    text = rehearsal(tables={"T-1": table}, bus={"kind": "stdout"}, journal="/nowhere")
    config: BridgeConfig = load(text, known(), source="the command line")
    return config.tables[0]


def _toml(value: Any) -> str:
    """Return a TOML value; its strings, numbers and lists are spelled as in JSON."""
    if isinstance(value, Mapping):
        inside = ", ".join(f"{key} = {_toml(one)}" for key, one in value.items())
        return f"{{ {inside} }}"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(_toml(one) for one in value) + "]"
    return json.dumps(value)
