"""What check and rules say that the line of a card's reader cannot show."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.true_rounds import READERS

from daemon.cli.line_limits import line_limits
from protocols.catalog import devices
from protocols.line_damage import has_check, misread_share

PAGES = Path(__file__).parents[3] / "docs" / "devices"


@pytest.mark.parametrize("reader", READERS)
def test_it_is_told_of_exactly_the_lines_that_let_something_pass(reader: str) -> None:
    """The law counts the same: tests/laws/test_no_card_is_lost_unheard.py."""
    one = READERS[reader]
    told = " ".join(line_limits(one.spec, one.settings))
    assert ("no check value" in told) == ("misread" in one.lets_pass)
    assert ("no numbers" in told) == ("vanished" in one.lets_pass)


def test_a_shoe_that_states_no_faces_and_a_wheel_have_limits_of_their_own() -> None:
    for key in ("canopen_io_shoe", "napsa", "pitwire_shaker"):
        spec = devices()[key]
        assert not [*line_limits(spec, spec.settings())]


@pytest.mark.parametrize(
    ("reader", "share"),
    [("barcode_lines", "64 make another card"), ("beetek", "15 make another card")],
)
def test_the_share_is_told_with_what_to_do(reader: str, share: str) -> None:
    one = READERS[reader]
    told = " ".join(line_limits(one.spec, one.settings))
    assert share in told
    assert "Use a device with a check value" in told
    assert "the order of a new deck" in told


def test_where_a_witness_reads_every_card_that_is_what_is_done() -> None:
    one = READERS["barcode_lines"]
    told = " ".join(line_limits(one.spec, one.settings, witness=True))
    assert "where the two differ, the round is held" in told
    assert "Use a device" not in told


@pytest.mark.parametrize(
    "key", [key for key, spec in devices().items() if spec.kind == "shoe" and not has_check(spec)]
)
def test_a_devices_page_has_its_share(key: str) -> None:
    spec = devices()[key]
    share = round(1000 * misread_share(spec, spec.settings()))
    assert f"{share} of 1000 single flipped bits" in (PAGES / f"{key}.md").read_text("utf-8")
