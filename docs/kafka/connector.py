"""Carries events from JetStream to Kafka: in order by table, at least once, none lost.

    python connector.py nats://127.0.0.1:4222 localhost:9092 pit-events

Each event is acknowledged to JetStream when Kafka has it. Whoever kills this process makes the last
event come twice: consumers take each (epoch, sequence) once. Needs nats-py and aiokafka.
"""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import Awaitable, Callable

import nats
from nats.errors import TimeoutError as NothingYet
from nats.js.api import AckPolicy, ConsumerConfig

Send = Callable[[bytes, bytes, list[tuple[str, bytes]]], Awaitable[object]]
"""(key, value, headers): returns when Kafka has acknowledged the record."""


async def carry(url: str, send: Send, *, stream: str = "PIT", patience_s: float = 30.0) -> None:
    """Carry over for ever. Raises what `send` raises: start again, nothing is lost.

    patience_s  how long JetStream waits for an acknowledgement before it sends an event again
    """
    bus = await nats.connect(url, max_reconnect_attempts=-1)
    try:
        # One at a time: what JetStream repeats must not overtake what it has sent since.
        strict = ConsumerConfig(
            ack_policy=AckPolicy.EXPLICIT, max_ack_pending=1, ack_wait=patience_s
        )
        jetstream = bus.jetstream()
        # Events alone: the stream keeps the tables' leases too.
        events = await jetstream.pull_subscribe(
            "pit.event.>", "kafka", stream=stream, config=strict
        )
        while True:
            try:
                (event,) = await events.fetch(1, timeout=5)
            except NothingYet:
                continue
            key = json.loads(event.data)["source"].encode()
            await send(key, event.data, [("id", event.headers["Nats-Msg-Id"].encode())])
            await event.ack_sync()
    finally:
        await bus.close()


async def main(url: str, kafka: str, topic: str) -> None:
    """Carry over to a topic of Kafka."""
    from aiokafka import AIOKafkaProducer  # noqa: PLC0415 - only here

    producer = AIOKafkaProducer(bootstrap_servers=kafka, acks="all", enable_idempotence=True)
    await producer.start()
    try:
        await carry(
            url,
            lambda key, value, headers: producer.send_and_wait(
                topic, value, key=key, headers=headers
            ),
        )
    finally:
        await producer.stop()


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
