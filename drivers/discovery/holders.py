"""Who has a device node open: read from /proc, as far as we are allowed to see."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterator
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
    does not prove that the node is free. Takes milliseconds: not for the event loop.
    """
    return holders_of((path,))[path]


def holders_of(paths: Collection[str]) -> dict[str, tuple[Holder, ...]]:
    """Return `holders` of each path, in one look at all processes."""
    nodes = {os.path.realpath(path) for path in paths}
    holders_by_node: dict[str, list[Holder]] = {node: [] for node in nodes}
    for pid in _pids():
        held = _held(pid) if pid != os.getpid() else frozenset()
        for node in nodes & held:
            if not _plays(node, held):
                holders_by_node[node].append(Holder(pid, _command(pid)))
    return {path: tuple(holders_by_node[os.path.realpath(path)]) for path in paths}


def _plays(node: str, held: frozenset[str]) -> bool:
    """Return whether who holds all this is the device at the other end of a pty."""
    return node.startswith("/dev/pts/") and not held.isdisjoint(("/dev/ptmx", "/dev/pts/ptmx"))


def _pids() -> Iterator[int]:
    return (int(name) for name in os.listdir("/proc") if name.isdecimal())  # noqa: PTH208 - names only


def _held(pid: int) -> frozenset[str]:
    try:
        with os.scandir(f"/proc/{pid}/fd") as entries:
            return frozenset(_target(entry.path) for entry in entries)
    except OSError:
        return frozenset()


def _target(fd_link: str) -> str:
    try:
        return os.readlink(fd_link)  # noqa: PTH115 - a thousand of them: a Path each takes longer
    except OSError:
        return ""


def _command(pid: int) -> str:
    try:
        words = Path(f"/proc/{pid}/cmdline").read_bytes().split(b"\0")
    except OSError:
        return "already gone"
    text = b" ".join(words).decode("utf-8", "replace").strip()
    return " ".join(text.split())[:_COMMAND_LENGTH] or "no command line"
