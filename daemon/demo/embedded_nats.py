"""A NATS server of our own, for `demo` and for tests: spawned, local, durable, gone with us.

The binary is a third party's repackaging of the NATS project's server (the `embedded` extra); a
site runs its own NATS 2.15 or later.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import time
from pathlib import Path
from typing import Final, Literal

from daemon.demo.child_process import dies_with

_OLDEST: Final = (2, 15)  # older ones acknowledge before the disk has it, whatever we ask
_START_S: Final = 10.0
_STOP_S: Final = 5.0
_LOOK_EVERY_S: Final = 0.002

_CONFIG: Final = """\
listen: {listen}
server_name: pitwire-embedded
ports_file_dir: {folder}
log_file: {log}
jetstream {{ store_dir: {store}, sync_interval: {sync} }}
{extra}
"""


class NatsServerMissing(Exception):  # noqa: N818 - a condition
    """There is no nats-server that we can use; `action` is how to get one."""

    def __init__(self, what: str) -> None:
        super().__init__(what)
        self.what = what
        self.action = "pip install 'pitwire[embedded]', or configure your own server's address"


class NatsServerFailed(Exception):  # noqa: N818 - a condition
    """The server did not start; the sentence carries its last words."""


def find_nats_server() -> Path:
    """Return the server's binary: beside this Python, then in PATH. Raises NatsServerMissing."""
    beside = Path(sys.executable).with_name("nats-server")
    found = str(beside) if os.access(beside, os.X_OK) else shutil.which("nats-server")
    if found is None:
        raise NatsServerMissing("there is no nats-server on this machine")
    binary = Path(found)
    version = _version(binary)
    if version < _OLDEST:
        raise NatsServerMissing(
            f"{binary} is version {'.'.join(map(str, version))}; at least"
            f" {'.'.join(map(str, _OLDEST))} is needed, which can sync before it acknowledges"
        )
    return binary


class EmbeddedNats:
    """One server process. It dies with the thread that started it: start it from the main one."""

    binary: Path | None = None
    """What runs; None before `start`."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def pid(self) -> int | None:
        """Return the server's process id while it runs."""
        return self._process.pid if self._process is not None else None

    def start(
        self,
        store_dir: Path,
        sync: Literal["always"] | str = "always",  # noqa: PYI051 - the literal says what is meant
        port: int = -1,
        extra_config: str = "",
    ) -> str:
        """Start the server and return its URL once it takes connections. Blocks some 25 ms.

        sync          "always": on disk before it is acknowledged; or a duration such as "2m"
        port          on 127.0.0.1; -1 takes a free one
        extra_config  more lines for the server's config file

        Raises NatsServerMissing, NatsServerFailed.
        """
        self.binary = find_nats_server()
        store_dir.mkdir(parents=True, exist_ok=True)
        config, log = store_dir / "nats.conf", store_dir / "nats.log"
        values = {"folder": store_dir, "log": log, "store": store_dir / "store"}
        quoted = {key: json.dumps(str(value)) for key, value in values.items()}
        listen = json.dumps(f"127.0.0.1:{port}")
        text = _CONFIG.format(listen=listen, sync=sync, extra=extra_config, **quoted)
        config.touch(mode=0o600)
        config.write_text(text)
        self._process = subprocess.Popen(  # noqa: S603 - our own config, a binary we looked for
            [self.binary, "-c", config],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            process_group=0,  # a Ctrl-C on the terminal is for us; we stop it last, in good order
            preexec_fn=dies_with(os.getpid()),  # noqa: PLW1509 - only two system calls, prepared before
        )
        try:
            return self._wait_for_url(store_dir, log)
        except BaseException:
            self.stop()
            raise

    def stop(self) -> None:
        """End the server, kindly first. Does nothing when it does not run."""
        process, self._process = self._process, None
        if process is None:
            return
        process.terminate()
        try:
            process.wait(_STOP_S)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()

    def kill(self) -> None:
        """End the server as a power cut would: without a word."""
        process, self._process = self._process, None
        if process is not None:
            process.kill()
            process.wait()

    def _wait_for_url(self, folder: Path, log: Path) -> str:
        process = self._process
        if process is None:
            raise NatsServerFailed("it was stopped while it started")
        ports = folder / f"{Path(str(self.binary)).name}_{process.pid}.ports"
        deadline = time.monotonic() + _START_S
        while time.monotonic() < deadline:
            if process.poll() is not None:
                break
            if url := _url_in(ports):
                ports.unlink()
                return url
            time.sleep(_LOOK_EVERY_S)
        said = log.read_text("utf-8", "replace").strip() if log.exists() else ""
        last = said.splitlines()[-1] if said else "it said nothing"
        raise NatsServerFailed(f"{self.binary} did not start: {last}")


def _url_in(ports: Path) -> str | None:
    try:
        return str(json.loads(ports.read_text())["nats"][0])
    except (OSError, ValueError, LookupError):
        return None  # not there yet, or half written


def _version(binary: Path) -> tuple[int, ...]:
    try:
        said = subprocess.run(  # noqa: S603 - the binary that we are about to run
            [binary, "--version"], capture_output=True, check=False, timeout=_START_S
        ).stdout
    except (OSError, subprocess.TimeoutExpired) as error:
        raise NatsServerMissing(f"{binary} cannot be run ({error})") from error
    found = re.search(rb"v(\d+)\.(\d+)\.(\d+)", said)
    if found is None:
        raise NatsServerMissing(f"{binary} does not say its version")
    return tuple(int(number) for number in found.groups())
