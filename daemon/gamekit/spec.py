"""What a game module provides, and what passes between a game and its table.

A game is pure: `apply(state, input, context) -> Decision`. It has no clock, no randomness and no
I/O. The table owns the round, the holds and the order of inputs, and takes over what a game
decides:

* An input comes once, in the table's one order. While the table is held a game may *defer* a
  reading: the table keeps it and gives it again, in order, after `Resumed`.
* A game never waits by itself. What it waits for is in its state, and `due`, `legal_commands` and
  `wake_at` say what that is: for the table's status, the simulated dealer and the clock.
* A game does not resolve: a supervisor's decision comes as `resolve`, or as `void`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, Generic, Literal, TypeAlias, TypeVar, get_args

from daemon.gamekit.commitments import BENCH_VAULT, Concealed, Vault
from daemon.gamekit.house_rules import HouseRules
from daemon.gamekit.rehearsal import Rehearsal
from daemon.gamekit.sentence import Sentence
from daemon.gamekit.shoe import LeftPack
from daemon.gamekit.violations import TABLE_VIOLATIONS, UNKNOWN, DealerError, ViolationRule
from protocols.commands import Command, ResolveAction, ResolveViolation, ShoePart
from protocols.device import DeviceKind, DeviceSpec, Proof
from protocols.events import EndCheck, Event, Outcome, ShoeMoment
from protocols.instant import Instant
from protocols.readings import Reading
from protocols.refusals import Refusal
from protocols.table_terms import Inspected, Role, RoundControl

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

RuleSource = Literal["rulebooks", "general knowledge"]
StateT = TypeVar("StateT", bound="DataclassInstance")
StateT_co = TypeVar("StateT_co", bound="DataclassInstance", covariant=True)
ProfileT = TypeVar("ProfileT", bound=HouseRules)
ProfileT_co = TypeVar("ProfileT_co", bound=HouseRules, covariant=True)
_ALONE: Final[frozenset[Role]] = frozenset({"primary"})


@dataclass(frozen=True, slots=True)
class Tick:
    """Time passed: the instant that `wake_at` asked for was reached."""

    kind: Literal["tick"] = "tick"


@dataclass(frozen=True, slots=True)
class DeviceGap:
    """Readings of the primary device may be missing (`reading_gap` was raised for it)."""

    reason: str
    kind: Literal["device_gap"] = "device_gap"


@dataclass(frozen=True, slots=True)
class Resumed:
    """The last open violation was resolved without voiding the round: what waited may leave."""

    kind: Literal["resumed"] = "resumed"


@dataclass(frozen=True, slots=True)
class Unheard:
    """The daemon was away for a while: how long anything lasted meanwhile is not known."""

    kind: Literal["unheard"] = "unheard"


@dataclass(frozen=True, slots=True)
class DeviceSilence:
    """The primary device was not heard for longer than it is ever quiet, or its link is gone.

    What it did meanwhile is not known; a device that numbers what it does shows it by itself.
    """

    kind: Literal["device_silence"] = "device_silence"


@dataclass(frozen=True, slots=True)
class BytesDamaged:
    """Bytes of the primary device, which is no shoe, said nothing, or were lost on the wire.

    They may have been what the device says only once, or says first.
    """

    kind: Literal["bytes_damaged"] = "bytes_damaged"


GameInputBody: TypeAlias = (
    Reading | Command | Tick | DeviceGap | DeviceSilence | BytesDamaged | Resumed | Unheard
)


@dataclass(frozen=True, slots=True)
class GameInput:
    """One thing that happened, in the table's one order.

    hidden        it was read where the next card might be a hidden one: no event names it unless
                  it is dealt face up
    heard_before  when the device was understood last before, over the same link
    """

    at: Instant
    body: GameInputBody
    role: Role | None = None
    device: str | None = None
    hidden: bool = False
    heard_before: Instant | None = None


@dataclass(frozen=True, slots=True)
class Round:
    """The open round: `betting` until the bets are closed, then `dealing` until it is over."""

    round_id: str
    phase: Literal["betting", "dealing"]


@dataclass(frozen=True, slots=True)
class Context(Generic[ProfileT_co]):
    """What a game may know of its table.

    profile        the house's rules: the game's own profile dataclass
    digest         the profile's digest
    round          the open round, None between rounds
    held           an open violation holds the table: fill no slot, let no outcome leave
    control        who opens rounds and closes bets
    next_round_id  the id of a round that the game itself opens
    unproven       the daemon restarted in mid-round and the device has not yet shown that
                   nothing was missed: the first reading decides
    vault          seals the cards of this input
    roles          the devices that the table has
    proves         what the frames of its primary device prove
    hides          whether a card may lie face down in this house at all
    """

    profile: ProfileT_co
    digest: str
    round: Round | None
    held: bool
    control: RoundControl
    next_round_id: str
    unproven: bool = False
    vault: Vault = BENCH_VAULT
    roles: frozenset[Role] = _ALONE
    proves: frozenset[Proof] = frozenset()
    hides: bool = True


@dataclass(frozen=True, slots=True)
class Violation:
    """A violation that a game found; the table gives it an id and holds the table on it.

    `reading` is for `resolve` to apply when a supervisor accepts it, and is never published. `read`
    is published, and stays empty where the reading may be of a hidden card. `stated`: other values
    that a device stated for the same slot.
    """

    code: str
    detail: str
    slot: str | None = None
    expected: str | None = None
    read: str | None = None
    reading: Concealed[Reading] | None = None
    stated: tuple[str, ...] = ()

    def has_stated(self, value: str | None) -> bool:
        """Return whether a device has stated this value. Never of one that was not shown."""
        return value is not None and value in (self.read, *self.stated)


def evidence(reading: Reading | None) -> Concealed[Reading] | None:
    """Return what a violation keeps of a reading."""
    return None if reading is None else Concealed(reading)


@dataclass(frozen=True, slots=True)
class Decision(Generic[StateT_co]):
    """What a game makes of an input: a new state, what happened, or why a command is refused.

    Effects are in order; a Violation among them becomes `violation.raised` in its place. The
    table folds `round.opened`, `round.bets_closed` and `round.completed` into its own round; only
    the table voids one. `deferred`: the table is held; it keeps this reading and gives it to the
    game again, in order, after `Resumed`.
    """

    state: StateT_co
    effects: tuple[Event | Violation, ...] = ()
    refusal: Refusal | None = None
    deferred: bool = False


@dataclass(frozen=True, slots=True)
class DueCard:
    """The next card goes to this slot; `hidden`: face down."""

    slot: str
    hidden: bool = False


@dataclass(frozen=True, slots=True)
class DueSpin:
    """A ball is due; `pockets`: where it may land."""

    pockets: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class DueDice:
    """A throw of the dice is due."""


Due: TypeAlias = DueCard | DueSpin | DueDice | None


@dataclass(frozen=True, slots=True)
class ShoeStatus:
    """A table's shoe in counts; no card has a name here.

    verified  when its cards were found to be whole decks
    passed    cards that have passed the scanner while it is verified; None: it is not just now
    unverified, returned
              it has to be verified before a card of it is dealt; how its end check ended where it
              left this table before, which is a reason of its own
    closing   it leaves play when its end check is over
    end_check, end_counted
              how its end check ended, and what that counted
    """

    shoe_id: str
    decks: int
    cards_out: int
    cards_left: int
    verified: tuple[ShoeMoment, ...]
    passed: int | None
    unverified: bool
    returned: EndCheck | None
    closing: bool
    end_check: EndCheck
    end_counted: ShoePart | None


@dataclass(frozen=True, kw_only=True)
class Game(ABC, Generic[StateT, ProfileT]):
    """One game: what it is, as values, and what it does, as methods. One per module, named GAME.

    A game overrides the methods that it has an answer to; the defaults are those of a game that
    hides nothing, waits for no command and depends on no time. All of them are pure and total:
    no input in any state raises.

    key              module name = config value
    source           where its rules are from: the houses' rulebooks, or general knowledge where no
                     house's book has the game
    device_kind      what its primary device is
    default_profile  the house's rules that offline tools take when none is named; a table never
    profile_type     frozen dataclass of the house's rules; config checks its fields
    state_type       frozen dataclass of what it remembers, every field with a default; the journal
                     keeps it as JSON
    outcome_type     how its rounds end: the outcome of `round.completed`
    rehearsal        its table in the demo
    boxes            how many betting boxes its table has, numbered from 1; 0: it has none
    controls         who may open its rounds: only the server where cards wait for its decisions
    violations       what it may raise, by code, those of any table among them
    dealer_errors    what dealers do wrong at it, and which reader shows that when
    inspections      what a person inspects at its tables before they are played at
    """

    key: str
    title: str
    source: RuleSource
    device_kind: DeviceKind
    default_profile: str
    profile_type: type[ProfileT]
    state_type: type[StateT]
    outcome_type: type[Outcome]
    rehearsal: Rehearsal[StateT, ProfileT]
    boxes: int = 0
    controls: tuple[RoundControl, ...] = get_args(RoundControl)
    violations: Mapping[str, ViolationRule] = field(default_factory=lambda: TABLE_VIOLATIONS)
    dealer_errors: Mapping[str, DealerError] = field(default_factory=dict)
    inspections: tuple[Inspected, ...] = ()

    def rule_of(self, code: str) -> ViolationRule:
        """Return the rule of a violation that was raised, by this version or by one before."""
        return self.violations.get(code, UNKNOWN)

    def resolutions(self, code: str, profile: HouseRules) -> tuple[ResolveAction, ...]:
        """Return what a supervisor may do about a violation in this house."""
        return profile.resolutions(self.rule_of(code))

    def inspects(self, profile: HouseRules) -> tuple[Inspected, ...]:
        """Return what has to pass an inspection each day in this house before a round opens."""
        return self.inspections if profile.inspection == "daily" else ()

    def start(self) -> StateT:
        """Return the state of a table that has just opened."""
        return self.state_type()

    @abstractmethod
    def apply(
        self, state: StateT, game_input: GameInput, context: Context[ProfileT]
    ) -> Decision[StateT]:
        """Judge an input."""

    @abstractmethod
    def resolve(
        self,
        state: StateT,
        violation: Violation,
        command: ResolveViolation,
        context: Context[ProfileT],
    ) -> Decision[StateT]:
        """Carry out a supervisor's decision: accept, burn or correct. `void` is the table's."""

    @abstractmethod
    def void(self, state: StateT, context: Context[ProfileT]) -> Decision[StateT]:
        """Return a state without the round; cards that lie face down are turned."""

    def misdealt(self, state: StateT, context: Context[ProfileT]) -> Decision[StateT]:
        """Return what follows when a supervisor voided the round for an error of its dealing."""
        return Decision(state)

    @abstractmethod
    def due(self, state: StateT, context: Context[ProfileT]) -> Due:
        """Return what the dealer does next."""

    @abstractmethod
    def sentences(self, profile: ProfileT) -> Iterable[Sentence]:
        """Return what these rules enforce, in plain English."""

    def not_proven(self, profile: ProfileT, device: DeviceSpec) -> Iterable[str]:
        """Return what of these rules this device cannot prove, and who has to watch it instead."""
        return ()

    def legal_commands(self, state: StateT, context: Context[ProfileT]) -> tuple[Command, ...]:
        """Return the commands that the game waits for now: decisions, reveals.

        Only those that it alone obeys; none where only cards are due.
        """
        return ()

    @abstractmethod
    def wake_at(self, state: StateT) -> Instant | None:
        """Return when the game wants a Tick, None where nothing waits for one."""

    def hides(self, profile: ProfileT) -> bool:
        """Return whether a card may lie face down in this house: then a live table needs a key."""
        return False

    def may_be_hidden(
        self,
        state: StateT,
        context: Context[ProfileT],
        role: Role,
        reading: Reading | None,
    ) -> bool:
        """Return whether the next card that this device reads may be a face-down one.

        `reading` is what the device says, None where it says nothing.
        """
        return False

    def shoe_status(self, state: StateT) -> ShoeStatus | None:
        """Return the counts of its shoe, None where it has none."""
        return None

    def last_shoe(self, state: StateT) -> LeftPack | None:
        """Return the shoe that left the table last, and how its end check ended."""
        return None


AnyGame: TypeAlias = Game[Any, Any]
"""A game whose types are its own business: the catalog has games of all kinds, and a table carries
the state and the rules that belong to its game without ever looking inside."""
