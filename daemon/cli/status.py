"""Asks the running daemon for its tables: round, holds, devices, and what is not yet delivered.

A device that is not well is shown with the reason and the next action, and so is a bus that
refuses events. `--json` has everything that `table.status` on the bus has.

Examples:
  pitwire status
  pitwire status --json | jq '.tables[].violations'

Exit codes:
  69  no daemon
"""

from __future__ import annotations

from daemon.cli.options import DEFAULT_SOCKET, JsonFlag, SocketOption, ask
from daemon.cli.output import answer


def command(socket: SocketOption = DEFAULT_SOCKET, as_json: JsonFlag = False) -> None:
    """Show tables, rounds, holds, devices and the bus."""
    for value in ask(socket, {"verb": "status"}, as_json):
        if as_json:
            answer(value)
            return
        bus = "connected" if value["bus"] is None else f"NOT connected: {value['bus']}"
        print(f"bus: {bus}")
        if value["journal"] is not None:
            print(f"journal: BLOCKED: {value['journal']}")
        for table in value["tables"]:
            opened = table["round"]
            where = f"round {opened['round_id']}, {opened['phase']}" if opened else "between rounds"
            print(
                f"{table['table']}: {table['game']}, {table['mode']}, {where}, seq {table['seq']}"
            )
            for device in table["devices"]:
                reason = f": {device['reason']}" if device["reason"] else ""
                action = f"; {device['action']}" if device["action"] else ""
                print(f"  {device['role']}: {device['device']} {device['state']}{reason}{action}")
            if table["publisher"]["error"] is not None:
                print(f"  NOT delivered: {table['publisher']['error']}")
                print(f"  next: {table['publisher']['action']}")
            for one in table["violations"]:
                print(f"  HELD by {one['violation_id']}: {one['code']}: {one['detail']}")
        return
