"""What keeps the daemon from delivering, told once for all tables."""

from __future__ import annotations

import structlog
from structlog.testing import LogCapture

from daemon.service.conditions import Conditions
from daemon.telemetry.metrics import Metrics

AGE, COPIES = "the stream PIT keeps events for 60 s only", "the stream PIT-REHEARSAL has one copy"


def test_what_may_lose_events_is_told_once_and_stays_while_one_table_has_it() -> None:
    """A table on another stream, which keeps all, must not take the warning back."""
    told = LogCapture()
    log = structlog.wrap_logger(structlog.PrintLogger(), processors=[told])
    metrics = Metrics()
    conditions = Conditions(log, metrics)

    def count() -> float | None:
        return metrics.registry.get_sample_value("pitwire_bus_may_lose")

    for table, sentences in (("T-1", [AGE]), ("T-2", [AGE]), ("T-3", []), ("T-4", [COPIES])):
        conditions.bus_unkept(table, sentences)
    assert count() == len({AGE, COPIES})
    assert [one.get("error") for one in told.entries] == [AGE, COPIES]
    for table in ("T-1", "T-2"):
        conditions.bus_unkept(table, [])
    assert count() == 1
    conditions.bus_unkept("T-4", [])
    assert count() == 0
    assert told.entries[-1]["event"] == "bus_keeps_all"
