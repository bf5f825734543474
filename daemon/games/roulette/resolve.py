"""What a supervisor's decision does to a round of roulette."""

from __future__ import annotations

from typing import Final

from daemon.gamekit.spec import Violation
from daemon.games.roulette import confirmation
from daemon.games.roulette.outcome import outcome_of
from daemon.games.roulette.state import RouletteState
from daemon.games.roulette.transition import RouletteTransition
from protocols.commands import ResolveViolation
from protocols.events import ResultEnteredManually
from protocols.refusals import Refusal
from protocols.replace import replace

_ACCEPT_LANDS: Final = frozenset({"ball_before_no_more_bets", "spin_unproven"})
"""Accepting these means: the spin counts, a person saw it."""


def resolve(
    transition: RouletteTransition, violation: Violation, command: ResolveViolation
) -> Refusal | None:
    """Carry out accept or correct."""
    match command.action:
        case "accept":
            return _accept(transition, violation, command)
        case "correct":
            return _correct(transition, command)
        case _:
            return Refusal.ACTION_NOT_ALLOWED


def _correct(transition: RouletteTransition, command: ResolveViolation) -> Refusal | None:
    if transition.round is None:
        return Refusal.WRONG_PHASE
    return _enter(transition, transition.round.round_id, command.pocket, command)


def _accept(
    transition: RouletteTransition, violation: Violation, command: ResolveViolation
) -> Refusal | None:
    """Land what was kept; a lost spin without a value is spun again for the same round."""
    pending = transition.state.pending
    if transition.round is None:
        return None
    round_id = transition.round.round_id
    if violation.code in _ACCEPT_LANDS and pending is not None:
        if pending.round_id == round_id and pending.sure:
            transition.close_bets("supervisor")
            confirmation.land(transition, pending)
    elif violation.code == "spin_lost":
        if pending is None or pending.round_id != round_id:
            transition.set(waits=round_id, early=None)
        else:
            return _enter(transition, round_id, pending.pocket, command)
    return None


def _enter(
    transition: RouletteTransition, round_id: str, pocket: str | None, command: ResolveViolation
) -> Refusal | None:
    """Publish a result for which a person answers: it is entered, never landed."""
    rules = transition.profile
    early = transition.betting or transition.state.early == round_id
    if early and rules.before_no_more_bets == "not_counted":
        return Refusal.ACTION_NOT_ALLOWED
    if pocket is None or pocket not in rules.wheel:
        return Refusal.VALUE_MISSING
    transition.close_bets("supervisor")
    transition.emit(
        ResultEnteredManually(
            round_id, "pocket", pocket, command.who, command.why, command.second_who
        )
    )
    run = transition.state.run
    if run is not None and run.round_id == round_id and run.end is None:
        transition.set_run(end="void")
        transition.tell_rest()
    transition.complete_round(outcome_of(pocket, rules))
    return None


def void(state: RouletteState) -> RouletteState:
    """Return a state without the round: a ball that runs for it will count for nobody."""
    run = state.run
    if run is not None and run.end is None:
        ours = run.opened or run.round_id is not None or state.waits is not None
        run = replace(run, end="void") if ours else run
    return replace(state, run=run, waits=None, pending=None, early=None, told=None)
