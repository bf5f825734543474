"""What a supervisor's decision does to a round of Sic Bo."""

from __future__ import annotations

from daemon.gamekit.spec import Violation
from daemon.games.sic_bo.state import SicBoState
from daemon.games.sic_bo.transition import SicBoTransition
from protocols.commands import ResolveViolation
from protocols.events import ResultEnteredManually
from protocols.faces import spelled
from protocols.refusals import Refusal
from protocols.replace import replace


def resolve(
    transition: SicBoTransition, violation: Violation, command: ResolveViolation
) -> Refusal | None:
    """Carry out accept or correct."""
    match command.action:
        case "accept":
            _accept(transition, violation)
            return None
        case "correct":
            return _correct(transition, command)
        case _:
            return Refusal.ACTION_NOT_ALLOWED


def _accept(transition: SicBoTransition, violation: Violation) -> None:
    """Land what waited for a person; where nothing does, the dice are thrown again."""
    pending = transition.state.pending
    if pending is not None and pending.waits_for == "accept":
        if violation.code in ("dice_before_no_more_bets", "dice_not_thrown"):
            transition.close_bets("supervisor")
            transition.land(pending.faces)
    elif violation.code == "dice_unread" and pending is None and transition.throw.unread:
        # A die that stood on its edge may be pushed over: from here on only a throw counts.
        transition.set_throw(end="apart")


def _correct(transition: SicBoTransition, command: ResolveViolation) -> Refusal | None:
    """Publish a result for which a person answers: it is entered, never landed."""
    faces = command.dice
    if transition.round is None:
        return Refusal.WRONG_PHASE
    if transition.betting and transition.profile.before_no_more_bets == "not_counted":
        return Refusal.ACTION_NOT_ALLOWED
    if faces is None:
        return Refusal.VALUE_MISSING
    transition.close_bets("supervisor")
    round_id, entered = transition.round.round_id, spelled(faces)
    transition.emit(
        ResultEnteredManually(
            round_id, "dice", entered, command.who, command.why, command.second_who
        )
    )
    if transition.throw.end != "lost":
        transition.set_throw(said=None, end="lost")
    transition.complete(faces)
    return None


def void(state: SicBoState) -> SicBoState:
    """Return the state without the round: its throw, ended or running, decides no other."""
    throw = state.throw
    if throw.end is None or state.pending is not None:
        throw = replace(throw, said=None, end="apart")
    return SicBoState(throw)
