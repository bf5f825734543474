"""From a configuration to a table: the names it may use, and the parts that a table is made of."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import time
from typing import Any

from config.load import BridgeConfig, TableConfig, builtin_profiles, load
from config.rehearsal_text import rehearsal_text
from config.time_zones import zone_of
from config.vocabulary import Known, KnownDevice, KnownGame, KnownLink
from daemon.devices.attachment import AttachedDevice
from daemon.runtime.catalog import buses, games
from daemon.service.sealing_keys import TableKeys, find_key
from daemon.table.state import NO_KEY, TableSetup
from drivers.catalog import link_kinds
from protocols.catalog import devices
from protocols.gaming_day import GamingDay


def known() -> Known:
    """Return every name that a configuration may use."""
    return Known(
        devices={
            key: KnownDevice(spec.settings, spec.kind, type(spec.wiring))
            for key, spec in devices().items()
        },
        links={
            key: KnownLink(spec.settings, spec.live, spec.carries)
            for key, spec in link_kinds().items()
        },
        games={
            key: KnownGame(
                game.profile_type, game.device_kind, game.hides, game.controls, game.inspects
            )
            for key, game in games().items()
        },
        buses={key: spec.settings for key, spec in buses().items()},
        profiles=builtin_profiles(),
        sealing=find_key(None) is not None,
    )


def setup_of(table: TableConfig, keys: TableKeys | None = None) -> TableSetup:
    """Return what is fixed while this table runs; without keys its hidden cards are not sealed.

    A replay asks for no inspection: its day is not the day on which it is played again.
    """
    game = games()[table.game]
    return TableSetup(
        table=table.id,
        game=game,
        profile=table.profile,
        profile_key=table.profile_key,
        digest=table.profile_digest,
        control=table.round_control,
        devices={
            placed.role: devices()[placed.device].under(placed.settings) for placed in table.devices
        },
        key=keys.commitments if keys else NO_KEY,
        lock=keys.lock if keys else None,
        enrolment=table.enrolment,
        witness_wait_s=table.witness_wait_s,
        inspects=() if table.mode == "replay" else game.inspects(table.profile),
        gaming_day=GamingDay(zone_of(table.time_zone), time.fromisoformat(table.day_starts)),
    )


def attached_devices(table: TableConfig) -> tuple[AttachedDevice, ...]:
    """Return the table's devices, each with its role, its link and their settings."""
    return tuple(
        AttachedDevice(
            placed.role,
            devices()[placed.device].under(placed.settings),
            placed.settings,
            link_kinds()[placed.link_kind],
            placed.link,
        )
        for placed in table.devices
    )


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
    text = rehearsal_text(tables={"T-1": table}, bus={"kind": "stdout"}, journal="/nowhere")
    config: BridgeConfig = load(text, known(), source="the command line")
    return config.tables[0]
