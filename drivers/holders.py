"""Who has a device node open: read from /proc, as far as we are allowed to see."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

_COMMAND_LENGTH = 60


@dataclass(frozen=True, slots=True)
class Holder:
    """A process that has the node open, and the beginning of its command line."""

    pid: int
    command: str

    def __str__(self) -> str:
        """Return it as a technician reads it."""
        return f"process {self.pid} ({self.command})"


def holders(path: str) -> tuple[Holder, ...]:
    """Return every other process that has `path` open, symlinks followed.

    Processes of other users stay unseen without the right to look into them: an empty answer
    does not prove that nobody holds the node. Takes milliseconds: not for the event loop.
    """
    node = os.path.realpath(path)
    return tuple(
        Holder(pid, _command(pid)) for pid in _pids() if pid != os.getpid() and _holds(pid, node)
    )


def _pids() -> Iterator[int]:
    return (int(name) for name in os.listdir("/proc") if name.isdecimal())  # noqa: PTH208 - names only


def _holds(pid: int, node: str) -> bool:
    try:
        with os.scandir(f"/proc/{pid}/fd") as entries:
            return any(_target(entry.path) == node for entry in entries)
    except OSError:
        return False


def _target(fd_link: str) -> str | None:
    try:
        return str(Path(fd_link).readlink())
    except OSError:
        return None


def _command(pid: int) -> str:
    try:
        words = Path(f"/proc/{pid}/cmdline").read_bytes().split(b"\0")
    except OSError:
        return "already gone"
    text = b" ".join(words).decode("utf-8", "replace").strip()
    return " ".join(text.split())[:_COMMAND_LENGTH] or "no command line"
