"""sd_notify(3): reports the daemon's state to systemd; does nothing without systemd."""

from __future__ import annotations

import os
import socket


class Notifier:
    """Sends state to NOTIFY_SOCKET, path or abstract, without ever blocking."""

    def __init__(self) -> None:
        self._address = os.environ.get("NOTIFY_SOCKET", "")
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_NONBLOCK)

    def tell(self, *lines: str) -> None:
        """Send lines such as `READY=1`; whether systemd takes them does not matter here."""
        if self._address:
            address = "\0" + self._address[1:] if self._address[0] == "@" else self._address
            try:
                self._socket.sendto("\n".join(lines).encode(), address)
            except OSError:
                return

    def close(self) -> None:
        """Close the socket."""
        self._socket.close()
