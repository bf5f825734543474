"""Uevents: the kernel and udev tell that something was plugged in, and who waits tries at once.

The kernel's uevent comes first, udev's when the node has its names and its group: both wake. Where
no netlink socket is allowed (no AF_NETLINK in the unit) waiting is merely waiting: a uevent only
shortens the time until the next try.
"""

from __future__ import annotations

import asyncio
import contextlib
import socket
from typing import Final, Self

from drivers.clock_wait import wait_for_event

_UEVENTS: Final = 15
"""NETLINK_KOBJECT_UEVENT."""
_KERNEL_AND_UDEV: Final = 1 | 2
_PLUGGED: Final = (b"ACTION=add", b"ACTION=bind", b"ACTION=change")
_SETTLE_S: Final = 0.02
"""A device comes with many uevents at once: they wake the waiting once."""
_SIZE: Final = 65536


class Hotplug:
    """One netlink socket for all who wait; use as context manager in a running event loop."""

    def __init__(self) -> None:
        self._plugged = asyncio.Event()
        self._netlink: socket.socket | None = None

    def __enter__(self) -> Self:
        with contextlib.suppress(OSError):
            self._netlink = socket.socket(
                socket.AF_NETLINK, socket.SOCK_RAW | socket.SOCK_NONBLOCK, _UEVENTS
            )
            self._netlink.bind((0, _KERNEL_AND_UDEV))
            asyncio.get_running_loop().add_reader(self._netlink, self._receive, self._netlink)
        return self

    def __exit__(self, *_exc: object) -> None:
        if self._netlink is not None:
            asyncio.get_running_loop().remove_reader(self._netlink)
            self._netlink.close()

    async def wait(self, most_s: float) -> None:
        """Return soon after something was plugged in, or after `most_s` real seconds."""
        plugged = self._plugged
        await wait_for_event(plugged, most_s)
        if plugged.is_set():
            await asyncio.sleep(_SETTLE_S)

    def _receive(self, netlink: socket.socket) -> None:
        try:
            uevent = netlink.recv(_SIZE)
        except BlockingIOError:
            return
        except OSError:  # the socket overflowed: what was lost may have been an add
            uevent = _PLUGGED[0]
        if any(action in uevent.split(b"\0") for action in _PLUGGED):
            self._plugged.set()
            self._plugged = asyncio.Event()
