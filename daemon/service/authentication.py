"""Whether program and configuration are still those that the daemon was started with.

A regulator asks for this at least once a day and on demand, and that a failure stops the game
(N.J.A.C. 13:69O-1.5(c), (d)). A minute after the start, every hour, and when `pitwire authenticate`
asks, both are read from the disk again:

program        every file of the packages `protocols`, `drivers`, `daemon` and `config`: code, the
               profiles that come with it, descriptions of devices
configuration  what the configuration file comes to, with the house's own profiles and every other
               file that it names (`BridgeConfig.digest`)

Where one is another than at the start, or cannot be read, every table is held
(`software_changed`), and within a second again where a supervisor goes on, until the daemon is
started anew. Which program may be started is the operator's word: `[program] approved`.

Not looked at: Python itself, its libraries, and the compiled files that Python keeps
(`__pycache__`). The package manager knows those: `dpkg --verify`.
"""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from config.errors import ConfigError
from config.load import BridgeConfig, load
from daemon.service.assembly import known
from daemon.telemetry.logs import Log
from daemon.telemetry.metrics import Metrics

PACKAGES: Final = ("protocols", "drivers", "daemon", "config")
FIRST_AFTER_S: Final = 60
EVERY_S: Final = 3600
_TICK_S: Final = 1.0


@dataclass(frozen=True, slots=True)
class Program:
    """The program's files, each by its digest, and the digest of them all."""

    files: Mapping[str, bytes]
    digest: str


def program() -> Program:
    """Return the program as it is on the disk now. Raises OSError."""
    root = Path(__file__).parents[2]
    files = {
        path.relative_to(root).as_posix(): hashlib.blake2b(
            path.read_bytes(), digest_size=32
        ).digest()
        for package in PACKAGES
        for path in (root / package).rglob("*")
        if path.is_file() and path.parent.name != "__pycache__"
    }
    whole = hashlib.blake2b(digest_size=32)
    for name in sorted(files):
        whole.update(name.encode() + b"\0" + files[name])
    return Program(files, "b2:" + whole.hexdigest())


def not_approved(config: BridgeConfig) -> str | None:
    """Return why this program may not be started under this configuration. Raises OSError."""
    if not config.approved or (digest := program().digest) in config.approved:
        return None
    return f"this program, {digest}, is not approved: [program] approved has no such digest"


@dataclass(frozen=True, slots=True)
class Authenticated:
    """What a look at the disk came to.

    program, configuration  their digests now; None where they cannot be read
    changed                 what is not as it was at the start, in words; None: nothing
    """

    program: str | None
    configuration: str | None
    changed: str | None


class Authentication:
    """Looks at the disk again and again; `run` is its task.

    hold  is called each second with what has changed, for as long as it has
    """

    def __init__(
        self, config: BridgeConfig, hold: Callable[[str], None], metrics: Metrics, log: Log
    ) -> None:
        self.changed: str | None = None
        self._config = config
        self._hold = hold
        self._metrics = metrics
        self._log = log
        self._started: Program | None = None

    async def run(self) -> None:
        """Look for ever."""
        # The configuration was read a moment ago; what cannot be read is told by the first look.
        await asyncio.to_thread(self._program)
        seconds = FIRST_AFTER_S
        while True:
            for _ in range(seconds):
                if self.changed is not None:
                    self._hold(self.changed)
                await asyncio.sleep(_TICK_S)
            await self.look()
            seconds = EVERY_S

    async def look(self) -> Authenticated:
        """Look now."""
        found = await asyncio.to_thread(self._compared)
        before, self.changed = self.changed, found.changed
        self._metrics.software_changed.set(found.changed is not None)
        if found.changed is None:
            self._metrics.authenticated.set_to_current_time()
            self._log.info(
                "software_authenticated", code=found.program, configuration=found.configuration
            )
            return found
        self._hold(found.changed)
        if found.changed != before:
            self._log.error(
                "software_changed",
                error=found.changed,
                action="find out who changed it; what is approved is played after a restart",
            )
        return found

    def _compared(self) -> Authenticated:
        now, about_program = self._program()
        configuration, about_configuration = self._configuration()
        changed = "; ".join(filter(None, (about_program, about_configuration)))
        return Authenticated(now, configuration, changed or None)

    def _program(self) -> tuple[str | None, str | None]:
        """Return the digest, and what has changed."""
        try:
            now = program()
        except OSError as error:
            return None, f"the program's file {error.filename} cannot be read: {error.strerror}"
        if self._started is None:
            self._started = now
        before, after = self._started.files, now.files
        changed = [name for name in before if name in after and after[name] != before[name]]
        other = {
            "is not what the daemon was started with": changed,
            "is gone": before.keys() - after.keys(),
            "was not there when the daemon was started": after.keys() - before.keys(),
        }
        for what, names in other.items():
            if names:
                more = f" (and {len(names) - 1} more)" if len(names) > 1 else ""
                return now.digest, f"the program's file {min(names)} {what}{more}"
        return now.digest, None

    def _configuration(self) -> tuple[str | None, str | None]:
        """Return the digest, and what has changed."""
        source = self._config.source
        try:
            now = load(Path(source).read_text("utf-8"), known(), source=source).digest
        except (OSError, UnicodeDecodeError, ConfigError):
            return None, f"{source} does not pass `pitwire check` any more"
        if now != self._config.digest:
            return now, f"what {source} comes to is not what the daemon was started with"
        return now, None
