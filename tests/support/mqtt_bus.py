"""The MQTT bus of one table, opened at a broker, for the tests of what a broker may do to it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

from support.durable import EPOCH, TABLE, body

from daemon.buses.mqtt import BUS, MqttSettings
from daemon.delivery.bus import Address, BusUnavailable, OpenBus, Outgoing

HERE = Address("oslo", TABLE, "live")
EVENT = "pit/event/oslo/T-07/card/dealt"
NEWEST = "pit/newest/oslo/T-07"
STATUS = "pit/status/oslo/T-07"
COMMAND = "pit/command/oslo/T-07/play/ann"


async def until(condition: Callable[[], object]) -> None:
    async with asyncio.timeout(10):
        while not condition():  # noqa: ASYNC110 - what it waits for comes from another process
            await asyncio.sleep(0.005)


class Bus:
    """An open bus and what it reported; `publish` waits for a connection and for nothing else."""

    def __init__(self, bus: OpenBus, said: list[str | None]) -> None:
        self.bus = bus
        self.said = said

    async def publish(self, seq: int, payload: bytes | None = None) -> None:
        event = Outgoing("card.dealt", f"T-07:{EPOCH}:{seq}", payload or body(seq))
        await self.bus.publish(HERE, event, 0)

    async def trouble(self, seq: int = 1) -> BusUnavailable:
        """Return why an event is not taken, once there is a connection."""
        async with asyncio.timeout(10):
            while True:
                try:
                    await self.publish(seq)
                except BusUnavailable as error:
                    if "not connected yet" not in error.what:
                        return error
                await asyncio.sleep(0.01)

    async def until_said(self, words: str) -> str:
        def found() -> list[str]:
            return [one for one in self.said if one is not None and words in one]

        await until(found)
        return found()[0]


@asynccontextmanager
async def opened(url: str, **settings: str) -> AsyncIterator[Bus]:
    said: list[str | None] = []
    bus = await BUS.connect(MqttSettings(url, **settings), said.append)
    try:
        yield Bus(bus, said)
    finally:
        await bus.close()
