"""The disk fails in the journal's first writes: the process ends with 74, and does not linger."""

from __future__ import annotations

import socket
import subprocess
import sys
from pathlib import Path

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


@pytest.mark.parametrize("listening", [True, False], ids=["a silent bus", "no bus"])
@pytest.mark.parametrize("nth", [2, 3, 4])
def test_a_disk_that_fails_early_ends_the_process(
    tmp_path: Path, nth: int, listening: bool
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as bus:
        host, port = bus.getsockname()
        if not listening:
            bus.close()
        config = rehearsal_text(
            tables={
                f"T-{number}": {
                    "game": "baccarat",
                    "profile": "baccarat-dk",
                    "device": "angel_eye_ii_ex",
                    "link": {"kind": "serial_port", "port": str(tmp_path / f"{number}.tty")},
                }
                for number in range(3)
            },
            bus={"kind": "nats_jetstream", "servers": [f"nats://{host}:{port}"]},
            journal=str(tmp_path / "journal.db"),
            control=str(tmp_path / "control.sock"),
        )
        (tmp_path / "pitwire.toml").write_text(config, "utf-8")
        ended = subprocess.run(
            [sys.executable, "-P", "-c", DAEMON_ON_A_FAILING_DISK, str(nth), "run", "--config",
             str(tmp_path / "pitwire.toml")],
            capture_output=True,
            timeout=STOP_LIMIT_S + 10,
            check=False,
        )  # fmt: skip
    assert ended.returncode == 74, ended.stderr.decode()
    assert b"journal_failed" in ended.stderr
