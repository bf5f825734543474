"""The kernel's and udev's word that something was plugged in wakes who waits; all else does not."""

from __future__ import annotations

import asyncio
import os
import socket
from pathlib import Path

import pytest

import drivers.discovery.hotplug
from drivers.discovery.hotplug import Hotplug

AGAIN = Path("/sys/class/mem/null/uevent")
"""Written to, the kernel says once more how a device came: /dev/null, which is everywhere."""
LONG_S = 600.0
heard_here = pytest.mark.skipif(
    not os.access(AGAIN, os.W_OK), reason="only root can let the kernel repeat itself"
)


def kernel_says(action: str) -> None:
    AGAIN.write_text(action)


async def waiting(hotplug: Hotplug) -> asyncio.Task[None]:
    task = asyncio.create_task(hotplug.wait(LONG_S))
    await asyncio.sleep(0)
    return task


@heard_here
async def test_a_device_that_comes_wakes_everybody_who_waits() -> None:
    with Hotplug() as hotplug:
        for _ in range(2):
            both = [await waiting(hotplug), await waiting(hotplug)]
            kernel_says("add")
            async with asyncio.timeout(20):
                await asyncio.gather(*both)


@heard_here
async def test_a_device_that_goes_wakes_nobody() -> None:
    with Hotplug() as hotplug, listening() as ear:
        task = await waiting(hotplug)
        kernel_says("offline")
        async with asyncio.timeout(20):
            while b"ACTION=offline" not in await asyncio.get_running_loop().sock_recv(ear, 65536):
                pass
        await asyncio.sleep(0)
        assert not task.done()
        kernel_says("add")
        async with asyncio.timeout(20):
            await task


def listening() -> socket.socket:
    ear = socket.socket(socket.AF_NETLINK, socket.SOCK_RAW | socket.SOCK_NONBLOCK, 15)
    ear.bind((0, 1))
    return ear


def test_without_netlink_waiting_is_merely_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(*_: object) -> socket.socket:
        raise OSError("Address family not supported by protocol")

    async def scenario() -> None:
        monkeypatch.setattr(drivers.discovery.hotplug.socket, "socket", refused)
        with Hotplug() as hotplug:
            async with asyncio.timeout(20):
                await hotplug.wait(0.01)

    # The loop makes sockets of its own before the rule that forbids them.
    with asyncio.Runner() as runner:
        runner.run(scenario())
        monkeypatch.undo()
