"""What the names in a file stand for: devices, links, buses, and their settings."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path as FilePath
from typing import Any, Final

from config.complaints import Findings
from config.files import files_of, with_files
from config.places import Path
from config.profiles import ResolvedProfile, resolve_profile
from config.raw import Tree, branch, branches, text
from config.schema import TableFile
from config.vocabulary import Known, KnownGame
from protocols.table_terms import Mode

_DEFAULT_MODE: Final[Mode] = TableFile.model_fields["mode"].default


@dataclass(frozen=True, slots=True)
class Resolved:
    """A name, and an instance of the settings dataclass that it stands for."""

    kind: str
    settings: Any


@dataclass(frozen=True, slots=True)
class ResolvedDevice:
    """A device of a table; a part that was wrong is None, and its problem was added."""

    path: Path
    settings: Any | None
    link: Resolved | None


@dataclass(frozen=True, slots=True)
class ResolvedTable:
    """A table; a profile that was wrong is None, and its problem was added."""

    profile: ResolvedProfile | None
    devices: tuple[ResolvedDevice, ...]


def resolve_bus(tree: Tree, known: Known, findings: Findings) -> Resolved | None:
    """Return the bus and its settings; None with the problem added."""
    section = branch(tree, "bus")
    if section is None:
        return None
    return _kinded(section, ("bus",), "bus", known.buses, findings)


def resolve_tables(
    tree: Tree, known: Known, folder: FilePath, findings: Findings
) -> Iterator[ResolvedTable]:
    """Yield every table with what its names stand for. Files are looked for in `folder`."""
    for position, table in branches(tree, "table"):
        path: Path = ("table", position)
        game_key = text(table, "game")
        game = known.games.get(game_key or "")
        if game_key is not None and game is None:
            findings.unknown((*path, "game"), "game", game_key, known.games)
        devices = tuple(
            _device(device, (*path, "device", at), known, folder, findings)
            for at, device in branches(table, "device")
        )
        _is_controlled(table, path, game, findings)
        for at, device in branches(table, "device"):
            _fits(device, (*path, "device", at), game, known, findings)
            _is_carried(device, (*path, "device", at), known, findings)
            _is_live(device, (*path, "device", at), mode_of(table), known, findings)
            _is_described(device, (*path, "device", at), mode_of(table), known, findings)
        yield ResolvedTable(resolve_profile(table, path, known, folder, findings), devices)


def mode_of(table: Tree) -> str:
    """Return the mode of a table."""
    return text(table, "mode") or _DEFAULT_MODE


def _device(
    device: Tree, path: Path, known: Known, folder: FilePath, findings: Findings
) -> ResolvedDevice:
    key = text(device, "device")
    spec = known.devices.get(key or "")
    settings = None
    if spec is not None:
        place = (*path, "settings")
        data = with_files(spec.settings, branch(device, "settings") or {}, place, folder, findings)
        settings = None if data is None else findings.check(spec.settings, data, place)
    elif key is not None:
        findings.unknown((*path, "device"), "device", key, known.devices)
    kinds = {name: link.settings for name, link in known.links.items()}
    written = branch(device, "link")
    link = None if written is None else _kinded(written, (*path, "link"), "link", kinds, findings)
    return ResolvedDevice(path, settings, link)


def _kinded(
    section: Tree, path: Path, noun: str, kinds: Mapping[str, type[Any]], findings: Findings
) -> Resolved | None:
    """Return a section that names a kind and holds the settings of that kind."""
    kind = text(section, "kind")
    if kind is None:
        return None
    if kind not in kinds:
        findings.unknown((*path, "kind"), f"kind of {noun}", kind, kinds)
        return None
    data = {key: value for key, value in section.items() if key != "kind"}
    settings = findings.check(kinds[kind], data, path)
    return None if settings is None else Resolved(kind, settings)


def _is_controlled(table: Tree, path: Path, game: KnownGame | None, findings: Findings) -> None:
    control = text(table, "round_control")
    if game is not None and control in ("server", "device") and control not in game.controls:
        what = f'"{control}": the cards of this game wait for the table server\'s decisions'
        expected = f"expected {' or '.join(game.controls)}"
        findings.problem((*path, "round_control"), what, expected)


def _fits(
    device: Tree, path: Path, game: KnownGame | None, known: Known, findings: Findings
) -> None:
    key = text(device, "device") or ""
    spec = known.devices.get(key)
    if spec is not None and game is not None and spec.kind != game.device_kind:
        fitting = [
            name
            for name, known_device in known.devices.items()
            if known_device.kind == game.device_kind
        ]
        what = f'"{key}" is a {spec.kind}, this game reads a {game.device_kind}'
        findings.problem((*path, "device"), what, "expected one of: " + ", ".join(sorted(fitting)))


def _is_carried(device: Tree, path: Path, known: Known, findings: Findings) -> None:
    key = text(device, "device") or ""
    kind = text(branch(device, "link") or {}, "kind") or ""
    spec, link = known.devices.get(key), known.links.get(kind)
    if spec is not None and link is not None and spec.wiring not in link.carries:
        fitting = [
            name for name, known_link in known.links.items() if spec.wiring in known_link.carries
        ]
        what = f'the link "{kind}" does not carry "{key}", which is wired by {spec.wiring.title}'
        expected = "expected one of: " + (", ".join(sorted(fitting)) or "none is known")
        findings.problem((*path, "link", "kind"), what, expected)


def _is_live(device: Tree, path: Path, mode: str, known: Known, findings: Findings) -> None:
    kind = text(branch(device, "link") or {}, "kind") or ""
    spec = known.links.get(kind)
    if spec is not None and not spec.live and mode == "live":
        live = ", ".join(
            sorted(name for name, known_link in known.links.items() if known_link.live)
        )
        what = f'the link "{kind}" is not real hardware, and the table is live'
        expected = f'expected a live link ({live or "none is known"}), or mode = "rehearsal"'
        findings.problem((*path, "link", "kind"), what, expected)


def _is_described(device: Tree, path: Path, mode: str, known: Known, findings: Findings) -> None:
    """The default of a described device is an example of ours, which no real device speaks."""
    spec, given = known.devices.get(text(device, "device") or ""), branch(device, "settings") or {}
    for name in files_of(spec.settings) if spec is not None and mode == "live" else ():
        if name not in given:
            what = f'"{name}" is missing, and the table is live'
            expected = "expected the path of the file that describes this device"
            findings.problem((*path, "settings", name), what, expected)
