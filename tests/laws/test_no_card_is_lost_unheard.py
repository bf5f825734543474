"""No card is lost unheard: random rounds, each damaged once, on every shoe protocol.

The cards that were dealt are known (tests/support/true_rounds.py), so a round that is completed
with others is seen. Here in short; `bench/cards.py` does it thirty thousand times on each.

Tried with faults seeded in the daemon; each is noticed below:

 bytes that say nothing are no matter    a bent label is no card, and the next one takes its place
 what a link says it lost is not told    the same, of a report that never came
 a gap in the numbers is no matter       the same, of a telegram that never came
 a restart asks for no proof             the same, of what was said meanwhile
"""

from collections.abc import Callable
from typing import Any

import pytest
from support.judged_rounds import Sitting, Tally
from support.killed_table import one_codec
from support.true_rounds import READERS, STATES_NO_FACE

from daemon.devices.feed import DeviceFeed, Heard
from daemon.table import damage, reading_gaps
from drivers.link import Chunk
from protocols.catalog import devices


def played(reader: str, sittings: int, *, damaged: bool = True) -> Tally:
    tally = Tally()
    with one_codec():
        for seed in range(sittings):
            Sitting(seed, reader, tally, damaged=damaged).run()
    return tally


@pytest.mark.parametrize("reader", READERS)
def test_a_damage_that_leaves_a_trace_completes_no_wrong_round(reader: str) -> None:
    tally = played(reader, 15)
    assert tally.otherwise == 0, "\n".join(tally.stories[0])
    assert tally.held > 0
    assert tally.unharmed > 0


@pytest.mark.parametrize("reader", READERS)
def test_a_clean_round_is_completed_as_it_was_dealt(reader: str) -> None:
    tally = played(reader, 4, damaged=False)
    wrong = tally.flipped + tally.doubled + tally.vanished + tally.otherwise
    assert (tally.clean, tally.clean_held, wrong) == (24, 0, 0)


def test_a_line_with_check_value_and_numbers_lets_nothing_pass() -> None:
    strong = {reader for reader, one in READERS.items() if not one.lets_pass}
    shown = {"angel_eye_ii_ex", "dbc_profile", "feig_obid", "line_profile"}
    assert shown <= strong


def test_every_shoe_that_states_faces_is_tried() -> None:
    shoes = {key for key, one in devices().items() if one.kind == "shoe"}
    assert shoes == {one.device for one in READERS.values()} | STATES_NO_FACE


# --- faults, seeded in the daemon ------------------------------------------------------------


def nothing(*_: Any, **__: Any) -> None:
    """Do nothing about it."""


def untold(_feed: DeviceFeed, chunk: Chunk) -> Heard:
    """Say nothing of what the link lost."""
    return Heard(chunk.at)


SEEDED: dict[str, tuple[Any, str, Callable[..., Any], str]] = {
    "bytes that say nothing are no matter": (damage, "damaged", nothing, "barcode_lines"),
    "what a link says it lost is not told": (DeviceFeed, "_lost", untold, "hid_pos"),
    "a gap in the numbers is no matter": (reading_gaps, "gap", nothing, "line_profile, no places"),
    "a restart asks for no proof": (reading_gaps, "prove_whole", nothing, "barcode_lines"),
}


@pytest.mark.parametrize("fault", SEEDED)
def test_the_law_notices(fault: str, monkeypatch: pytest.MonkeyPatch) -> None:
    place, name, seeded, reader = SEEDED[fault]
    monkeypatch.setattr(place, name, seeded)
    tally = played(reader, 50)
    assert tally.otherwise > 0
