"""The disk fails in the journal's first writes: the process ends with 74, and does not linger."""

from __future__ import annotations

import json
import socket
import subprocess
import sys
from pathlib import Path
from typing import Any, Final

import pytest

from config.rehearsal_text import rehearsal_text
from daemon.app import STOP_LIMIT_S

pytestmark = pytest.mark.slow

DAEMON_ON_A_FAILING_DISK = """
import sys
import apsw
from daemon.cli.main import main

class Disk(apsw.VFS):
    def __init__(self):
        super().__init__("failing", "unix", makedefault=True)
    def xOpen(self, name, flags):
        return File(name, flags)

class File(apsw.VFSFile):
    def __init__(self, name, flags):
        super().__init__("unix", name, flags)
        self.log = flags[0] & apsw.SQLITE_OPEN_WAL
    def xSync(self, flags):
        global syncs
        syncs -= self.log != 0
        if self.log and syncs <= 0:
            raise apsw.IOError("made to fail")
        super().xSync(flags)

syncs = int(sys.argv.pop(1))
disk = Disk()
main()
"""


TABLES: Final = ("T-0", "T-1", "T-2")


def configured(folder: Path, bus: dict[str, Any]) -> str:
    """Write the configuration of three tables on this bus; return its path."""
    config = rehearsal_text(
        tables={
            table: {
                "game": "baccarat",
                "profile": "baccarat-dk",
                "device": "angel_eye_ii_ex",
                "link": {"kind": "serial_port", "port": str(folder / f"{table}.tty")},
            }
            for table in TABLES
        },
        bus=bus,
        journal=str(folder / "journal.db"),
        control=str(folder / "control.sock"),
    )
    (folder / "pitwire.toml").write_text(config, "utf-8")
    return str(folder / "pitwire.toml")


def give_a_history(folder: Path) -> None:
    """Let the tables begin: one without a history waits for the bus, and writes nothing."""
    command = [sys.executable, "-P", "-m", "daemon.cli.main", "run", "--config"]
    config = configured(folder, {"kind": "stdout"})
    with subprocess.Popen([*command, config], stdout=subprocess.PIPE, stderr=subprocess.PIPE) as it:
        begun = set[str]()
        while len(begun) < len(TABLES):
            event = json.loads(it.stdout.readline())  # type: ignore[union-attr] # it is a pipe
            if event["type"] == "pitwire.table.started.v1":
                begun.add(event["source"])
        it.terminate()
        it.communicate(timeout=STOP_LIMIT_S + 10)
        assert it.returncode == 0


@pytest.mark.parametrize("listening", [True, False], ids=["a silent bus", "no bus"])
# Three syncs come for certain: what three tables write at the same time may be one.
@pytest.mark.parametrize("nth", [2, 3])
def test_a_disk_that_fails_early_ends_the_process(
    tmp_path: Path, nth: int, listening: bool
) -> None:
    give_a_history(tmp_path)
    with socket.create_server(("127.0.0.1", 0)) as bus:
        host, port = bus.getsockname()
        if not listening:
            bus.close()
        servers = [f"nats://{host}:{port}"]
        config = configured(tmp_path, {"kind": "nats_jetstream", "servers": servers})
        ended = subprocess.run(
            [sys.executable, "-P", "-c", DAEMON_ON_A_FAILING_DISK, str(nth), "run", "--config",
             config],
            capture_output=True,
            timeout=STOP_LIMIT_S + 10,
            check=False,
        )  # fmt: skip
    assert ended.returncode == 74, ended.stderr.decode()
    assert b"journal_failed" in ended.stderr
