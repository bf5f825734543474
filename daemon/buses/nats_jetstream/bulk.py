"""Several of a table's events at once: in flight behind each other, or as one batch.

One server takes what one connection sends in that order, so events may wait for their
acknowledgements together. A cluster compares the lease's number with what it has decided on: it
refuses an event that comes while it still decides on the one before, so there several go out as an
atomic batch, which is taken in order or not at all. A batch costs one server four syncs of its
disk, whatever its size, and an event by itself one: it pays from eight events on. A server before
2.12 takes no batches; a stream whose settings are not known takes events one after the other.
"""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from typing import Final

from daemon.buses.nats_jetstream import subjects
from daemon.buses.nats_jetstream.stored import EXPECTED, EXPECTED_OF, EXPECTED_STREAM, StreamStore
from daemon.delivery.bus import MOST_IN_FLIGHT, Address, BusUnavailable, Outgoing

_PAYS_FROM: Final = 8
_PAYS_ON_A_CLUSTER_FROM: Final = 2


def event_headers(event: Outgoing, address: Address, fence: int) -> dict[str, str]:
    """Return an event's headers: its id, and the number that its table's lease must have."""
    return {
        "Nats-Msg-Id": event.message_id,
        EXPECTED: str(fence),
        EXPECTED_OF: subjects.lease(address, "owner"),
    }


class NatsBulk:
    """Takes several events at once; see EventBulk."""

    def __init__(self, store: StreamStore) -> None:
        self._store = store

    def in_flight(self, address: Address) -> int:
        """Return how many events may be in flight: on a cluster one."""
        return MOST_IN_FLIGHT if self._replicas(address) == 1 else 1

    def batch_from(self, address: Address) -> int:
        """Return from how many events on a batch pays; 0 where the stream takes none."""
        config = self._store.config(address)
        if config is None or not config.allow_atomic:
            return 0
        return _PAYS_FROM if self._replicas(address) == 1 else _PAYS_ON_A_CLUSTER_FROM

    async def publish_batch(self, address: Address, events: Sequence[Outgoing], fence: int) -> int:
        """Return when the stream has taken them all; the last one commits the batch."""
        client, stream = await self._store.stream(address)
        batch, last = secrets.token_hex(16), len(events)
        for place, event in enumerate(events, 1):
            subject = subjects.event(address, event.kind)
            headers = {
                **event_headers(event, address, fence),
                EXPECTED_STREAM: stream,
                "Nats-Batch-Id": batch,
                "Nats-Batch-Sequence": str(place),
            }
            if place == last:
                headers["Nats-Batch-Commit"] = "1"
                answer = await self._store.reach.acknowledged(
                    client, subject, event.payload, headers
                )
            else:
                await self._store.reach.send(client, subject, event.payload, headers)
        said = self._store.acknowledged(address, stream, subject, answer)
        if (said.get("batch"), said.get("count")) != (batch, last):
            raise BusUnavailable(
                f"the stream {stream} took {said.get('count', 'no')} of a batch of {last} events",
                "look at the server's version; they are repeated one by one under the same ids",
            )
        number: int = said["seq"]
        return number

    def _replicas(self, address: Address) -> int:
        """Return how many servers keep the stream; 0: it is not known."""
        config = self._store.config(address)
        return 0 if config is None else config.num_replicas or 1
