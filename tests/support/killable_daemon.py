"""A daemon of one table that is cut off, killed, frozen, and made a copy of another one."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import secrets
import shutil
import signal
import sqlite3
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from support.tcp_cut import Way

from config.rehearsal_text import rehearsal_text

TABLE = "BAC-1"
PITWIRE = (sys.executable, "-P", "-m", "daemon.cli.main")


class Daemon:
    """One of the two: a process, its folder, its way to the bus.

    journals  of this daemon, also those that it had before it became a copy of the other
    """

    def __init__(self, name: str, folder: Path, bus_port: int) -> None:
        self.name = name
        self.folder = folder
        self.way = Way(bus_port)
        self.state = ""
        self.process: asyncio.subprocess.Process | None = None
        self.journals = [folder / "journal.db"]
        folder.mkdir()

    async def start(self) -> None:
        if self.process is not None:
            return
        text = rehearsal_text(
            tables={
                TABLE: {
                    "game": "baccarat",
                    "profile": "baccarat-lv",
                    "device": "angel_eye_ii_ex",
                    "link": {"kind": "serial_port", "port": str(self.folder / "no.tty")},
                }
            },
            bus={"kind": "nats_jetstream", "servers": [f"nats://127.0.0.1:{self.way.port}"]},
            journal=str(self.folder / "journal.db"),
            control=str(self.folder / "control.sock"),
        )
        config = self.folder / "pitwire.toml"
        config.write_text(text, "utf-8")
        with (self.folder / "daemon.log").open("ab") as log:
            self.process = await asyncio.create_subprocess_exec(
                *PITWIRE, "run", "--config", str(config), stdin=asyncio.subprocess.DEVNULL,
                stdout=log, stderr=log,
            )  # fmt: skip

    async def end(self, how: signal.Signals = signal.SIGKILL) -> None:
        process, self.process = self.process, None
        if process is None:
            return
        with contextlib.suppress(ProcessLookupError):
            process.send_signal(signal.SIGCONT)
            process.send_signal(how)
        await process.wait()
        self.state = ""

    def stopped(self, stop: signal.Signals) -> None:
        if self.process is not None and self.process.pid is not None:
            os.kill(self.process.pid, stop)

    async def ask(self, request: dict[str, Any]) -> dict[str, Any] | None:
        """Return the control socket's answer, None where none comes."""
        try:
            async with asyncio.timeout(1.0):
                reader, writer = await asyncio.open_unix_connection(
                    str(self.folder / "control.sock")
                )
                try:
                    writer.write(json.dumps(request).encode() + b"\n")
                    answer: dict[str, Any] = json.loads(await reader.readline())
                    return answer
                finally:
                    writer.transport.abort()
        except (OSError, TimeoutError, ValueError):
            return None

    async def look(self) -> str:
        """Return what the daemon says of its lease, "" where it says nothing."""
        answer = await self.ask({"verb": "status"})
        self.state = "" if answer is None else answer["tables"][0]["lease"]["state"]
        return self.state

    async def command(self, name: str, **fields: Any) -> None:
        expires = (datetime.now(UTC) + timedelta(seconds=30)).isoformat()
        whole = {"id": secrets.token_hex(8), "expires": expires, "command": name, **fields}
        await self.ask({"verb": "command", "table": TABLE, "command": whole})

    def become_copy_of(self, other: Daemon) -> None:
        """Take a copy of the other's journal, made while it runs."""
        mine = self.folder / "journal.db"
        kept = self.folder / f"before-{len(self.journals)}"
        kept.mkdir()
        for file in self.folder.glob("journal.db*"):
            shutil.move(file, kept / file.name)
        self.journals.append(kept / "journal.db")
        if not (other.folder / "journal.db").exists():
            return
        source = sqlite3.connect(f"file:{other.folder / 'journal.db'}?mode=ro", uri=True)
        copy = sqlite3.connect(mine)
        with contextlib.suppress(sqlite3.Error):
            source.backup(copy)
        source.close()
        copy.close()
        key = other.folder / "journal.db.key"
        if key.exists():
            shutil.copy(key, self.folder / key.name)

    def leases_taken(self) -> list[dict[str, Any]]:
        """Return the events of its journals that say that it took the lease."""
        sql = "SELECT blob FROM records WHERE CAST(blob AS TEXT) LIKE '%pitwire.lease.taken.v1%'"
        found: list[dict[str, Any]] = []
        for journal in self.journals:
            if journal.exists():
                file = sqlite3.connect(journal)
                found += [json.loads(blob) for (blob,) in file.execute(sql)]
                file.close()
        return found

    def has(self, payload: bytes) -> bool:
        """Return whether one of its journals has this event."""
        return any(_has(journal, payload) for journal in self.journals)


def _has(journal: Path, payload: bytes) -> bool:
    if not journal.exists():
        return False
    file = sqlite3.connect(journal)
    try:
        (count,) = file.execute("SELECT count(*) FROM records WHERE blob=?", (payload,)).fetchone()
        return bool(count)
    finally:
        file.close()
