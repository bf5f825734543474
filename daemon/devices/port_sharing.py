"""Who else reads a port of ours: each of two readers gets a part of what the device says (B16).

Nothing keeps root out of a port, nor who had it open before us: it can only be seen. Where other
users' processes are not shown to us, as under our unit, those that open it later are counted.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Sequence
from typing import Final

from daemon.devices.session import Session
from drivers.discovery.holders import holders_of
from drivers.discovery.inotify_opens import OpenCounter
from drivers.errors import LinkError
from drivers.link import OpenLink

LOOK_EVERY_S: Final = 5.0
"""One look at all processes takes milliseconds, in a thread."""
_UNSEEN: Final = "another process, which we may not see,"


class PortSharing:
    """Looks at the ports of all sessions."""

    def __init__(self, sessions: Sequence[Session]) -> None:
        self._sessions = [one for one in sessions if one.plug.link.node is not None]
        self._openings: dict[OpenLink, OpenCounter] = {}

    async def watch(self) -> None:
        """Tell each session, for ever, who else has its port open."""
        while True:
            links = {link: one for one in self._sessions if (link := one.link) is not None}
            found = await asyncio.to_thread(self._look, links)
            for session, by in found.items():
                session.shared_with(by)
            await asyncio.sleep(LOOK_EVERY_S)

    def _look(self, links: dict[OpenLink, Session]) -> dict[Session, str]:
        for gone in self._openings.keys() - links.keys():
            self._openings.pop(gone).close()
        nodes = {link: node for link, one in links.items() if (node := _node(one)) is not None}
        for link, node in nodes.items():
            if link not in self._openings:
                with contextlib.suppress(OSError):
                    self._openings[link] = OpenCounter(node)
        found = holders_of(set(nodes.values()))
        return {links[link]: self._by(link, found[node]) for link, node in nodes.items()}

    def _by(self, link: OpenLink, holders: Sequence[object]) -> str:
        openings = self._openings.get(link)
        unseen = openings is not None and openings.others() > 0
        return ", ".join(map(str, holders)) or (_UNSEEN if unseen else "")


def _node(session: Session) -> str | None:
    plug = session.plug
    try:
        return None if plug.link.node is None else plug.link.node(plug.link_settings)
    except LinkError:
        return None  # it is gone this moment
