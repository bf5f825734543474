"""What happens to the round."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Generic, Literal, TypeAlias, TypeVar

from protocols.commands import PlayerAction, ResolveAction
from protocols.events.outcomes import Outcome

OutcomeT_co = TypeVar("OutcomeT_co", bound=Outcome, covariant=True)


@dataclass(frozen=True, slots=True)
class RoundOpened:
    """A round is open for bets.

    boxes  that are named already, in table order; the bets may change them until they are closed;
           None: the game has no boxes
    """

    round_id: str
    profile: str
    boxes: tuple[int, ...] | None = None
    kind: Literal["round.opened"] = "round.opened"


BetsClosedBy: TypeAlias = Literal["command", "device", "first_card", "supervisor"]


@dataclass(frozen=True, slots=True)
class RoundBetsClosed:
    """No more bets.

    by            what closed them: `bets.close`, the wheel's own state, or the first card;
                  supervisor: nothing did, and a supervisor accepted what came before
    violation_id  the violation that the supervisor resolved so; None where another closed them
    boxes         that are in play from now on, in table order; None: the game has no boxes
    """

    round_id: str
    by: BetsClosedBy
    violation_id: str | None = None
    boxes: tuple[int, ...] | None = None
    kind: Literal["round.bets_closed"] = "round.bets_closed"


@dataclass(frozen=True, slots=True)
class AwaitedCommand:
    """A command that the round waits for, and what it may say.

    command  its name
    box      the box that it is about; None: it is about no hand
    hand     the hand of that box
    actions  what may be decided for the hand
    dark     whether a double may be dealt face down
    slot     the face-down card that may be turned
    """

    command: str
    box: int | None = None
    hand: int | None = None
    actions: tuple[PlayerAction, ...] = ()
    dark: bool = False
    slot: str | None = None


@dataclass(frozen=True, slots=True)
class RoundCommandsAwaited:
    """What the round waits for from the table server is another now, whether it is held or not.

    commands  all that would be obeyed, but for those that are possible in any round; none: a card,
              a ball or dice are due
    """

    round_id: str
    commands: tuple[AwaitedCommand, ...]
    kind: Literal["round.commands_awaited"] = "round.commands_awaited"


@dataclass(frozen=True, slots=True)
class WaitingDecision:
    """A supervisor's decision that takes effect when the last hold is resolved.

    action  what was decided
    card    the card that it names, by its two letters, if it names one
    """

    violation_id: str
    action: ResolveAction
    card: str | None = None


@dataclass(frozen=True, slots=True)
class RoundHeld:
    """No slot is filled and no outcome leaves until the violations are resolved.

    round_id    the open round; None between rounds
    violations  ids of the open violations, in the order in which they were raised
    reason      what happened, in words for people
    decided     decisions on earlier violations, which wait for the end of this hold
    """

    round_id: str | None
    violations: tuple[str, ...]
    reason: str
    decided: tuple[WaitingDecision, ...] = ()
    kind: Literal["round.held"] = "round.held"


@dataclass(frozen=True, slots=True)
class RoundResumed:
    """The last open violation was resolved; play goes on.

    round_id  the open round; None where none is, or it was voided
    """

    round_id: str | None
    kind: Literal["round.resumed"] = "round.resumed"


@dataclass(frozen=True, slots=True)
class RoundCompleted(Generic[OutcomeT_co]):
    """The round is over and this is its outcome. Published once per round.

    outcome  how it ended; its `game` tells which outcome it is
    """

    round_id: str
    profile: str
    outcome: OutcomeT_co
    kind: Literal["round.completed"] = "round.completed"


@dataclass(frozen=True, slots=True)
class RoundVoidRequired:
    """The outcome cannot be known: the house has to void the round."""

    round_id: str
    reason: str
    kind: Literal["round.void_required"] = "round.void_required"


@dataclass(frozen=True, slots=True)
class RoundVoided:
    """The round was voided; nothing of it is settled."""

    round_id: str
    reason: str
    kind: Literal["round.voided"] = "round.voided"
