"""What the events of a table told of its play, made to agree with what the table remembers. Pure.

They agree while the same code runs. They do not where the state record of an older version lacks
what was told, where other code replays a journal to another end, or where nothing of the state can
be read. Then the table tells its play anew: a consumer never goes on with a hold or a round that
the table does not have, or without one that it has.
"""

from __future__ import annotations

from daemon.table.state import OpenViolation, TableSetup, TableState
from protocols.events import HoldingViolation, PlayState, RoundState, WaitingDecision
from protocols.replace import replace


def corrected(setup: TableSetup, state: TableState, play: PlayState) -> PlayState:
    """Return what was told, with the round, holds and maintenance that the table has.

    The cards, hands and spin of a round that goes on stay as they were told.
    """
    told = {violation.violation_id: violation for violation in play.violations}
    return replace(
        play,
        round=_round(setup, state, play.round),
        violations=tuple(
            told.get(held_by.violation_id, _violation(setup, state, held_by))
            for held_by in state.open
        ),
        decided=tuple(
            WaitingDecision(one.command.violation_id, one.command.action, one.command.card)
            for one in state.decided
        ),
        maintenance=state.maintenance,
    )


def _round(setup: TableSetup, state: TableState, told: RoundState | None) -> RoundState | None:
    now = state.round
    if now is None:
        return None
    if told is None or told.round_id != now.round_id:
        told = RoundState(now.round_id, setup.digest)
    return replace(told, phase=now.phase)


def _violation(setup: TableSetup, state: TableState, held_by: OpenViolation) -> HoldingViolation:
    violation = held_by.violation
    rule = setup.game.rule_of(violation.code)
    open_round = state.round if rule.of_round else None
    return HoldingViolation(
        held_by.violation_id,
        violation.code,
        rule.rule,
        violation.detail,
        None if open_round is None else open_round.round_id,
        violation.slot,
        violation.expected,
        violation.read,
        setup.game.resolutions(violation.code, setup.profile),
    )
