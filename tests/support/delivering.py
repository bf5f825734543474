"""A publisher at work between a journal and a real NATS server, for the tests of both."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

import nats
from support.durable import TABLE, Opened, body

from daemon.buses.nats_jetstream import NatsBus, NatsSettings
from daemon.delivery.bus import Address, BusUnavailable
from daemon.delivery.publisher import Publisher, Reconciled
from daemon.demo.embedded_nats import EmbeddedNats
from daemon.journal.records import Transaction
from drivers.clock import BootClock


@dataclass
class Site:
    """A server of our own and where it stands; `restart` keeps the port and the store."""

    server: EmbeddedNats
    url: str
    folder: Path
    config: str

    def restart(self) -> None:
        self.server.start(
            self.folder, port=int(self.url.rpartition(":")[2]), extra_config=self.config
        )


@dataclass
class Delivery:
    """A publisher at work between an open journal and a real bus."""

    bus: NatsBus
    publisher: Publisher
    reconciled: list[Reconciled]
    reports: list[str | None]
    damage: list[str]

    async def until_delivered(self) -> None:
        await self.until(lambda: self.publisher.state().lag == 0)

    def error(self) -> str:
        return self.publisher.state().error or ""

    async def until_published(self, count: int) -> None:
        await self.until(lambda: self.publisher.state().published >= count)

    async def until(self, condition: Callable[[], object]) -> None:
        async with asyncio.timeout(20):
            while not condition():  # noqa: ASYNC110 - polled, as health polls it
                await asyncio.sleep(0.005)


def tombstone(blob: bytes, why: str) -> bytes:
    refused = json.loads(blob)
    seq = int(refused["sequence"])
    return body(seq, refused["epoch"], "event.withheld", why)


@asynccontextmanager
async def delivering(
    it: Opened, url: str, address: Address | None = None
) -> AsyncIterator[Delivery]:
    reports: list[str | None] = []
    reconciled: list[Reconciled] = []
    damage: list[str] = []

    def report(text: str | None) -> None:
        reports.append(text)
        if text is None:
            publisher.bus_connected()

    bus = NatsBus(NatsSettings(servers=(url,)), report)
    publisher = Publisher(
        it.journal,
        bus,
        address or Address("oslo", TABLE, "live"),
        tombstone=tombstone,
        on_reconciled=reconciled.append,
        on_damage=damage.append,
        clock=BootClock(),
    )
    task = asyncio.create_task(publisher.run())
    try:
        yield Delivery(bus, publisher, reconciled, reports, damage)
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        await bus.close()


async def write(it: Opened, delivery: Delivery, *transactions: Transaction) -> None:
    await it.write(*transactions)
    delivery.publisher.notify()


async def on_the_bus(url: str, stream: str = "PIT") -> list[tuple[str, str, bytes]]:
    """Everything in the stream, in its order: (subject, message id, payload)."""
    client = await nats.connect(url)
    try:
        manager = client.jetstream()
        last = (await manager.stream_info(stream)).state.last_seq
        found = [await manager.get_msg(stream, seq) for seq in range(1, last + 1)]
        return [
            (one.subject or "", (one.headers or {})["Nats-Msg-Id"], one.data or b"")
            for one in found
        ]
    finally:
        await client.close()


async def eventually(bus: NatsBus) -> None:
    async with asyncio.timeout(10):
        while True:
            try:
                await bus.last_event(Address("oslo", TABLE, "live"))
                break
            except BusUnavailable:
                await asyncio.sleep(0.01)
