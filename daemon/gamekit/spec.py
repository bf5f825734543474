"""What a game module provides, and the words between a game and its table.

A game is pure: `apply(state, input, context) -> Decision`. It has no clock, no randomness and no
I/O; the table owns the round, the holds and the order, and folds the events that a game returns.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, Final, Generic, Literal, TypeAlias, TypeVar, get_args

from daemon.gamekit.commitments import BENCH_VAULT, Concealed, Vault
from protocols.commands import Command, Refusal, ResolveViolation
from protocols.device import DeviceKind
from protocols.events import Event, Outcome, ShoeMoment
from protocols.instant import Instant
from protocols.readings import Reading

Role = Literal["primary", "hole", "witness"]
RoundControl = Literal["server", "device"]
StateT_co = TypeVar("StateT_co", covariant=True)
ProfileT_co = TypeVar("ProfileT_co", covariant=True)
_ALONE: Final[frozenset[Role]] = frozenset({"primary"})


@dataclass(frozen=True, slots=True)
class Tick:
    """Time passed: the instant that `wake_at` asked for was reached."""

    kind: Literal["tick"] = "tick"


@dataclass(frozen=True, slots=True)
class DeviceGap:
    """What the primary device said for a while is not known (`reading_gap` was raised for it)."""

    reason: str
    kind: Literal["device_gap"] = "device_gap"


@dataclass(frozen=True, slots=True)
class Resumed:
    """The last open violation was resolved without voiding the round: what waited may leave."""

    kind: Literal["resumed"] = "resumed"


@dataclass(frozen=True, slots=True)
class Unheard:
    """The daemon was away for a while: how long anything lasted meanwhile is unknown."""

    kind: Literal["unheard"] = "unheard"


@dataclass(frozen=True, slots=True)
class DeviceSilence:
    """The primary device was not heard for longer than it is ever quiet, or its link is gone.

    What it did meanwhile is not known; one that numbers what it does shows it by itself.
    """

    kind: Literal["device_silence"] = "device_silence"


GameInputBody: TypeAlias = Reading | Command | Tick | DeviceGap | DeviceSilence | Resumed | Unheard


@dataclass(frozen=True, slots=True)
class GameInput:
    """One thing that happened, in the table's one order.

    hidden  it was read where the next card might be a hidden one: no event names it unless it is
            dealt face up
    """

    at: Instant
    body: GameInputBody
    role: Role | None = None
    device: str | None = None
    hidden: bool = False


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


@dataclass(frozen=True, slots=True)
class Violation:
    """A violation that a game found; the table gives it an id and holds the table on it.

    `reading` is what the device said, for `resolve` to apply when a supervisor accepts it; it is
    never shown. `read` is, and stays empty where the reading was a hidden one.
    """

    code: str
    detail: str
    slot: str | None = None
    expected: str | None = None
    read: str | None = None
    reading: Concealed[Reading] | None = None


def evidence(reading: Reading | None) -> Concealed[Reading] | None:
    """Return what a violation keeps of a reading."""
    return None if reading is None else Concealed(reading)


@dataclass(frozen=True, slots=True)
class Decision(Generic[StateT_co]):
    """What a game makes of an input: a new state, what happened, or why a command is refused.

    Effects are in order; a Violation among them becomes `violation.raised` in its place. The
    table folds `round.opened`, `round.bets_closed`, `round.completed` and `round.voided` into its
    own round. `deferred`: the table is held; keep this reading and give it to me again, in
    order, after `Resumed`.
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
    """A ball is due."""


@dataclass(frozen=True, slots=True)
class DueDice:
    """A throw of the dice is due."""


Due: TypeAlias = DueCard | DueSpin | DueDice | None


def _hides_nothing(_profile: Any) -> bool:
    return False


def _conceals_nothing(
    _state: Any, _context: Context[Any], _role: Role, _reading: Reading | None
) -> bool:
    return False


def _asks_nothing(_state: Any, _context: Context[Any]) -> tuple[Command, ...]:
    return ()


@dataclass(frozen=True, slots=True)
class ShoeStanding:
    """How a table's shoe stands: counts only, no card has a name here.

    verified  when its cards were found to be whole decks
    passed    cards that have passed the scanner while it is verified; None: it is not just now
    """

    shoe_id: str
    decks: int
    cards_out: int
    cards_left: int
    verified: tuple[ShoeMoment, ...]
    passed: int | None


def _no_shoe(_state: Any) -> ShoeStanding | None:
    return None


@dataclass(frozen=True, slots=True)
class GameSpec:
    """One game. One per module in `games/`, named GAME.

    key         module name = config value
    device_kind what its primary device is
    default_profile  the house rules that offline tools take when none is named; a table never does
    profile     frozen dataclass type of the house's rules (fields validated by config)
    state       frozen dataclass type of the state; JSON-serialisable by pydantic
    outcome     the type of its `round.completed` outcome
    start       profile -> state of a table that has just opened
    apply       (state, input, context) -> Decision; total: never raises on any input in any state
    resolve     (state, violation, command, context) -> Decision, for the actions accept, burn and
                correct of `violation.resolve`; `void` is the table's, which then calls `void`
    void        (state, context) -> Decision: a state without the round; cards that lay face
                down are turned
    due         (state, context) -> what the dealer does next
    controls    who may open its rounds: only the server where cards wait for its decisions
    asks        (state, context) -> the commands that the game waits for now, of those that it alone
                obeys: decisions, reveals; empty where only cards are due
    shoe        state -> how its shoe stands, None where it has none
    hides       profile -> may any card lie face down in this house? Then a live table needs a key
    sentences   profile -> what these rules enforce, in plain English
    conceals    (state, context, role, reading) -> may the next card that this device reads be
                hidden? `reading` is what it says, None where it says nothing
    wake_at     state -> when the game wants a Tick
    """

    key: str
    title: str
    device_kind: DeviceKind
    default_profile: str
    profile: type[Any]
    state: type[Any]
    outcome: type[Outcome]
    start: Callable[[Any], Any]
    apply: Callable[[Any, GameInput, Context[Any]], Decision[Any]]
    resolve: Callable[[Any, Violation, ResolveViolation, Context[Any]], Decision[Any]]
    void: Callable[[Any, Context[Any]], Decision[Any]]
    due: Callable[[Any, Context[Any]], Due]
    wake_at: Callable[[Any], Instant | None]
    sentences: Callable[[Any], Iterable[str]]
    hides: Callable[[Any], bool] = _hides_nothing
    conceals: Callable[[Any, Context[Any], Role, Reading | None], bool] = _conceals_nothing
    asks: Callable[[Any, Context[Any]], tuple[Command, ...]] = _asks_nothing
    shoe: Callable[[Any], ShoeStanding | None] = _no_shoe
    controls: tuple[RoundControl, ...] = get_args(RoundControl)
