"""`pitwire send`: a command to a table, through the running daemon."""

from __future__ import annotations

import secrets
from datetime import UTC, datetime, timedelta
from typing import Annotated, Any

import typer

from daemon.cli.options import DEFAULT_SOCKET, JsonFlag, SocketOption, ask, json_or_text
from daemon.cli.output import answer, fail
from daemon.exits import Exit


def command(
    table: Annotated[str, typer.Argument(help="The table's id.")],
    name: Annotated[str, typer.Argument(help="The command, such as violation.resolve.")],
    fields: Annotated[list[str] | None, typer.Argument(help="Its fields, key=value each.")] = None,
    socket: SocketOption = DEFAULT_SOCKET,
    as_json: JsonFlag = False,
) -> None:
    """Send a command and show the answer; exit 1 when it is refused."""
    body: dict[str, Any] = {}
    for field in fields or []:
        key, equals, value = field.partition("=")
        if not equals:
            fail(Exit.USAGE, f"{field!r}: key=value is expected", as_json=as_json)
        body[key] = value if key.endswith(("_id", "who", "why", "pocket")) else json_or_text(value)
    expires = datetime.now(UTC) + timedelta(seconds=10)
    payload = {
        **body,
        "id": f"cli-{secrets.token_hex(8)}",
        "expires": expires.isoformat(),
        "command": name,
    }
    for reply in ask(socket, {"verb": "command", "table": table, "command": payload}, as_json):
        if as_json:
            answer(reply)
        elif reply["answer"] == "accepted":
            print(f"{table}: {name} accepted")
        else:
            print(f"{table}: {name} refused: {reply['reason']} {reply.get('detail', '')}".rstrip())
        raise SystemExit(int(Exit.OK if reply["answer"] == "accepted" else Exit.FAILED))
    fail(Exit.UNAVAILABLE, "the daemon went away before it answered", as_json=as_json)
