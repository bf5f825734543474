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
        self._sessions = [each for each in sessions if each.attached.link.node is not None]
        self._openings: dict[OpenLink, OpenCounter] = {}

    async def watch(self) -> None:
        """Tell each session, for ever, who else has its port open."""
        while True:
            open_now = {
                session.link: session for session in self._sessions if session.link is not None
            }
            with contextlib.suppress(OSError):  # no descriptor is left for it: at the next look
                holders = await asyncio.to_thread(self._look, open_now)
                for session, by in holders.items():
                    session.shared_with(by)
            await asyncio.sleep(LOOK_EVERY_S)

    def _look(self, links: dict[OpenLink, Session]) -> dict[Session, str]:
        for gone in self._openings.keys() - links.keys():
            self._openings.pop(gone).close()
        nodes = {
            link: node for link, session in links.items() if (node := _node(session)) is not None
        }
        for link, node in nodes.items():
            if link not in self._openings:
                with contextlib.suppress(OSError):
                    self._openings[link] = OpenCounter(node)
        holders = holders_of(set(nodes.values()))
        return {links[link]: self._by(link, holders[node]) for link, node in nodes.items()}

    def _by(self, link: OpenLink, holders: Sequence[object]) -> str:
        openings = self._openings.get(link)
        unseen = openings is not None and openings.others() > 0
        return ", ".join(map(str, holders)) or (_UNSEEN if unseen else "")


def _node(session: Session) -> str | None:
    attached = session.attached
    try:
        return None if attached.link.node is None else attached.link.node(attached.link_settings)
    except LinkError:
        return None  # it is gone this moment
