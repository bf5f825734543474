"""What a supervisor may do: resolve a violation, void a round. Linked events, never an edit."""

from __future__ import annotations

from dataclasses import replace

from daemon.table import witness
from daemon.table.state import Decided
from daemon.table.transition import TableTransition
from protocols.commands import Refusal, ResolveViolation
from protocols.events import RoundResumed, RoundVoided, ViolationResolved
from protocols.readings import CardDrawn, CardOutOfGame


def resolve(transition: TableTransition, command: ResolveViolation) -> Refusal | None:
    """Carry out `violation.resolve`; the last hold that is resolved resumes the round."""
    state = transition.state
    found = next((one for one in state.open if one.violation_id == command.violation_id), None)
    if found is None:
        return Refusal.UNKNOWN_VIOLATION
    rule = transition.setup.game.rule_of(found.violation.code)
    if command.action not in rule.resolutions:
        return Refusal.ACTION_NOT_ALLOWED
    if command.action == "void":
        void(transition, command.why, command)
        return None
    trial = transition.setup.game.resolve(
        state.game, found.violation, command, transition.context()
    )
    if trial.refusal is not None:
        return trial.refusal
    left = tuple(one for one in state.open if one is not found)
    decided = (*state.decided, Decided(found.violation, command))
    transition.state = replace(state, open=left, decided=decided)
    transition.emit(_resolved(found.violation_id, found.violation.code, command))
    if not transition.state.held:
        _resume(transition)
    return None


def void(transition: TableTransition, reason: str, command: ResolveViolation | None = None) -> None:
    """Void the open round, if any, and with it every violation that holds the table.

    Cards read while held did leave the shoe: they are counted out of it and fill no slot. What
    else was read is judged now: the cut card, say, is out whatever became of the round.
    """
    in_round = transition.state.round is not None
    for one in transition.state.open:
        by = command or ResolveViolation(one.violation_id, "void", "round.void", reason)
        transition.emit(_resolved(one.violation_id, one.violation.code, by))
    waiting = transition.state.read_while_held
    transition.state = replace(transition.state, open=(), decided=(), read_while_held=())
    empty = transition.setup.game.void(transition.state.game, transition.context())
    transition.fold(empty.state, empty.effects)
    if transition.state.round is not None:
        transition.emit(RoundVoided(transition.state.round.round_id, reason))
    transition.state = replace(transition.state, unproven=False)
    for kept in waiting:
        reading = kept.reading.value
        burned = isinstance(reading, CardDrawn) and reading.target in ("burn", "burn_indicator")
        if isinstance(reading, CardDrawn) and (in_round or not burned):
            reading = CardOutOfGame(reading.card, "error")
        transition.read(reading, kept.role, kept.device, hidden=kept.hidden)


def _resume(transition: TableTransition) -> None:
    """Let the decisions take effect in order, then what waited."""
    transition.emit(
        RoundResumed(transition.state.round.round_id if transition.state.round else None)
    )
    while transition.state.decided and not transition.state.held:
        first, *rest = transition.state.decided
        transition.state = replace(transition.state, decided=tuple(rest))
        decision = transition.setup.game.resolve(
            transition.state.game, first.violation, first.command, transition.context()
        )
        if decision.refusal is None:
            transition.fold(decision.state, decision.effects)
    transition.state, released = witness.release(transition.state)
    transition.happen(released)
    transition.go_on()


def _resolved(violation_id: str, code: str, command: ResolveViolation) -> ViolationResolved:
    return ViolationResolved(
        violation_id=violation_id,
        code=code,
        action=command.action,
        who=command.who,
        why=command.why,
        card=command.card,
    )
