"""One input on its way through a table: the phases of a round, folded in one place.

A table and its game look at the same input one after the other: the game decides, the table takes
its decision over. Both build their next state step by step, and at every step both have to know in
which phase the round is, so both fold the same events::

    no round ── round.opened ──▶ betting ── round.bets_closed ──▶ dealing
        ▲                           │                                │
        └───────── round.completed, round.voided ────────────────────┘

Invariants:

* `emit` alone changes the round: what is not published has not happened.
* A game's transition begins with the table's round and hold (its `Context`). When the table has
  folded the game's effects in their order, it is in the phase in which the game left the round;
  but a result that waits for a witness keeps the table's round open, and the table as if held.
* A violation that holds the table holds what follows it within the same input: the game asks
  `held` before it fills a slot or lets an outcome leave, and finds the table's own answer.
* A refused command changes nothing: the table drops the state and the effects of a refusal.
"""

from __future__ import annotations

from typing import Final, Generic, TypeVar

from daemon.gamekit.spec import (
    Context,
    Decision,
    Game,
    GameInput,
    ProfileT_co,
    Round,
    StateT_co,
    Tick,
    Violation,
)
from protocols.events import (
    BetsClosedBy,
    Event,
    Outcome,
    RoundBetsClosed,
    RoundCompleted,
    RoundOpened,
    RoundVoided,
)
from protocols.instant import Instant
from protocols.refusals import Refusal
from protocols.replace import replace

EffectT = TypeVar("EffectT")

NO_INPUT: Final = GameInput(Instant("", 0), Tick())
"""What a supervisor decides is no input: nothing was read, and no time passed."""


class RoundTransition(Generic[StateT_co, EffectT]):
    """A state on its way from one input to the next, and what has happened so far.

    EffectT is what it lists besides events: a game its violations, a table nothing.
    """

    state: StateT_co
    at: Instant
    round: Round | None
    effects: list[Event | EffectT]

    def emit(self, event: Event) -> None:
        """Append an event, and fold it into the round."""
        self.effects.append(event)
        match event:
            case RoundOpened(round_id=round_id):
                self.round = Round(round_id, "betting")
            case RoundBetsClosed(round_id=round_id):
                self.round = Round(round_id, "dealing")
            case RoundCompleted() | RoundVoided():
                self.round = None
            case _:
                pass


class GameTransition(RoundTransition[StateT_co, Violation], Generic[StateT_co, ProfileT_co]):
    """A game's state on its way through one input; `before` is the state that the input met.

    resolving  the id of the violation that a supervisor resolves; None where an input is judged
    """

    resolving: str | None = None

    def __init__(
        self,
        game: Game[StateT_co, ProfileT_co],
        state: StateT_co,
        context: Context[ProfileT_co],
        game_input: GameInput = NO_INPUT,
    ) -> None:
        self.game = game
        self.before = self.state = state
        self.input = game_input
        self.at = game_input.at
        self.effects = []
        self.context = context
        self.profile = context.profile
        self.round = context.round
        self.held = context.held

    @property
    def betting(self) -> bool:
        """Return whether a round takes bets."""
        return self.round is not None and self.round.phase == "betting"

    @property
    def boxes(self) -> tuple[int, ...] | None:
        """Return the boxes in play, in table order; None where the game has no boxes."""
        return None

    @property
    def dealing(self) -> bool:
        """Return whether a round waits for its cards, its ball or its dice."""
        return self.round is not None and self.round.phase == "dealing"

    def set(self, **changes: object) -> None:
        """Change fields of the state."""
        self.state = replace(self.state, **changes)

    def decision(
        self, refusal: Refusal | None = None, *, deferred: bool = False
    ) -> Decision[StateT_co]:
        """Return what came of the input, or why the command is refused."""
        return Decision(self.state, tuple(self.effects), refusal, deferred)

    def raise_violation(self, violation: Violation) -> None:
        """Append a violation; one that holds the table holds what follows it."""
        self.effects.append(violation)
        self.held = self.held or self.game.rule_of(violation.code).holds

    def open_round(self, round_id: str) -> None:
        """Open a round for bets."""
        self.emit(RoundOpened(round_id, self.context.digest, self.boxes))

    def close_bets(self, by: BetsClosedBy) -> None:
        """No more bets, if a round takes them."""
        if self.round is not None and self.round.phase == "betting":
            decided_on = self.resolving if by == "supervisor" else None
            self.emit(RoundBetsClosed(self.round.round_id, by, decided_on, self.boxes))

    def complete_round(self, outcome: Outcome) -> None:
        """End the open round with its outcome."""
        if self.round is None:
            raise AssertionError("no round is open")
        self.emit(RoundCompleted(self.round.round_id, self.context.digest, outcome))
