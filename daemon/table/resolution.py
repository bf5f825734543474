"""What a supervisor may do: resolve a violation, void a round. Linked events, never an edit."""

from __future__ import annotations

from dataclasses import replace

from daemon.gamekit.spec import Violation
from daemon.table import witness
from daemon.table.state import Decided
from daemon.table.transition import TableTransition
from protocols.commands import Refusal, ResolveViolation
from protocols.events import RoundResumed, RoundVoided, ViolationResolved
from protocols.readings import CardDrawn, CardOutOfGame


def resolve(transition: TableTransition, command: ResolveViolation) -> Refusal | None:
    """Carry out `violation.resolve`; the last hold that is resolved resumes the round."""
    state = transition.state
    held_by = next((hold for hold in state.open if hold.violation_id == command.violation_id), None)
    if held_by is None:
        return Refusal.UNKNOWN_VIOLATION
    if command.action not in transition.resolutions(held_by.violation.code):
        return Refusal.ACTION_NOT_ALLOWED
    if command.action == "void":
        void(transition, command.why, command, held_by.violation)
        return None
    trial = transition.setup.game.resolve(
        state.game, held_by.violation, command, transition.context()
    )
    if trial.refusal is not None:
        return trial.refusal
    if command.action == "correct" and _is_one_persons_word(held_by.violation, command):
        return Refusal.TWO_NAMES
    left = tuple(hold for hold in state.open if hold is not held_by)
    decided = (*state.decided, Decided(held_by.violation, command))
    transition.state = replace(state, open=left, decided=decided)
    transition.emit(_resolved(held_by.violation_id, held_by.violation.code, command))
    if not transition.state.held:
        _resume(transition)
    return None


def _is_one_persons_word(violation: Violation, command: ResolveViolation) -> bool:
    """Return whether a value that no device stated has one name behind it, and not two."""
    if violation.has_stated(command.value):
        return False
    who, second = (name.strip().casefold() for name in (command.who, command.second_who or ""))
    return not who or not second or who == second


def void(
    transition: TableTransition,
    reason: str,
    command: ResolveViolation | None = None,
    violation: Violation | None = None,
) -> None:
    """Void the open round, if any, and with it every violation that holds the table.

    command, violation  what a supervisor decided, and about what: unless the system failed, the
                        round was misdealt

    Cards read while held did leave the shoe: they are counted out of it and fill no slot. What
    else was read is judged now: the cut card, say, is out whatever became of the round.
    """
    in_round = transition.state.round is not None
    misdealt = _is_misdeal(transition, violation)
    for hold in transition.state.open:
        by = command or ResolveViolation(hold.violation_id, "void", "round.void", reason)
        transition.emit(_resolved(hold.violation_id, hold.violation.code, by))
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
    if misdealt:
        burns = transition.setup.game.misdealt(transition.state.game, transition.context())
        transition.fold(burns.state, burns.effects)


def _is_misdeal(transition: TableTransition, violation: Violation | None) -> bool:
    if violation is None or transition.state.round is None:
        return False
    return transition.setup.game.rule_of(violation.code).cause != "malfunction"


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
