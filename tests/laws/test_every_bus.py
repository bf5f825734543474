"""Every bus keeps the promises of `OpenBus`, tried on real servers.

Tried with faults seeded in the buses; each was noticed by the law beside it:

 an event sent without its id                  a_repeated_id_is_taken_once
 a repeat written again                        a_repeated_id_is_taken_once
 `publish` returns before the event is taken   an_event_is_taken_when_publish_returns
 a line left in a buffer                       an_event_is_taken_when_publish_returns
 a status sent where events go                 a_status_is_no_event
"""

from __future__ import annotations

import asyncio
import io
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

import nats
import pytest
from support.delivering import events_in
from support.durable import EPOCH, TABLE, body, nats_server
from support.mosquitto import mosquitto, peer

from daemon.buses.mqtt import BUS as MQTT
from daemon.buses.mqtt import MqttSettings
from daemon.buses.nats_jetstream import NatsBus, NatsSettings
from daemon.buses.stdout import StdoutBus
from daemon.delivery.bus import (
    Address,
    BusSpec,
    BusUnavailable,
    OpenBus,
    Outgoing,
    Request,
)
from daemon.runtime.catalog import buses

HERE = Address("oslo", TABLE, "live")
THERE = Address("oslo", "B-02", "live")


@dataclass
class Rig:
    """A connected bus, and a consumer that reads everything it has durably taken.

    ask  sends a command to a table and returns the answer; None where a bus takes no commands
    """

    bus: OpenBus
    taken: Callable[[], Awaitable[list[bytes]]]
    ask: Callable[[Address, bytes], Awaitable[bytes]] | None
    remembers: bool


@asynccontextmanager
async def nats_rig(folder: Path) -> AsyncIterator[Rig]:
    with nats_server(folder) as (_, url):
        connected = asyncio.Event()
        bus = NatsBus(NatsSettings(servers=(url,)), lambda _: connected.set())
        await connected.wait()
        consumer = await nats.connect(url)

        async def taken() -> list[bytes]:
            return [one.data or b"" async for one in events_in(consumer, "PIT")]

        async def ask(address: Address, payload: bytes) -> bytes:
            subject = f"pit.command.{address.site}.{address.table}.read.ann"
            return (await consumer.request(subject, payload)).data

        try:
            yield Rig(bus, taken, ask, remembers=True)
        finally:
            await bus.close()
            await consumer.close()


@asynccontextmanager
async def mqtt_rig(folder: Path) -> AsyncIterator[Rig]:
    with mosquitto(folder) as broker:
        async with peer(broker.url, "pit/event/#", "pit/answer/server/#") as server:
            connected = asyncio.Event()
            bus = await MQTT.connect(MqttSettings(broker.url), lambda _: connected.set())
            await connected.wait()

            async def taken() -> list[bytes]:
                echo = b"what was taken before this has come"
                await server.publish("pit/answer/server/echo", echo)
                await server.until(lambda: server.heard and server.heard[-1].payload == echo)
                told = [one for one in server.heard if one.topic.startswith("pit/event/")]
                return [one.payload for one in told]

            async def ask(address: Address, payload: bytes) -> bytes:
                topic = f"pit/command/{address.site}/{address.table}/read/ann"
                return await server.ask(topic, payload, "pit/answer/server/1")

            try:
                yield Rig(bus, taken, ask, remembers=True)
            finally:
                await bus.close()


@asynccontextmanager
async def stdout_rig(folder: Path) -> AsyncIterator[Rig]:
    await asyncio.to_thread(folder.mkdir)
    told = folder / "told.jsonl"

    async def taken() -> list[bytes]:
        return told.read_bytes().splitlines()

    with told.open("wb") as stream:  # a buffered one, as standard output is
        bus = StdoutBus(stream)
        yield Rig(bus, taken, None, remembers=False)
        await bus.close()


RIGS: dict[str, Callable[[Path], AbstractAsyncContextManager[Rig]]] = {
    "mqtt": mqtt_rig,
    "nats_jetstream": nats_rig,
    "stdout": stdout_rig,
}
each_bus = pytest.mark.parametrize("key", sorted(buses()))


@pytest.fixture
def rig(key: str, tmp_path: Path) -> AbstractAsyncContextManager[Rig]:
    return RIGS[key](tmp_path / "bus")


async def publish(rig: Rig, *seqs: int, address: Address = HERE) -> None:
    for seq in seqs:
        while True:
            try:
                one = f"{address.table}:{EPOCH}:{seq}"
                await rig.bus.publish(address, Outgoing("card.dealt", one, body(seq)), 0)
                break
            except BusUnavailable:  # a bus may connect when it is first needed
                await asyncio.sleep(0.01)


def test_every_bus_in_the_catalog_has_a_rig() -> None:
    assert sorted(RIGS) == sorted(buses())


@each_bus
def test_settings_need_no_value(key: str) -> None:
    spec: BusSpec = buses()[key]
    assert isinstance(spec.settings(), spec.settings)


@each_bus
async def test_nothing_is_lost_and_the_order_is_kept(rig: AbstractAsyncContextManager[Rig]) -> None:
    async with rig as it:
        await publish(it, *range(1, 101))
        assert await it.taken() == [body(seq) for seq in range(1, 101)]


@each_bus
async def test_an_event_is_taken_when_publish_returns(
    rig: AbstractAsyncContextManager[Rig],
) -> None:
    async with rig as it:
        for seq in range(1, 6):
            await publish(it, seq)
            assert len(await it.taken()) == seq


@each_bus
async def test_a_repeated_id_is_taken_once(rig: AbstractAsyncContextManager[Rig]) -> None:
    async with rig as it:
        await publish(it, 1, 2, 2, 2, 3)
        assert await it.taken() == [body(1), body(2), body(3)]


@each_bus
async def test_the_last_event_of_a_table_is_its_own_or_none(
    rig: AbstractAsyncContextManager[Rig],
) -> None:
    async with rig as it:
        log = it.bus.log
        assert (log is not None) == it.remembers
        assert log is None or await log.newest(HERE) is None
        await publish(it, 1, 2)
        await publish(it, 7, address=THERE)
        newest = None if log is None else await log.newest(HERE)
        assert (newest and newest.payload) == (body(2) if it.remembers else None)


@each_bus
async def test_a_status_is_no_event(rig: AbstractAsyncContextManager[Rig]) -> None:
    async with rig as it:
        await publish(it, 1)
        await it.bus.publish_status(HERE, b'{"state":"betting"}')
        await publish(it, 2)
        assert await it.taken() == [body(1), body(2)]


@each_bus
async def test_commands_reach_the_handler_of_their_table(
    rig: AbstractAsyncContextManager[Rig], key: str
) -> None:
    async def here(request: Request) -> bytes:
        return b"here " + request.payload

    async def there(request: Request) -> bytes:
        return b"there " + request.payload

    async with rig as it:
        await it.bus.serve(HERE, here)
        await it.bus.serve(THERE, there)
        if it.ask is None:
            pytest.skip(f"{key} takes no commands")
        await publish(it, 1)
        assert await it.ask(THERE, b"1") == b"there 1"
        assert await it.ask(HERE, b"2") == b"here 2"


async def test_a_stream_that_nobody_reads_is_unavailable() -> None:
    stream = io.BytesIO()
    stream.close()
    with pytest.raises(BusUnavailable, match="standard output cannot be written"):
        await StdoutBus(stream).publish(HERE, Outgoing("card.dealt", "1", body(1)), 0)
