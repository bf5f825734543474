"""What happens to the table itself."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from protocols.events.open_round import PlayState
from protocols.table_terms import GameKey, Inspected, InspectionResult


@dataclass(frozen=True, slots=True)
class TableStarted:
    """The first event of an epoch.

    previous     the epoch before; None where neither the journal nor the bus knows one
    reason       why an epoch begins: `first_start`, `replay`, or what happened to the journal
    profile_key  name of the house's rules in the configuration
    play         what goes on from the epoch before: a consumer that begins here lacks nothing;
                 None: nothing goes on
    """

    previous: str | None
    reason: str
    game: GameKey
    profile_key: str
    play: PlayState | None = None
    kind: Literal["table.started"] = "table.started"


@dataclass(frozen=True, slots=True)
class TableStopped:
    """The bridge stopped in good order."""

    reason: str
    kind: Literal["table.stopped"] = "table.stopped"


@dataclass(frozen=True, slots=True)
class TableRecovered:
    """The bridge restarted and took the table up again.

    reason            why it had to, in words for people
    records_replayed  journal records that were played again to get there
    open_round        the round that is open still; None where none is
    differs           what came out otherwise than before; None: nothing did
    play              told anew, where the table is in another state than its events have told;
                      None: it is in that state
    """

    reason: str
    records_replayed: int
    open_round: str | None
    differs: str | None = None
    play: PlayState | None = None
    kind: Literal["table.recovered"] = "table.recovered"


@dataclass(frozen=True, slots=True)
class LeaseTaken:
    """This bridge serves the table from here on.

    fencing_number  the lease's number now. The bus takes events under its newest number alone; it
                    grows when another bridge takes the lease, or this one shows that it has it
    owner           which bridge this is, in words for people
    """

    fencing_number: int
    owner: str
    kind: Literal["lease.taken"] = "lease.taken"


@dataclass(frozen=True, slots=True)
class LeaseLost:
    """Another bridge serves the table: this one has stopped reading its devices.

    owner  which bridge that is, in words for people
    """

    owner: str
    kind: Literal["lease.lost"] = "lease.lost"


@dataclass(frozen=True, slots=True)
class StreamRecreated:
    """The bus had lost events that it had acknowledged; they went out again before this one.

    from_epoch  the epoch of the first of them that the journal still has
    from_seq    its number in that epoch
    to_epoch    the epoch of the last of them
    to_seq      its number in that epoch
    """

    from_epoch: str
    from_seq: int
    to_epoch: str
    to_seq: int
    kind: Literal["stream.recreated"] = "stream.recreated"


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
class InspectionRecorded:
    """A person has inspected a part of the table.

    what    the part of the table
    result  whether it may be played with
    who     the person who did it
    note    what was found, and what was done; None: nothing was said
    day     the table's own day, by which it counts; None where nobody tells it, as in a replay
    """

    what: Inspected
    result: InspectionResult
    who: str
    note: str | None
    day: str | None
    kind: Literal["inspection.recorded"] = "inspection.recorded"


@dataclass(frozen=True, slots=True)
class DealerChanged:
    """Another dealer has the table."""

    badge: str
    kind: Literal["dealer.changed"] = "dealer.changed"


@dataclass(frozen=True, slots=True)
class ClockStepped:
    """The wall clock was set. Order and durations do not depend on it.

    by_s  by how many seconds, forward or (negative) back
    """

    by_s: float
    kind: Literal["clock.stepped"] = "clock.stepped"


@dataclass(frozen=True, slots=True)
class EventWithheld:
    """The tombstone of an event that the bus refuses for good: its seq is accounted for.

    withheld_seq  seq of that event, which is this one's own
    reason        why the bus refuses it, in its words
    """

    withheld_seq: int
    reason: str
    kind: Literal["event.withheld"] = "event.withheld"
