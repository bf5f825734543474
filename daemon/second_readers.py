"""Who else reads a port of ours: each of two readers gets a part of what the device says (B16).

Nothing keeps root out of a port, nor who had it open before us: it can only be seen.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Final

from daemon.session import Session
from drivers.errors import LinkError
from drivers.holders import Holder, holders_of

LOOK_EVERY_S: Final = 5.0
"""One look at all processes takes milliseconds, in a thread."""


async def watch_ports(sessions: Sequence[Session]) -> None:
    """Tell each session, for ever, who else has its port open."""
    while True:
        found = await asyncio.to_thread(_look, [one for one in sessions if one.link is not None])
        for session, holders in found:
            session.shared_with(holders)
        await asyncio.sleep(LOOK_EVERY_S)


def _look(sessions: Sequence[Session]) -> list[tuple[Session, tuple[Holder, ...]]]:
    nodes = {one: node for one in sessions if (node := _node(one)) is not None}
    found = holders_of(set(nodes.values()))
    return [(one, found[node]) for one, node in nodes.items()]


def _node(session: Session) -> str | None:
    plug = session.plug
    try:
        return None if plug.link.node is None else plug.link.node(plug.link_settings)
    except LinkError:
        return None  # it is gone this moment
