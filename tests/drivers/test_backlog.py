"""What a server kept is told from what the line has just said: by how fast a line can be."""

from __future__ import annotations

import pytest

from drivers.tcp.backlog import Backlog
from protocols.instant import Instant

START = Instant("boot", 10**9)
GREETING = b"*V 2.17\r\n"
CHARACTERS_S = 960.0
"""9600 8N1."""


def came(*arrivals: tuple[float, bytes]) -> tuple[bytes, bytes]:
    """Return what counts as kept and what as fresh, of bytes that came after so many seconds."""
    backlog = Backlog(START, CHARACTERS_S)
    for after_s, data in arrivals:
        backlog.add(START.after(after_s), data, is_set=True)
    kept = backlog.kept()
    fresh = b"".join(data for _, data in backlog.fresh())
    return kept[1] if kept else b"", fresh


def test_b22_a_device_that_greets_whoever_opens_is_fresh() -> None:
    assert came((0.005 + 9 / 960, GREETING)) == (b"", GREETING)


def test_what_came_at_once_was_kept() -> None:
    assert came((0.001, GREETING)) == (GREETING, b"")


@pytest.mark.parametrize(("size", "kept"), [(98, b""), (99, b"x" * 99)])
def test_the_line_carries_960_characters_a_second_and_two_were_on_their_way(
    size: int, kept: bytes
) -> None:
    assert came((0.1, b"x" * size))[0] == kept


def test_one_byte_too_many_makes_everything_before_it_old() -> None:
    assert came((0.05, b"a"), (0.06, b"b" * 200), (0.29, b"c")) == (b"a" + b"b" * 200, b"c")


def test_nothing_is_nothing() -> None:
    assert came() == (b"", b"")


def test_before_the_port_was_set_nobody_knows_how_it_was_read() -> None:
    backlog = Backlog(START, CHARACTERS_S)
    backlog.add(START.after(0.2), b"?", is_set=False)
    assert backlog.kept() == (START.after(0.2), b"?")


def test_a_sentence_is_told_as_people_read_it() -> None:
    backlog = Backlog(START, CHARACTERS_S)
    backlog.add(START, b"Port already\r\nin use\xff\r\n", is_set=True)
    assert backlog.text() == "Port already in use\N{REPLACEMENT CHARACTER}"
