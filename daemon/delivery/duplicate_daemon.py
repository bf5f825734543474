"""Whether another daemon already serves this table: two would publish every card twice (B13).

It is asked as a table server would ask: `table.status`, by a command. Only a daemon answers with an
epoch. Where nobody answers within a second, nobody serves the table.
"""

from __future__ import annotations

import json
import secrets
from datetime import datetime, timedelta
from typing import Final

from daemon.delivery.bus import Address, BusUnavailable, OpenBus
from protocols.canonical import canonical

_PATIENCE: Final = timedelta(seconds=30)


async def find_duplicate(bus: OpenBus, address: Address, now: datetime) -> BusUnavailable | None:
    """Return why this daemon must not serve the table; None where no other daemon does.

    Ask before serving it, or this daemon answers itself. Raises BusUnavailable.

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
        status = json.loads(answer)
    except ValueError:
        return None
    return status.get("epoch") if isinstance(status, dict) else None
