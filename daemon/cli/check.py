"""`pitwire check`: is the configuration right? Every problem at once."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import Annotated

import typer

from daemon.cli.say import answer, fail, note, why
from daemon.cli.shared import DEFAULT_CONFIG, JsonFlag
from daemon.exits import Exit


def command(
    config: Annotated[
        Path, typer.Argument(envvar="PITWIRE_CONFIG", help="The configuration file.")
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
    from daemon.known import known

    if schema:
        answer(json_schema(known()))
        return
    try:
        loaded = load(config.read_text("utf-8"), known(), source=str(config))
    except (OSError, UnicodeDecodeError) as error:
        fail(Exit.CONFIG, f"{config} cannot be read: {why(error)}", as_json=as_json)
    except ConfigError as error:
        if as_json:
            answer({"ok": False, "problems": [dataclasses.asdict(one) for one in error.problems]})
        else:
            for problem in error.problems:
                note(problem.sentence(error.source))
        raise SystemExit(int(Exit.CONFIG)) from error
    if as_json:
        warnings = [dataclasses.asdict(one) for one in loaded.warnings]
        answer({"ok": True, "digest": loaded.digest, "warnings": warnings})
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
    print(f"{config}: no problems")
