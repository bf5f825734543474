"""One table PC, many tables: 32 wheels at 2 lines a second and 32 shoes at a card a second.

Prints the daemon's share of one core and its memory, over 15 seconds of steady play.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import sys
import tempfile
from pathlib import Path
from typing import Any

from config.rehearsal_text import rehearsal_text
from daemon.demo.embedded_nats import EmbeddedNats
from drivers.clock import BootClock
from drivers.pty_simulator import SimulatorOnPty
from protocols.cards import SUITS, Card
from protocols.catalog import devices
from protocols.simulator import DrawCard, PowerOn, SpinBall

PAIRS = 32
WARM_UP_S, MEASURED_S = 5.0, 15.0
NATURAL = (("9", "player", 1), ("2", "banker", 1), ("K", "player", 2), ("3", "banker", 2))
KINDS = {
    "W": ("roulette", "roulette-lv", "cammegh_ss2"),
    "S": ("baccarat", "baccarat-lv", "angel_eye_ii_ex"),
}


async def shoe(port: SimulatorOnPty) -> None:
    """Deal player naturals, a card a second; suits take turns, so no card runs out."""
    for number in range(32 * len(NATURAL)):
        rank, target, index = NATURAL[number % len(NATURAL)]
        port.cue(DrawCard(Card(rank, SUITS[number // 4 % 4]), target, index))  # type: ignore[arg-type] # literals
        await asyncio.sleep(1)


async def wheel(port: SimulatorOnPty) -> None:
    """Spin for ever."""
    while True:
        with contextlib.suppress(ValueError):
            port.cue(SpinBall("17"))
        await asyncio.sleep(45)


def cpu_s(pid: int) -> float:
    """Return the process's CPU seconds so far."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def rss_mib(pid: int) -> float:
    """Return the process's resident memory in MiB."""
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    return int(next(one for one in lines if one.startswith("VmRSS")).split()[1]) / 1024


async def ask(socket: str) -> dict[str, Any]:
    """Return the daemon's status, an empty one while it is not there yet."""
    command = [sys.executable, "-P", "-m", "daemon.cli.main", "status", "--json"]
    asked = await asyncio.create_subprocess_exec(
        *command,
        "--socket",
        socket,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.DEVNULL,
    )
    answer: dict[str, Any] = json.loads((await asked.communicate())[0] or "{}")
    return answer


async def connected(socket: str) -> None:
    """Wait until every device is connected: a card dealt before is stale."""
    while True:
        tables = (await ask(socket)).get("tables", [])
        states = [device["state"] for one in tables for device in one["devices"]]
        if len(states) == 2 * PAIRS and set(states) == {"connected"}:
            return
        await asyncio.sleep(0.5)


async def measure(folder: Path, stack: contextlib.AsyncExitStack) -> None:
    """Play and print."""
    server = EmbeddedNats()
    stack.callback(server.stop)
    url = server.start(folder / "nats")
    clock, tables, ports = BootClock(), {}, {}
    for letter, (game, profile, device) in KINDS.items():
        for number in range(PAIRS):
            table, spec = f"{letter}-{number}", devices()[device]
            tty = str(folder / f"{table}.tty")
            simulator = spec.simulator(spec.settings())
            ports[table] = await stack.enter_async_context(SimulatorOnPty(simulator, clock, tty))
            ports[table].cue(PowerOn())
            tables[table] = {
                "game": game,
                "profile": profile,
                "device": device,
                "round_control": "device",
                "link": {"kind": "serial_port", "port": tty},
            }
    socket = str(folder / "control.sock")
    text = rehearsal_text(
        tables=tables,
        bus={"kind": "nats_jetstream", "servers": [url]},
        journal=str(folder / "journal.db"),
        control=socket,
    )
    (folder / "pitwire.toml").write_text(text)
    pitwire = [sys.executable, "-P", "-m", "daemon.cli.main"]
    with (folder / "daemon.log").open("wb") as log:
        daemon = await asyncio.create_subprocess_exec(
            *pitwire, "run", "--config", str(folder / "pitwire.toml"), stdout=log, stderr=log
        )
    await connected(socket)
    plays = [
        asyncio.create_task(shoe(port) if table.startswith("S") else wheel(port))
        for table, port in ports.items()
    ]
    try:
        await asyncio.sleep(WARM_UP_S)
        before = cpu_s(daemon.pid)
        await asyncio.sleep(MEASURED_S)
        share = (cpu_s(daemon.pid) - before) / MEASURED_S
        status = await ask(socket)
        events = sum(one["seq"] for one in status["tables"])
        lag = max(one["publisher"]["lag"] for one in status["tables"])
        held = [one["table"] for one in status["tables"] if one["state"] != "open"]
        if held:
            raise SystemExit(f"held, so nothing was measured: {held}")
        print(f"{len(tables)} tables, {events} events, at most {lag} not yet on the bus")
        print(f"cpu {share:.1%} of one core, {rss_mib(daemon.pid):.0f} MiB")
    finally:
        for play in plays:
            play.cancel()
        daemon.terminate()
        await daemon.wait()


async def main() -> None:
    """Run in a folder of its own and leave nothing behind."""
    with tempfile.TemporaryDirectory(prefix="pitwire-bench-") as folder:
        async with contextlib.AsyncExitStack() as stack:
            await measure(Path(folder), stack)


if __name__ == "__main__":
    asyncio.run(main())
