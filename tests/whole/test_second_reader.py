"""Another process has a port of ours open: it is named, and what it may have taken is a gap."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

from support.whole_rig import BACCARAT, Rig, needs_nats

BAC = BACCARAT.table
OPENS = """
import os, sys
os.open(sys.argv[1], os.O_RDONLY | os.O_NOCTTY)
print("open", flush=True)
sys.stdin.read()
"""


@needs_nats
async def test_b16_wheel_08_a_second_reader_is_named_once_and_until_it_is_gone(
    tmp_path: Path,
) -> None:
    async with Rig(tmp_path, seats=[BACCARAT]) as rig:
        await rig.connected(BAC)
        await rig.stop_daemon()  # who had the port before us is not kept out by our locks
        other = await asyncio.create_subprocess_exec(
            sys.executable,
            "-c",
            OPENS,
            rig.ports[BAC].path,
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
        )
        assert other.stdout is not None
        assert await other.stdout.readline() == b"open\n"
        await rig.start_daemon()
        faulted = await rig.heard(BAC, "device.faulted", condition="second_reader")
        assert f"process {other.pid} ({sys.executable}" in faulted["data"]["detail"]
        other.kill()
        await other.wait()
        await rig.heard(BAC, "device.recovered", condition="second_reader")
        assert rig.count(BAC, "device.faulted") == 1
        assert rig.count(BAC, "violation.raised") == 0  # between rounds nothing was missed
