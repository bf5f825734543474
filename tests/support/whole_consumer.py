"""A durable consumer as a table server is one: it keeps (epoch, seq) and nothing else."""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import nats
from nats.aio.client import Client
from nats.aio.msg import Msg
from nats.js.api import AckPolicy, ConsumerConfig

from daemon.buses.nats_jetstream.settings import NatsSettings
from daemon.buses.nats_jetstream.stream import make_stream

_SUBJECT = "pit-rehearsal.event.>"
_STREAM = "PIT-REHEARSAL"


async def _silent(_error: Exception) -> None:
    """What connections suffer is part of these tests."""


@dataclass
class Consumer:
    """Takes every event once by (epoch, seq).

    taken     per source, in the order of arrival
    repeats   deliveries of what was taken before
    faults    what a consumer must never see: a gap, a step back, another body for one seq
    """

    taken: dict[str, list[dict[str, Any]]] = field(default_factory=lambda: defaultdict(list))
    repeats: int = 0
    faults: list[str] = field(default_factory=list)
    told: list[Callable[[dict[str, Any]], None]] = field(default_factory=list)
    _bodies: dict[tuple[str, str, int], bytes] = field(default_factory=dict)
    _read: dict[str, int] = field(default_factory=lambda: defaultdict(int))
    _news: asyncio.Condition = field(default_factory=asyncio.Condition)
    _bus: Client | None = None

    @property
    def connected(self) -> bool:
        return self._bus is not None

    @property
    def bus(self) -> Client:
        assert self._bus is not None
        return self._bus

    async def connect(self, url: str) -> None:
        options: dict[str, Any] = {"max_reconnect_attempts": -1, "reconnect_time_wait": 0.05}
        self._bus = bus = await nats.connect(url, error_cb=_silent, **options)
        await make_stream(bus, _STREAM, "pit-rehearsal", NatsSettings())
        # one at a time, or what the server repeats after its own death overtakes what it had sent
        strict = ConsumerConfig(
            max_ack_pending=1, ack_wait=1, ack_policy=AckPolicy.EXPLICIT, durable_name="server"
        )
        await bus.jetstream().subscribe(
            _SUBJECT, durable="server", cb=self._take, manual_ack=True, config=strict
        )

    async def close(self) -> None:
        if self._bus is not None:
            with contextlib.suppress(nats.errors.Error, OSError):
                await self._bus.close()

    async def next(self, source: str, kind: str, data: dict[str, Any]) -> dict[str, Any]:
        """Return the next event of this kind that says this, and read on after it."""
        async with self._news:
            while True:
                events = self.taken[source]
                for place in range(self._read[source], len(events)):
                    one = events[place]
                    fits = all(one["data"].get(key) == value for key, value in data.items())
                    if one["type"] == f"pitwire.{kind}.v1" and fits:
                        self._read[source] = place + 1
                        return one
                await self._news.wait()

    async def _take(self, message: Msg) -> None:
        envelope = json.loads(message.data)
        self._keep(envelope, message.data)
        await message.ack()
        async with self._news:
            self._news.notify_all()

    def _keep(self, envelope: dict[str, Any], body: bytes) -> None:
        source, epoch, seq = envelope["source"], envelope["epoch"], int(envelope["sequence"])
        before = self._bodies.setdefault((source, epoch, seq), body)
        if before is not body:
            self.repeats += 1
            if before != body:
                self.faults.append(f"{source}: two bodies for {epoch}.{seq}")
            return
        last = self.taken[source][-1]["id"] if self.taken[source] else ""
        follows = f"{epoch}.{seq - 1}" == last or (seq == 1 and not last.startswith(f"{epoch}."))
        if not follows:
            self.faults.append(f"{source}: {envelope['id']} after {last or 'nothing'}")
        self.taken[source].append(envelope)
        for tell in self.told:
            tell(envelope)
