"""No spin lands without proof: random true spins over lines that are damaged at random.

What truly happened is known (tests/support/true_spins.py), so a result that it does not allow is
seen. Here in short; `bench/spins.py` does it a million times.

Tried with faults seeded in the rules; each is noticed below:

 what no line proves is believed        a spin of two laps lands
 the first line and the last are proof  a damaged line beside the rim makes half a lap
 lines prove, whenever they arrive      lines that were held up make laps
 a restart breaks no hearing            behind it another launch hides
 a relaunch begins no count anew        two short launches make one long one
 a ball with the rotor is no matter     it lands
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from random import Random
from typing import Any

import pytest
from support.judged_spins import Damage, Sitting, houses
from support.killed_table import one_codec
from support.line_damage import no_damage, one_damage
from support.spin_judge import Score
from support.true_spins import MIXED, ORDINARY, SENSORS, SPELLINGS, Line, Mix, TrueWheel

from daemon.games.roulette import GAME, confirmation, faults, laps, status
from daemon.games.roulette.state import BallRun
from protocols.catalog import devices
from protocols.instant import Instant

SAYS_NO_RESULT = {"saturn", "canopen_encoder"}
"""What is understood of these wheels is no result."""
NEAR = Mix({"edge": 3, "knocked": 1}, mishaps=False)
APPLY, RESTART = type(GAME).apply, status._restart
AGAIN = Mix({"again": 1}, mishaps=False)


def played(
    sittings: Sequence[int], damage: Damage, mix: Mix = MIXED, *, until_wrong: bool = False
) -> Score:
    score = Score()
    with one_codec():
        for seed in sittings:
            Sitting(seed, damage, score, mix).run()
            if until_wrong and score.wrong:
                break
    return score


def told(score: Score) -> str:
    """Return the shortest story of a wrong result."""
    shortest = min(score.wrong, key=lambda one: len(one.story), default=None)
    return "" if shortest is None else "\n".join((shortest.reason, *shortest.story))


# --- the law ---------------------------------------------------------------------------------


def test_one_damage_makes_no_spin_land_that_is_not_proven() -> None:
    score = played(range(95, 115), one_damage)
    assert not score.wrong, told(score)


def test_on_a_clean_line_no_spin_lands_that_is_not_proven_and_every_proven_one_does() -> None:
    score = played(range(500, 508), no_damage)
    assert not score.wrong, told(score)
    assert score.good > 20
    assert score.good_held == 0


def test_ordinary_spins_land_on_a_clean_line() -> None:
    score = played(range(3), no_damage, ORDINARY)
    assert not score.wrong, told(score)
    assert (score.good > 20, score.good_held) == (True, 0)


def test_every_house_that_asks_for_laps_and_every_wheel_that_gives_results_is_tried() -> None:
    wheels = {key for key, one in devices().items() if one.kind == "wheel"}
    assert wheels == set(SPELLINGS) | SAYS_NO_RESULT
    assert set(houses()) >= {"roulette-00", "roulette-dk", "roulette-lv"}


# --- the truth itself ------------------------------------------------------------------------


def test_a_wheel_says_ball_in_rim_only_of_a_ball_that_runs_fast_on_the_track() -> None:
    wheel = TrueWheel(Random(7), "cammegh_ss2", tuple(map(str, range(37))))
    for _ in range(300):
        spin, lines = wheel.spin()
        for line in (one for one in lines if one.state == 3):
            course = max((one for one in spin.courses if one.at <= line.at), key=lambda one: one.at)
            assert course.when(1.0) <= line.at <= course.leaves_at + wheel.nmb_lap_s / SENSORS
        for course in spin.courses:
            in_rim = [one for one in lines if one.state == 3 and one.at >= course.at]
            lasted = in_rim[-1].at - in_rim[0].at if in_rim else 0.0
            most = math.ceil(course.laps * SENSORS) / SENSORS
            assert (
                1 + lasted / wheel.nmb_lap_s <= most
                or len(in_rim) < 2
                or course is not spin.courses[-1]
            )


def test_a_ball_with_the_rotor_is_flagged_in_every_line_from_the_rim_on() -> None:
    wheel = TrueWheel(Random(8), "cammegh_ss2", tuple(map(str, range(37))))
    spins = [wheel.spin() for _ in range(300)]
    wrong_way = [(spin, lines) for spin, lines in spins if spin.with_rotor]
    assert wrong_way
    for spin, lines in wrong_way:
        after = [one for one in lines if one.state in (3, 4, 7) and one.at >= spin.courses[-1].at]
        assert len(after) >= 2
        assert all(one.data[12:13] == b"2" for one in after)


# --- faults, seeded in the rules -------------------------------------------------------------


def old_condition(transition: Any, run: BallRun) -> str | None:
    """As before: laps of which nothing is known are enough."""
    required = transition.profile.min_revolutions
    return "too few" if run.laps is not None and run.laps < required else None


def on_one_line(rim: tuple[Instant, ...]) -> float:
    """The first line and the last are taken as true."""
    passed = rim[-1].since(rim[0]) if rim else None
    return 0.0 if passed is None else min(passed, (len(rim) - 1) * laps.LINE_S)


def on_arrival(rim: tuple[Instant, ...]) -> float:
    """What the clock says is taken as true, however few the lines."""
    if len(rim) < 3:
        return 0.0
    return min(rim[-2].since(rim[0]) or 0.0, rim[-1].since(rim[1]) or 0.0)


def restart_kept(game: Any, state: Any, game_input: Any, context: Any) -> Any:
    """The lines heard before a restart count on."""
    decision = APPLY(game, state, game_input, context)
    run, before = decision.state.run, state.run
    if game_input.body.kind != "unheard" or run is None or before is None:
        return decision
    return replace(decision, state=replace(decision.state, run=replace(run, rim=before.rim)))


def relaunch_kept(transition: Any, run: BallRun, reading: Any) -> None:
    """The lines heard before a relaunch count on."""
    RESTART(transition, run, reading)
    transition.set_run(rim=run.rim)


def beside_the_rim(lines: Sequence[Line], random: Random) -> dict[int, str]:
    """A line before the first in the rim, or behind the last, says what its neighbours say."""
    rim = [place for place, line in enumerate(lines) if line.state == 3]
    return {random.choice((rim[0] - 1, rim[-1] + 1)): "taken_over"} if rim else {}


def in_the_rim(kind: str, lines: Sequence[Line], random: Random) -> dict[int, str]:
    """Something begins when a few lines have come from the rim."""
    rim = [place for place, line in enumerate(lines) if line.state == 3]
    return {random.choice(rim[2:4]): kind} if len(rim) > 2 else {}


def after_the_rim(lines: Sequence[Line], _random: Random) -> dict[int, str]:
    """The daemon is restarted when the ball has fallen out of the rim for the first time."""
    rim = [place for place, line in enumerate(lines[:-1]) if line.state == 3]
    return {place + 1: "restarted" for place in rim if lines[place + 1].state == 2}


SEEDED: dict[str, tuple[Any, str, Callable[..., Any], Damage, Mix]] = {
    "what no line proves is believed": (
        confirmation, "_not_proven", old_condition, no_damage, MIXED,
    ),
    "the first line and the last are proof": (
        laps, "_proven_s", on_one_line, beside_the_rim, NEAR,
    ),
    "lines prove, whenever they arrive": (
        laps, "_proven_s", on_arrival, partial(in_the_rim, "held_up"), NEAR,
    ),
    "a restart breaks no hearing": (
        type(GAME), "apply", restart_kept, after_the_rim, AGAIN,
    ),
    "a relaunch begins no count anew": (
        status, "_restart", relaunch_kept, no_damage, AGAIN,
    ),
    "a ball with the rotor is no matter": (
        faults, "_wrong_way", lambda *_: None, no_damage, MIXED,
    ),
}  # fmt: skip


@pytest.mark.parametrize("fault", SEEDED)
def test_the_law_notices(fault: str, monkeypatch: pytest.MonkeyPatch) -> None:
    place, name, seeded, damage, mix = SEEDED[fault]
    monkeypatch.setattr(place, name, seeded)
    score = played(range(1000), damage, mix, until_wrong=True)
    assert score.wrong
