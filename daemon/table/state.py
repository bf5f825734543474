"""What a table is, fixed while it runs, and what it remembers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, Literal, TypeAlias

from daemon.gamekit.commitments import Concealed, Lock
from daemon.gamekit.house_rules import HouseRules
from daemon.gamekit.spec import AnyGame, Round, Violation
from daemon.table.frame_tracking import Tags, Track
from protocols.commands import ResolveViolation
from protocols.device import DeviceSpec
from protocols.events import DiceLanded, Outcome, RoundCompleted, SpinLanded, WheelDriftSuspected
from protocols.gaming_day import MIDNIGHT_UTC, GamingDay
from protocols.instant import Instant
from protocols.readings import Reading
from protocols.table_terms import Inspected, InspectionResult, Role, RoundControl

DeviceState = Literal["absent", "connected", "stale", "garbled"]


NO_KEY: Final[Concealed[bytes]] = Concealed(b"")
"""The key of a table that hides nothing from anybody: a replay, a rehearsal on a bench."""


@dataclass(frozen=True, slots=True)
class RecordRef:
    """Where an input stands in the journal."""

    epoch: str
    record: int


NOWHERE: Final = RecordRef("", 0)
"""An input that no journal knows."""


@dataclass(frozen=True, slots=True)
class TableSetup:
    """What is fixed while the table runs.

    key        seals hidden cards
    lock       encrypts them to the table server as well, where the table wants that
    enrolment  whether only enrolled devices are read
    witness_wait_s
               how long a result waits for the witness before it is published
    inspects   what has to pass an inspection each day before a round opens
    gaming_day when the table's day begins
    hides      whether any card may lie face down in this house, by its game's rules
    """

    table: str
    game: AnyGame
    profile: HouseRules
    profile_key: str
    digest: str
    control: RoundControl
    devices: Mapping[Role, DeviceSpec]
    key: Concealed[bytes] = NO_KEY
    lock: Lock | None = None
    enrolment: bool = False
    witness_wait_s: float = 0.0
    inspects: tuple[Inspected, ...] = ()
    gaming_day: GamingDay = MIDNIGHT_UTC
    hides: bool = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "hides", self.game.hides(self.profile))


@dataclass(frozen=True, slots=True)
class OpenViolation:
    """A violation that holds the table and waits for a supervisor."""

    violation_id: str
    violation: Violation


@dataclass(frozen=True, slots=True)
class Decided:
    """A supervisor's decision; it takes effect when the last hold is resolved."""

    violation: Violation
    command: ResolveViolation


@dataclass(frozen=True, slots=True)
class Deferred:
    """A reading taken while the table was held; `hidden`: it may be of a hidden card."""

    role: Role
    device: str
    reading: Concealed[Reading]
    hidden: bool = False


@dataclass(frozen=True, slots=True)
class Enrolled:
    """What an enrolled device is known by: its wire, and what it says of itself."""

    wire: str | None
    said: str | None


@dataclass(frozen=True, slots=True)
class Inspection:
    """What the newest inspection of a part of the table came to, and on which day.

    day     the table's own day; None where nobody told the time
    result  whether it may be played with
    who     the person who did it
    note    what was found, and what was done; None: nothing was said
    """

    day: str | None
    result: InspectionResult
    who: str
    note: str | None = None


@dataclass(frozen=True, slots=True)
class Doubt:
    """Bytes of a device said nothing, and may have been a card (`table/damage.py`).

    until  when the device's proof that nothing was lost has to be there
    """

    device: str
    until: Instant


ResultPart: TypeAlias = SpinLanded | DiceLanded | WheelDriftSuspected | RoundCompleted[Outcome]
"""What a result is published as; none of it leaves while the witness is waited for."""

NO_CARDS: Final[Concealed[tuple[str, ...]]] = Concealed(())


@dataclass(frozen=True, slots=True)
class WitnessedResult:
    """The last result, and what the witness makes of it.

    value       the pocket, the throw or the winner, None where there is none to be stated
    cards       the cards that its outcome lists
    cards_read  how many cards the table's own readers have read for it
    stated      the cards that the witness has read for it
    until       when the wait for the witness ends; None: it is over, or nothing is waited for
    standing    `open`: the witness may still say something; `missed`: it did not in time
    """

    round_id: str
    value: str | None
    cards: tuple[str, ...]
    cards_read: int
    stated: Concealed[tuple[str, ...]]
    until: Instant | None = None
    standing: Literal["open", "confirmed", "missed", "disputed"] = "open"


@dataclass(frozen=True)  # no slots: protocols/replace.py
class WitnessState:
    """What the witness has said, and the result that it is held against (`table/witness.py`).

    stated      the pocket, the throw or the winner that it stated last
    sure        it has stated that twice in a row, or in a frame with a check value
    fresh       its ball has run, or its dice were shaken, since it stated anything
    cards       the cards that it has read since the last result
    cards_read  how many cards the table's own readers have read since the last result
    result      the last result, until the bets of the next round are closed
    missing     it was told that the witness stated nothing, and no result was confirmed since
    """

    stated: str | None = None
    sure: bool = False
    fresh: bool = False
    cards: Concealed[tuple[str, ...]] = NO_CARDS
    cards_read: int = 0
    result: WitnessedResult | None = None
    missing: bool = False


NOTHING_STATED: Final = WitnessState()


@dataclass(frozen=True)  # no slots: protocols/replace.py
class TableState:
    """Everything a table remembers; JSON in the journal's state records.

    round_ids what stands before the count in the ids of the rounds that the table opens by itself
    wires, identities
              by role: what the wire says of the device, and what the device said last of itself
    doubts    by role: what may have been a card, until its device shows that nothing was lost
    withheld  the result of the open round, while it waits for the witness or for a person
    unproven  the daemon restarted, or the device went away, in mid-round (at any time where a card
              opens the round), and the primary device has not yet shown that nothing was missed
    served_by the daemon that has the table's lease, where that is known to be another one
    """

    game: object
    round: Round | None = None
    rounds: int = 0
    round_ids: str = ""
    violations: int = 0
    open: tuple[OpenViolation, ...] = ()
    decided: tuple[Decided, ...] = ()
    read_while_held: tuple[Deferred, ...] = ()
    tracks: dict[str, Track] = field(default_factory=dict)
    tags: dict[str, Tags] = field(default_factory=dict)
    devices: dict[str, DeviceState] = field(default_factory=dict)
    wires: dict[str, str] = field(default_factory=dict)
    identities: dict[str, str] = field(default_factory=dict)
    enrolled: dict[str, Enrolled] = field(default_factory=dict)
    unproven: bool = False
    maintenance: bool = False
    witness: WitnessState = NOTHING_STATED
    withheld: tuple[ResultPart, ...] = ()
    doubts: dict[str, Doubt] = field(default_factory=dict)
    inspections: dict[str, Inspection] = field(default_factory=dict)
    served_by: str | None = None

    @property
    def held(self) -> bool:
        """Return whether an open violation holds the table."""
        return bool(self.open)

    @property
    def withholds(self) -> bool:
        """Return whether the result of the open round is there, and has not left yet."""
        return bool(self.withheld)

    @property
    def stopped(self) -> bool:
        """Return whether no slot may be filled now and no outcome may leave."""
        return self.held or self.withholds or bool(self.doubts)

    @property
    def in_play(self) -> bool:
        """Return whether a round is open that still waits for its cards, its ball or its dice."""
        return self.round is not None and not self.withholds
