"""The simulated recordings are what the simulators say today; see tests/support/recordings.py."""

import pytest
from support import shoe_recordings, wheel_recordings
from support.recordings import SIMULATED

EVERY = {
    **{f"shoe/{name}": text for name, text in shoe_recordings.recordings()},
    **{f"wheel/{name}": text for name, text in wheel_recordings.recordings()},
}


@pytest.mark.parametrize("name", EVERY)
def test_a_recording_in_the_tree_is_the_one_that_is_made_today(name: str) -> None:
    assert (SIMULATED / name).read_text("ascii") == EVERY[name]


def test_no_recording_in_the_tree_is_made_by_nobody() -> None:
    there = {f"{path.parent.name}/{path.name}" for path in SIMULATED.glob("[sw]h*/*")}
    assert there - set(EVERY) == {"shoe/pine_table.dbc"}
