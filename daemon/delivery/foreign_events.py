"""Looks for events in a table's name on the bus that are not ours.

Nobody but the owner of the lease gets an event past the number that the bus compares; but the bus
compares it only where it is named. Whoever may publish on a table's subjects can put an event there
without it. So every event that the bus has taken since the last comparison is looked at, a second
later: at a position that the bus has just given to one of ours there is nothing to see; whatever
else there may be is read back and held against the journal. What is not there, with the same body,
is somebody else's.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable
from typing import Final

from daemon.delivery.bus import Address, BusUnavailable, EventLog, StoredEvent
from daemon.delivery.comparison import WITHHELD, identity
from daemon.journal.store import Journal

LOOK_S: Final = 1.0
_BATCH: Final = 64
_KNOWN_MOST: Final = 4096


class ForeignEvents:
    """Watches one table's events; `run` is its task.

    log       None: the bus cannot be asked, and nothing is watched; nor where it does not keep all
    ours      whether the table's lease is ours
    withheld  whether an event of ours became a tombstone
    foreign   called with a sentence for each event that is not ours
    """

    def __init__(
        self,
        journal: Journal,
        log: EventLog | None,
        address: Address,
        *,
        ours: Callable[[], bool],
        withheld: Callable[[tuple[str, int]], bool],
        foreign: Callable[[str], None],
    ) -> None:
        self._journal = journal
        self._log = log
        self._address = address
        self._ours = ours
        self._withheld = withheld
        self._foreign = foreign
        self._seen_to: int | None = None
        self._known: deque[tuple[int, int]] = deque(maxlen=_KNOWN_MOST)

    def follow(self, number: int, *, anew: bool) -> None:
        """Note where the bus's newest event is; `anew`: what came before it may be another's."""
        if anew or self._seen_to is None or number < self._seen_to:
            self._seen_to = number
            self._known.clear()

    def taken(self, first: int, last: int) -> None:
        """Note the positions, from one to another, that the bus has just given to our events."""
        if self._known and self._known[-1][1] + 1 == first:
            first = self._known.pop()[0]
        self._known.append((first, last))
        self._pass_over()

    async def run(self) -> None:
        """Look for ever. Raises JournalFailed."""
        log = self._log
        while log is not None and log.keeps_all:
            await asyncio.sleep(LOOK_S)
            while self._ours() and await self._look(log):
                pass

    async def _look(self, log: EventLog) -> bool:
        """Look at some events; return whether there may be more."""
        if (begin := self._seen_to) is None:
            return False
        limit = 1 if self._known else _BATCH  # behind the next one we may know more
        try:
            events = await log.after(self._address, begin, limit)
        except BusUnavailable:
            return False  # told by whoever publishes
        for event in events:
            if self._seen_to != begin or not self._ours():
                return False  # the bus was lost meanwhile, or the lease: it is compared anew
            begin = self._seen_to = event.number
            if (what := self._not_ours(event)) is not None:
                self._foreign(what)
        self._pass_over()
        return len(events) == limit

    def _pass_over(self) -> None:
        """Pass over the positions of our own events that follow."""
        while self._seen_to is not None and self._known and self._known[0][0] <= self._seen_to + 1:
            self._seen_to = max(self._seen_to, self._known.popleft()[1])

    def _not_ours(self, event: StoredEvent) -> str | None:
        epoch, seq, kind = identity(event.payload)
        ours = dict(self._journal.events(self._address.table, epoch, seq - 1, 1)).get(seq)
        if ours is not None and ours == event.payload:
            return None
        if ours is not None and kind == WITHHELD and self._withheld((epoch, seq)):
            return None
        what = f"event {seq} of epoch {epoch}" if epoch else "something that is no event"
        known = "the journal has another body for it" if ours is not None else "no event of ours"
        return f"message {event.number} on the bus says that it is {what}: {known}"
