"""A process that opens the USB link and tells what comes of it, a JSON line at a time.

Usage: listener.py SETTINGS-AS-JSON [nobody | no-netlink]. Lines on standard input: `send HEX`,
`close`. `nobody` opens it as a user without rights, `no-netlink` as a service may that is allowed
no netlink sockets.
"""

from __future__ import annotations

import asyncio
import concurrent.futures.thread
import ctypes
import errno
import json
import os
import platform
import struct
import sys
from typing import Any

import usb.backend.libusb1

import drivers.usb.opening
from drivers.clock import BootClock
from drivers.errors import LinkError
from drivers.links.usb_device import LINK, UsbDevice
from protocols.wiring import UsbWiring


def tell(**said: Any) -> None:
    sys.stdout.write(json.dumps(said) + "\n")
    sys.stdout.flush()


def trouble(error: LinkError) -> None:
    tell(error=type(error).__name__, where=error.where, what=error.what, action=error.action)


def become_nobody() -> None:
    # Everything is loaded first: nobody may not be able to read our own files.
    assert concurrent.futures.thread
    assert drivers.usb.opening
    assert usb.backend.libusb1.get_backend() is not None
    if os.geteuid() == 0:
        os.setgroups([])
        os.seteuid(65534)


def refuse_netlink() -> None:
    """Let socket(AF_NETLINK) fail, by the kernel's own filter, as RestrictAddressFamilies= does."""
    number = {"x86_64": 41, "aarch64": 198}[platform.machine()]
    load, equal, answer, allow = 0x20, 0x15, 0x06, 0x7FFF0000
    program = b"".join(
        struct.pack("<HBBI", *step)
        for step in (
            (load, 0, 0, 0),  # the number of the call
            (equal, 0, 3, number),
            (load, 0, 0, 16),  # its first argument
            (equal, 0, 1, 16),  # AF_NETLINK
            (answer, 0, 0, 0x00050000 | errno.EAFNOSUPPORT),
            (answer, 0, 0, allow),
        )
    )
    held = ctypes.create_string_buffer(program)
    head = struct.pack("<HxxxxxxQ", len(program) // 8, ctypes.addressof(held))
    libc = ctypes.CDLL(None, use_errno=True)
    assert libc.prctl(38, 1, 0, 0, 0) == 0  # PR_SET_NO_NEW_PRIVS
    assert libc.prctl(22, 2, ctypes.create_string_buffer(head), 0, 0) == 0  # PR_SET_SECCOMP


LIMITS = {"nobody": become_nobody, "no-netlink": refuse_netlink}


async def obey(link: UsbDevice) -> None:
    while line := await asyncio.to_thread(sys.stdin.readline):
        word, _, data = line.strip().partition(" ")
        if word == "close":
            await link.aclose()
            return
        link.write(bytes.fromhex(data))


async def main() -> None:
    settings = LINK.settings(**json.loads(sys.argv[1]))
    clock = BootClock()
    for limit in sys.argv[2:]:
        LIMITS[limit]()
    opened = clock.now()
    try:
        link = await LINK.open(settings, UsbWiring(), clock)
    except LinkError as error:
        trouble(error)
        return
    assert isinstance(link, UsbDevice)
    tell(open=link.where)
    orders = asyncio.create_task(obey(link))
    try:
        while True:
            chunk = await link.read(None)
            assert chunk is not None
            assert opened.ns < chunk.at.ns <= clock.now().ns
            if chunk.lost:
                tell(lost=chunk.lost)
            if chunk.data:
                tell(packet=chunk.data.hex(), stale=chunk.stale)
    except LinkError as error:
        trouble(error)
    await link.aclose()
    orders.cancel()


asyncio.run(main())
