"""Tries a configured bus as the daemon would meet it, for `pitwire check --bus`.

It changes nothing there: it signs in, and asks for each table's newest event and lease. What the
daemon may write is seen only when it writes.
"""

from __future__ import annotations

import asyncio
from typing import Final

from config.load import BridgeConfig
from daemon.delivery.bus import Address, BusUnavailable
from daemon.runtime.catalog import buses

_PATIENCE_S: Final = 10.0


async def bus_problems(config: BridgeConfig) -> list[str]:
    """Return what keeps the daemon from its bus, and what to do about it."""
    said: asyncio.Queue[str | None] = asyncio.Queue()
    bus = await buses()[config.bus.kind].connect(config.bus.settings, said.put_nowait)
    try:
        try:
            async with asyncio.timeout(_PATIENCE_S):
                trouble = await said.get()
        except TimeoutError:
            trouble = f"the bus says nothing within {_PATIENCE_S:.0f} s"
        if trouble is not None:
            return [trouble]
        problems = []
        for table in config.tables:
            try:
                address = Address(config.site, table.id, table.mode)
                if bus.log is not None:
                    await bus.log.newest(address)
                if bus.leases is not None:
                    await bus.leases.read(address)
            except BusUnavailable as error:
                problems.append(f"{table.id}: {error.what}; {error.action}")
        return problems
    finally:
        await bus.close()
