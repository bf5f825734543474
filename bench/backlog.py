"""How fast a backlog reaches a durable consumer: as delivery does it, and one event at a time.

Usage: PYTHONPATH=tests python bench/backlog.py [--events N] [--pairs P]. After an outage a journal
holds N events that the bus lacks. The real publisher brings them to a real NATS server with
`sync_interval: always`; a durable consumer, in a process of its own, counts them in order. Both
ways run in turn, P times each, on the same server; time runs from the publisher's start to the
consumer's last event. The last line is the ratio of the medians of events per second.
"""

from __future__ import annotations

import argparse
import asyncio
import secrets
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median
from typing import Final

import nats
from nats.aio.msg import Msg
from support.delivering import delivering
from support.durable import TABLE, body, opened

from daemon.buses.nats_jetstream import NatsBus, NatsSettings
from daemon.delivery.bus import Address, OpenBus
from daemon.demo.embedded_nats import EmbeddedNats
from daemon.journal.records import Record, Transaction

DISK: Final = "/var/tmp"  # noqa: S108 - a new folder is made in it; /tmp may be memory, which syncs nothing
WRITTEN_AT_ONCE: Final = 64
Report = Callable[[str | None], None]


class OneByOne(NatsBus):
    """The bus as it is where nothing may be in flight behind an event."""

    @property
    def bulk(self) -> None:  # type: ignore[override] # a part that is left out
        """Return None."""


class Server:
    """The NATS server, reached in one of both ways; see `delivering`."""

    drops_repeats = True

    def __init__(self, url: str, bus: type[NatsBus]) -> None:
        self.place = url
        self._bus = bus

    async def open_bus(self, report: Report) -> OpenBus:
        """Connect."""
        return self._bus(NatsSettings(servers=(self.place,)), report)


async def count(url: str, site: str, events: int) -> None:
    """Consume so many events, each in its order, and say when the last one came."""
    client = await nats.connect(url)
    subject = f"pit.event.{site}.{TABLE}.>"
    due, done = 1, asyncio.Event()

    async def take(message: Msg) -> None:
        nonlocal due
        if f'"sequence":"{due:020d}"'.encode() not in message.data:
            sys.exit(f"event {due} is due, and {message.data!r} came")
        await message.ack()
        due += 1
        if due > events:
            done.set()

    await client.jetstream().subscribe(subject, durable=site, cb=take, manual_ack=True)
    print("subscribed", flush=True)
    await done.wait()
    print(time.monotonic(), flush=True)
    await client.close()


async def rate(url: str, bus: type[NatsBus], name: str, events: int, folder: Path) -> float:
    """Return the events per second of one run."""
    epoch = f"000001-{secrets.token_hex(2)}"  # ids are taken once, whichever run sends them
    async with opened(folder / f"{name}.db") as it:
        for first in range(1, events + 1, WRITTEN_AT_ONCE):
            seqs = range(first, min(first + WRITTEN_AT_ONCE, events + 1))
            records = tuple(
                Record(seq, epoch, seq, "event", body(seq, epoch, note="x" * 200)) for seq in seqs
            )
            await it.write(Transaction(TABLE, records))
        command = [__file__, "--consume", url, name, str(events)]
        consumer = await asyncio.create_subprocess_exec(
            sys.executable, "-P", *command, stdout=asyncio.subprocess.PIPE
        )
        assert consumer.stdout is not None
        await consumer.stdout.readline()
        began = time.monotonic()
        async with delivering(it, Server(url, bus), Address(name, TABLE, "live")):  # type: ignore[arg-type] # it is only opened
            said = await consumer.stdout.readline()
            await consumer.wait()
    if not said:
        sys.exit("the consumer gave up")
    return events / (float(said) - began)


async def main(events: int, pairs: int) -> None:
    rates: dict[str, list[float]] = {"one by one": [], "product": []}
    ways: dict[str, type[NatsBus]] = {"one by one": OneByOne, "product": NatsBus}
    server = EmbeddedNats()
    with tempfile.TemporaryDirectory(prefix="pitwire-bench-", dir=DISK) as name:
        url = await asyncio.to_thread(server.start, Path(name) / "nats")
        try:
            await make_stream(url)
            for number in range(1, pairs + 1):
                for way in ways if number % 2 else reversed(ways):
                    place = f"{way.replace(' ', '-')}-{number}"
                    reached = await rate(url, ways[way], place, events, Path(name))
                    rates[way].append(reached)
                    print(f"{way:10} {number:2} {reached:8.0f} events/s", flush=True)
        finally:
            server.stop()
    slow, fast = median(rates["one by one"]), median(rates["product"])
    print(f"medians: one by one {slow:.0f}, product {fast:.0f} events/s; ratio {fast / slow:.2f}")


async def make_stream(url: str) -> None:
    """Let the product make its stream, so that consumers find it."""
    bus = NatsBus(NatsSettings(servers=(url,)), lambda _: None)
    while True:
        try:
            await bus.log.newest(Address("none", TABLE, "live"))
        except Exception:  # noqa: BLE001 - not connected yet
            await asyncio.sleep(0.05)
        else:
            break
    await bus.close()


if __name__ == "__main__":
    if "--consume" in sys.argv:
        asyncio.run(count(sys.argv[2], sys.argv[3], int(sys.argv[4])))
    else:
        parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
        parser.add_argument("--events", type=int, default=100_000)
        parser.add_argument("--pairs", type=int, default=3)
        options = parser.parse_args()
        asyncio.run(main(options.events, options.pairs))
