"""The TCP connections of this process."""

from __future__ import annotations

import contextlib
import socket
from pathlib import Path


def connections(port: int) -> dict[int, bool]:
    """Return this process's connections to a port: its own port -> whether TCP_NODELAY is set."""
    found = {}
    for fd in list(Path("/proc/self/fd").iterdir()):
        if fd.is_symlink() and str(fd.readlink()).startswith("socket:"):
            with (
                contextlib.suppress(OSError),
                socket.fromfd(int(fd.name), socket.AF_INET, socket.SOCK_STREAM) as one,
            ):
                if one.getpeername()[1:] == (port,):
                    no_delay = one.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)
                    found[one.getsockname()[1]] = bool(no_delay)
    return found
