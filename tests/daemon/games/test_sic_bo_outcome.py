"""Sic Bo: what three dice are. Every one of the 216 throws is counted."""

from __future__ import annotations

from collections import Counter
from itertools import product

import pytest
from support.dice_bench import dice, profile

from daemon.games.sic_bo import GAME
from daemon.games.sic_bo.outcome import SicBoOutcome, outcome_of
from protocols.faces import FACES, find_faces, spelled

THROWS = [outcome_of(faces) for faces in product(FACES.values(), repeat=3)]
# In how many ways three dice make each total: the coefficients of (x + x^2 + ... + x^6)^3.
WAYS = {3: 1, 4: 3, 5: 6, 6: 10, 7: 15, 8: 21, 9: 25, 10: 27}


def test_there_are_216_throws() -> None:
    assert len({one.faces for one in THROWS}) == 216


def test_every_total_comes_up_in_its_number_of_ways() -> None:
    mirrored = {21 - total: ways for total, ways in WAYS.items()}
    assert Counter(one.total for one in THROWS) == WAYS | mirrored


def test_small_and_big_are_105_each_and_six_triples_are_neither() -> None:
    assert Counter(one.size for one in THROWS) == {"small": 105, "big": 105, None: 6}
    assert [one.total for one in THROWS if one.triple] == [3, 6, 9, 12, 15, 18]


def test_a_triple_is_neither_small_nor_big_and_nothing_else_is_neither() -> None:
    assert all((one.size is None) == one.triple for one in THROWS)


@pytest.mark.parametrize(
    ("text", "total", "size"),
    [("112", 4, "small"), ("442", 10, "small"), ("614", 11, "big"), ("566", 17, "big")],
)
def test_small_ends_at_ten_and_big_begins_at_eleven(text: str, total: int, size: str) -> None:
    outcome = outcome_of(dice(text))
    assert (outcome.total, outcome.size, outcome.triple) == (total, size, False)


def test_the_dice_are_told_as_they_lie() -> None:
    assert outcome_of((6, 1, 4)) == SicBoOutcome((6, 1, 4), 11, "big", triple=False)
    assert outcome_of((5, 5, 5)) == SicBoOutcome((5, 5, 5), 15, None, triple=True)


@pytest.mark.parametrize("text", ["", "44", "4422", "740", "44-", "4 2", "٤٤٢"])
def test_what_is_no_three_faces_is_none(text: str) -> None:
    assert find_faces(text) is None


def test_faces_are_spelled_for_people() -> None:
    assert spelled((4, None, 2)) == "4 ? 2"


def test_the_bets_end_as_the_danish_house_has_it_for_every_game() -> None:
    assert profile().bets_end == "announced"
    assert GAME.default_profile == "sic-bo"
