"""`pitwire tail`: the running daemon's events as they become durable."""

from __future__ import annotations

from typing import Annotated

import typer

from daemon.cli.options import DEFAULT_SOCKET, JsonFlag, SocketOption, ask
from daemon.cli.output import answer


def command(
    table: Annotated[str | None, typer.Option("--table", "-t", help="Only this table.")] = None,
    socket: SocketOption = DEFAULT_SOCKET,
    as_json: JsonFlag = False,
) -> None:
    """Show events as they happen, until Ctrl-C."""
    from daemon.cli.event_format import event_line

    for envelope in ask(socket, {"verb": "tail", "table": table}, as_json):
        if "tailing" in envelope:
            continue
        if as_json:
            answer(envelope)
        else:
            print(event_line(envelope), flush=True)
