"""Hostile payloads on every command subject of a real daemon: how many, and how they were answered.

Usage: PYTHONPATH=tests python bench/payloads.py [--payloads N] [--seed S].

A real daemon at a real NATS server. Random and hostile payloads (tests/support/hostile_payloads.py)
go to each of a table's command subjects. Each is answered; nothing is accepted that the published
schema refuses; afterwards the daemon still serves and has logged no traceback. Ends with 1
otherwise. Prints how many answers took longer than a second.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
import tempfile
import time
from pathlib import Path

from support.payload_attack import SLOW_S, attack
from support.whole_rig import BACCARAT, Rig


async def main(count: int, seed: int) -> int:
    """Attack a daemon, print the answers, return the exit code."""
    with tempfile.TemporaryDirectory() as folder:
        async with Rig(Path(folder), seats=[BACCARAT]) as rig:
            await rig.connected(BACCARAT.table)
            began = time.monotonic()
            answers = await attack(rig, seed, count)
            taken = time.monotonic() - began
            status = await rig.command(BACCARAT.table, "table.status")
            log = (Path(folder) / "daemon.log").read_text()
    wrong = sum(count for what, count in answers.items() if what.startswith("accepted "))
    traceback, alive = "Traceback" in log, status["answer"] == "accepted"
    slow = answers.pop("slow")
    print(f"{count} payloads, seed {seed}, {taken:.0f} s; slower than {SLOW_S:.0f} s: {slow}")
    for what, times in answers.most_common():
        print(f"  {times:8} {what}")
    print(f"wrong: {wrong}; traceback in the log: {traceback}; the daemon serves: {alive}")
    return int(wrong > 0 or traceback or not alive)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n\n")[0])
    parser.add_argument("--payloads", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    sys.exit(asyncio.run(main(asked.payloads, asked.seed)))
