"""The one client of the running daemon's control socket.

A request is a line of JSON, and so is each answer. The first answer has to come within
`ANSWER_WITHIN_S`: no verb hangs on a daemon that is stopped or stuck. What `tail` and `watch` show
after it comes when something happens at a table, and is waited for without limit.
"""

from __future__ import annotations

import json
import socket
import time
from collections.abc import Iterator
from typing import Any, Final

from daemon.cli.output import fail
from daemon.exits import Exit

ANSWER_WITHIN_S: Final = 3.0
AGAIN_S: Final = 0.5
"""How long `follow` waits before it looks for a daemon that went away."""


def exchange(socket_path: str, request: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield the daemon's answers to one request until it hangs up.

    Raises OSError where there is no daemon, or none that answers; ValueError for what is no JSON.
    """
    with socket.socket(socket.AF_UNIX) as connection:
        connection.settimeout(ANSWER_WITHIN_S)
        connection.connect(socket_path)
        connection.sendall(json.dumps(request).encode() + b"\n")
        with connection.makefile("rb") as answers:
            for line in answers:
                connection.settimeout(None)
                yield json.loads(line)


def stream(socket_path: str, request: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield the daemon's answers; end the process where there is no daemon, or it refuses."""
    try:
        for answer in exchange(socket_path, request):
            if "error" in answer:
                fail(Exit.FAILED, answer["error"])
            yield answer
    except OSError as error:
        fail(Exit.UNAVAILABLE, no_daemon(socket_path, error))


def ask(socket_path: str, request: dict[str, Any]) -> dict[str, Any]:
    """Return the daemon's one answer; end the process where there is none, or it refuses."""
    answer = next(stream(socket_path, request), None)
    if answer is None:
        fail(Exit.UNAVAILABLE, "the daemon went away before it answered")
    return answer


def follow(socket_path: str, table: str, showing: str) -> Iterator[dict[str, Any]]:
    """Yield what the daemon shows of a table, for ever, over its restarts.

    Each time that it begins: `watching`, and whether that is the `first` time. Ends the process
    where there is no daemon at first, or no such table.
    """
    request = {"verb": "watch", "table": table, "showing": showing}
    watched = False
    while True:
        try:
            for answer in exchange(socket_path, request):
                if "watching" in answer:
                    yield {**answer, "first": not watched}
                    watched = True
                elif "error" not in answer:
                    yield answer
                elif watched:
                    break  # it has only just started, and opens its tables
                else:
                    fail(Exit.FAILED, answer["error"])
        except OSError as error:
            if not watched:
                fail(Exit.UNAVAILABLE, no_daemon(socket_path, error))
        time.sleep(AGAIN_S)


def no_daemon(socket_path: str, error: OSError) -> str:
    """Return what it means that the control socket cannot be opened, or does not answer."""
    if isinstance(error, PermissionError):
        return (
            f"the daemon's socket {socket_path} may not be opened by this user; use sudo, or have"
            " the user added to the group pitwire"
        )
    if isinstance(error, TimeoutError):
        return (
            f"the daemon at {socket_path} does not answer within {ANSWER_WITHIN_S:g} s; see"
            " `systemctl status pitwire`"
        )
    return (
        f"no daemon at {socket_path}: {error.strerror or error}; see `systemctl status pitwire`,"
        " or name another one's socket by --socket"
    )
