"""What `table.status` says of a table, and the bus every second: its open round and its health.

status.py fills it in. The published contract is made of these types.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from daemon.gamekit.spec import ShoeStatus
from daemon.runtime.clocks import Quality as ClockQuality
from daemon.table.state import Inspection
from protocols.commands import ShoePart
from protocols.events import (
    EndCheck,
    HoldingViolation,
    RoundState,
    RunningSpin,
    WaitingDecision,
)
from protocols.table_terms import GameKey, Inspected, Mode, Role

TableCondition = Literal["open", "held", "maintenance"]
"""open: the table plays; held: an open violation stops it; maintenance: no game sees readings."""
LeaseState = Literal["held", "unconfirmed", "other", "unknown"]
"""Which bridge serves the table, as far as this one knows."""
DeviceCondition = Literal[
    "starting",
    "connected",
    "absent",
    "busy",
    "denied",
    "refused",
    "lost",
    "ended",
    "stale",
    "garbled",
    "no_statement",
    "not_enrolled",
]
"""How the link stands (`LinkState`), and how the device does on an open one."""


@dataclass(frozen=True, slots=True)
class LastShoeStatus:
    """The pack of cards that left the table last.

    end_check  how the count ended that was made of it when play was over
    counted    what of it was counted then: all, or the rest that was not dealt; None: nothing
    """

    shoe_id: str
    end_check: EndCheck
    counted: ShoePart | None


@dataclass(frozen=True, slots=True)
class InspectionStatus:
    """What a house inspects each day before it opens a round.

    day       the table's own day
    due       what has not passed on this day, and has to before a round opens
    recorded  the newest inspection of each part of the table
    """

    day: str
    due: tuple[Inspected, ...]
    recorded: dict[str, Inspection]


@dataclass(frozen=True, slots=True)
class DeviceStatus:
    """A device of the table, and its link.

    state       how it stands. Of its link: starting, connected, absent, busy, denied, refused,
                lost, ended; of an open link: stale (silent), garbled (it is not understood),
                not_enrolled (another device than the table's own), no_statement (a witness that
                said nothing of the last result)
    link        where it is connected; None while it is not
    heard_ns    when it said something last or its link was opened, in nanoseconds of the machine's
                boot clock; None: never
    understood  frames that said something, since the daemon started; those that may be of a hidden
                card are not counted
    rejected    frames that said nothing, likewise
    untold      what its link may lose and cannot tell of, in words for people; None: nothing
    reason      why it is not well, in words for people; None where it is
    action      what a person can do about it; None where nothing is to be done
    """

    role: Role
    device: str
    state: DeviceCondition
    link: str | None
    heard_ns: int | None
    understood: int
    rejected: int
    untold: str | None
    reason: str | None
    action: str | None


@dataclass(frozen=True, slots=True)
class PublisherStatus:
    """How far the bus has the table's events.

    lag      durable events that the bus does not have yet
    refused  events of this run that the bus refused for good: `event.withheld` stands for each
    error    why it does not take events now, in words for people; None: it does
    action   what a person can do about it; None where nothing is to be done
    """

    lag: int
    refused: int
    error: str | None
    action: str | None


@dataclass(frozen=True, slots=True)
class LeaseStatus:
    """Which bridge serves the table.

    state   held: this one, beyond doubt; unconfirmed: this one as far as is known, for the bus
            cannot be asked now; other: another one; unknown: the bus has not said yet, or the
            owner has not yet shown that it lives
    number  the fencing number; 0 while the lease is not this bridge's
    owner   the other bridge, in words for people; None: no other is known
    """

    state: LeaseState
    number: int
    owner: str | None


@dataclass(frozen=True, slots=True)
class TableStatus:
    """A table's open round and its health. It is written down nowhere and has no number.

    `round`, `violations`, `decided`, `spin`, `maintenance` and `dealer` are the fold of the events
    of `epoch` up to `seq`, from table.started on: a consumer that comes late takes them and goes on
    with the events that follow.

    epoch            "" before the first: the bus has not yet said what it has of the table
    seq              of the last event of this epoch, durable or about to be: one who has not heard
                     it lacks events
    record           number of the last journal record
    state            what the table does now
    round            the open round; None between rounds
    decided          supervisors' decisions that take effect when the last hold is resolved
    spin             the run of the ball that is under way, as far as it was told; None: none was
    maintenance      the devices' readings do not count
    dealer           badge of the dealer who was named last; None: none was
    shoe             the shoe in counts; None where none is loaded or the game has none
    last_shoe        the pack that left the table last; None: none did
    inspection       what is inspected each day, and what of it is due
    due              what has to come next: a slot, `spin` or `dice`; None where nothing does
    result_withheld  the open round's result is there, and waits for the witness or a person
    violations       the open violations, in the order in which they were raised
    read_while_held  what was read since the table is held, in order: kinds of readings, or
                     `concealed`; it is judged when the table resumes
    devices          every device of the table
    code             digest of the program code that decides
    clockquality     whether the wall clock is synchronised
    lease            which bridge serves the table
    publisher        how far the bus has the table's events
    journal          why the journal cannot be written or checked, in words for people; None: it can
    """

    table: str
    game: GameKey
    mode: Mode
    epoch: str
    seq: int
    record: int
    state: TableCondition
    round: RoundState | None
    violations: tuple[HoldingViolation, ...]
    decided: tuple[WaitingDecision, ...]
    spin: RunningSpin | None
    maintenance: bool
    dealer: str | None
    shoe: ShoeStatus | None
    last_shoe: LastShoeStatus | None
    inspection: InspectionStatus
    due: str | None
    result_withheld: bool
    read_while_held: tuple[str, ...]
    devices: tuple[DeviceStatus, ...]
    profile: str
    profile_key: str
    code: str
    clockquality: ClockQuality
    lease: LeaseStatus
    publisher: PublisherStatus
    journal: str | None = None
