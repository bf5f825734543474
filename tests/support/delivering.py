"""A publisher at work between a journal and a real server, for the tests of both.

A `Site` is a bus with its server; `SITES` has one for each kind of bus that keeps what it is given.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import os
import signal
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import nats
from nats.aio.client import Client
from nats.js.api import RawStreamMsg
from nats.js.errors import NotFoundError
from support.durable import TABLE, Opened, body, nats_server
from support.mosquitto import Mosquitto, mosquitto, peer

from daemon.buses.mqtt import BUS as MQTT
from daemon.buses.mqtt import MqttSettings
from daemon.buses.nats_jetstream import NatsBus, NatsSettings
from daemon.delivery.bus import Address, BusUnavailable, OpenBus
from daemon.delivery.comparison import Comparison
from daemon.delivery.lease import Owner
from daemon.delivery.lease_keeper import LeaseKeeper
from daemon.delivery.publisher import Publisher
from daemon.delivery.reports import PublisherEvents
from daemon.demo.embedded_nats import EmbeddedNats
from daemon.journal.records import Transaction
from daemon.runtime.tasks import end_tasks
from drivers.clock import BootClock

Report = Callable[[str | None], None]
Found = list[tuple[str, str, bytes]]
"""(subject, message id, payload) of events, in the order of the bus."""


class Site(Protocol):
    """A bus with a server of its own; `restart` keeps the port and what the server stored.

    drops_repeats  whether the bus takes an id once, whatever happened in between
    """

    drops_repeats: bool

    @property
    def place(self) -> str:
        """Return where the server is, as sentences name it."""

    async def open_bus(self, report: Report) -> OpenBus: ...
    async def on_the_bus(self, root: str = "pit") -> Found: ...
    def restart(self) -> None: ...
    def stop(self) -> None: ...
    def kill(self) -> None: ...
    def freeze(self) -> None: ...
    def thaw(self) -> None: ...


@dataclass
class NatsSite:
    """A NATS server."""

    server: EmbeddedNats
    url: str
    folder: Path
    config: str
    drops_repeats: bool = True

    @property
    def place(self) -> str:
        return self.url

    async def open_bus(self, report: Report) -> OpenBus:
        return NatsBus(NatsSettings(servers=(self.url,)), report)

    async def on_the_bus(self, root: str = "pit") -> Found:
        return await on_the_bus(self.url, "PIT" if root == "pit" else "PIT-REHEARSAL")

    def restart(self) -> None:
        self.server.start(
            self.folder, port=int(self.url.rpartition(":")[2]), extra_config=self.config
        )

    def stop(self) -> None:
        self.server.stop()

    def kill(self) -> None:
        self.server.kill()

    def freeze(self) -> None:
        assert self.server.pid is not None
        os.kill(self.server.pid, signal.SIGSTOP)

    def thaw(self) -> None:
        assert self.server.pid is not None
        os.kill(self.server.pid, signal.SIGCONT)


@dataclass
class MqttSite:
    """A mosquitto, and a consumer with a session there that outlives its absence."""

    server: Mosquitto
    taken: Found
    drops_repeats: bool = False

    @property
    def place(self) -> str:
        return self.server.url

    async def open_bus(self, report: Report) -> OpenBus:
        return await MQTT.connect(MqttSettings(self.server.url), report)

    async def subscribe(self) -> None:
        topics = ("pit/event/#", "pit-rehearsal/event/#", "echo")
        async with peer(self.server.url, *topics, name="consumer"):
            pass

    async def on_the_bus(self, root: str = "pit") -> Found:
        async with peer(self.server.url, name="consumer") as one:
            await one.publish("echo", b"")
            await one.until(lambda: one.heard and one.heard[-1].topic == "echo")
        for message in one.heard[:-1]:
            ((_, message_id),) = message.properties.UserProperty
            self.taken.append((message.topic.replace("/", "."), message_id, message.payload))
        return [one for one in self.taken if one[0].startswith(f"{root}.")]

    def restart(self) -> None:
        self.server.start()

    def stop(self) -> None:
        self.server.stop()

    def kill(self) -> None:
        self.server.kill()

    def freeze(self) -> None:
        self.server.freeze()

    def thaw(self) -> None:
        self.server.thaw()


def consumed(site: Site, found: Found) -> Found:
    """Return what a consumer makes of it: where the bus drops no repeats, it does."""
    if site.drops_repeats:
        return found
    return list({one[1]: one for one in reversed(found)}.values())[::-1]


@asynccontextmanager
async def nats_site(folder: Path, limit: int | None = None) -> AsyncIterator[Site]:
    config = "" if limit is None else f"max_payload: {limit}"
    with nats_server(folder, config) as (server, url):
        yield NatsSite(server, url, folder, config)


@asynccontextmanager
async def mqtt_site(folder: Path, limit: int | None = None) -> AsyncIterator[Site]:
    config = "allow_anonymous true\nautosave_interval 1\nautosave_on_changes true\n"
    config += "" if limit is None else f"max_packet_size {limit}\n"
    with mosquitto(folder, config) as broker:
        site = MqttSite(broker, [])
        await site.subscribe()
        yield site


SITES: dict[str, Callable[[Path, int | None], AbstractAsyncContextManager[Site]]] = {
    "mqtt": mqtt_site,
    "nats_jetstream": nats_site,
}
"""By kind of bus: (folder, the largest message in bytes) -> the site."""


@dataclass
class Delivery:
    """A publisher at work between an open journal and a real bus.

    found  what each comparison came to
    lags   how much was behind when it was told
    """

    bus: OpenBus
    publisher: Publisher
    lease: LeaseKeeper
    found: list[Comparison]
    lags: list[int]
    reports: list[str | None]
    damage: list[str]
    foreign: list[str]
    unkept: list[Sequence[str]]
    taken: list[tuple[int, int]]

    @property
    def verdicts(self) -> list[str]:
        return [comparison.verdict for comparison in self.found]

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
    it: Opened, site: Site | str, address: Address | None = None, owner: Owner | None = None
) -> AsyncIterator[Delivery]:
    """Deliver to a site, or to a NATS server by its url."""
    reports: list[str | None] = []
    found: list[Comparison] = []
    damage: list[str] = []
    foreign: list[str] = []
    unkept: list[Sequence[str]] = []
    taken: list[tuple[int, int]] = []
    lost: list[str] = []
    lags: list[int] = []

    def took(first: int, last: int) -> None:
        taken.append((first, last))

    def compared(comparison: Comparison) -> None:
        lags.append(publisher.state().lag)
        found.append(comparison)

    def report(text: str | None) -> None:
        reports.append(text)
        if text is None:
            publisher.bus_connected()
            lease.look()
        else:
            lease.bus_disconnected()

    if isinstance(site, str):
        bus: OpenBus = NatsBus(NatsSettings(servers=(site,)), report)
    else:
        bus = await site.open_bus(report)
    clock, address = BootClock(), address or Address("oslo", TABLE, "live")
    lease = LeaseKeeper(bus, address, owner or Owner("we", "here"), lost.append, clock)
    publisher = Publisher(
        it.journal,
        bus,
        address,
        lease,
        tombstone=tombstone,
        tell=PublisherEvents(compared, damage.append, foreign.append, unkept.append, took),
        clock=clock,
    )
    tasks = [asyncio.create_task(work) for work in (lease.run(), publisher.run())]
    try:
        yield Delivery(bus, publisher, lease, found, lags, reports, damage, foreign, unkept, taken)
    finally:
        await end_tasks(tasks)
        await bus.close()


async def write(it: Opened, delivery: Delivery, *transactions: Transaction) -> None:
    await it.write(*transactions)
    delivery.publisher.notify()


async def on_the_bus(url: str, stream: str = "PIT") -> list[tuple[str, str, bytes]]:
    """Every event in the stream, in its order: (subject, message id, payload)."""
    client = await nats.connect(url)
    try:
        return [
            (one.subject or "", (one.headers or {}).get("Nats-Msg-Id", ""), one.data or b"")
            async for one in events_in(client, stream)
        ]
    finally:
        await client.close()


async def events_in(client: Client, stream: str) -> AsyncIterator[RawStreamMsg]:
    """Yield the events in the stream; leases are no events."""
    root = "pit" if stream == "PIT" else "pit-rehearsal"
    manager, seq = client.jetstream(), 0
    while True:
        try:
            one = await manager.get_msg(stream, seq=seq + 1, subject=f"{root}.event.>", next=True)
        except NotFoundError:
            return
        yield one
        seq = one.seq or 0


def id_of(payload: bytes) -> str:
    """Return the id under which an event is published the first time."""
    sent = json.loads(payload)
    digest = hashlib.blake2b(payload, digest_size=12).hexdigest()
    return f"{TABLE}:{sent['epoch']}:{int(sent['sequence'])}:{digest}"


async def eventually(call: Callable[..., Awaitable[object]], *arguments: object) -> None:
    """Call until the bus is there."""
    async with asyncio.timeout(10):
        while True:
            try:
                await call(*arguments)
                break
            except BusUnavailable:
                await asyncio.sleep(0.01)
