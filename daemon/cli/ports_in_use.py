"""Which ports the running daemon reads: a port is never opened twice."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Mapping

from daemon.cli.control_client import exchange
from drivers.discovery.port_choice import node_of
from drivers.errors import LinkError


def tables_by_link(socket_path: str) -> Mapping[str, str]:
    """Return the table that reads each open link, by the link's real path; none without a daemon.

    A user who may not ask the daemon gets none either: opening a port that it holds then fails, and
    names it.
    """
    try:
        status = next(exchange(socket_path, {"verb": "status"}), {})
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
    """Return the node of a serial port, whatever its name; other links have one name only."""
    if name.startswith("usb:"):
        with contextlib.suppress(LinkError):
            return node_of(name)
    return os.path.realpath(name) if name.startswith("/") else name
