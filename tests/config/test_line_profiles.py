"""A device's description in a file of its own: what is wrong in it is told at its place there."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from pathlib import Path

import pytest

from config.errors import Problem
from config.load import ConfigError, Known, KnownDevice, load
from protocols.cards import DECK
from protocols.shoes.line_profile import LineProfileSettings
from protocols.wiring import SerialWiring

EXAMPLE = Path(__file__).parents[2] / "config" / "devices" / "pine-shoe.toml"
TABLE = """
site = "riga-1"
[bus]
kind = "nats_jetstream"
[[table]]
id = "BAC-08"
game = "baccarat"
profile = "baccarat-lv"
mode = "live"
[[table.device]]
role = "primary"
device = "line_profile"
settings = { profile = "pine.toml" }
link = { kind = "serial_port", port = "/dev/serial/by-id/x" }
"""
Loaded = Callable[[str, str], LineProfileSettings]


@pytest.fixture
def loaded(known: Known, tmp_path: Path) -> Loaded:
    """Return a loader of a table whose description says this."""
    described = KnownDevice(LineProfileSettings, "shoe", SerialWiring)
    world = dataclasses.replace(known, devices={**known.devices, "line_profile": described})

    def go(description: str, table: str = TABLE) -> LineProfileSettings:
        (tmp_path / "pine.toml").write_text(description, "utf-8")
        config = load(table, world, source=str(tmp_path / "pitwire.toml"))
        settings: LineProfileSettings = config.tables[0].devices[0].settings
        return settings

    return go


@pytest.fixture
def problem(loaded: Loaded) -> Callable[[str, str], Problem]:
    """Return a loader of the example with one edit that makes it wrong."""

    def go(old: str, new: str) -> Problem:
        text = EXAMPLE.read_text("utf-8")
        assert old in text
        with pytest.raises(ConfigError) as caught:
            loaded(text.replace(old, new, 1), TABLE)
        (one,) = caught.value.problems
        return one

    return go


def test_the_example_is_the_made_up_shoe_that_the_laws_run_over(loaded: Loaded) -> None:
    assert loaded(EXAMPLE.read_text("utf-8"), TABLE) == LineProfileSettings()


# One edit; the problem: at which key, on the line that begins how, what is said, what would do.
CASES = [
    ("{card:2}", "{crad:2}", "message[0].line", "line", 'no field is called "crad"', '"card"'),
    ('says = "card"', 'says = "crad"', "message[0].says", "says", "not possible", "card"),
    ('kind = "xor"', 'kind = "xr"', "check.kind", "kind", "not possible", "xor"),
    ("gap_s", "gap", "frame.gap", "gap", "is unknown", "gap_s"),
    ("[check]", "[chek]", "chek", "[chek]", "is unknown", "check"),
    ("[wiring]\nbaud", "[wiring]\nbuad", "wiring.buad", "buad", "is unknown", "baud"),
    ("baud = 9600", 'baud = "9600"', "wiring.baud", "baud", "not possible", "a whole number"),
    ('"<STX>"', '"<STXX>"', "frame.start", "start", "names no byte", "<8A>"),
    ('"after_end"', '"before_end"', "check.last", "last", "cannot cover it", "after_end"),
    ('"A{number:1}"', '"A"', "message[6].line", "line", "has no {number}", "all its lines"),
    ('P = "player"', 'P = "plaier"', "hands.P", "P = ", "not possible", "player"),
    ("longest = 16", "longest = 4", "message[0].line", "line", "has 6 bytes", "frame.longest"),
    ('first = "1"', 'first = "a"', "number.first", "first", "no numbers", "as many digits"),
    ('scheme = "rank_suit"', '[cards.codes]\n"1" = "AX"', "cards.codes", "[cards.codes]",
     "'AX' is no card", "52 cards"),
    ('scheme = "rank_suit"', '[cards.codes]\n"1" = "AS"', "cards.codes", "[cards.codes]",
     "no code for 2S, 3S", "52 cards"),
    ('nak = "<NAK>"', 'nak = "<N"', "host.nak", "nak", "cannot be bytes", "two hex digits"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("old", "new", "where", "begins", "what", "help_"),
    CASES,
    ids=[f"{case[2]} {case[4]}" for case in CASES],
)
def test_one_fault_is_told_in_its_file_at_its_key_with_what_would_do(
    old: str,
    new: str,
    where: str,
    begins: str,
    what: str,
    help_: str,
    problem: Callable[[str, str], Problem],
) -> None:
    one = problem(old, new)
    assert (one.file, one.where) == ("pine.toml", where)
    assert what in one.what
    assert help_ in f"{one.expected} {one.nearest}"
    lines = EXAMPLE.read_text("utf-8").replace(old, new, 1).splitlines()
    assert one.line is not None
    assert lines[one.line - 1].startswith(begins)


def test_all_that_is_wrong_by_itself_is_told_at_once(loaded: Loaded) -> None:
    text = EXAMPLE.read_text("utf-8")
    for old, new in (("{card:2}", "{crad:2}"), ("gap_s", "gap"), ('"xor"', '"xr"')):
        text = text.replace(old, new, 1)
    with pytest.raises(ConfigError) as caught:
        loaded(text, TABLE)
    assert [one.where for one in caught.value.problems] == [
        "frame.gap", "check.kind", "message[0].line",
    ]  # fmt: skip


def test_a_table_of_its_own_needs_every_card(loaded: Loaded) -> None:
    codes = "\n".join(f'"<{0x80 + place:02X}>" = "{card}"' for place, card in enumerate(DECK))
    text = EXAMPLE.read_text("utf-8").replace('scheme = "rank_suit"', f"[cards.codes]\n{codes}")
    text = text.replace("{card:2}", "{card:1}")
    read = loaded(text, TABLE).profile.cards.labels().codes
    assert [read.find(chr(0x80 + place)) for place in range(52)] == list(DECK)


@pytest.mark.parametrize("text", ["", "[[", "title = 5"])
def test_a_file_that_is_no_description_is_refused(text: str, loaded: Loaded) -> None:
    with pytest.raises(ConfigError) as caught:
        loaded(text, TABLE)
    assert all(one.file == "pine.toml" for one in caught.value.problems)


def test_a_file_that_is_not_there_is_told_with_where_it_was_looked_for(
    loaded: Loaded, tmp_path: Path
) -> None:
    with pytest.raises(ConfigError) as caught:
        loaded("", TABLE.replace("pine.toml", "oak.toml"))
    (one,) = caught.value.problems
    assert one.where == "table[0].device[0].settings.profile"
    assert "oak.toml" in one.what
    assert str(tmp_path) in one.expected


def test_a_live_table_is_never_read_by_the_made_up_description(loaded: Loaded) -> None:
    unnamed = TABLE.replace('settings = { profile = "pine.toml" }\n', "")
    with pytest.raises(ConfigError) as caught:
        loaded("", unnamed)
    (one,) = caught.value.problems
    assert (one.where, one.what) == (
        "table[0].device[0].settings.profile",
        '"profile" is missing, and the table is live',
    )
    rehearsed = unnamed.replace('"live"', '"rehearsal"')
    assert loaded("", rehearsed) == LineProfileSettings()
