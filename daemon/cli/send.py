"""Sends one command through the running daemon and prints the answer: accepted, or refused and why.

Allowed are root, the daemon's own user, and the group pitwire-admin. Quote text that has spaces.

Examples:
  pitwire send BAC-1 round.void round_id=R-1041 reason=misdeal
  pitwire send BAC-1 maintenance.start who=Ann 'why=new cable'
  pitwire send B7 violation.resolve violation_id=V3 action=void who=Al why=wet

Exit codes:
  0   accepted
  1   refused, or no such table
  2   no such command, or a field is wrong or missing
  69  no daemon
"""

from __future__ import annotations

import secrets
from datetime import UTC, datetime, timedelta
from typing import Annotated

import typer

from daemon.cli.command_fields import describe_commands, read_fields
from daemon.cli.completion import command_names
from daemon.cli.options import DEFAULT_SOCKET, SocketOption, TableArgument
from daemon.cli.output import answer, fail
from daemon.exits import Exit

MANUAL = "\n".join(
    (
        __doc__,
        "Commands, each with its fields; those in brackets may be left out:",
        *(f"  {line}" for line in describe_commands(width=74)),
    )
)
"""What `pitwire send --help` says: the text above, then every command of the contract."""


def command(
    table: TableArgument,
    name: Annotated[
        str,
        typer.Argument(
            metavar="COMMAND", autocompletion=command_names, help="One of the commands above."
        ),
    ],
    fields: Annotated[
        list[str] | None, typer.Argument(metavar="FIELD=VALUE", help="The command's fields.")
    ] = None,
    socket: SocketOption = DEFAULT_SOCKET,
) -> None:
    """Send a command to a table."""
    from daemon.cli.control_client import ask

    body, problems = read_fields(name, fields or ())
    if problems:
        fail(Exit.USAGE, "; ".join(problems))
    expires = datetime.now(UTC) + timedelta(seconds=10)
    payload = {
        **body,
        "id": f"cli-{secrets.token_hex(8)}",
        "expires": expires.isoformat(),
        "command": name,
    }
    reply = ask(socket, {"verb": "command", "table": table, "command": payload})
    accepted = reply["answer"] == "accepted"
    refusal = f"refused: {reply.get('reason')} {reply.get('detail', '')}".rstrip()
    answer(reply, f"{table}: {name} {'accepted' if accepted else refusal}")
    raise SystemExit(int(Exit.OK if accepted else Exit.FAILED))
