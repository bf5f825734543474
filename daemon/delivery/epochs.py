"""The epochs of one table in the order in which they go out, and those that do not."""

from __future__ import annotations

from collections.abc import Iterator

from daemon.journal.store import Journal


class Epochs:
    """Walks a table's epochs, forward only: a damaged journal may lead back to one that was left.

    abandoned  the epochs of which nothing more goes out
    """

    def __init__(self, journal: Journal, table: str) -> None:
        self.abandoned: set[str] = set()
        self._journal = journal
        self._table = table
        self._left: set[str] = set()

    def after(self, epoch: str | None) -> Iterator[str]:
        """Yield the epochs that follow, each once."""
        seen = {epoch}
        while (epoch := self._journal.next_epoch(self._table, epoch)) not in seen:
            seen.add(epoch)
            if epoch is None:
                return
            yield epoch

    def leave(self, epoch: str | None) -> str | None:
        """Return the epoch to go on with, None while there is none that was not left before."""
        following = self._journal.next_epoch(self._table, epoch)
        if following is None or following in self._left:
            return None
        if epoch is not None:
            self._left.add(epoch)
        return following

    def go_back(self) -> None:
        """Walk anew: the bus lost what had gone out."""
        self._left.clear()

    def abandon_damaged(self, epoch: str | None) -> None:
        """Abandon all up to the epoch in which a damaged table is held since the start."""
        current = self._journal.appended(self._table).epoch
        self.abandoned |= {epoch or "", *self.after(epoch)} - {current}

    def lag(self, cursor: tuple[str, int] | None) -> int:
        """Return how many events the bus does not have yet, of those that go out.

        A journal whose end is gone may have fewer than went out.
        """
        epoch, sent = cursor or (None, 0)
        lag = 0
        for due in (epoch, *self.after(epoch)):
            if due is not None and due not in self.abandoned:
                has = sent if due == epoch else 0
                lag += max(0, self._journal.last_seq(self._table, due) - has)
        return lag
