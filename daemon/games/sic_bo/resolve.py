"""What a supervisor's decision does to a round of Sic Bo."""

from __future__ import annotations

from dataclasses import replace

from daemon.gamekit.spec import Context, Decision, Violation
from daemon.games.sic_bo.profile import SicBoProfile
from daemon.games.sic_bo.state import SicBoState
from daemon.games.sic_bo.transition import SicBoTransition
from protocols.commands import Refusal, ResolveViolation
from protocols.events import ResultEnteredManually
from protocols.faces import spelled


def resolve(
    state: SicBoState,
    violation: Violation,
    command: ResolveViolation,
    context: Context[SicBoProfile],
) -> Decision[SicBoState]:
    """Carry out accept or correct; `burn` means nothing here, `void` is the table's."""
    transition = SicBoTransition(state, context)
    match command.action:
        case "accept":
            return _accept(transition, violation)
        case "correct":
            return _correct(transition, command)
        case _:
            return transition.decision(Refusal.ACTION_NOT_ALLOWED)


def _accept(transition: SicBoTransition, violation: Violation) -> Decision[SicBoState]:
    """Land what waited for a person's word; where nothing does, the dice are thrown again."""
    pending = transition.state.pending
    if pending is not None and pending.waits_for == "accept":
        if violation.code in ("dice_before_no_more_bets", "dice_not_thrown"):
            transition.close_bets("command")
            transition.land(pending.faces)
    elif violation.code == "dice_unread" and pending is None and transition.throw.unread:
        # A die that stood on its edge may be pushed over: from here on only a throw counts.
        transition.set_throw(end="apart")
    return transition.decision()


def _correct(transition: SicBoTransition, command: ResolveViolation) -> Decision[SicBoState]:
    """Publish a result that stands on a person's word: it is entered, never landed."""
    faces = command.dice
    if transition.round is None:
        return transition.decision(Refusal.WRONG_PHASE)
    if faces is None:
        return transition.decision(Refusal.VALUE_MISSING)
    transition.close_bets("command")
    entered = spelled(faces)
    transition.emit(
        ResultEnteredManually(transition.round.round_id, "dice", entered, command.who, command.why)
    )
    if transition.throw.end != "lost":
        transition.set_throw(said=None, end="lost")
    transition.complete(faces)
    return transition.decision()


def void(state: SicBoState, context: Context[SicBoProfile]) -> Decision[SicBoState]:
    """Return the state without the round: its throw, thrown or running, counts for nobody."""
    if context.round is None:
        return Decision(state)
    throw = state.throw
    if throw.end is None or state.pending is not None:
        throw = replace(throw, said=None, end="apart")
    return Decision(SicBoState(throw))
