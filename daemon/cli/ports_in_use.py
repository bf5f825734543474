"""Which wires the running daemon reads: a port is never opened twice."""

from __future__ import annotations

import contextlib
import json
import os
import socket
from collections.abc import Mapping

from drivers.discovery.port_choice import node_of
from drivers.errors import LinkError


def tables_by_link(socket_path: str) -> Mapping[str, str]:
    """Return the table that reads each open link, by the link's real path; none without a daemon.

    Without the right to ask the daemon it is as if there were none: opening a port that it holds
    then fails, and names it.
    """
    try:
        with socket.socket(socket.AF_UNIX) as door:
            door.connect(socket_path)
            with door.makefile("rwb") as lines:
                lines.write(b'{"verb":"status"}\n')
                lines.flush()
                status = json.loads(lines.readline())
    except (OSError, ValueError):
        return {}
    return {
        _real(device["link"]): table["table"]
        for table in status.get("tables", ())
        for device in table["devices"]
        if device["link"] is not None
    }


def table_of(tables: Mapping[str, str], port: str) -> str | None:
    """Return the table that reads this port, if any."""
    return tables.get(_real(port))


def _real(name: str) -> str:
    """Return the node of a port, whatever name it goes by; other wires have but one."""
    if name.startswith("usb:"):
        with contextlib.suppress(LinkError):
            return node_of(name)
    return os.path.realpath(name) if name.startswith("/") else name
