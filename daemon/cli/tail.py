"""Prints each event of the running daemon when it is durable in the journal, until Ctrl-C.

A line has the time, the table, the event's seq, its kind, and what it says. Events from before the
start are not shown: see `pitwire journal show`.

Examples:
  pitwire tail
  pitwire tail --table BAC-1
  pitwire tail --json | jq .data

Exit codes:
  69  no daemon
"""

from __future__ import annotations

from daemon.cli.options import DEFAULT_SOCKET, SocketOption, TableOption
from daemon.cli.output import answer


def command(
    table: TableOption = None,
    socket: SocketOption = DEFAULT_SOCKET,
) -> None:
    """Print events as they become durable."""
    from daemon.cli.control_client import stream
    from daemon.cli.event_format import event_line

    for envelope in stream(socket, {"verb": "tail", "table": table}):
        if "tailing" not in envelope:
            answer(envelope, event_line(envelope))
