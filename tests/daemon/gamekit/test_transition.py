"""The phases of a round: folded in one place, for a table and for its games alike."""

from __future__ import annotations

from dataclasses import replace

import pytest
from support.baccarat_bench import profile

from daemon.gamekit.spec import Context, Round, Violation
from daemon.gamekit.transition import GameTransition, RoundTransition
from daemon.games.baccarat import GAME
from daemon.games.sic_bo.outcome import SicBoOutcome
from daemon.table.apply import start
from daemon.table.state import TableSetup
from daemon.table.transition import TableTransition
from protocols.events import (
    Event,
    RoundBetsClosed,
    RoundCompleted,
    RoundOpened,
    RoundVoided,
)
from protocols.instant import Instant
from protocols.shoes.angel_eye_ii_ex import DEVICE

AT = Instant("boot", 0)
OUTCOME = SicBoOutcome((1, 2, 3), 6, "small", triple=False)
PHASES: list[tuple[Event, Round | None]] = [
    (RoundOpened("R1", "b2:00"), Round("R1", "betting")),
    (RoundBetsClosed("R1", "command"), Round("R1", "dealing")),
    (RoundCompleted("R1", "b2:00", OUTCOME), None),
    (RoundOpened("R2", "b2:00"), Round("R2", "betting")),
    (RoundVoided("R2", "misdeal"), None),
]


def of_a_game() -> GameTransition:
    context = Context(None, "b2:00", None, held=False, control="server", next_round_id="R1")
    return GameTransition(GAME, GAME.start(), context)


def of_a_table() -> TableTransition:
    setup = TableSetup("t1", GAME, profile(), "baccarat-dk", "b2:00", "server", {"primary": DEVICE})
    return TableTransition(setup, start(setup), AT)


@pytest.mark.parametrize("transition", [of_a_game(), of_a_table()], ids=["game", "table"])
def test_a_table_and_its_game_fold_the_same_events_into_the_same_phase(
    transition: RoundTransition,
) -> None:
    assert transition.round is None
    for event, phase in PHASES:
        transition.emit(event)
        assert transition.round == phase
    assert transition.effects == [event for event, _ in PHASES]


def test_a_table_keeps_its_round_in_its_state() -> None:
    transition = of_a_table()
    for event, phase in PHASES:
        transition.emit(event)
        assert transition.state.round == phase
    assert transition.state.rounds == 2


def test_a_game_opens_closes_and_completes_in_that_order_and_closes_no_bets_twice() -> None:
    transition = of_a_game()
    assert (transition.betting, transition.dealing) == (False, False)
    transition.open_round("R1")
    assert (transition.betting, transition.dealing) == (True, False)
    transition.close_bets("device")
    transition.close_bets("command")
    assert (transition.betting, transition.dealing) == (False, True)
    transition.complete_round(OUTCOME)
    assert (transition.betting, transition.dealing) == (False, False)
    assert transition.effects == [
        RoundOpened("R1", "b2:00"),
        RoundBetsClosed("R1", "device"),
        RoundCompleted("R1", "b2:00", OUTCOME),
    ]


@pytest.mark.parametrize(("code", "holds"), [("reading_gap", True), ("late_result", False)])
def test_a_violation_that_holds_the_table_holds_what_follows_in_the_same_input(
    code: str, holds: bool
) -> None:
    transition = of_a_game()
    transition.raise_violation(Violation(code, "why"))
    assert transition.held == holds
    assert transition.decision().effects == (Violation(code, "why"),)


def test_a_decision_is_the_state_and_what_happened_in_its_order() -> None:
    transition = of_a_game()
    transition.open_round("R1")
    transition.set(burned=1)
    transition.raise_violation(Violation("reading_gap", "why"))
    decision = transition.decision(deferred=True)
    assert (decision.state, decision.deferred) == (replace(GAME.start(), burned=1), True)
    assert [type(one).__name__ for one in decision.effects] == ["RoundOpened", "Violation"]
