"""What every event, command, answer and status looks like, for the table server's engineers.

Without a name: all of it, as one AsyncAPI 3.0 document. With one: the JSON Schema of that message
alone. `--into` writes both, `asyncapi.json` and `schemas/` with a file for each message; docs/ has
them so.

Examples:
  pitwire schema > asyncapi.json
  pitwire schema card.dealt
  pitwire schema status
  pitwire schema --into docs

Exit codes:
  1  the files cannot be written
  2  no such message
"""

from __future__ import annotations

import json
from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from daemon.cli.completion import messages
from daemon.cli.output import fail, why
from daemon.exits import Exit

if TYPE_CHECKING:
    from collections.abc import Iterable


def command(
    message: Annotated[
        str | None,
        typer.Argument(
            metavar="MESSAGE",
            autocompletion=messages,
            help="An event or a command, `answer` or `status`; without one: everything.",
        ),
    ] = None,
    into: Annotated[
        Path | None,
        typer.Option(metavar="FOLDER", help="Write asyncapi.json and schemas/ into this folder."),
    ] = None,
) -> None:
    """Print the contract: AsyncAPI 3.0, or a message's JSON Schema."""
    from daemon.service.contract.asyncapi import asyncapi
    from daemon.service.contract.json_schemas import json_schema, json_schemas

    if message is not None and message not in (known := json_schemas()):
        fail(Exit.USAGE, f"there is no message {message}{_meant(message, known)}")
    if into is not None:
        files = {"asyncapi.json": asyncapi()}
        files |= {f"schemas/{name}.json": schema for name, schema in json_schemas().items()}
        _write(into, files)
    else:
        print(_spelled(asyncapi() if message is None else json_schema(message)), end="")


def _spelled(document: dict[str, Any]) -> str:
    return json.dumps(document, indent=2, sort_keys=True, ensure_ascii=False) + "\n"


def _meant(message: str, known: Iterable[str]) -> str:
    close = get_close_matches(message, list(known), n=1)
    return f"; {close[0]}?" if close else "; `pitwire schema` has all of them"


def _write(folder: Path, files: dict[str, dict[str, Any]]) -> None:
    try:
        (folder / "schemas").mkdir(parents=True, exist_ok=True)
        for name, document in files.items():
            (folder / name).write_text(_spelled(document), encoding="utf-8")
    except OSError as error:
        fail(Exit.FAILED, f"{error.filename}: {why(error)}")
