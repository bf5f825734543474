"""Tries a configured bus as the daemon would meet it, for `pitwire check --bus`.

It signs in, asks for each table's newest event and lease, and looks at the stream; where the daemon
manages the stream, it makes it as the daemon would. What else the daemon may write is seen only
when it writes.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from typing import Final

from config.load import BridgeConfig
from daemon.delivery.bus import Address, BusUnavailable
from daemon.runtime.catalog import buses

_PATIENCE_S: Final = 10.0


@dataclass
class BusFindings:
    """What the bus said.

    problems  what keeps the daemon from its bus, and what to do about it
    unkept    which of the bus's settings may lose what it has taken
    """

    problems: list[str] = field(default_factory=list)
    unkept: list[str] = field(default_factory=list)


async def try_bus(config: BridgeConfig) -> BusFindings:
    """Sign in, and ask."""
    found = BusFindings()
    said: asyncio.Queue[str | None] = asyncio.Queue()
    bus = await buses()[config.bus.kind].connect(config.bus.settings, said.put_nowait)
    try:
        try:
            async with asyncio.timeout(_PATIENCE_S):
                trouble = await said.get()
        except TimeoutError:
            trouble = f"the bus says nothing within {_PATIENCE_S:.0f} s"
        if trouble is not None:
            found.problems.append(trouble)
            return found
        for table in config.tables:
            try:
                address = Address(config.site, table.id, table.mode)
                if bus.log is not None:
                    await bus.log.newest(address)
                    found.unkept += (await bus.log.keeping(address)).unkept
                if bus.leases is not None:
                    await bus.leases.read(address)
            except BusUnavailable as error:
                found.problems.append(f"{table.id}: {error.what}; {error.action}")
        found.unkept = list(dict.fromkeys(found.unkept))
        return found
    finally:
        await bus.close()
