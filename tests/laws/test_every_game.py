"""Every game keeps the promises of `Game`, under random inputs and under whole rounds.

Tried with faults seeded in the games; each was noticed by the law beside it:

 a status line's time kept in the state                a_reading_repeated_word_for_word…
 a limit that stays in the past after its tick         a_tick_that_was_asked_for…
 `apply` raises on a reading that means nothing        it_is_total…
 a sure result lands, a card is dealt, while held      no_outcome_leaves_a_held_table
 what was read while held is dropped                   what_was_read_while_held_counts…

Whole rounds are there because of the last: random lines hardly ever make a result.
"""

import json
from dataclasses import is_dataclass, replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from laws.game_plays import AT, STEPS, Step, last_words, play, setup
from support.table_bench import SUPERVISED
from support.vocabulary import VIOLATIONS

from config.load import builtin_profiles
from config.profiles import games_of
from daemon.gamekit.spec import AnyGame, Violation
from daemon.gamekit.violations import TABLE_VIOLATIONS
from daemon.runtime.catalog import games
from daemon.runtime.codec import StateCodec, input_blob, parse_input
from daemon.service.assembly import known
from daemon.table.apply import apply, start, wake_at
from daemon.table.inputs import (
    Commanded,
    Input,
    TimePassed,
)
from daemon.table.state import OpenViolation
from protocols.canonical import canonical
from protocols.commands import ResolveViolation
from protocols.readings import (
    WheelStatus,
)
from protocols.refusals import Refusal

GAMES = list(games().values())
each_game = pytest.mark.parametrize("game", GAMES, ids=lambda game: game.key)
PROFILES = sorted(games_of(builtin_profiles()).items())
OUTCOMES = {"card.dealt", "spin.landed", "dice.landed", "round.completed"}


@each_game
@given(steps=STEPS, control=st.sampled_from(["server", "device"]))
@settings(max_examples=150, deadline=None)
def test_it_is_total_and_the_same_inputs_give_the_same_events(
    game: AnyGame, steps: list[Step], control: str
) -> None:
    bench = setup(game, control=control)
    first = [(step.events, step.refusal) for _, step, _ in play(bench, steps)]
    assert first == [(step.events, step.refusal) for _, step, _ in play(bench, steps)]


@each_game
@given(steps=STEPS)
@settings(max_examples=100, deadline=None)
def test_no_outcome_leaves_a_held_table(game: AnyGame, steps: list[Step]) -> None:
    for before, step, one in play(setup(game), steps):
        resolving = isinstance(one.body, Commanded)
        if before.held and not resolving:
            assert not OUTCOMES & {event.kind for event in step.events}


@each_game
@given(steps=STEPS)
@settings(max_examples=100, deadline=None)
def test_decisions_and_deferred_readings_wait_only_while_a_hold_does(
    game: AnyGame, steps: list[Step]
) -> None:
    for _, step, _ in play(setup(game), steps):
        if not step.state.held:
            assert step.state.decided == step.state.read_while_held == ()


@each_game
@given(steps=STEPS)
@settings(max_examples=100, deadline=None)
def test_a_round_ends_once_and_every_outcome_has_its_round(
    game: AnyGame, steps: list[Step]
) -> None:
    opened = False
    for _, step, _ in play(setup(game), steps):
        for event in step.events:
            if event.kind == "round.opened":
                assert not opened
                opened = True
            elif event.kind in ("round.completed", "round.voided"):
                assert opened
                opened = False


def same(one: Any, other: Any) -> bool:
    """Compare what is hidden too, which compares with nothing by itself."""
    if is_dataclass(one):
        fields = type(one).__dataclass_fields__
        return type(one) is type(other) and all(
            same(getattr(one, name), getattr(other, name)) for name in fields
        )
    if isinstance(one, tuple):
        alike = isinstance(other, tuple) and len(one) == len(other)
        return alike and all(map(same, one, other))
    return bool(one == other)


@each_game
@given(steps=STEPS)
@settings(max_examples=80, deadline=None)
def test_the_state_and_its_inputs_survive_a_restart(game: AnyGame, steps: list[Step]) -> None:
    bench = setup(game)
    codec = StateCodec(game)
    for _, step, one in play(bench, steps):
        blob = canonical(codec.dump(step.state))
        assert same(codec.load(json.loads(blob)), step.state)
        assert canonical(codec.dump(codec.load(json.loads(blob)))) == blob
        assert parse_input(input_blob(one)) == one


@each_game
@given(steps=STEPS)
@settings(max_examples=80, deadline=None)
def test_a_tick_that_was_asked_for_is_not_asked_for_again(game: AnyGame, steps: list[Step]) -> None:
    bench = setup(game)
    for _, step, _ in play(bench, steps):
        wanted = wake_at(bench, step.state)
        if wanted is not None:
            after = apply(bench, step.state, Input(wanted, TimePassed())).state
            again = wake_at(bench, after)
            assert again is None or again.ns > wanted.ns


@each_game
def test_a_whole_round_ends_in_one_outcome(game: AnyGame) -> None:
    steps = [
        event.kind for _, step, _ in play(setup(game), [("round", None)]) for event in step.events
    ]  # type: ignore[list-item] # a ROUND
    assert steps.count("round.completed") == 1


@each_game
@pytest.mark.parametrize("pulled", range(2, 8))
def test_a_round_that_was_held_on_its_way_ends_in_none(game: AnyGame, pulled: int) -> None:
    """The cable was pulled in mid-round: nothing leaves until a person has decided."""
    for before, step, _ in play(setup(game), [("round", pulled)]):  # type: ignore[list-item] # a ROUND
        assert not (before.held and OUTCOMES & {event.kind for event in step.events})


@each_game
@pytest.mark.parametrize("pulled", range(2, 8))
def test_what_was_read_while_held_counts_when_a_person_accepts(game: AnyGame, pulled: int) -> None:
    accept = ResolveViolation("V1", "accept", "ann", "seen on the felt")
    steps: list[Step] = [("round", pulled), (1.0, accept), *last_words(game)]  # type: ignore[list-item] # a ROUND
    kinds = [
        event.kind for _, step, _ in play(setup(game, **SUPERVISED), steps) for event in step.events
    ]
    assert kinds.count("round.completed") == 1


@each_game
def test_a_reading_repeated_word_for_word_changes_nothing_but_the_card_count(
    game: AnyGame,
) -> None:
    """500 ms status lines are journalled only when they change something."""
    if game.device_kind != "wheel":
        pytest.skip("its device speaks only when something happened")
    bench = setup(game, control="device")
    status = WheelStatus("place_bets", 5, "17", frozenset(), 150, "clockwise")
    steps: list[Step] = [(0.5, status)] + [
        (0.5, replace(status, rotor_tenths_rpm=150 + wobble)) for wobble in (0, 1, -2, 2, 0)
    ]
    after_first = [(before, step) for before, step, _ in play(bench, steps)][2:]
    assert all(step.state == before and not step.events for before, step in after_first)


@pytest.mark.parametrize(("profile", "key"), PROFILES, ids=[name for name, _ in PROFILES])
def test_every_house_opens(profile: str, key: str) -> None:
    bench = setup(games()[key], profile)
    assert not start(bench).held
    assert bench.digest.startswith("b2:")


@each_game
def test_a_game_lists_what_any_table_may_raise(game: AnyGame) -> None:
    assert TABLE_VIOLATIONS.items() <= game.violations.items()


@each_game
@given(steps=STEPS, control=st.sampled_from(["server", "device"]))
@settings(max_examples=50, deadline=None)
def test_every_violation_that_is_raised_is_one_that_the_game_lists(
    game: AnyGame, steps: list[Step], control: str
) -> None:
    for _, step, _ in play(setup(game, control=control), steps):
        raised = [event for event in step.events if event.kind == "violation.raised"]
        assert {event.code for event in raised} <= game.violations.keys()


def test_no_code_has_two_rules() -> None:
    for game in GAMES:
        assert game.violations.items() <= VIOLATIONS.items()


@each_game
def test_a_violation_of_another_game_holds_until_the_round_is_void(game: AnyGame) -> None:
    """The journal of a table may hold one from before: the table played another game then."""
    bench = setup(game)
    found = OpenViolation("V1", Violation("of_another_game", "from before"))
    state = replace(start(bench), open=(found,))
    for action in ("accept", "burn", "correct"):
        decided = Commanded(ResolveViolation("V1", action, "ann", "why"), "c1")
        assert apply(bench, state, Input(AT, decided)).refusal is Refusal.ACTION_NOT_ALLOWED
    voided = Commanded(ResolveViolation("V1", "void", "ann", "why"), "c1")
    assert not apply(bench, state, Input(AT, voided)).state.held


def test_config_may_name_every_game() -> None:
    assert set(known().games) == {game.key for game in GAMES}
