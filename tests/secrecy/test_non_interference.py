"""Plays that differ in one hidden card alone show the same on every surface until it is turned.

Source: docs/hidden-cards.md#the-rules. Bus, tail, status, answers, metrics, logs of every level,
live views, files of `pitwire capture`, texts of exceptions, and the journal without its key: every
byte, length and order; of commitments and ciphertexts the length.
"""

import re
from functools import cache
from pathlib import Path

import pytest
from support.secrecy_bench import Glass
from support.secrecy_compare import Step, differences, masked
from support.secrecy_plays import PLAYS

from daemon.cli.journal import show
from daemon.cli.output import choose_json

pytestmark = pytest.mark.slow
SEALED = re.compile(r'(?<="sealed":")[A-Za-z0-9+/=]+')
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


@pytest.mark.parametrize(
    "name", ["crash_between_seal_and_reveal_1", "crash_while_held", "burned_card"]
)
def test_a_journal_on_the_disk_shows_no_more(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    choose_json(chosen=False)  # another test may have asked for JSON
    one, steps, shown = PLAYS[name], [], []
    for card in ("TH", "9H"):
        file = tmp_path / f"{card}.db"
        with Glass(one.house, file) as table:
            one.do(table, card)
            steps.append(table.steps)
        show(file, None, 1, None)
        lines = masked(capsys.readouterr().out).splitlines()
        turned = next(at for at, line in enumerate(lines) if "card.revealed" in line)
        shown.append([SEALED.sub(lambda found: "#" * len(found[0]), one) for one in lines[:turned]])
    assert differences(steps[0], steps[1]) == {}
    assert shown[0] == shown[1]
    assert '"sealed":"###' in "".join(shown[0])
