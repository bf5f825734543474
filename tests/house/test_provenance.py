"""Where each value of a shipped profile is from is in the profile, and is true (finding R18).

A source is parts with `; ` between them. A part is of one of three kinds:

clause   `DK baccarat 3.3.4, 1.3.1`, and after `: ` what of it: rows of the house's page, where the
         first numbers stand for all clauses below them
against  `against GR baccarat pairs page: what it says`: a clause that says otherwise and is not
         followed
ours     `ours: why`, or `ours, after DK roulette 2.1.1: why` where a clause says something like it
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from typing import Any, Final

import pytest
from support.house_books import BOOKS, row_of, rows

from config.load import builtin_profiles
from daemon.runtime.catalog import games
from daemon.service.assembly import one_table
from protocols.catalog import devices

PROFILES: Final[dict[str, dict[str, Any]]] = {
    key: tomllib.loads(text) for key, text in builtin_profiles().items()
}
NONE: Final = "3.9.9"
"""The number of no clause."""
EACH_PROFILE: Final = pytest.mark.parametrize("key", PROFILES)

_NUMBERS: Final = r"\d+(?:\.\d+)*(?:, \d+(?:\.\d+)*)*"
_CITED: Final = (
    r"(?P<house>DK|LV|GR|RU) (?P<game>baccarat|blackjack|roulette)"
    rf" (?P<clauses>{_NUMBERS}|pairs page|[a-z]+)"
)
_PART: Final = re.compile(rf"(?P<kind>against |ours, after )?{_CITED}(?P<why>: .+)?")
_OURS: Final = re.compile(r"ours: .+")


def parts(source: str) -> Iterator[re.Match[str] | None]:
    """Yield the parts of a source that cite a clause, and None for what is no part at all."""
    for part in source.split("; "):
        if not _OURS.fullmatch(part):
            yield _PART.fullmatch(part)


def cited(source: str, kind: str | None) -> list[tuple[str, str, str]]:
    """Return what a source cites as house, game and clause; `kind`: how it stands to the value."""
    return [
        (part["house"], part["game"], clause)
        for part in parts(source)
        if part is not None and part["kind"] == kind
        for clause in part["clauses"].split(", ")
    ]


def told_wrong(key: str, source: str) -> Iterator[str]:
    """Yield what is wrong with a source: its form, a clause that is none, another house's book."""
    for part in parts(source):
        if part is None:
            yield f"not understood: {source}"
            continue
        kind, house, game = part["kind"], part["house"], part["game"]
        if kind is not None and part["why"] is None:
            yield f"{kind.strip()} without why"
        if kind != "ours, after " and (house, game) != book_of(key):
            yield f"{house} {game} is not the book of {key}"
        known = rows(BOOKS[house], game)
        for clause in part["clauses"].split(", "):
            if clause not in known and not any(row.startswith(f"{clause}.") for row in known):
                yield f"no clause {house} {game} {clause}"


def book_of(key: str) -> tuple[str, str] | None:
    """Return the house and game of the book that a profile follows, if there is one."""
    game, _, house = key.rpartition("-")
    return (house.upper(), game) if house.upper() in BOOKS else None


@EACH_PROFILE
def test_r18_every_value_says_where_it_is_from(key: str) -> None:
    profile = PROFILES[key]
    assert [name for name in profile["rules"] if not profile["clauses"].get(name)] == []


@EACH_PROFILE
def test_r18_what_has_a_source_is_a_value_or_what_a_sentence_is_about(key: str) -> None:
    profile = PROFILES[key]
    game = games()[profile["game"]]
    device = next(name for name, spec in devices().items() if spec.kind == game.device_kind)
    table = one_table(game.key, key, device, round_control=game.controls[0])
    topics = {sentence.topic for sentence in game.sentences(table.profile)}
    assert set(profile["clauses"]) == set(profile["rules"]) | topics


@EACH_PROFILE
def test_r18_every_clause_that_a_value_cites_is_in_its_own_houses_book(key: str) -> None:
    found = {
        topic: wrong
        for topic, source in PROFILES[key]["clauses"].items()
        if (wrong := [*told_wrong(key, source)])
    }
    assert found == {}


@EACH_PROFILE
def test_r18_no_comment_says_what_the_data_say(key: str) -> None:
    rules = builtin_profiles()[key].partition("[rules]")[2].partition("[clauses]")[0]
    assert [line for line in rules.strip().splitlines()[:-1] if "#" in line] == []


def test_r18_clauses_that_conflict_name_each_other_in_the_profile_and_on_the_page() -> None:
    conflicts = {
        (follows, against)
        for profile in PROFILES.values()
        for source in profile["clauses"].values()
        for against in cited(source, "against ")
        for follows in cited(source, None)[:1]
    }
    assert ("GR", "baccarat", "pairs page") in {against for _, against in conflicts}
    silent = {
        f"{' '.join(one)} does not name {other[2]}"
        for pair in conflicts
        for one, other in (pair, pair[::-1])
        if other[2] not in row_of(*one)
    }
    assert silent == set()


@pytest.mark.parametrize(
    ("source", "wrong"),
    [
        ("DK baccarat 3.3.4", []),
        ("DK baccarat 3.1, 3.3.4: seven cards; ours: that it counts", []),
        ("ours: an eye may be off", []),
        ("ours", ["not understood: ours"]),
        ("the Danish house", ["not understood: the Danish house"]),
        (f"DK baccarat {NONE}", [f"no clause DK baccarat {NONE}"]),
        (f"DK baccarat 3.3.4, {NONE}", [f"no clause DK baccarat {NONE}"]),
        ("LV baccarat 3.3.4", ["LV baccarat is not the book of baccarat-dk"]),
        ("ours, after LV baccarat 3.3.4", ["ours, after without why"]),
        ("DK baccarat 3.3.4; against DK baccarat 1.3.1", ["against without why"]),
    ],
)
def test_r18_a_source_that_is_none_is_noticed(source: str, wrong: list[str]) -> None:
    assert [*told_wrong("baccarat-dk", source)] == wrong
