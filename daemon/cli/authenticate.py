"""Asks the running daemon to compare program and configuration on the disk with those at its start.

The daemon does so by itself every hour. Where anything has changed, every table is held with
`software_changed`; what was put back is found at the next look, what is approved is played after a
restart. `pitwire --version` prints the program's digest without a daemon.

Examples:
  pitwire authenticate
  pitwire authenticate --json | jq .program

Exit codes:
  0   both are what the daemon was started with
  1   something has changed: every table is held
  69  no daemon
"""

from __future__ import annotations

from daemon.cli.options import DEFAULT_SOCKET, SocketOption
from daemon.cli.output import answer
from daemon.exits import Exit


def command(socket: SocketOption = DEFAULT_SOCKET) -> None:
    """Ask whether program and configuration are unchanged."""
    from daemon.cli.control_client import ask

    found = ask(socket, {"verb": "authenticate"})
    changed = found["changed"]
    answer(
        found,
        f"program       {found['program'] or 'cannot be read'}",
        f"configuration {found['configuration'] or 'cannot be read'}",
        "both are what the daemon was started with" if changed is None else f"CHANGED: {changed}",
    )
    if changed is not None:
        raise SystemExit(int(Exit.FAILED))
