"""What goes out behind an event: read from the journal some at a time, and looked at."""

from __future__ import annotations

from collections import deque
from typing import Final

from daemon.delivery.comparison import Place, identity
from daemon.delivery.repeats import Repeats
from daemon.delivery.sender import Due
from daemon.journal.store import Journal

_MOST: Final = 512


class ReadAhead:
    """One table's events in the order in which they go out.

    due  what was read and has not gone out, oldest first
    end  the last event that is proven, and what is wrong behind it; None where all are
    """

    def __init__(self, journal: Journal, table: str, repeats: Repeats) -> None:
        self.due: deque[Due] = deque()
        self.end: tuple[Place | None, str] | None = None
        self._journal = journal
        self._table = table
        self._repeats = repeats

    def read(self, last: Place) -> str | None:
        """Have in `due` what follows this event; return what is wrong where that ends."""
        epoch, after = last
        if self.due and self.due[0][0] == (epoch, after + 1):
            return None
        self.due.clear()
        events = self._journal.events(self._table, epoch, after, self._repeats.room(last, _MOST))
        if not events:
            end = self._journal.last_durable_seq(self._table, epoch)
            if end > after and not self._journal.has_events(self._table, epoch, after):
                return f"events {after + 1} to {end} of epoch {epoch} cannot be found"
        for seq_due, (seq, blob) in enumerate(events, after + 1):
            if self.end is not None and self.end[0] == (epoch, seq_due - 1):
                return self.end[1]
            if seq != seq_due:
                return f"event {seq_due} of epoch {epoch} is missing; event {seq} comes next"
            named, number, kind = identity(blob)
            if (named, number) != (epoch, seq):
                return f"the record of event {seq} of epoch {epoch} is another or none"
            self.due.append(((epoch, seq), kind, blob))
        return None

    def pop(self, count: int) -> int:
        """Forget the first events, which were sent; return how many."""
        for _ in range(count):
            self.due.popleft()
        return count
