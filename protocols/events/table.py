"""What happens to the table itself."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True)
class TableStarted:
    """The first event of an epoch. `previous` is the epoch before, if the journal knows one."""

    previous: str | None
    reason: str
    game: str
    profile_key: str
    kind: Literal["table.started"] = "table.started"


@dataclass(frozen=True, slots=True)
class TableStopped:
    """The bridge stopped in good order."""

    reason: str
    kind: Literal["table.stopped"] = "table.stopped"


@dataclass(frozen=True, slots=True)
class TableRecovered:
    """The bridge restarted and took the table up again. `differs` lists what replay changed."""

    reason: str
    records_replayed: int
    open_round: str | None
    differs: str | None = None
    kind: Literal["table.recovered"] = "table.recovered"


@dataclass(frozen=True, slots=True)
class MaintenanceStarted:
    """Readings are shown and journalled, and no game sees them."""

    who: str
    why: str
    kind: Literal["maintenance.started"] = "maintenance.started"


@dataclass(frozen=True, slots=True)
class MaintenanceFinished:
    """The devices count again."""

    who: str
    why: str
    kind: Literal["maintenance.finished"] = "maintenance.finished"


@dataclass(frozen=True, slots=True)
class DealerChanged:
    """Another dealer has the table."""

    badge: str
    kind: Literal["dealer.changed"] = "dealer.changed"


@dataclass(frozen=True, slots=True)
class ClockStepped:
    """The wall clock was set by `by_s` seconds. Order and durations do not depend on it."""

    by_s: float
    kind: Literal["clock.stepped"] = "clock.stepped"


@dataclass(frozen=True, slots=True)
class EventWithheld:
    """The tombstone of an event that the bus refuses for good: its seq is accounted for."""

    withheld_seq: int
    reason: str
    kind: Literal["event.withheld"] = "event.withheld"
