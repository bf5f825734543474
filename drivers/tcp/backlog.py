"""What a serial server hands over first: how much of it is older than the connection.

A server may keep what the device says while no client is connected, and sends it all at once. More
than the line can carry since the connection began was kept. Which bytes these are cannot be told,
only that none of them came after the last that was one too many.
"""

from __future__ import annotations

from typing import Final

from protocols.instant import Instant

_SLACK: Final = 2
"""Characters that were already on their way through the server."""


class Backlog:
    """The first bytes of a connection that began at `opened`, kept until it is settled.

    characters_s  what the line carries in a second of the clock
    """

    def __init__(self, opened: Instant, characters_s: float) -> None:
        self.size = 0
        """How many bytes there are."""
        self._opened = opened
        self._characters_s = characters_s
        self._came: list[tuple[Instant, bytes]] = []
        self._kept = 0

    def add(self, at: Instant, data: bytes, *, is_set: bool) -> None:
        """Take bytes; before the port `is_set`, they may have been read at a wrong speed."""
        self._came.append((at, data))
        self.size += len(data)
        since = at.since(self._opened)
        carried = 0.0 if since is None else since * self._characters_s
        if not is_set or self.size > carried + _SLACK:
            self._kept = len(self._came)

    def kept(self) -> tuple[Instant, bytes] | None:
        """Return what the server had kept, as one, and when the last of it came."""
        kept = self._came[: self._kept]
        return (kept[-1][0], b"".join(data for _, data in kept)) if kept else None

    def fresh(self) -> list[tuple[Instant, bytes]]:
        """Return what came since, as it came."""
        return self._came[self._kept :]

    def text(self) -> str:
        """Return all of it for people: a server that closes at once often says why."""
        text = b"".join(data for _, data in self._came)
        return " ".join(text.decode("ascii", "replace").split())
