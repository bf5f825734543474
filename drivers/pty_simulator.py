"""A simulator on a real pty: for everything above the kernel, a device that is plugged in."""

from __future__ import annotations

import asyncio
import contextlib
import fcntl
import os
import termios
import tty
from pathlib import Path
from types import TracebackType
from typing import Self

from drivers.clock import Clock
from drivers.clock_wait import real_seconds_until, wait_for_event
from protocols.simulator import Cue, Simulator

_READ_SIZE = 4096


class SimulatorOnPty:
    """Speaks a simulator's bytes at their times, feeds it what the host writes.

    link_path  a stable name, as udev would give one: a symlink there while it is plugged in

    Use as `async with`, or `start` and `close`. The simulated device lives on while unplugged;
    what it then says is lost, as on a line.
    """

    def __init__(self, simulator: Simulator, clock: Clock, link_path: str | None = None) -> None:
        self.simulator = simulator
        self.lost = 0
        """How many bytes were not taken: sent while unplugged, or into a full port."""
        self._clock = clock
        self._link = None if link_path is None else Path(link_path)
        self._fds: tuple[int, int] | None = None
        self._node = ""
        self._poked = asyncio.Event()
        self._task: asyncio.Task[None] | None = None

    @property
    def path(self) -> str:
        """Return what to open: the stable name where there is one, else the pty's node."""
        return self._node if self._link is None else str(self._link)

    @property
    def plugged_in(self) -> bool:
        """Return whether there is a port to open."""
        return self._fds is not None

    async def start(self) -> None:
        """Plug it in and let it live. Raises OSError when the link path cannot be made."""
        self.replug()
        self._task = asyncio.create_task(self._live(), name=f"simulator on {self.path}")

    async def close(self) -> None:
        """Unplug and stop; safe to call twice. Raises what the simulator raised, if it did."""
        self.unplug()
        task, self._task = self._task, None
        if task is not None:
            task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await task

    async def __aenter__(self) -> Self:
        await self.start()
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self.close()

    def cue(self, cue: Cue) -> None:
        """Make something happen now. Raises ValueError for what this device cannot play."""
        self.simulator.cue(self._clock.now(), cue)
        self._poked.set()

    def unplug(self) -> None:
        """Pull the cable: the stable name goes, the host's port hangs up."""
        if self._fds is None:
            return
        host_side, device_side = self._fds[1], self._fds[0]
        self._fds = None
        asyncio.get_running_loop().remove_reader(device_side)
        if self._link is not None and self._points_here(self._link):
            self._link.unlink()
        os.close(host_side)
        os.close(device_side)

    def replug(self) -> None:
        """Plug in again: another pty, the stable name repointed to it at once."""
        self.unplug()
        device_side, host_side = os.openpty()
        tty.setraw(host_side)
        os.set_blocking(device_side, False)
        self._fds = (device_side, host_side)
        self._node = os.ttyname(host_side)
        if self._link is not None:
            self._link.parent.mkdir(parents=True, exist_ok=True)
            fresh = self._link.with_name(f".{self._link.name}.{os.getpid()}")
            fresh.unlink(missing_ok=True)
            fresh.symlink_to(self._node)
            fresh.replace(self._link)
        asyncio.get_running_loop().add_reader(device_side, self._hear)

    def _points_here(self, link: Path) -> bool:
        return link.is_symlink() and str(link.readlink()) == self._node

    async def _live(self) -> None:
        while True:
            self._poked.clear()
            for frame in self.simulator.speak(self._clock.now()):
                self._say(frame)
            delay = real_seconds_until(self._clock, self.simulator.wake_at)
            await wait_for_event(self._poked, delay)

    def _say(self, frame: bytes) -> None:
        if self._fds is None:
            self.lost += len(frame)
            return
        device_side, host_side = self._fds
        # A real port forgets who had it to himself when he dies. A pty lives on with our end of
        # it, and would refuse his successor.
        fcntl.ioctl(host_side, termios.TIOCNXCL)
        try:
            self.lost += len(frame) - os.write(device_side, frame)
        except OSError:  # full, and the device does not wait
            self.lost += len(frame)

    def _hear(self) -> None:
        if self._fds is None:
            return
        try:
            data = os.read(self._fds[0], _READ_SIZE)
        except BlockingIOError:
            return
        except OSError:  # hung up by the kernel: the port cannot be used any more
            self.unplug()
            return
        self.simulator.hear(self._clock.now(), data)
        self._poked.set()
