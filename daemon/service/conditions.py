"""Whether bus and journal can be used: the latest word of each, for status, metrics and log."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain

from daemon.telemetry.logs import Log
from daemon.telemetry.metrics import Metrics


class Conditions:
    """What keeps the daemon from delivering or from writing.

    bus          why the bus cannot be reached, None while it is connected
    journal      why the journal cannot be written, None while it can
    journal_log  why the journal takes more and more space, None while it does not
    """

    def __init__(self, log: Log, metrics: Metrics) -> None:
        self.bus: str | None = "not connected yet"
        self.journal: str | None = None
        self.journal_log: str | None = None
        self._unkept: dict[str, tuple[str, ...]] = {}
        self._log = log
        self._metrics = metrics

    def bus_changed(self, reason: str | None) -> None:
        """Take the bus's report: a reason when the connection is lost, None when it is there."""
        if reason != self.bus:
            if reason is None:
                self._log.info("bus_changed", state="connected")
            else:
                self._log.warning("bus_changed", state=reason)
        self.bus = reason
        self._metrics.bus.set(reason is None)

    def bus_unkept(self, table: str, sentences: Sequence[str]) -> None:
        """Take which settings of the bus may lose a table's events; told when they change.

        Tables may be on different streams, and share one: each sentence is told once.
        """
        before = set(chain.from_iterable(self._unkept.values()))
        self._unkept[table] = tuple(sentences)
        now = set(chain.from_iterable(self._unkept.values()))
        self._metrics.bus_unkept.set(len(now))
        for sentence in sorted(now - before):
            self._log.warning("bus_may_lose", error=sentence)
        if before and not now:
            self._log.info("bus_keeps_all")

    def journal_changed(self, reason: str | None) -> None:
        """Take the journal's report: a reason when it is blocked, None when it goes on."""
        self.journal = reason
        self._metrics.journal.set(reason is None)
        if reason is None:
            self._log.info("journal_resumed")
        else:
            self._log.error("journal_blocked", error=reason)

    def journal_grown(self, reason: str | None) -> None:
        """Take the journal's report of its write-ahead log; it can still be written."""
        self.journal_log = reason
        if reason is None:
            self._log.info("journal_log_folded")
        else:
            self._log.error("journal_log_grown", error=reason)
