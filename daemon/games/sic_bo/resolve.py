"""What a supervisor's decision does to a round of Sic Bo."""

from __future__ import annotations

from dataclasses import replace

from daemon.gamekit.spec import Context, Decision, Violation
from daemon.games.sic_bo.state import SicBoState
from daemon.games.sic_bo.transition import Work
from protocols.commands import Refusal, ResolveViolation
from protocols.events import ResultEnteredManually
from protocols.faces import spelled


def resolve(
    state: SicBoState, violation: Violation, command: ResolveViolation, context: Context
) -> Decision:
    """Carry out accept or correct; `burn` means nothing here, `void` is the table's."""
    work = Work(state, context)
    match command.action:
        case "accept":
            return _accept(work, violation)
        case "correct":
            return _correct(work, command)
        case _:
            return work.decision(Refusal.ACTION_NOT_ALLOWED)


def _accept(work: Work, violation: Violation) -> Decision:
    """Land what waited for a person's word; where nothing does, the dice are thrown again."""
    pending = work.state.pending
    if pending is not None and pending.waits_for == "accept":
        if violation.code in ("dice_before_no_more_bets", "dice_not_thrown"):
            work.close_bets("command")
            work.land(pending.faces)
    elif violation.code == "dice_unread" and pending is None and work.throw.unread:
        # A die that stood on its edge may be pushed over: from here on only a throw counts.
        work.set_throw(end="apart")
    return work.decision()


def _correct(work: Work, command: ResolveViolation) -> Decision:
    """Publish a result that stands on a person's word: it is entered, never landed."""
    faces = command.dice
    if work.round is None:
        return work.decision(Refusal.WRONG_PHASE)
    if faces is None:
        return work.decision(Refusal.VALUE_MISSING)
    work.close_bets("command")
    entered = spelled(faces)
    work.effects.append(
        ResultEnteredManually(work.round.round_id, "dice", entered, command.who, command.why)
    )
    if work.throw.end != "lost":
        work.set_throw(said=None, end="lost")
    work.complete(faces)
    return work.decision()


def void(state: SicBoState, context: Context) -> Decision:
    """Return the state without the round: its throw, thrown or running, counts for nobody."""
    if context.round is None:
        return Decision(state)
    throw = state.throw
    if throw.end is None or state.pending is not None:
        throw = replace(throw, said=None, end="apart")
    return Decision(SicBoState(throw))
