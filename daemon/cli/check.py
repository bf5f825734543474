"""`pitwire check`: is the configuration right? Every problem at once."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from daemon.cli.options import DEFAULT_CONFIG, JsonFlag
from daemon.cli.output import answer, fail, note, why
from daemon.exits import Exit

if TYPE_CHECKING:
    from config.load import TableConfig


def command(
    config: Annotated[
        Path,
        typer.Argument(envvar="PITWIRE_CONFIG", readable=False, help="The configuration file."),
    ] = DEFAULT_CONFIG,
    schema: Annotated[
        bool, typer.Option("--schema", help="Print the file's JSON Schema for editors instead.")
    ] = False,
    as_json: JsonFlag = False,
) -> None:
    """Check a configuration file; exit 78 when it has problems."""
    from config.editor import json_schema
    from config.errors import ConfigError
    from config.load import load
    from daemon.service.assembly import known
    from daemon.service.sealing_keys import BadKey, table_keys

    if schema:
        answer(json_schema(known()))
        return
    try:
        loaded = load(config.read_text("utf-8"), known(), source=str(config))
        table_keys(loaded)
    except (OSError, UnicodeDecodeError) as error:
        fail(Exit.CONFIG, f"{config} cannot be read: {why(error)}", as_json=as_json)
    except ConfigError as error:
        if as_json:
            answer({"ok": False, "problems": [dataclasses.asdict(one) for one in error.problems]})
        else:
            for problem in error.problems:
                note(problem.sentence(error.source))
        raise SystemExit(int(Exit.CONFIG)) from error
    except BadKey as error:
        fail(Exit.CONFIG, f"{error.what}; {error.action}", as_json=as_json)
    if as_json:
        warnings = [dataclasses.asdict(one) for one in loaded.warnings]
        described = [one for table in loaded.tables for one in _described(table)]
        answer({"ok": True, "digest": loaded.digest, "warnings": warnings, "described": described})
        return
    for problem in loaded.warnings:
        note("warning: " + problem.sentence(str(config)))
    for table in loaded.tables:
        print(
            f"{table.id}: {table.game} by {table.profile_key}, {table.mode}, {table.profile_digest}"
        )
        if table.round_control == "device":
            print(
                "  rounds are opened by the device: what a round is cannot be checked against"
                " the table server"
            )
        for one in _described(table):
            print(f"  {one['role']}: {one['device']}, {one['title']}")
            for sentence in one["notes"]:
                print(f"    {sentence}")
    print(f"{config}: no problems")


def _described(table: TableConfig) -> list[dict[str, Any]]:
    """Return the devices that their settings describe, and what to know of them."""
    from protocols.catalog import devices

    found = []
    for one in table.devices:
        spec = devices()[one.device]
        if spec.described is not None:
            made = spec.under(one.settings)
            found.append(
                {
                    "table": table.id,
                    "role": one.role,
                    "device": one.device,
                    "title": made.title,
                    "notes": list(made.notes),
                }
            )
    return found
