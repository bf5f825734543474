"""Whatever becomes of our log, tables play on (F4)."""

from __future__ import annotations

import asyncio
import fcntl
import json
import os
from contextlib import suppress
from pathlib import Path

import pytest
from support.whole_rig import BACCARAT, PITWIRE, Rig, needs_nats, until

from protocols.simulator import PowerOn

pytestmark = [pytest.mark.slow, needs_nats]

BAC = BACCARAT.table
F_SETPIPE_SZ = 1031
PAGE = 4096


class PipedRig(Rig):
    """Its daemon logs into a pipe of one page, whose other end is ours."""

    ends: tuple[int, int] = (-1, -1)

    async def start_daemon(self) -> None:
        self.ends = os.pipe()
        fcntl.fcntl(self.ends[0], F_SETPIPE_SZ, PAGE)
        path = Path(self.config)
        path.write_text(self.configuration().replace('level = "info"', 'level = "debug"'), "utf-8")
        self.daemon = await asyncio.create_subprocess_exec(
            *PITWIRE,
            "run",
            "--config",
            str(path),
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.DEVNULL,
            stderr=self.ends[1],
        )
        os.close(self.ends[1])


async def unplugged_and_plugged(rig: Rig, times: int) -> None:
    for _ in range(times):
        rig.ports[BAC].unplug()
        await rig.heard(BAC, "device.disconnected")
        rig.ports[BAC].replug()
        rig.cue(BAC, PowerOn())
        await rig.heard(BAC, "device.connected")


async def test_f4_a_log_that_nobody_reads_any_more_ends_no_session(tmp_path: Path) -> None:
    async with PipedRig(tmp_path) as rig:
        await rig.connected(BAC)
        os.close(rig.ends[0])
        await unplugged_and_plugged(rig, 2)
        await rig.obeyed(BAC, "shoe.load", shoe_id="S-1", decks=8)


async def test_f4_a_full_log_holds_up_no_table_and_says_what_it_lost(tmp_path: Path) -> None:
    async with PipedRig(tmp_path) as rig:
        await rig.connected(BAC)
        await unplugged_and_plugged(rig, 20)
        await rig.obeyed(BAC, "shoe.load", shoe_id="S-1", decks=8)
        read = bytearray()
        os.set_blocking(rig.ends[0], False)

        def all_came() -> bool:
            with suppress(BlockingIOError):
                read.extend(os.read(rig.ends[0], PAGE))
            return read.count(b'"lost"') >= 20

        await until(all_came, "every line, once somebody reads")
        events = [json.loads(line)["event"] for line in bytes(read).splitlines()[:-1]]
        assert "log_lines_lost" not in events, "there was room for these"
        os.close(rig.ends[0])
