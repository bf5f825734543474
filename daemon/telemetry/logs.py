"""Structured logs, and the list of their event names: past tense, fixed keys.

Names in use: bus_changed bus_keeps_all bus_lost_events bus_may_lose config_warning daemon_started
daemon_stopped defect foreign_event frame_rejected journal_blocked journal_damaged journal_failed
journal_log_folded journal_log_grown journal_resumed journal_set_aside link_changed
metrics_not_served software_authenticated software_changed start_failed table_served
table_served_by_another.

`log_lines_lost` is said by the stream itself (`log_stream.py`).
"""

from __future__ import annotations

import logging
import sys
import traceback
from typing import Any, Literal, TextIO, cast

import structlog

from daemon.telemetry.log_stream import LogStream

Log = structlog.typing.FilteringBoundLogger


def set_up(level: str, form: Literal["json", "console"], stream: LogStream) -> Log:
    """Send logs to a stream: JSON lines for machines, coloured text only on a terminal."""
    logging.lastResort = logging.StreamHandler(stream)  # what libraries say of themselves
    renderer: Any = structlog.processors.JSONRenderer(sort_keys=True)
    if form == "console":
        renderer = structlog.dev.ConsoleRenderer(colors=sys.stderr.isatty())
    structlog.configure(
        processors=[
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            structlog.processors.format_exc_info,
            renderer,
        ],
        wrapper_class=structlog.make_filtering_bound_logger(
            logging.getLevelNamesMapping()[level.upper()]
        ),
        logger_factory=structlog.WriteLoggerFactory(file=cast("TextIO", stream)),
        cache_logger_on_first_use=False,
    )
    log: Log = structlog.get_logger()
    return log


def defect(error: BaseException | None, *, hidden: bool) -> dict[str, str]:
    """Return the log fields of a defect of pitwire.

    hidden  cards may lie face down: only the error's type and traceback, since its message may
            name one
    """
    if error is None:
        return {"error": "unknown"}
    if not hidden:
        return {"error": repr(error), "traceback": "".join(traceback.format_exception(error))}
    where = "".join(traceback.format_tb(error.__traceback__))
    return {"error": type(error).__name__, "traceback": where}


class RateLimit:
    """Passes the first of a kind, then one every `every_s` seconds, and counts those between."""

    def __init__(self, every_s: float) -> None:
        self._every_s = every_s
        self._seen: dict[tuple[str, ...], tuple[float, int]] = {}

    def passes(self, now_s: float, *kind: str) -> int | None:
        """Return how many were suppressed since the last one let through, or None to be quiet."""
        at, count = self._seen.get(kind, (-self._every_s, 0))
        if now_s - at < self._every_s:
            self._seen[kind] = (at, count + 1)
            return None
        self._seen[kind] = (now_s, 0)
        return count
