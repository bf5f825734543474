"""Real libusb and pyusb on an emulated USB bus: whoever shall see it is a process of its own.

See `emulated_usb/emulated_bus.py` for what the bus does.
"""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Mapping
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any, Self

FOLDER = Path(__file__).parent / "emulated_usb"
SYSTEM_PYTHON = "/usr/bin/python3"
PATIENCE_S = 20.0
LISTENER = (sys.executable, "-P", str(FOLDER / "listener.py"))
Said = dict[str, Any]


@cache
def what_is_missing() -> str | None:
    """Return why no bus can be emulated here, or None."""
    if shutil.which("umockdev-wrapper") is None:
        return "umockdev is not installed"
    probe = "import gi; gi.require_version('UMockdev', '1.0')"
    if subprocess.run([SYSTEM_PYTHON, "-c", probe], capture_output=True, check=False).returncode:
        return "gir1.2-umockdev-1.0 or python3-gi is not installed"
    return None


@dataclass
class Talker:
    """A process with which JSON lines are exchanged."""

    process: asyncio.subprocess.Process

    def say(self, line: str) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(f"{line}\n".encode())

    async def next(self) -> Said:
        """Return the next line. Raises AssertionError when it ends, or is silent for long."""
        assert self.process.stdout is not None
        async with asyncio.timeout(PATIENCE_S):
            line = await self.process.stdout.readline()
        assert line, f"it ended with {await self.process.wait()}"
        said: Said = json.loads(line)
        return said

    async def end(self) -> int:
        """Close its standard input and return its exit code."""
        assert self.process.stdin is not None
        self.process.stdin.close()
        async with asyncio.timeout(PATIENCE_S):
            return await self.process.wait()


@dataclass
class UsbRig:
    """Use as `async with`. What it started is gone afterwards."""

    folder: str = ""
    _bus: Talker | None = None
    _stack: AsyncExitStack = field(default_factory=AsyncExitStack)

    async def __aenter__(self) -> Self:
        self._bus = await self.start(SYSTEM_PYTHON, str(FOLDER / "emulated_bus.py"))
        self._stack.push_async_callback(self._bus.end)
        self.folder = (await self._bus.next())["folder"]
        return self

    async def __aexit__(self, *_exc: object) -> None:
        await self._stack.aclose()

    @property
    def environment(self) -> Mapping[str, str]:
        """Return what makes a process see the bus, beside umockdev-wrapper."""
        return {"UMOCKDEV_DIR": self.folder} if self.folder else {}

    async def start(self, *command: str) -> Talker:
        """Start a process that sees the bus."""
        process = await started("umockdev-wrapper", *command, **self.environment)
        self._stack.push_async_callback(reap, process)
        return Talker(process)

    async def listen(self, *limits: str, **settings: Any) -> Talker:
        """Start a process that opens the link with these settings."""
        return await self.start(*LISTENER, json.dumps(settings), *limits)

    async def order(self, do: str, path: str, **more: Any) -> Said:
        """Let something happen on the bus, at this port."""
        assert self._bus is not None
        self._bus.say(json.dumps({"do": do, "path": path, **more}))
        return await self._bus.next()

    async def becomes(self, path: str, **facts: Any) -> None:
        """Wait until the device at this port is as said."""
        now: Said = {}
        try:
            async with asyncio.timeout(PATIENCE_S):
                while not facts.items() <= (now := await self.order("facts", path)).items():  # noqa: ASYNC110 - another process
                    await asyncio.sleep(0.01)
        except TimeoutError:
            raise AssertionError(f"never {facts}, but {now}") from None


async def started(*command: str, **environment: str) -> asyncio.subprocess.Process:
    return await asyncio.create_subprocess_exec(
        *command,
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        env={**os.environ, **environment},
    )


async def reap(process: asyncio.subprocess.Process) -> None:
    if process.returncode is None:
        process.kill()
    await process.wait()
