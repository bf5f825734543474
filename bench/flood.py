"""How long a table's neighbour waits for an answer while a client floods that table.

Usage: PYTHONPATH=tests python bench/flood.py [--asks N]. The real daemon with two tables on a real
NATS server; another process sends commands to the wheel's table as fast as it can. Printed is how
long `table.status` of the shoe's table takes, without and with the flood, and how many commands a
second the flood had.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
import tempfile
import time
from pathlib import Path
from statistics import median, quantiles

import nats
from support.whole_rig import BACCARAT, ROULETTE, Rig, command

from daemon.demo.demo import SITE

FLOOD = f"pit-rehearsal.command.{SITE}.{ROULETTE.table}.play.mallory"


async def asked(rig: Rig, times: int) -> list[float]:
    """Ask the neighbour; return how long each answer took, in milliseconds."""
    took = []
    for _ in range(times):
        began = time.perf_counter()
        await rig.obeyed(BACCARAT.table, "table.status")
        took.append((time.perf_counter() - began) * 1e3)
        await asyncio.sleep(0.01)
    return took


def told(what: str, took: list[float]) -> None:
    """Print a line of the table."""
    print(f"{what:<24} {median(took):8.1f} {quantiles(took, n=100)[98]:8.1f} {max(took):8.1f}")


async def flood(url: str) -> None:
    """Send commands until killed; say each second how many."""
    client = await nats.connect(url)
    number = 0
    while True:
        until = time.perf_counter() + 1.0
        sent = number
        while time.perf_counter() < until:
            for _ in range(50):
                number += 1
                await client.publish(FLOOD, command("bets.close", round_id=f"none-{number}"), "_")
            await client.flush()
        print(number - sent, flush=True)


async def measured(asks: int) -> None:
    """Measure."""
    print(f"{'milliseconds':<24} {'p50':>8} {'p99':>8} {'max':>8}")
    with tempfile.TemporaryDirectory(prefix="pitwire-bench-") as name:
        async with Rig(Path(name), speed=1.0) as rig:
            await rig.connected(BACCARAT.table)
            await rig.connected(ROULETTE.table)
            told("nobody floods", await asked(rig, asks))
            url = rig.consumer.bus.connected_url.geturl()
            flooding = await asyncio.create_subprocess_exec(
                sys.executable, "-P", __file__, "--flood", url, stdout=asyncio.subprocess.PIPE
            )
            assert flooding.stdout is not None
            await flooding.stdout.readline()
            took = await asked(rig, asks)
            rate = int(await flooding.stdout.readline())
            flooding.kill()
            await flooding.wait()
            told(f"flooded with {rate}/s", took)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--asks", type=int, default=300)
    parser.add_argument("--flood", help=argparse.SUPPRESS)
    options = parser.parse_args()
    asyncio.run(flood(options.flood) if options.flood else measured(options.asks))
