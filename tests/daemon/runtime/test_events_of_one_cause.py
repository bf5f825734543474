"""`more`: a consumer knows when it has heard everything that one input did.

Failed on the code before: an envelope had no `more`, and a card that ended its round could not be
told from one that did not until the next event came, or never.
"""

import json
from dataclasses import replace
from datetime import UTC, datetime
from itertools import pairwise
from pathlib import Path

import pytest
from support.scenario import every_scenario, play

from daemon.runtime.codec import Cause, EnvelopeFields, event_blob
from daemon.runtime.older_events import is_older, says
from protocols.events import ShoeCutCardSeen, ViolationRaised

WALL = datetime(2026, 1, 1, tzinfo=UTC)
SEEN = ShoeCutCardSeen("S1", 200, 216)
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


def test_an_event_that_is_of_no_round_has_no_subject_though_one_is_open() -> None:
    """A `late_result` carried the open round's id: a consumer by `subject` gave it that result."""
    stamp = EnvelopeFields("site", "T-1", "live", "000001-test", "b2:00")
    late = ViolationRaised(
        "V1",
        "late_result",
        "",
        "",
        holds=False,
        round_id=None,
        slot="pocket",
        expected=None,
        read="27",
        resolutions=(),
    )
    for event, subject in ((late, None), (replace(late, round_id="R1"), "R1"), (SEEN, "R2")):
        told = {"cause": Cause(1), "round_id": "R2", "wall": WALL, "quality": "synced"}
        blob = event_blob(stamp, 1, event, **told)  # type: ignore[arg-type] # as they are
        assert json.loads(blob).get("subject") == subject
