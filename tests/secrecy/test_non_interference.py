"""Plays that differ in one hidden card alone show the same on every surface until it is turned.

Integrity.md section 3: bus, tail, status, answers, metrics, logs of every level, live views, files
of `pitwire capture`, texts of exceptions, and the journal without its key: every byte, length and
order; of commitments and ciphertexts the length.
"""

from functools import cache

import pytest
from secrecy_bench import Glass, Step, differences
from secrecy_plays import PLAYS

pytestmark = pytest.mark.slow
each_play = pytest.mark.parametrize("name", PLAYS)


@cache
def played(name: str, secret: str) -> tuple[list[Step], list[str]]:
    """Return what a play showed with this card, and the violations that it came to."""
    one = PLAYS[name]
    with Glass(one.house) as table:
        one.do(table, secret)
        return table.steps, table.codes


@each_play
def test_no_surface_tells_which_card_lies_face_down(name: str) -> None:
    first, *others = PLAYS[name].secrets
    for other in others:
        told = differences(played(name, first)[0], played(name, other)[0])
        assert told == {}, (first, other)


@each_play
def test_a_play_comes_to_what_it_is_there_for(name: str) -> None:
    one = PLAYS[name]
    steps, codes = played(name, one.secrets[0])
    assert set(one.shows) <= set(codes), codes
    assert any(step.reveals for step in steps) == one.turned
    assert any("sealed with" in line for step in steps for line in step.shown.get("journal", []))
    assert any(
        '"concealed":true' in line for step in steps for line in step.shown.get("chunks", [])
    )
