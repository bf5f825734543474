"""`table.status` is the fold of the events, in every game, after every input.

`bench/open_round.py` plays 100 000 steps of each game. Failed on the code before at the first
decision: boxes, insurance, decisions, questions and the spin were in no event.

Faults are seeded below: a field that an event lost, an event that was not published, a step that
the fold forgot. The law notices each.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import pytest
from support.fold_law import play

from daemon.gamekit.shoegame import awaited
from daemon.gamekit.transition import GameTransition, RoundTransition
from daemon.games.blackjack import decisions, placement
from daemon.games.roulette.transition import RouletteTransition
from daemon.runtime.catalog import games
from daemon.table.transition import TableTransition
from protocols import events, play_fold

Patch = pytest.MonkeyPatch
Fault = Callable[[Patch], None]
STEPS: Final = 2_000
FAULTS: Final[dict[str, tuple[str, Fault]]] = {}


def fault(game: str) -> Callable[[Fault], Fault]:
    """Keep a fault, and the game whose play shows it."""

    def keep(seed: Fault) -> Fault:
        FAULTS[seed.__name__] = (game, seed)
        return seed

    return keep


def unpublished(patch: Patch, owner: Any, name: str) -> None:
    """Let nothing that is made under this name be published."""
    unsaid = getattr(owner, name)
    plain = RoundTransition.emit

    def emit(self: Any, event: Any) -> None:
        if not isinstance(event, unsaid):
            plain(self, event)

    patch.setattr(RoundTransition, "emit", emit)


@pytest.mark.parametrize("key", sorted(games()))
def test_what_the_events_told_is_what_the_table_has_and_what_its_status_says(key: str) -> None:
    score = play(games()[key], STEPS, seed=7)
    assert score.broken is None
    assert score.steps == STEPS
    assert score.rounds > 15


@fault("blackjack")
def a_round_that_opens_without_its_boxes(patch: Patch) -> None:
    def open_round(self: Any, round_id: str) -> None:
        self.emit(events.RoundOpened(round_id, self.context.digest))

    patch.setattr(GameTransition, "open_round", open_round)


@fault("blackjack")
def a_decision_that_is_not_published(patch: Patch) -> None:
    unpublished(patch, decisions, "DecisionMade")


@fault("blackjack")
def a_double_that_does_not_say_that_it_is_dark(patch: Patch) -> None:
    plain = decisions.DecisionMade
    patch.setattr(decisions, "DecisionMade", lambda *fields: plain(*fields[:4]))


@fault("blackjack")
def an_insurance_that_opens_unsaid(patch: Patch) -> None:
    unpublished(patch, placement, "InsuranceOpened")


@fault("blackjack")
def an_insurance_that_closes_unsaid(patch: Patch) -> None:
    unpublished(patch, decisions, "InsuranceClosed")


@fault("blackjack")
def a_question_that_is_not_asked(patch: Patch) -> None:
    unpublished(patch, awaited, "RoundCommandsAwaited")


@fault("blackjack")
def a_hand_whose_end_is_not_published(patch: Patch) -> None:
    unpublished(patch, placement, "HandResolved")


@fault("baccarat")
def a_violation_that_does_not_name_its_slot(patch: Patch) -> None:
    plain = events.ViolationRaised
    patch.setattr(
        "daemon.table.transition.ViolationRaised",
        lambda **fields: plain(**{**fields, "slot": None}),
    )


@fault("dragon_tiger")
def a_violation_without_its_resolutions(patch: Patch) -> None:
    patch.setattr(TableTransition, "_resolutions", lambda *_: ())


@fault("roulette")
def a_run_of_the_ball_that_comes_to_nothing_unsaid(patch: Patch) -> None:
    unpublished(patch, events, "SpinAbandoned")


@fault("roulette")
def a_ball_in_the_rim_that_nobody_hears_of(patch: Patch) -> None:
    unpublished(patch, events, "SpinBallInRim")


@fault("roulette")
def a_table_that_does_not_ask_for_the_announcement(patch: Patch) -> None:
    patch.setattr(RouletteTransition, "tell_rest", lambda _self: None)


@fault("sic_bo")
def bets_that_close_unsaid(patch: Patch) -> None:
    plain = play_fold._phase
    patch.setattr(
        play_fold,
        "_phase",
        lambda now, event: now if event.kind == "round.bets_closed" else plain(now, event),
    )


@fault("baccarat")
def a_new_epoch_that_forgets_the_open_round(patch: Patch) -> None:
    plain = events.TableStarted
    patch.setattr(
        "daemon.table.apply.TableStarted",
        lambda previous, reason, game, profile_key, _play: plain(
            previous, reason, game, profile_key
        ),
    )


@fault("blackjack")
def a_restart_that_forgets_what_was_told(patch: Patch) -> None:
    patch.setattr("daemon.runtime.recovery.after", lambda state, _event, _seq: state)


@fault("baccarat")
def a_decision_of_a_supervisor_that_is_forgotten(patch: Patch) -> None:
    plain = play_fold._held

    def held(state: Any, event: Any) -> Any:
        return state if event.kind == "round.resumed" else plain(state, event)

    patch.setattr(play_fold, "_held", held)


@pytest.mark.slow
@pytest.mark.parametrize("name", FAULTS)
def test_the_law_notices(name: str, monkeypatch: Patch) -> None:
    game, seed = FAULTS[name]
    seed(monkeypatch)
    assert play(games()[game], 12_000, seed=7).broken is not None
