"""Looking on at a table through the running daemon, over its restarts."""

from __future__ import annotations

import json
import socket
import time
from collections.abc import Iterator
from typing import Any

from daemon.cli.options import no_daemon
from daemon.cli.output import fail
from daemon.exits import Exit

AGAIN_S = 0.5


def follow(
    socket_path: str, table: str, showing: str, *, as_json: bool
) -> Iterator[dict[str, Any]]:
    """Yield what the daemon shows of a table, for ever.

    Each time that it begins: `watching`, and whether that is the `first` time. Ends the process
    where there is no daemon at first, or no such table.
    """
    request = json.dumps({"verb": "watch", "table": table, "showing": showing}).encode() + b"\n"
    watched = False
    while True:
        try:
            with socket.socket(socket.AF_UNIX) as door:
                door.connect(socket_path)
                with door.makefile("rwb") as lines:
                    lines.write(request)
                    lines.flush()
                    for line in lines:
                        value = json.loads(line)
                        if "watching" in value:
                            yield {**value, "first": not watched}
                            watched = True
                        elif "error" not in value:
                            yield value
                        elif watched:
                            break  # it has only just started, and opens its tables
                        else:
                            fail(Exit.FAILED, value["error"], as_json=as_json)
        except OSError as error:
            if not watched:
                sentence = no_daemon(socket_path, error)
                fail(Exit.UNAVAILABLE, sentence, as_json=as_json)
        time.sleep(AGAIN_S)
