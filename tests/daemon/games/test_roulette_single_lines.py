"""One damaged line ends no spin; two that say the same do (`single_lines.py`)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import pytest
from support.roulette_bench import RouletteBench, line, profile
from support.table_bench import found

from daemon.table.inputs import DeviceSilent
from protocols.events import SpinInvalid, SpinLanded
from protocols.readings import WheelPhase, WheelStatus

SPIN: Final = 146
COURSE: Final[tuple[WheelPhase, ...]] = (
    *("place_bets",) * 2,
    *("ball_in_rim",) * 10,
    *("no_more_bets",) * 4,
    *("ball_off_track",) * 2,
)
"""The phases of a spin, a line each half second, up to its result."""
FLIPPED: Final = {"a jump": 166, "the next": 147, "the one before": 144}
"""What one flipped bit makes of the spin's number."""


def played(at: int, *instead: WheelStatus, house: str = "roulette-dk") -> RouletteBench:
    """Return a table after a spin of which the line `at` and those after it were others."""
    bench = RouletteBench(profile(house), control="server")
    bench.say("place_bets", SPIN, "4")
    bench.open()
    for place, phase in enumerate(COURSE):
        if place == 14:
            bench.close()
        bench.wait(0.5)
        this = at <= place < at + len(instead)
        bench.hear(instead[place - at] if this else line(phase, SPIN, "4"))
    bench.number("17")
    for _ in range(2):
        bench.say("winning_number", SPIN, "17")
    return bench


@pytest.mark.parametrize("at", range(len(COURSE)))
@pytest.mark.parametrize("said", FLIPPED.values(), ids=FLIPPED)
def test_another_spins_number_in_one_line_is_damage(said: int, at: int) -> None:
    bench = played(at, line(COURSE[at], said, "4"))
    assert (bench.codes, bench.pockets) == ([], ["17"])


@pytest.mark.parametrize("at", range(len(COURSE)))
def test_a_closed_wheel_in_one_line_is_damage(at: int) -> None:
    bench = played(at, line("closed", SPIN, "4"))
    assert (bench.codes, bench.pockets) == ([], ["17"])


@pytest.mark.parametrize("at", range(2, len(COURSE) - 1))
@pytest.mark.parametrize("said", FLIPPED.values(), ids=FLIPPED)
def test_another_spins_number_in_two_lines_is_another_spin(said: int, at: int) -> None:
    other = line("place_bets", said, "4")
    bench = played(at, other, other)
    assert bench.codes[0] == "spin_lost"
    assert bench.pockets == []


@pytest.mark.parametrize("at", range(3, len(COURSE) - 1))
def test_a_closed_wheel_in_two_lines_is_closed(at: int) -> None:
    shut = line("closed", SPIN, "4")
    bench = played(at, shut, shut)
    assert bench.codes[0] == "wheel_closed"
    assert bench.pockets == []


def test_two_damaged_lines_that_differ_are_two_damaged_lines() -> None:
    bench = played(5, line("ball_in_rim", 166, "4"), line("ball_in_rim", 147, "4"))
    assert [code for code in bench.codes if code != "spin_unproven"] == []


def test_a_line_that_comes_at_once_is_a_copy_and_says_nothing_again() -> None:
    bench = RouletteBench(profile(), control="server")
    bench.say("place_bets", SPIN, "4")
    bench.open()
    bench.say("ball_in_rim", SPIN, "4")
    for after in (0.5, 0.0, 0.1):
        assert bench.say("ball_in_rim", 166, "4", after=after) == []
    assert bench.say("ball_in_rim", SPIN, "4") == []
    assert bench.codes == []


def silence(bench: RouletteBench) -> None:
    bench.put(DeviceSilent("primary", "wheel", 2.0))


@pytest.mark.parametrize("away", [silence, RouletteBench.unplug, RouletteBench.restart])
@pytest.mark.parametrize(
    ("said", "code"),
    [(line("closed", SPIN, "4"), "wheel_closed"), (line("ball_in_rim", 166, "4"), "spin_lost")],
    ids=["closed", "another spin"],
)
def test_a_line_after_which_none_comes_is_taken_at_its_word(
    said: WheelStatus, code: str, away: Callable[[RouletteBench], Any]
) -> None:
    bench = RouletteBench(profile(), control="server")
    bench.say("place_bets", SPIN, "4")
    bench.open()
    bench.close()
    bench.say("ball_in_rim", SPIN, "4")
    bench.wait(0.5)
    bench.hear(said)
    assert bench.codes == []
    away(bench)
    assert code in bench.codes
    assert bench.state.held


def test_after_a_pause_a_line_is_taken_as_it_is() -> None:
    bench = RouletteBench(profile(), control="server")
    bench.say("place_bets", SPIN, "4")
    bench.open()
    bench.say("ball_in_rim", SPIN, "4")
    bench.say("place_bets", 147, "17", after=1.2)
    assert bench.codes == ["spin_lost"]


def test_a_damaged_line_before_the_rim_bounds_no_laps_from_above() -> None:
    """The ball may have been launched before it: what it was, is not known."""
    bench = RouletteBench(profile(), control="server")
    bench.say("place_bets", SPIN, "4")
    bench.open()
    bench.close()
    bench.say("place_bets", SPIN, "4")
    bench.say("ball_in_rim", 166, "4")
    bench.say("ball_in_rim", SPIN, "4")
    bench.say("no_more_bets", SPIN, "4")
    bench.number("17")
    bench.say("winning_number", SPIN, "17", after=0.5)
    assert found(bench.events, SpinInvalid) == []
    assert bench.codes == ["spin_unproven"]
    bench.resolve("spin_unproven", "accept")
    assert [one.laps_most for one in found(bench.events, SpinLanded)] == [None]
