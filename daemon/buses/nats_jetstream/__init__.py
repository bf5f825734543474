"""NATS with JetStream: events durable on the server, commands by request and reply.

    pit.event.<site>.<table>.<noun>.<verb>     captured by the stream PIT, deduplicated by id
    pit.lease.<site>.<table>.owner, .claim     captured by it too: who serves the table
    pit.status.<site>.<table>                  plain, at most once
    pit.command.<site>.<table>.<authority>.<user>
                                               plain request; the answer is the reply
    pit-rehearsal.…                            the same, of every mode but live; own stream

`<authority>` is read, play, supervise or maintain; `<user>` is who sends. Both mean what the
server's permissions make them mean: each user may publish below its own authorities and its own
name alone.

The stream takes events and leases only: one on `pit.>` would answer our commands with its own ack.
The server should run with `sync_interval: always`; without it an ack is no promise over a power
cut.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from daemon.buses.nats_jetstream.connection import NatsBus
from daemon.buses.nats_jetstream.settings import NatsSettings, warnings
from daemon.delivery.bus import BusSpec

__all__ = ["BUS", "NatsBus", "NatsSettings"]


async def _open(settings: NatsSettings, report: Callable[[str | None], None]) -> NatsBus:
    return NatsBus(settings, report)


BUS: Final = BusSpec(
    key="nats_jetstream",
    title="NATS JetStream",
    settings=NatsSettings,
    connect=_open,
    warns=warnings,
)
