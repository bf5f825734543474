"""`more`: a consumer knows when it has heard everything that one input did.

Failed on the code before: an envelope had no `more`, and a card that ended its round could not be
told from one that did not until the next event came, or never.
"""

import json
from itertools import pairwise
from pathlib import Path

import pytest
from support.scenario import every_scenario, play

from daemon.runtime.older_events import is_older, says

each_scenario = pytest.mark.parametrize(
    "path", every_scenario(), ids=lambda path: f"{path.parent.name}/{path.stem}"
)


@each_scenario
def test_more_is_said_of_all_but_the_last_event_of_a_cause(path: Path) -> None:
    events = [json.loads(blob) for blob in play(path).events]
    for one, following in pairwise(events):
        assert one["more"] == (one["causedby"] == following["causedby"]), one
    assert events[-1]["more"] is False


def test_an_older_envelope_is_held_against_what_it_said() -> None:
    older = {"id": "e.1", "data": {"slot": "player.1", "card": {"rank": "K"}}}
    assert is_older(older)
    assert not is_older({**older, "more": False})
    derived = b'{"id":"e.1","more":false,"data":{"slot":"player.1","card":{"rank":"K","suit":"S"}}}'
    assert says(derived, older)
    assert not says(derived.replace(b"player.1", b"player.2"), older)
    assert not says(derived, {**older, "data": {"slot": "player.1", "index": 1}})
