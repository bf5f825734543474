"""Arguments and options that several verbs share, and how their values are read."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Iterable, Mapping
from difflib import get_close_matches
from pathlib import Path
from typing import Annotated, Any

import typer

from daemon.cli.completion import device_types, games, profiles, tables
from daemon.cli.output import fail, note
from daemon.exits import Exit

TargetArgument = Annotated[
    str,
    typer.Argument(
        metavar="TABLE|PORT",
        autocompletion=tables,
        help="A table of the running daemon; with --device, a port that no daemon holds.",
    ),
]
PortDeviceOption = Annotated[
    str | None,
    typer.Option(
        "--device",
        "-d",
        metavar="DEVICE",
        autocompletion=device_types,
        help="The device type on that port.",
    ),
]
BaudOption = Annotated[
    int | None,
    typer.Option(min=1, metavar="BAUD", help="The port's speed, if not the device's usual one."),
]
TableArgument = Annotated[
    str, typer.Argument(metavar="TABLE", autocompletion=tables, help="The table's id.")
]
TableOption = Annotated[
    str | None,
    typer.Option("--table", "-t", metavar="TABLE", autocompletion=tables, help="Only this table."),
]
GameOption = Annotated[
    str,
    typer.Option(
        "--game", "-g", metavar="GAME", autocompletion=games, help="The game that is dealt."
    ),
]
ProfileOption = Annotated[
    str | None,
    typer.Option(
        "--profile",
        "-p",
        metavar="PROFILE",
        autocompletion=profiles,
        help="The house's rules; without it the game's default profile.",
    ),
]
RecordedDeviceOption = Annotated[
    str,
    typer.Option(
        "--device",
        "-d",
        metavar="DEVICE",
        autocompletion=device_types,
        help="The device type that sent the bytes.",
    ),
]
DeviceArgument = Annotated[
    str,
    typer.Argument(
        metavar="DEVICE",
        autocompletion=device_types,
        help="The device type, as `pitwire devices --kinds` lists it.",
    ),
]
RuleOption = Annotated[
    list[str] | None,
    typer.Option(
        "--rule",
        metavar="KEY=VALUE",
        help="A rule that the table changed, as `rules` in its configuration; once for each.",
    ),
]
SettingOption = Annotated[
    list[str] | None,
    typer.Option(
        "--setting",
        "-s",
        metavar="KEY=VALUE",
        help="A setting of the device; give it again for another.",
    ),
]
# `readable=False` leaves it to us to say that a file may not be read, with our own exit code.
ConfigOption = Annotated[
    Path,
    typer.Option(
        "--config",
        "-c",
        metavar="FILE",
        envvar="PITWIRE_CONFIG",
        readable=False,
        help="The configuration file.",
    ),
]
SocketOption = Annotated[
    str,
    typer.Option(
        "--socket", metavar="PATH", envvar="PITWIRE_SOCKET", help="The daemon's control socket."
    ),
]
JournalArgument = Annotated[
    Path, typer.Argument(metavar="FILE", readable=False, help="The journal's file.")
]
DEFAULT_JOURNAL = Path("/var/lib/pitwire/journal.db")
DEFAULT_CONFIG = Path("/etc/pitwire/pitwire.toml")
DEFAULT_SOCKET = "/run/pitwire/control.sock"


def find_device(key: str) -> Any:
    """Return the device type with this key; end the verb where there is none, and list them."""
    from protocols.catalog import devices

    spec = devices().get(key)
    if spec is None:
        there = ", ".join(sorted(devices()))
        sentence = f"no device {key!r}; {_nearest(key, devices())}there are: {there}"
        fail(Exit.USAGE, sentence)
    return spec


def _nearest(word: str, known: Iterable[str]) -> str:
    near = get_close_matches(word, known, n=1)
    return f"did you mean {near[0]}? " if near else ""


def read_pairs(pairs: list[str] | None) -> dict[str, Any]:
    """Return key=value pairs as a mapping; a value is JSON where it can be, else text."""
    values: dict[str, Any] = {}
    for pair in pairs or []:
        key, equals, value = pair.partition("=")
        if not equals:
            fail(Exit.USAGE, f"{pair!r}: key=value is expected")
        values[key] = json_or_text(value)
    return values


def read_settings(spec: Any, pairs: list[str] | None) -> Any:
    """Return the device's settings from key=value pairs, or end with what is wrong."""
    from pydantic import TypeAdapter, ValidationError

    from config.complaints import Findings
    from config.files import files_of, with_files

    findings = Findings("")
    given = read_pairs(pairs)
    known = [field.name for field in dataclasses.fields(spec.settings)]
    for key in given:
        if key not in known:
            there = ", ".join(known) or "none"
            sentence = (
                f"{spec.key} has no setting {key!r}; {_nearest(key, known)}there are: {there}"
            )
            fail(Exit.USAGE, sentence)
    for name in files_of(spec.settings):
        if name not in given:
            note(f"{spec.key}: a made-up example, which is no device; name yours: -s {name}=FILE")
    values = with_files(spec.settings, given, (), Path(), findings)
    if values is None:
        fail(Exit.USAGE, findings.problems[0].sentence("--setting"))
    try:
        return TypeAdapter(spec.settings).validate_python(values)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        where = ".".join(str(part) for part in first["loc"])
        fail(Exit.USAGE, f"--setting {where}: {first['msg']}")


def note_another_device(header: Mapping[str, str], device: str) -> None:
    """Say where a capture's own header names another device than it is read as."""
    named = header.get("device", device)
    if named != device:
        note(f"the file is of {named} by its own words, and is read as {device}")


def json_or_text(text: str) -> Any:
    """Return the text as JSON where it is JSON, as it is otherwise."""
    try:
        return json.loads(text)
    except ValueError:
        return text
