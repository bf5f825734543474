"""Writes a configuration in which nothing is live: for the demo, the replay and the tests."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any


def rehearsal_text(
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
    for key, table in tables.items():
        lines += [
            "[[table]]",
            f"id = {_toml(key)}",
            f"mode = {_toml(table.get('mode', 'rehearsal'))}",
        ]
        lines += [f"{name} = {_toml(table[name])}" for name in ("game", "profile")]
        lines += [f"round_control = {_toml(table.get('round_control', 'server'))}"]
        lines += [f"rules = {_toml(table['rules'])}"] if table.get("rules") else []
        lines += ["[[table.device]]", 'role = "primary"', f"device = {_toml(table['device'])}"]
        lines += [
            f"settings = {_toml(table.get('settings', {}))}",
            f"link = {_toml(table['link'])}",
        ]
    return "\n".join(lines) + "\n"


def _toml(value: Any) -> str:
    """Return a TOML value; its strings, numbers and lists are spelled as in JSON."""
    if isinstance(value, Mapping):
        inside = ", ".join(f"{key} = {_toml(item)}" for key, item in value.items())
        return f"{{ {inside} }}"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(_toml(item) for item in value) + "]"
    return json.dumps(value)
