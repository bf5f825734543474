"""Whether another daemon already is this table on the bus: two would deal one game twice (B13)."""

from __future__ import annotations

import json
import secrets
from datetime import datetime, timedelta
from typing import Final

from daemon.delivery.bus import Address, BusUnavailable, OpenBus
from protocols.canonical import canonical

_PATIENCE: Final = timedelta(seconds=30)


async def find_duplicate(bus: OpenBus, address: Address, now: datetime) -> BusUnavailable | None:
    """Return why this table is not ours to deliver, None where no other daemon answers for it.

    To be asked before the table is served. Raises BusUnavailable.

    now  by the wall clock
    """
    question = {
        "id": f"rival-{secrets.token_hex(8)}",
        "expires": (now + _PATIENCE).isoformat(),
        "command": "table.status",
    }
    answer = await bus.ask(address, canonical(question))
    epoch = None if answer is None else _epoch(answer)
    if epoch is None:
        return None
    return BusUnavailable(
        f"another daemon is table {address.table} on this bus, in its epoch {epoch}",
        "stop it or give one of them another id, then start this one again",
    )


def _epoch(answer: bytes) -> str | None:
    """Return the epoch of a daemon's answer; a stream's acknowledgement has none."""
    try:
        said = json.loads(answer)
    except ValueError:
        return None
    return said.get("epoch") if isinstance(said, dict) else None
