"""A bridge as its own process, driven from outside alone: configuration, ports, control socket.

Nothing of the daemon is imported, so it runs any version of pitwire: the one that once wrote a
journal, and the one that takes it up today. The configuration names its files relative to the
folder that the process runs in: `journal.db`, `control.sock`, `<table>.tty`.
"""

from __future__ import annotations

import json
import os
import secrets
import signal
import socket
import subprocess
import sys
import time
import tty
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, TypeVar

import apsw

Json = dict[str, Any]
T = TypeVar("T")
PITWIRE = (sys.executable, "-P", "-m", "daemon.cli.main")
PATIENCE_S = 20.0


def until(look: Callable[[], T], what: str) -> T:
    """Return the first truth that `look` gives: the other side is another process."""
    deadline = time.monotonic() + PATIENCE_S
    while not (seen := look()):
        if time.monotonic() > deadline:
            raise AssertionError(f"never happened: {what}")
        time.sleep(0.01)
    return seen


class BridgeProcess:
    """`pitwire run` in a folder that holds its `pitwire.toml`."""

    def __init__(self, folder: Path, pitwire: Sequence[str] = PITWIRE) -> None:
        self.folder = folder
        self._pitwire = pitwire
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start it and wait until it answers."""
        with (self.folder / "daemon.log").open("ab") as log:
            self._process = subprocess.Popen(
                [*self._pitwire, "run", "--config", "pitwire.toml"],
                cwd=self.folder,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=log,
            )
        until(self._answers, f"the bridge answers; see {self.folder}/daemon.log")

    def kill(self) -> None:
        """End it as a power cut would."""
        assert self._process is not None
        self._process.kill()
        self._process.wait()

    def stop(self) -> None:
        """End it in good order."""
        assert self._process is not None
        self._process.send_signal(signal.SIGTERM)
        assert self._process.wait(PATIENCE_S) == 0

    # --- through the control socket ------------------------------------------------------

    def ask(self, request: Mapping[str, Any]) -> Json:
        """Return the socket's answer to one request."""
        with socket.socket(socket.AF_UNIX) as connection:
            connection.connect(str(self.folder / "control.sock"))
            connection.sendall(json.dumps(request).encode() + b"\n")
            answer: Json = json.loads(connection.makefile("rb").readline())
            return answer

    def status(self, table: str) -> Json:
        """Return what `pitwire status` says of one table."""
        tables: list[Json] = self.ask({"verb": "status"})["tables"]
        return next(status for status in tables if status["table"] == table)

    def connected(self, table: str) -> bool:
        """Return whether every device of the table is there."""
        return all(device["state"] == "connected" for device in self.status(table)["devices"])

    def command(self, table: str, name: str, command_id: str = "", **fields: Any) -> Json:
        """Send a command; return its answer."""
        expires = (datetime.now(UTC) + timedelta(seconds=30)).isoformat()
        whole = {"id": command_id or secrets.token_hex(8), "expires": expires, "command": name}
        return self.ask({"verb": "command", "table": table, "command": {**whole, **fields}})

    def obeyed(self, table: str, name: str, **fields: Any) -> None:
        """Send a command until it is accepted: what it waits for may still be on its way."""

        def accepted() -> bool:
            answers.append(self.command(table, name, **fields))
            return bool(answers[-1].get("answer") == "accepted")

        answers: list[Json] = []
        try:
            until(accepted, f"{table} obeys {name} {fields}")
        except AssertionError as error:
            raise AssertionError(f"{error}: {answers[-1]}") from None

    # --- through its journal -------------------------------------------------------------

    def events(self, table: str, after_seq: int = 0) -> list[Json]:
        """Return the table's durable events, whole envelopes."""
        return events_of(self.folder / "journal.db", table, after_seq)

    def heard(self, table: str, kind: str, after_seq: int = 0, **data: Any) -> Json:
        """Wait for an event of this kind whose data says this."""

        def look() -> Json | None:
            return next(
                (
                    envelope
                    for envelope in self.events(table, after_seq)
                    if envelope["type"] == f"pitwire.{kind}.v1"
                    and data.items() <= envelope["data"].items()
                ),
                None,
            )

        heard = until(look, f"{table}: {kind} {data}")
        assert heard is not None
        return heard

    def _answers(self) -> bool:
        assert self._process is not None
        assert self._process.poll() is None, (self.folder / "daemon.log").read_text()
        try:
            return bool(self.ask({"verb": "status"}))
        except OSError:
            return False


@contextmanager
def running(folder: Path, pitwire: Sequence[str] = PITWIRE) -> Iterator[BridgeProcess]:
    """Start a bridge; whatever happens, its process is gone afterwards."""
    bridge = BridgeProcess(folder, pitwire)
    try:
        bridge.start()
        yield bridge
    finally:
        if bridge._process is not None and bridge._process.poll() is None:
            bridge.kill()


def events_of(journal: Path, table: str, after_seq: int = 0) -> list[Json]:
    """Return a table's events from a journal's file, whole envelopes."""
    connection = apsw.Connection(str(journal), flags=apsw.SQLITE_OPEN_READONLY)
    try:
        rows = connection.execute(
            "SELECT blob FROM records WHERE table_id=? AND seq>? ORDER BY record",
            (table, after_seq),
        )
        return [json.loads(blob) for (blob,) in rows]
    finally:
        connection.close()


class Port:
    """A device's port: a pty under a stable name, and somebody who writes to it."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._device, self._host = os.openpty()
        tty.setraw(self._host)
        path.symlink_to(os.ttyname(self._host))

    def write(self, data: bytes) -> None:
        """Say something as the device would."""
        os.write(self._device, data)

    def close(self) -> None:
        """Unplug it."""
        self._path.unlink()
        os.close(self._device)
        os.close(self._host)
