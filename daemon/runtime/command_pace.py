"""How many commands a table takes, so that whoever floods it holds up no neighbour, nor its others.

turn  a table's commands enter one in each round of the loop: in between, every other table has its
      cards, commands and acknowledgements. Of each sender so many may wait for their turn; more
      are not read
pace  of what the rules see, and the journal keeps, so many a second from each sender
"""

from __future__ import annotations

import asyncio
from collections import Counter, OrderedDict
from collections.abc import Callable
from typing import Final

from protocols.instant import Instant

MOST_WAITING: Final = 64
AT_ONCE: Final = 200
A_SECOND: Final = 50.0
_MOST_SENDERS: Final = 256


class CommandPace:
    """The limits of one table's commands. Ask `is_full`, then await `turn`, then ask `allows`."""

    def __init__(self, now: Callable[[], Instant]) -> None:
        self._now = now
        self._waiting = Counter[str | None]()
        self._first = asyncio.Lock()
        self._allowed: OrderedDict[str | None, tuple[Instant, float]] = OrderedDict()

    def is_full(self, sender: str | None) -> bool:
        """Return whether so many of this sender wait that one more is not even read."""
        return self._waiting[sender] >= MOST_WAITING

    async def turn(self, sender: str | None) -> None:
        """Wait until it is this command's turn: in the order in which they came."""
        self._waiting[sender] += 1
        try:
            async with self._first:
                await asyncio.sleep(0)
        finally:
            self._waiting[sender] -= 1
            if not self._waiting[sender]:
                del self._waiting[sender]

    def allows(self, sender: str | None) -> bool:
        """Return whether this sender may have one more command now, and count it."""
        now = self._now()
        before, left = self._allowed.pop(sender, (now, float(AT_ONCE)))
        passed = now.since(before) or 0.0
        left = min(float(AT_ONCE), left + passed * A_SECOND)
        self._allowed[sender] = now, max(left - 1.0, 0.0)
        if len(self._allowed) > _MOST_SENDERS:
            self._allowed.popitem(last=False)
        return left >= 1.0
