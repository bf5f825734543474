"""Looks for events in a table's name on the bus that are not ours.

Nobody but the owner of the lease gets an event past the number that the bus compares; but the bus
compares it only where it is named. Whoever may publish on a table's subjects can put an event there
without it. So every event that the bus has taken since the last comparison is read back and held
against the journal, a second later. What is not there, with the same body, is somebody else's.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Final

from daemon.delivery.bus import Address, BusUnavailable, EventLog, StoredEvent
from daemon.delivery.comparison import WITHHELD, identity
from daemon.journal.store import Journal

LOOK_S: Final = 1.0
_BATCH: Final = 64


class ForeignEvents:
    """Watches one table's events; `run` is its task.

    ours      whether the table's lease is ours
    withheld  whether an event of ours became a tombstone
    foreign   called with a sentence for each event that is not ours
    """

    def __init__(
        self,
        journal: Journal,
        log: EventLog,
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

    def follow(self, number: int, *, anew: bool) -> None:
        """Note where the bus's newest event is; `anew`: what came before it may be another's."""
        if anew or self._seen_to is None or number < self._seen_to:
            self._seen_to = number

    async def run(self) -> None:
        """Look for ever. Raises JournalFailed."""
        while True:
            await asyncio.sleep(LOOK_S)
            while self._ours() and await self._look():
                pass

    async def _look(self) -> bool:
        """Look at some events; return whether there may be more."""
        if (begin := self._seen_to) is None:
            return False
        try:
            events = await self._log.after(self._address, begin, _BATCH)
        except BusUnavailable:
            return False  # told by whoever publishes
        for event in events:
            if self._seen_to != begin or not self._ours():
                return False  # the bus was lost meanwhile, or the lease: it is compared anew
            begin = self._seen_to = event.number
            if (what := self._not_ours(event)) is not None:
                self._foreign(what)
        return len(events) == _BATCH

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
