"""The control socket: how the CLI talks to the running daemon, over a Unix socket.

A request is one line of JSON, at most 64 KiB; every answer is one line of JSON. A connection may
send several requests; they are answered one after the other.

  {"verb": "status"}                                   one line: site, bus, journal, tables
  {"verb": "command", "table": …, "command": {…}}      one line: the table's answer, once durable
  {"verb": "authenticate"}                             one line: digests, and what has changed
  {"verb": "tail", "table": … or null}                 {"tailing": …}, then each durable event
  {"verb": "watch", "table": …, "showing": "frames" or "chunks"}
                                                       {"watching": …}, then each frame or chunk
  anything else                                        {"error": a sentence}

`tail` and `watch` go on until the caller hangs up. Each has a queue of its own (`LineQueue`): a
caller that reads too slowly loses the oldest lines and is told how many, {"missed": number}; it
never delays a table. Nothing is shown before it is durable, and a hidden card not at all.

Callers are bounded: so many connections at a time, each with a minute for its next request and half
a minute to take an answer; who takes longer is hung up on.

Rights: whoever may open the socket may read (mode 0660, group `pitwire`). `command` also needs
root, the daemon's own user, or the group `pitwire-admin`. Who calls is taken from the kernel
(SO_PEERCRED), never from the request; the events that a command causes name the caller's account,
`local/ann`.

A second daemon on the same socket ends at `start`: the socket is asked before it is replaced, so a
socket that was left behind by a crash is replaced and one in use is not.
"""

from __future__ import annotations

import asyncio
import contextlib
import grp
import json
import os
import pwd
import socket
import struct
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from daemon.delivery.bus import Request
from daemon.devices.line_queue import LineQueue
from daemon.devices.live_views import LiveViews
from protocols.canonical import canonical

ADMINS = "pitwire-admin"
LINE_MAX = 65536
MOST_CALLERS: Final = 64
ASKS_WITHIN_S: Final = 60.0
TAKES_WITHIN_S: Final = 30.0
TURNED_AWAY_WITHIN_S: Final = 1.0


@dataclass(frozen=True, slots=True)
class ControlCallbacks:
    """What the socket gives access to; `command` and `views` are None for a table unknown."""

    status: Callable[[], dict[str, Any]]
    authenticate: Callable[[], Awaitable[dict[str, Any]]]
    command: Callable[[str, Request], Awaitable[bytes] | None]
    views: Callable[[str], LiveViews | None]


class ControlSocket:
    """Serves the socket; `show` hands every durable event to whoever tails."""

    def __init__(self, path: str, callbacks: ControlCallbacks) -> None:
        self._path = Path(path)
        self._callbacks = callbacks
        self._server: asyncio.Server | None = None
        self._tails: set[LineQueue] = set()
        self._writers: set[asyncio.StreamWriter] = set()

    async def start(self) -> None:
        """Open the socket. Raises OSError when it cannot be made, or another daemon has it."""
        if self._path.is_socket() and await _answers(self._path):
            raise OSError(f"{self._path}: another daemon is serving this socket")
        self._path.unlink(missing_ok=True)
        self._path.parent.mkdir(parents=True, exist_ok=True)
        self._server = await asyncio.start_unix_server(self._serve, self._path, limit=LINE_MAX)
        self._path.chmod(0o660)
        with contextlib.suppress(KeyError, PermissionError):
            os.chown(self._path, -1, grp.getgrnam("pitwire").gr_gid)

    async def stop(self) -> None:
        """Close the socket and every connection."""
        if self._server is not None:
            self._server.close()
            for writer in tuple(self._writers):
                writer.close()
            self._path.unlink(missing_ok=True)

    def show(self, blob: bytes) -> None:
        """Hand a durable event to every tail."""
        for queue in self._tails:
            queue.tell(blob)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._writers.add(writer)
        try:
            if len(self._writers) > MOST_CALLERS:
                await self._turn_away(reader, writer)
                return
            while line := await _line(reader, ASKS_WITHIN_S):
                await self._answer(line, writer)
        except TimeoutError:
            writer.transport.abort()  # to close would be to wait until the rest is taken
        except (ConnectionError, ValueError, asyncio.LimitOverrunError):
            return  # the caller hung up, or its line is too long
        except asyncio.CancelledError:
            return  # the daemon stops: asyncio 3.11 shows a cancelled caller as a defect
        finally:
            self._writers.discard(writer)
            writer.close()

    async def _turn_away(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Say that there are too many, where there is room for that."""
        if len(self._writers) <= 2 * MOST_CALLERS:
            await _line(reader, TURNED_AWAY_WITHIN_S)
            crowded = f"{MOST_CALLERS} callers hold the daemon's socket; try again"
            await _send(writer, canonical({"error": crowded}))

    async def _answer(self, line: bytes, writer: asyncio.StreamWriter) -> None:
        try:
            request = json.loads(line)
            verb = request.get("verb")
        except (ValueError, AttributeError):
            await _send(writer, canonical({"error": "a JSON object on one line is required"}))
            return
        match verb:
            case "status":
                await _send(writer, canonical(self._callbacks.status()))
            case "authenticate":
                await _send(writer, canonical(await self._callbacks.authenticate()))
            case "tail":
                await self._tail(writer, request.get("table"))
            case "watch":
                await self._watch(writer, str(request.get("table")), request.get("showing"))
            case "command":
                await _send(writer, await self._command(writer, request))
            case _:
                verbs = "verb: one of status, authenticate, tail, watch, command"
                await _send(writer, canonical({"error": verbs}))

    async def _tail(self, writer: asyncio.StreamWriter, table: Any) -> None:
        queue = LineQueue()
        self._tails.add(queue)
        ending = f"/{table}"
        try:
            await _send(writer, canonical({"tailing": table}))
            while True:
                blob = await queue.next()
                if table is None or json.loads(blob).get("source", ending).endswith(ending):
                    await _send(writer, blob)
        finally:
            self._tails.discard(queue)

    async def _watch(self, writer: asyncio.StreamWriter, table: str, showing: Any) -> None:
        views = self._callbacks.views(table)
        if views is None:
            await _send(writer, canonical({"error": f"no table {table!r} on this bridge"}))
            return
        queue = views.join("chunks" if showing == "chunks" else "frames")
        try:
            await _send(writer, canonical({"watching": table}))
            while True:
                await _send(writer, await queue.next())
        finally:
            views.leave(queue)

    async def _command(self, writer: asyncio.StreamWriter, request: dict[str, Any]) -> bytes:
        caller = _caller(writer)
        if not caller.may_command:
            return canonical({"error": f"not permitted: commands need root or the group {ADMINS}"})
        payload = json.dumps(request.get("command")).encode()
        command = Request(payload, user=f"local/{caller.name}")
        answer = self._callbacks.command(str(request.get("table")), command)
        if answer is None:
            return canonical({"error": f"no table {request.get('table')!r} on this bridge"})
        return await answer


async def _line(reader: asyncio.StreamReader, within_s: float) -> bytes:
    """Return the caller's next line, empty where he hung up. Raises TimeoutError."""
    # Not wait_for: before Python 3.12 it may swallow that it was cancelled.
    async with asyncio.timeout(within_s):
        return await reader.readline()


async def _send(writer: asyncio.StreamWriter, line: bytes) -> None:
    writer.write(line + b"\n")
    async with asyncio.timeout(TAKES_WITHIN_S):
        await writer.drain()


async def _answers(path: Path) -> bool:
    try:
        _, writer = await asyncio.open_unix_connection(path)
    except OSError:
        return False
    writer.close()
    return True


@dataclass(frozen=True, slots=True)
class _Caller:
    """Who holds the other end. `name`: the account's, or the user id where it has none."""

    name: str
    may_command: bool


def _caller(writer: asyncio.StreamWriter) -> _Caller:
    peer: socket.socket = writer.get_extra_info("socket")
    raw = peer.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, struct.calcsize("3i"))
    _pid, uid, gid = struct.unpack("3i", raw)
    trusted = uid in (0, os.geteuid())
    try:
        name = pwd.getpwuid(uid).pw_name
    except KeyError:
        return _Caller(str(uid), trusted)
    with contextlib.suppress(KeyError):
        trusted = trusted or grp.getgrnam(ADMINS).gr_gid in os.getgrouplist(name, gid)
    return _Caller(name, trusted)
