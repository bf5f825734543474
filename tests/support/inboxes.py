"""A table's inbox for tests of what is around it: no journal is kept."""

from __future__ import annotations

from collections.abc import Callable

from config.load import TableConfig
from daemon.delivery.bus import Address
from daemon.runtime.clocks import Timekeeper
from daemon.runtime.inbox import Inbox, Outlets
from daemon.runtime.table_start import begin_table
from daemon.service.assembly import setup_of
from daemon.service.offline_replay import NoJournal
from drivers.clock import Clock


def inbox_of(
    config: TableConfig, clock: Clock, shown: Callable[[bytes], None] = lambda _blob: None
) -> Inbox:
    """Return the inbox of a table that has just begun; its events are shown at once."""
    return begin_table(
        setup_of(config),
        Address("house", config.id, "rehearsal"),
        "000001-test",
        NoJournal(),
        Timekeeper(clock, lambda: "unknown"),
        Outlets(shown=shown),
    )
