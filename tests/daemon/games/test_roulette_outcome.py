"""Roulette: what a pocket is, and what the house's files say of wheel and rules."""

from __future__ import annotations

import itertools
from typing import Any

import pytest
from support.roulette_bench import profile

from daemon.games.roulette import GAME
from daemon.games.roulette.outcome import RouletteOutcome, outcome_of
from daemon.games.roulette.profile import RouletteProfile
from daemon.runtime.catalog import games

# The layout of the cloth: three columns of twelve, and the eighteen red numbers.
_COLUMNS = (tuple(range(1, 35, 3)), tuple(range(2, 36, 3)), tuple(range(3, 37, 3)))
_BLACK = {2, 4, 6, 8, 10, 11, 13, 15, 17, 20, 22, 24, 26, 28, 29, 31, 33, 35}


@pytest.mark.parametrize("number", range(1, 37))
def test_every_number_is_what_the_cloth_says(number: int) -> None:
    rules = profile()
    found_column = next(at for at, column in enumerate(_COLUMNS, 1) if number in column)
    assert outcome_of(str(number), rules) == RouletteOutcome(
        pocket=str(number),
        colour="black" if number in _BLACK else "red",
        parity="even" if number in range(0, 37, 2) else "odd",
        half="low" if number in range(1, 19) else "high",
        dozen=1 if number < 13 else 2 if number < 25 else 3,
        column=found_column,
        index=rules.wheel.index(str(number)),
    )


@pytest.mark.parametrize(("key", "zeros"), [("roulette-dk", ["0"]), ("roulette-00", ["0", "00"])])
def test_a_zero_is_neither_colour_parity_half_dozen_nor_column(key: str, zeros: list[str]) -> None:
    for zero in zeros:
        outcome = outcome_of(zero, profile(key))
        assert outcome == RouletteOutcome(zero, "green", None, None, None, None, outcome.index)


@pytest.mark.parametrize(("key", "size"), [("dk", 37), ("lv", 37), ("00", 38)])
def test_a_wheel_has_eighteen_red_and_eighteen_black_pockets(key: str, size: int) -> None:
    rules = profile(f"roulette-{key}")
    colours = [outcome_of(pocket, rules).colour for pocket in rules.wheel]
    assert len(rules.wheel) == size
    assert (colours.count("red"), colours.count("black")) == (18, 18)
    assert [outcome_of(pocket, rules).index for pocket in rules.wheel] == list(range(size))


@pytest.mark.parametrize("key", ["dk", "lv", "00"])
def test_colours_alternate_round_the_wheel_except_at_a_zero(key: str) -> None:
    rules = profile(f"roulette-{key}")
    colours = [outcome_of(pocket, rules).colour for pocket in rules.wheel]
    assert all(one != next_ for one, next_ in itertools.pairwise(colours))


def test_the_double_zero_lies_opposite_zero_and_is_another_pocket() -> None:
    rules = profile("roulette-00")
    assert rules.wheel.index("00") - rules.wheel.index("0") == 19
    assert outcome_of("00", rules).pocket == "00"


@pytest.mark.parametrize(
    ("changes", "complaint"),
    [
        ({"wheel": ("1", "1")}, "every pocket once"),
        ({"wheel": ()}, "at least one"),
        ({"red": ("99",)}, "99 is no pocket"),
        ({"nmb_lap_s": 0.0}, "nmb_lap_s"),
        ({"min_revolutions": -1.0}, "min_revolutions"),
        ({"rotor_min_rpm": 21.0}, "rotor_min_rpm"),
    ],
)
def test_a_profile_that_contradicts_itself_is_refused(
    changes: dict[str, Any], complaint: str
) -> None:
    with pytest.raises(ValueError, match=complaint):
        profile(**changes)


def test_the_catalog_finds_the_game() -> None:
    assert games()["roulette"] is GAME


def test_the_profile_type_is_the_one_that_the_files_state() -> None:
    assert isinstance(profile(), RouletteProfile)
    assert profile().wheel == profile("roulette-lv").wheel
