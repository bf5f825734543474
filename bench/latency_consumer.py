"""A table server's durable consumer, for latency.py: says when each `card.dealt` arrived.

Usage: latency_consumer.py URL TABLE COUNT. Prints `subscribed`, `connected` at the table's
`device.connected`, then the arrival of COUNT cards: CLOCK_MONOTONIC nanoseconds, a JSON list.
"""

from __future__ import annotations

import asyncio
import json
import sys
import time

import nats
from nats.aio.msg import Msg
from nats.js.api import ConsumerConfig, DeliverPolicy, DiscardPolicy, StorageType, StreamConfig

ROOT = "pit-rehearsal.event"
STREAM = StreamConfig(
    name="PIT-REHEARSAL",
    subjects=[f"{ROOT}.>", "pit-rehearsal.lease.>"],
    storage=StorageType.FILE,
    duplicate_window=600.0,
    allow_direct=True,
    allow_rollup_hdrs=True,
    allow_atomic=True,
    discard=DiscardPolicy.NEW,
)


async def main(url: str, table: str, count: int) -> None:
    bus = await nats.connect(url)
    stream = bus.jetstream()
    await stream.add_stream(STREAM)
    arrived: list[int] = []
    done = asyncio.Event()

    async def take(message: Msg) -> None:
        now = time.monotonic_ns()
        json.loads(message.data)
        if message.subject.endswith(".card.dealt"):
            arrived.append(now)
        elif message.subject.endswith(".device.connected"):
            print("connected", flush=True)
        await message.ack()
        if len(arrived) == count:
            done.set()

    await stream.subscribe(
        f"{ROOT}.house.{table}.>",
        durable=table,
        cb=take,
        manual_ack=True,
        config=ConsumerConfig(deliver_policy=DeliverPolicy.NEW),
    )
    await bus.flush()
    print("subscribed", flush=True)
    await done.wait()
    print(json.dumps(arrived), flush=True)
    await bus.close()


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], sys.argv[2], int(sys.argv[3])))
