"""Asks the running daemon for its tables: round, holds, devices, and what is not yet delivered.

A device that is not well is shown with the reason and the next action, and so are a bus that
refuses events and another daemon that serves the table. `--json` has everything that
`table.status` on the bus has.

Examples:
  pitwire status
  pitwire status --json | jq '.tables[].violations'

Exit codes:
  69  no daemon
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from daemon.cli.options import DEFAULT_SOCKET, SocketOption
from daemon.cli.output import answer


def command(socket: SocketOption = DEFAULT_SOCKET) -> None:
    """Show tables, rounds, holds, devices and the bus."""
    from daemon.cli.control_client import ask

    status = ask(socket, {"verb": "status"})
    answer(status, *_lines(status))


def _lines(status: dict[str, Any]) -> Iterator[str]:
    bus = "connected" if status["bus"] is None else f"NOT connected: {status['bus']}"
    yield f"bus: {bus}"
    if status["journal"] is not None:
        yield f"journal: BLOCKED: {status['journal']}"
    if status["software"] is not None:
        yield f"software: CHANGED: {status['software']}"
        yield "  next: pitwire authenticate"
    if status["metrics"] is not None:
        yield f"metrics: NOT served: {status['metrics']}"
    for table in status["tables"]:
        yield from _table(table)


def _table(table: dict[str, Any]) -> Iterator[str]:
    round_ = table["round"]
    where = f"round {round_['round_id']}, {round_['phase']}" if round_ else "between rounds"
    where += ", its result is held back" if table["result_withheld"] else ""
    yield f"{table['table']}: {table['game']}, {table['mode']}, {where}, seq {table['seq']}"
    if table["inspection"]["due"]:
        what = ", ".join(table["inspection"]["due"])
        yield f"  NOT inspected on {table['inspection']['day']}: {what}"
        first = f"what={table['inspection']['due'][0]} result=passed who=…"
        yield f"  next: pitwire send {table['table']} inspection.record {first}"
    if table["shoe"] is not None:
        yield from _shoe(table["shoe"])
    for device in table["devices"]:
        reason = f": {device['reason']}" if device["reason"] else ""
        action = f"; {device['action']}" if device["action"] else ""
        counts = f"{device['understood']} understood, {device['rejected']} rejected"
        yield f"  {device['role']}: {device['device']} {device['state']}, {counts}{reason}{action}"
        if device["untold"]:
            yield f"    its link cannot tell all that it loses: {device['untold']}"
    lease = table["lease"]
    if lease["state"] == "other":
        yield f"  NOT served here: another daemon serves the table: {lease['owner']}"
        yield "  next: stop it, or give one of the two another id; the lease is asked for again"
    elif lease["state"] == "unknown":
        yield "  NOT served yet: the bus has not said whether another daemon serves the table"
    elif lease["state"] == "held":
        yield f"  served here, fencing number {lease['number']}"
    if table["publisher"]["error"] is not None:
        yield f"  NOT delivered: {table['publisher']['error']}"
        yield f"  next: {table['publisher']['action']}"
    for violation in table["violations"]:
        yield f"  HELD by {violation['violation_id']}: {violation['code']}: {violation['detail']}"


def _shoe(shoe: dict[str, Any]) -> Iterator[str]:
    """Yield what has to be done about the shoe before it is dealt from, or before it leaves."""
    if shoe["unverified"]:
        why = "" if shoe["returned"] is None else ": its pack left this table before"
        yield f"  shoe {shoe['shoe_id']} is to be verified{why}; next: shoe.verify.start"
    if shoe["closing"]:
        yield f"  shoe {shoe['shoe_id']} leaves when it is counted; next: shoe.verify.finish"
