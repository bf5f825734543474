"""Who this daemon is on the bus: in words for people, and for its own successor."""

from __future__ import annotations

import hashlib
import os
import socket
from pathlib import Path
from typing import Final

from daemon.delivery.lease import Owner

_BOOT_ID: Final = Path("/proc/sys/kernel/random/boot_id")


def owner_with(journal: Path, lock: int) -> Owner:
    """Return who we are, while this lock of the journal is ours (an open file).

    `place` is made of this run of the machine and of the lock's file, not of its name: whoever has
    the same one had the lock before us, and is dead. A copy of the journal has another lock.
    """
    file = os.fstat(lock)
    try:
        boot = _BOOT_ID.read_text("ascii").strip()
    except OSError:
        boot = os.urandom(16).hex()  # then nobody is our predecessor
    place = hashlib.blake2b(f"{boot}:{file.st_dev}:{file.st_ino}".encode(), digest_size=16)
    who = f"{socket.gethostname()}, process {os.getpid()}, journal {journal.absolute()}"
    return Owner(who, place.hexdigest())
