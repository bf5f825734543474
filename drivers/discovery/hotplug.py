"""The word of kernel and udev that something was plugged in, for whoever waits for a device.

Both are heard: the kernel's comes first, udev's when the node has its names and its group. Where
they may not be heard (no AF_NETLINK), waiting is merely waiting: nothing depends on them.
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
_SAID: Final = (b"ACTION=add", b"ACTION=bind", b"ACTION=change")
_SETTLE_S: Final = 0.02
"""A device comes with many words at once: they wake the waiting once."""
_SIZE: Final = 65536


class Hotplug:
    """One ear for all; use as context manager in a running event loop."""

    def __init__(self) -> None:
        self._plugged = asyncio.Event()
        self._ear: socket.socket | None = None

    def __enter__(self) -> Self:
        with contextlib.suppress(OSError):
            self._ear = socket.socket(
                socket.AF_NETLINK, socket.SOCK_RAW | socket.SOCK_NONBLOCK, _UEVENTS
            )
            self._ear.bind((0, _KERNEL_AND_UDEV))
            asyncio.get_running_loop().add_reader(self._ear, self._hear, self._ear)
        return self

    def __exit__(self, *_exc: object) -> None:
        if self._ear is not None:
            asyncio.get_running_loop().remove_reader(self._ear)
            self._ear.close()

    async def wait(self, most_s: float) -> None:
        """Return soon after something was plugged in, or after `most_s` real seconds."""
        plugged = self._plugged
        await wait_for_event(plugged, most_s)
        if plugged.is_set():
            await asyncio.sleep(_SETTLE_S)

    def _hear(self, ear: socket.socket) -> None:
        try:
            said = ear.recv(_SIZE)
        except BlockingIOError:
            return
        except OSError:  # words were lost: one of them may have been the one
            said = _SAID[0]
        if any(word in said.split(b"\0") for word in _SAID):
            self._plugged.set()
            self._plugged = asyncio.Event()
