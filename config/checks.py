"""What must hold between the parts of a file, once the parts are right."""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Sequence
from typing import Any, Final

from config.complaints import Findings
from config.meaning import Resolved, ResolvedTable, mode_of
from config.places import Path, where
from config.raw import Tree, branch, branches, text
from config.time_zones import zone_of
from config.vocabulary import Known

_KERNEL_NAME: Final = re.compile(r"/dev/(ttyUSB|ttyACM|hidraw)\d+")
# What adapters without a serial number of their own are called: two of them share one by-id link.
_SHARED_NAME: Final = re.compile(
    r"/dev/serial/by-id/usb-(1a86_USB|Prolific_Technology_Inc\._USB-Serial_Controller)[^-]*-if"
)


def check_ids(tree: Tree, findings: Findings) -> None:
    """Every table has an id of its own: events, commands and numbers go by it."""
    first: dict[str, int] = {}
    for position, table in branches(tree, "table"):
        key = text(table, "id")
        if key is not None and first.setdefault(key, position) != position:
            what = f'"{key}" is already the id of table[{first[key]}]'
            findings.problem(("table", position, "id"), what, "expected an id of its own")


def check_time_scale(tree: Tree, findings: Findings) -> None:
    """Real tables run in real time."""
    live = [
        text(table, "id") or f"table[{position}]"
        for position, table in branches(tree, "table")
        if mode_of(table) == "live"
    ]
    scale = tree.get("time_scale", 1)
    if live and isinstance(scale, int | float) and scale != 1:
        what = f"time runs {scale} times as fast, and {', '.join(live)} is live"
        findings.problem(("time_scale",), what, "remove it, or take live tables out of this file")


def check_roles(tree: Tree, findings: Findings) -> None:
    """A table reads one primary device, and at most one of each other role."""
    for position, table in branches(tree, "table"):
        path: Path = ("table", position)
        roles = Counter(text(device, "role") for _, device in branches(table, "device"))
        named = roles.total() - roles[None]
        if named and named == roles.total() and not roles["primary"]:
            findings.problem(path, "no device is the primary", 'expected one role = "primary"')
        seen: set[str] = set()
        for at, device in branches(table, "device"):
            role = text(device, "role")
            if role in seen:
                what = f"this is the second {role} device of the table"
                findings.problem((*path, "device", at, "role"), what, "expected one of each role")
            seen |= {role} if role else set()
        if table.get("witness_wait") and named == roles.total() and not roles["witness"]:
            what = "there is no witness to wait for"
            expected = 'expected a device with role = "witness", or no witness_wait'
            findings.problem((*path, "witness_wait"), what, expected)


def check_round_control(tree: Tree, findings: Findings) -> None:
    """Warns of a live table whose rounds nobody opens: nothing shows when its bets were over."""
    for position, table in branches(tree, "table"):
        if text(table, "round_control") == "device" and mode_of(table) == "live":
            what = (
                "the device opens the rounds and closes their bets by itself:"
                ' that "no more bets" came before is not proven'
            )
            better = 'better round_control = "server"'
            findings.warning(("table", position, "round_control"), what, better)


def check_days(
    tree: Tree, tables: Sequence[ResolvedTable], known: Known, findings: Findings
) -> None:
    """A table's day is in a zone that is known here, and what is inspected each day can wait."""
    for (position, table), resolved in zip(branches(tree, "table"), tables, strict=True):
        path: Path = ("table", position)
        try:
            zone_of(text(table, "time_zone") or "UTC")
        except ValueError as error:
            expected = 'expected an IANA name such as "Europe/Riga" (Debian: package tzdata)'
            findings.problem((*path, "time_zone"), str(error), expected)
        game, profile = known.games.get(text(table, "game") or ""), resolved.profile
        if game is None or profile is None or mode_of(table) != "live":
            continue
        if text(table, "round_control") == "device" and game.inspects(profile.rules):
            what = f'by "{profile.key}" no round opens before the inspections of the day'
            expected = (
                'expected "server": a device that opens rounds does not wait for them;'
                ' or rules = { inspection = "off" }'
            )
            findings.problem((*path, "round_control"), what, expected)


def check_ports(tables: Sequence[ResolvedTable], findings: Findings) -> None:
    """No port is used twice. Warns about names that can come to mean another device."""
    users: dict[tuple[str, str], Path] = {}
    for device in (device for table in tables for device in table.devices):
        if device.link is None:
            continue
        _check_name(device.link.settings, (*device.path, "link"), findings)
        port = _exclusive_port(device.link)
        if port is not None and users.setdefault(port, device.path) != device.path:
            what = f"{port[1]} is already used by {where(users[port])}"
            key = "port" if hasattr(device.link.settings, "port") else "kind"
            path = (*device.path, "link", key)
            findings.problem(path, what, "expected a port of its own")


def check_sealing(
    tree: Tree, tables: Sequence[ResolvedTable], known: Known, findings: Findings
) -> None:
    """Where a live table's cards may lie face down there is a key, or 52 tries would find them."""
    if known.sealing or (branch(tree, "sealing") or {}).get("key") is not None:
        return
    expected = (
        'expected [sealing] key = "<file>", or the file /etc/credstore/pitwire-sealing-key, which'
        " systemd hands over (only root may look there): docs/hidden-cards.md"
    )
    for (position, table), resolved in zip(branches(tree, "table"), tables, strict=True):
        path: Path = ("table", position)
        game, profile = known.games.get(text(table, "game") or ""), resolved.profile
        if table.get("sealed_to") is not None:
            what = "nothing is sealed to the table server without a sealing key"
            findings.problem((*path, "sealed_to"), what, expected)
        elif profile is None or game is None or mode_of(table) != "live":
            continue
        elif game.hides(profile.rules):
            what = f'cards lie face down by "{profile.key}", and there is no sealing key'
            findings.problem((*path, "profile"), what, expected)


def _check_name(link: Any, path: Path, findings: Findings) -> None:
    key = "port" if hasattr(link, "port") else "channel"
    name = getattr(link, key, None)
    if not isinstance(name, str):
        return
    if _KERNEL_NAME.fullmatch(name):
        what = f"{name} may be another device after the next start or replugging"
        better = "better a name under /dev/serial/by-id or /dev/serial/by-path"
        findings.warning((*path, key), what, better)
    elif _SHARED_NAME.match(name):
        what = "adapters of this model have no serial number: two of them share this name"
        findings.warning((*path, key), what, "better a name under /dev/serial/by-path")


def _exclusive_port(link: Resolved) -> tuple[str, str] | None:
    """Return what a link holds for itself alone; None where sharing does no harm.

    A port, a host and its port, or a USB device. A recording may be played twice, and a CAN bus is
    shared.
    """
    port, host = getattr(link.settings, "port", None), getattr(link.settings, "host", None)
    if isinstance(host, str) and isinstance(port, int):
        return link.kind, f"{host}:{port}"
    if hasattr(link.settings, "vendor"):  # a USB device, whose settings name it as text
        return link.kind, str(link.settings)
    # Two names of one node are one port.
    return (link.kind, os.path.realpath(port)) if isinstance(port, str) else None
