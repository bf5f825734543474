"""What a supervisor may do: resolve a violation, void a round. Linked events, never an edit."""

from __future__ import annotations

from dataclasses import replace

from daemon.gamekit.spec import Resumed
from daemon.gamekit.violations import VIOLATIONS
from daemon.table.state import Decided
from daemon.table.transition import Turn
from protocols.commands import Refusal, ResolveViolation
from protocols.events import RoundResumed, RoundVoided, ViolationResolved
from protocols.readings import CardDrawn, CardOutOfGame


def resolve(turn: Turn, command: ResolveViolation) -> Refusal | None:
    """Carry out `violation.resolve`; the last hold that is resolved resumes the round."""
    state = turn.state
    found = next((one for one in state.open if one.violation_id == command.violation_id), None)
    if found is None:
        return Refusal.UNKNOWN_VIOLATION
    if command.action not in VIOLATIONS[found.violation.code].resolutions:
        return Refusal.ACTION_NOT_ALLOWED
    if command.action == "void":
        void(turn, command.why, command)
        return None
    trial = turn.setup.game.resolve(state.game, found.violation, command, turn.context())
    if trial.refusal is not None:
        return trial.refusal
    left = tuple(one for one in state.open if one is not found)
    decided = (*state.decided, Decided(found.violation, command))
    turn.state = replace(state, open=left, decided=decided)
    turn.emit(_resolved(found.violation_id, found.violation.code, command))
    if not turn.state.held:
        _resume(turn)
    return None


def void(turn: Turn, reason: str, command: ResolveViolation | None = None) -> None:
    """Void the open round, if any, and with it every violation that holds the table.

    Cards read while held did leave the shoe: they are counted out of it and fill no slot. What
    else was read is judged now: the cut card, say, is out whatever became of the round.
    """
    in_round = turn.state.round is not None
    for one in turn.state.open:
        by = command or ResolveViolation(one.violation_id, "void", "round.void", reason)
        turn.emit(_resolved(one.violation_id, one.violation.code, by))
    waiting = turn.state.read_while_held
    turn.state = replace(turn.state, open=(), decided=(), read_while_held=())
    empty = turn.setup.game.void(turn.state.game, turn.context())
    turn.fold(empty.state, empty.effects)
    if turn.state.round is not None:
        turn.emit(RoundVoided(turn.state.round.round_id, reason))
    turn.state = replace(turn.state, unproven=False)
    for kept in waiting:
        reading = kept.reading.value
        burned = isinstance(reading, CardDrawn) and reading.target in ("burn", "burn_indicator")
        if isinstance(reading, CardDrawn) and (in_round or not burned):
            reading = CardOutOfGame(reading.card, "error")
        turn.read(reading, kept.role, kept.device, hidden=kept.hidden)


def _resume(turn: Turn) -> None:
    """Let the decisions take effect in order, then what waited; a new hold stops it again."""
    turn.emit(RoundResumed(turn.state.round.round_id if turn.state.round else None))
    while turn.state.decided and not turn.state.held:
        first, *rest = turn.state.decided
        turn.state = replace(turn.state, decided=tuple(rest))
        decision = turn.setup.game.resolve(
            turn.state.game, first.violation, first.command, turn.context()
        )
        if decision.refusal is None:
            turn.fold(decision.state, decision.effects)
    if not turn.state.held:
        turn.play(Resumed())
    while turn.state.read_while_held and not turn.state.held:
        kept, *later = turn.state.read_while_held
        turn.state = replace(turn.state, read_while_held=tuple(later))
        turn.read(kept.reading.value, kept.role, kept.device, hidden=kept.hidden)


def _resolved(violation_id: str, code: str, command: ResolveViolation) -> ViolationResolved:
    return ViolationResolved(
        violation_id=violation_id,
        code=code,
        action=command.action,
        who=command.who,
        why=command.why,
        card=command.card,
    )
