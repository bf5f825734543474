"""How long a card takes from the shoe's last byte to a durable consumer, against the bare floor.

Usage: python bench/latency.py [--pairs N] [--burst] [--sync-ms MS]. Floor (latency_floor.py) and
product (the real daemon with one rehearsal table) run in turn, each as its own process, on the same
NATS server with `sync_interval: always` and the same durable consumer, in a process of its own. One
telegram per 5 ms, so that no cache stays warm between two. Latency: from just before the write of a
whole telegram to the callback with its `card.dealt`. The last line is the ratio of the medians of
p50.

--burst    all telegrams at once, as fast as the port takes them, and the cards per second from the
           first write to the last callback; the ratio is the product's rate to the floor's
--sync-ms  each sync of a disk takes so much longer, in the server and on both sides (strace injects
           the delay: a slow disk where the machine has a fast one)
"""

from __future__ import annotations

import argparse
import json
import os
import pty
import signal
import socket
import subprocess
import sys
import tempfile
import time
import tty
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from statistics import median, quantiles
from typing import Any, Literal

from config.rehearsal_text import rehearsal_text
from daemon.demo.embedded_nats import find_nats_server
from protocols.cards import Card, Rank, Suit
from protocols.shoes.angel_eye_ii_ex.layout import FACE_BYTES, TARGET_BITS, report

Side = Literal["floor", "product"]

HERE = Path(__file__).parent
GAP_NS = 5_000_000
WARM_UP = 64
START_S = 20
"""How long a process may take to come up, or to deliver its last cards, before we give up."""
DISK = "/var/tmp"  # noqa: S108 - a new folder is made in it; /tmp may be memory, which syncs nothing

SUITS: Sequence[Suit] = ("S", "H", "D", "C")
COPIES = 8
PLAYER: Sequence[tuple[Rank, Rank]] = (("9", "K"), ("8", "Q"), ("7", "A"))
BANKER: Sequence[tuple[Rank, Rank]] = (("T", "J"), ("6", "2"), ("5", "3"))
SLOTS = ((0, 1), (1, 1), (0, 2), (1, 2))
SIDES = (TARGET_BITS["player"], TARGET_BITS["banker"])


def telegrams() -> list[bytes]:
    """Return what a shoe says of 96 rounds: the player always has a natural, so every card counts.

    No card comes more often than in eight decks.
    """
    rounds = [
        (Card(p1, suit), Card(b1, suit), Card(p2, suit), Card(b2, suit))
        for (p1, p2), (b1, b2) in zip(PLAYER, BANKER, strict=True)
        for suit in SUITS
        for _ in range(COPIES)
    ]
    said: list[bytes] = []
    for cards in rounds:
        for card, (side, index) in zip(cards, SLOTS, strict=True):
            place = 0x80 | SIDES[side] << 4 | index
            number = str((len(said) + 1) % 10)
            said.append(report(number, "D", bytes([place, FACE_BYTES[card]])))
    return said


def slowed(sync_ms: float) -> list[str]:
    """Return what a program is started with so that each sync takes so much longer."""
    if not sync_ms:
        return []
    delay = f"inject=fsync,fdatasync:delay_enter={round(sync_ms * 1000)}"
    quiet = ["-qq", "-o", os.devnull, "-e", "signal=none"]
    return ["strace", "-f", *quiet, "--seccomp-bpf", "-e", "trace=fsync,fdatasync", "-e", delay]


@contextmanager
def process(
    command: Sequence[str | Path], log: Path, sync_ms: float = 0.0
) -> Iterator[subprocess.Popen[str]]:
    """Run one of our Python programs and end it at the end, kindly first."""
    with (
        log.open("a") as errors,
        subprocess.Popen(
            [*slowed(sync_ms), sys.executable, "-P", *command],
            stdout=subprocess.PIPE,
            stderr=errors,
            text=True,
            process_group=0,  # strace and what it runs end together
        ) as running,
    ):
        try:
            yield running
        finally:
            end(running)


def end(running: subprocess.Popen[Any]) -> None:
    """End a program and its children, kindly first."""
    with suppress(ProcessLookupError):
        os.killpg(running.pid, signal.SIGTERM)
    try:
        running.wait(START_S)
    except subprocess.TimeoutExpired:
        os.killpg(running.pid, signal.SIGKILL)


def heard(consumer: subprocess.Popen[str], log: Path) -> str:
    """Return the consumer's next line. Exits with the log's end when it does not come in time."""
    line = ""
    signal.alarm(START_S)
    with suppress(TimeoutError):
        line = consumer.stdout.readline().strip() if consumer.stdout else ""
    signal.alarm(0)
    if not line:
        sys.exit(f"the run failed; its log ends:\n{log.read_text('utf-8', 'replace')[-2000:]}")
    return line


def gave_up(*_signal: object) -> None:
    raise TimeoutError


@contextmanager
def nats_server(folder: Path, sync_ms: float) -> Iterator[str]:
    """Run a server that syncs before it acknowledges; yield its url."""
    folder.mkdir()
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    config = folder / "nats.conf"
    store = json.dumps(str(folder / "store"))
    config.write_text(
        f"listen: 127.0.0.1:{port}\njetstream {{ store_dir: {store}, sync_interval: always }}\n"
    )
    command = [*slowed(sync_ms), find_nats_server(), "-c", config, "-l", folder / "nats.log"]
    with subprocess.Popen(command, process_group=0) as server:
        try:
            until = time.monotonic() + START_S
            while time.monotonic() < until:
                with suppress(OSError), socket.create_connection(("127.0.0.1", port), 1):
                    break
                time.sleep(0.05)
            yield f"nats://127.0.0.1:{port}"
        finally:
            end(server)


def deal(port: int, said: Sequence[bytes], gap_ns: int) -> list[int]:
    """Write the telegrams, one per gap; return when each write began."""
    written, due = [], time.monotonic_ns()
    for telegram in said:
        due += gap_ns
        time.sleep(max(0, due - time.monotonic_ns()) / 1e9)
        written.append(time.monotonic_ns())
        os.write(port, telegram)
    return written


def command_of(side: Side, url: str, table: str, port: str, folder: Path) -> list[str | Path]:
    """Return the arguments of the side's program."""
    if side == "floor":
        return [HERE / "latency_floor.py", url, table, port, folder / f"{table}.db"]
    config = folder / f"{table}.toml"
    shoe = {
        "game": "baccarat",
        "profile": "baccarat-lv",
        "device": "angel_eye_ii_ex",
        "round_control": "device",
        "link": {"kind": "serial_port", "port": port},
    }
    text = rehearsal_text(
        tables={table: shoe},
        bus={"kind": "nats_jetstream", "servers": [url]},
        journal=str(folder / f"{table}.db"),
        control=str(folder / f"{table}.sock"),
    )
    config.write_text(text, "utf-8")
    return ["-m", "daemon.cli.main", "run", "--config", config]


def run(
    side: Side, number: int, url: str, folder: Path, options: argparse.Namespace
) -> tuple[list[float], float]:
    """Return one run's latencies in microseconds, those of the warm-up left out, and its rate.

    The rate is cards per second, from the first write to the last callback.
    """
    table, said = f"{side}-{number}", telegrams()
    log = folder / f"{table}.log"
    with ExitStack() as stack:
        master, slave = pty.openpty()
        stack.callback(os.close, master)
        stack.callback(os.close, slave)
        tty.setraw(slave)
        listen: list[str | Path] = [HERE / "latency_consumer.py", url, table, str(len(said))]
        consumer = stack.enter_context(process(listen, log))
        assert heard(consumer, log) == "subscribed"
        program = command_of(side, url, table, os.ttyname(slave), folder)
        stack.enter_context(process(program, log, options.sync_ms))
        assert heard(consumer, log) == "connected"
        time.sleep(0.3)  # let the start's own work end
        written = deal(master, said, 0 if options.burst else GAP_NS)
        arrived = json.loads(heard(consumer, log))
    pairs = zip(written[WARM_UP:], arrived[WARM_UP:], strict=True)
    rate = len(said) / ((arrived[-1] - written[0]) / 1e9)
    return [(there - here) / 1e3 for here, there in pairs], rate


def main(options: argparse.Namespace) -> None:
    signal.signal(signal.SIGALRM, gave_up)
    medians: dict[Side, list[float]] = {"floor": [], "product": []}
    rates: dict[Side, list[float]] = {"floor": [], "product": []}
    pace = "all cards at once" if options.burst else f"one card per {GAP_NS // 1_000_000} ms"
    print(f"{'run':10} {'p50 us':>8} {'p99 us':>8} {'cards/s':>8}   {pace}")
    with (
        tempfile.TemporaryDirectory(prefix="pitwire-bench-", dir=DISK) as name,
        nats_server(Path(name) / "nats", options.sync_ms) as url,
    ):
        for number in range(1, options.pairs + 1):
            # Each side goes first as often as the other: what drifts, drifts for both.
            order: tuple[Side, Side] = ("floor", "product")
            for side in order if number % 2 else reversed(order):
                latencies, rate = run(side, number, url, Path(name), options)
                p50, p99 = median(latencies), quantiles(latencies, n=100)[98]
                medians[side].append(p50)
                rates[side].append(rate)
                print(f"{side:7} {number:2} {p50:8.0f} {p99:8.0f} {rate:8.0f}", flush=True)
    floor, product = median(medians["floor"]), median(medians["product"])
    if options.burst:
        floor, product = median(rates["floor"]), median(rates["product"])
    unit = "cards/s" if options.burst else "us"
    what = "cards per second" if options.burst else "p50"
    print(f"medians of {what}: floor {floor:.0f} {unit}, product {product:.0f} {unit}")
    print(f"ratio {product / floor:.2f}")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--pairs", type=int, default=5)
    parser.add_argument("--burst", action="store_true")
    parser.add_argument("--sync-ms", type=float, default=0.0)
    main(parser.parse_args())
