"""One input on its way through a table: it asks the game, and folds what happens. Pure.

An input is applied in this order, and each step sees the state that the one before it left:

1. The table looks at the input itself: devices, repeats, gaps (`apply.py` and its neighbours).
2. What the table leaves to the game goes there (`play`, `read`), with what the game may know of the
   table at this moment (`context_of`).
3. The game's decision is folded (`fold`): its state is taken over, then its effects happen in their
   order. An event is published as it is; a violation is numbered, published, and holds the table if
   its rule says so (`violate`). A refused command changes nothing.

The state is the only thing that outlives the input: what is not in it is not known after a restart.
What a hold is, and how it ends, is at the head of `resolution.py`.
"""

from __future__ import annotations

from typing import Never

from daemon.gamekit.commitments import BENCH_VAULT, Concealed, Vault
from daemon.gamekit.house_rules import HouseRules
from daemon.gamekit.spec import (
    BytesDamaged,
    Context,
    DeviceGap,
    DeviceSilence,
    GameInput,
    Resumed,
    Tick,
    Unheard,
    Violation,
)
from daemon.gamekit.transition import RoundTransition
from daemon.table import witness
from daemon.table.state import (
    NOWHERE,
    Deferred,
    OpenViolation,
    RecordRef,
    TableSetup,
    TableState,
)
from protocols.commands import Command, ResolveAction, ResolveViolation
from protocols.events import (
    Event,
    RoundBetsClosed,
    RoundCompleted,
    RoundHeld,
    RoundOpened,
    RoundVoided,
    ShoeClosed,
    ShoeLoaded,
    ViolationRaised,
    WaitingDecision,
)
from protocols.instant import Instant
from protocols.readings import Reading
from protocols.refusals import Refusal
from protocols.replace import replace
from protocols.table_terms import Role


def context_of(
    setup: TableSetup, state: TableState, vault: Vault = BENCH_VAULT
) -> Context[HouseRules]:
    """Return what the game may know of its table at this moment.

    vault  seals the cards of the input at hand; asking a question needs none
    """
    return Context(
        profile=setup.profile,
        digest=setup.digest,
        round=state.round,
        held=bool(state.open or state.withheld or state.doubts),
        control=setup.control,
        next_round_id=f"{setup.table}-{state.round_ids}{state.rounds + 1}",
        vault=vault,
        roles=frozenset(setup.devices),
        unproven=state.unproven,
        proves=setup.devices["primary"].proves,
        hides=setup.hides,
    )


class TableTransition(RoundTransition[TableState, Never]):
    """A table's state on its way through one input; its round and hold are the state's own."""

    def __init__(
        self, setup: TableSetup, state: TableState, at: Instant, mark: RecordRef = NOWHERE
    ) -> None:
        self.setup = setup
        self.state = state
        self.at = at
        self.round = state.round
        self.effects = []
        self._vault = Vault(setup.key.value, setup.table, mark.epoch, mark.record, setup.lock)

    def emit(self, event: Event) -> None:
        """Append an event, and fold it into the table's state."""
        super().emit(event)
        if self.round is not self.state.round:
            self.state = replace(self.state, round=self.round)
        match event:
            case RoundOpened():
                self.state = replace(self.state, rounds=self.state.rounds + 1)
                self.state = witness.opened(self.setup, self.state)
            case RoundBetsClosed(round_id=round_id) if "witness" in self.setup.devices:
                self.state, effects = witness.bets_closed(self.setup, self.state, round_id)
                self.happen(effects)
            case RoundCompleted():
                self.state = replace(self.state, unproven=False)
            case RoundVoided():
                self.state = replace(witness.voided(self.state), unproven=False, doubts={})
            case ShoeLoaded() | ShoeClosed():
                tags = {
                    role: replace(known, come=frozenset())
                    for role, known in self.state.tags.items()
                }
                self.state = replace(self.state, tags=tags)
            case _:
                pass

    def violate(self, violation: Violation) -> None:
        """Raise a violation: it gets its number, and holds the table if its rule says so.

        What does not hold is on record with that, and is not resolved.
        """
        rule = self.setup.game.rule_of(violation.code)
        number = self.state.violations + 1
        violation_id = f"V{number}"
        was_held = self.state.held
        self.state = replace(self.state, violations=number)
        if rule.holds:
            hold = OpenViolation(violation_id, violation)
            self.state = replace(self.state, open=(*self.state.open, hold))
        round_id = self.state.round.round_id if self.state.round and rule.of_round else None
        self.emit(
            ViolationRaised(
                violation_id=violation_id,
                code=violation.code,
                rule=rule.rule,
                detail=violation.detail,
                holds=rule.holds,
                round_id=round_id,
                slot=violation.slot,
                expected=violation.expected,
                read=violation.read,
                resolutions=self._resolutions(violation),
            )
        )
        if rule.holds and not was_held:
            held = self.state.round.round_id if self.state.round else None
            waiting = tuple(
                WaitingDecision(
                    decided.command.violation_id, decided.command.action, decided.command.card
                )
                for decided in self.state.decided
            )
            self.emit(RoundHeld(held, (violation_id,), violation.detail, waiting))

    def violate_once(self, violation: Violation) -> None:
        """Raise a violation that goes on, unless one of its code holds the table already."""
        if all(hold.violation.code != violation.code for hold in self.state.open):
            self.violate(violation)

    def resolutions(self, code: str) -> tuple[ResolveAction, ...]:
        """Return what a supervisor may decide about a violation in this house."""
        return self.setup.game.resolutions(code, self.setup.profile)

    def _resolutions(self, violation: Violation) -> tuple[ResolveAction, ...]:
        """Return what a supervisor may decide now: what the house allows and the game can do."""
        allowed = self.resolutions(violation.code)
        return tuple(
            action for action in allowed if action == "void" or self._can(violation, action)
        )

    def _can(self, violation: Violation, action: ResolveAction) -> bool:
        trial = ResolveViolation("", action, "", "")
        refusal = self.setup.game.resolve(self.state.game, violation, trial, self.context()).refusal
        return refusal in (None, Refusal.VALUE_MISSING)

    def context(self) -> Context[HouseRules]:
        """Return what the game may know of the table at this moment."""
        return context_of(self.setup, self.state, self._vault)

    def play(
        self, body: Command | Tick | DeviceGap | DeviceSilence | BytesDamaged | Resumed | Unheard
    ) -> Refusal | None:
        """Ask the game, and fold its decision in order. A refusal changes nothing."""
        game_input = GameInput(self.at, body)
        decision = self.setup.game.apply(self.state.game, game_input, self.context())
        if decision.refusal is None:
            self.fold(decision.state, decision.effects)
        return decision.refusal

    def hear(
        self,
        reading: Reading,
        role: Role,
        device: str,
        *,
        hidden: bool = False,
        heard_before: Instant | None = None,
    ) -> None:
        """Take what a device has just said: the game judges it, but for what a witness says."""
        if role == "witness":
            self.follow(witness.hear(self.setup, self.state, reading))
            return
        if "witness" in self.setup.devices:
            self.state = witness.count(self.state, reading)
        self.read(reading, role, device, hidden=hidden, heard_before=heard_before)

    def read(
        self,
        reading: Reading,
        role: Role,
        device: str,
        *,
        hidden: bool = False,
        heard_before: Instant | None = None,
    ) -> None:
        """Let the game judge a reading; what it defers is kept until the table resumes."""
        game_input = GameInput(self.at, reading, role, device, hidden, heard_before)
        decision = self.setup.game.apply(self.state.game, game_input, self.context())
        self.fold(decision.state, decision.effects)
        if decision.deferred:
            kept = Deferred(role, device, Concealed(reading), hidden)
            self.state = replace(self.state, read_while_held=(*self.state.read_while_held, kept))

    def fold(self, game_state: object, effects: tuple[Event | Violation, ...]) -> None:
        """Take over the game's new state and let its effects happen, in order."""
        self.state = replace(self.state, game=game_state)
        if "witness" in self.setup.devices:
            self.state, effects = witness.hold_back(self.setup, self.state, self.at, effects)
        self.happen(effects)

    def follow(self, change: witness.Change) -> None:
        """Take over what the witness brought; when a result leaves, what waited for it goes on."""
        waited = self.state.withholds
        self.state, effects = change
        self.happen(effects)
        if waited and not self.state.withholds:
            self.go_on()

    def go_on(self) -> None:
        """Let what waited leave, in order, until something holds the table or a result again."""
        if self.state.stopped:
            return
        self.play(Resumed())
        while self.state.read_while_held and not self.state.stopped:
            kept, *later = self.state.read_while_held
            self.state = replace(self.state, read_while_held=tuple(later))
            self.read(kept.reading.value, kept.role, kept.device, hidden=kept.hidden)

    def happen(self, effects: tuple[Event | Violation, ...]) -> None:
        """Let things happen, in order."""
        for effect in effects:
            if isinstance(effect, Violation):
                self.violate(effect)
            else:
                self.emit(effect)
