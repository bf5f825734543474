"""Nothing dangles: whoever follows a reference in code, tests or pages arrives.

page       `docs/rules/baccarat.md`, from the file's own folder or from the repository's root
anchor     `docs/rules/baccarat.md#third-card`: a heading, spelled as GitHub spells it
link       `[text](PAGE#anchor)`: from the page's own folder
clause     `DK baccarat 3.5.1`, `RU blackjack splitting`: a row of the house's page, or the first
           numbers of one, under docs/rules/books
file       `daemon/games/roulette/laps.py` in a page: a file or folder that is there
report     `B16` in a comment or docstring: a row of docs/field-reports.md
rule       `docs/hidden-cards.md#the-rules, rule 6`: an item of that list
section    a bare `section 5` belongs to a page of somebody else, whose name stands in the line
"""

from __future__ import annotations

import ast
import dataclasses
import io
import re
import tokenize
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Final

import pytest
from support.house_books import BOOKS, rows

from daemon.runtime.catalog import games
from protocols.catalog import devices
from protocols.device import DeviceSpec

ROOT: Final = Path(__file__).resolve().parents[2]
FIELD_REPORTS: Final = ROOT / "docs/field-reports.md"
HIDDEN_CARDS: Final = ROOT / "docs/hidden-cards.md"
_PAGE: Final = re.compile(r"(?<![\w/@:.-])((?:\.\./)*(?:\w[\w.-]*/)*\w[\w-]*\.md)\b(?:#([\w-]+))?")
_LINK: Final = re.compile(r"\]\(([^)\s#]*)(?:#([\w-]+))?\)")
_LINK_WHOLE: Final = re.compile(r"\[[^]]*\]\([^)]*\)")
_CLAUSE: Final = re.compile(
    r"\b(DK|LV|GR) (baccarat|blackjack|roulette) (\d+(?:\.\d+)*)|\b(RU) (blackjack) (\w+)"
)
_REPORT: Final = re.compile(r"\bB\d\d\b")
_FILE: Final = re.compile(
    r"`((?:daemon|protocols|drivers|config|tests|bench|systemd|docs)/[\w./-]*)`"
)
_RULE: Final = re.compile(r"#the-rules, rule (\d+)")
_SECTION: Final = re.compile(r"\b[Ss]ections? \d|§ ?\d")
_OTHERS: Final = re.compile(r"NIST|RFC|ISO|CiA|IEC|USB|HID|PCRE|systemd")


def files() -> Iterator[Path]:
    """Yield every file of ours that people read."""
    for folder in ("protocols", "drivers", "config", "daemon", "bench", "tests", "docs", "systemd"):
        for path in sorted((ROOT / folder).rglob("*")):
            readable = path.suffix in {".py", ".md", ".toml"} or folder == "systemd"
            if path.is_file() and readable and "__pycache__" not in path.parts:
                yield path
    yield from (ROOT / name for name in ("README.md", "CHANGELOG.md", "Makefile", "pyproject.toml"))
    yield ROOT / ".ci" / "run"


@cache
def anchors(page: Path) -> frozenset[str]:
    """Return the anchors that GitHub makes of a page's headings."""
    headings = re.findall(r"^#+ (.*)", page.read_text("utf-8"), re.MULTILINE)
    plain = (re.sub(r"[^\w\- ]", "", heading.lower()).strip() for heading in headings)
    return frozenset(text.replace(" ", "-") for text in plain)


def dangling(text: str, folder: Path) -> Iterator[str]:
    """Yield what a text refers to and nobody finds. `folder`: where its file lies."""
    for whole in text.splitlines():
        line = _LINK_WHOLE.sub("", whole)
        for name, anchor in _PAGE.findall(line):
            found = next((at / name for at in (folder, ROOT) if (at / name).is_file()), None)
            if found is None:
                yield f"no page {name}"
            elif anchor and anchor not in anchors(found):
                yield f"no heading #{anchor} in {name}"
        if _SECTION.search(line) and not _OTHERS.search(line):
            yield f"a section of nothing: {line.strip()}"
        for clause in _CLAUSE.findall(line):
            house, game, number = filter(None, clause)
            known = rows(BOOKS[house], game)
            if number not in known and not any(row.startswith(f"{number}.") for row in known):
                yield f"no clause {house} {game} {number}"
        for number in _RULE.findall(line):
            if not re.search(rf"^{number}\. ", HIDDEN_CARDS.read_text("utf-8"), re.MULTILINE):
                yield f"no rule {number} of hidden cards"


def broken_links(page: Path) -> Iterator[str]:
    """Yield the links of a page that lead nowhere, and the files that it names and nobody finds."""
    for name in _FILE.findall(page.read_text("utf-8")):
        if not (ROOT / name).exists():
            yield f"no file {name}"
    for target, anchor in _LINK.findall(page.read_text("utf-8")):
        if "://" in target:
            continue
        there = (page.parent / target).resolve() if target else page
        if not there.exists():
            yield f"no file {target}"
        elif anchor and anchor not in anchors(there):
            yield f"no heading #{anchor} in {target or 'this page'}"


def remarks(path: Path) -> Iterator[str]:
    """Yield the comments and docstrings of a module."""
    source = path.read_text("utf-8")
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.COMMENT:
            yield token.string
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            yield str(node.value.value)


def unknown_reports(path: Path) -> Iterator[str]:
    """Yield the numbers of bug reports in a module's remarks that the page does not list."""
    for remark in remarks(path):
        for number in _REPORT.findall(remark):
            if number not in rows(FIELD_REPORTS):
                yield f"no report {number}"


def test_no_reference_dangles() -> None:
    lost = {
        str(path.relative_to(ROOT)): found
        for path in files()
        if (found := [*dangling(path.read_text("utf-8"), path.parent)]) and path != Path(__file__)
    }
    assert lost == {}


def test_no_link_of_a_page_is_broken() -> None:
    pages = [path for path in files() if path.suffix == ".md"]
    lost = {
        str(page.relative_to(ROOT)): found for page in pages if (found := [*broken_links(page)])
    }
    assert lost == {}


def test_every_bug_report_that_a_remark_names_is_listed() -> None:
    modules = [path for path in files() if path.suffix == ".py" and path != Path(__file__)]
    lost = {
        str(path.relative_to(ROOT)): found
        for path in modules
        if (found := [*unknown_reports(path)])
    }
    assert lost == {}


ABSENT: Final = "absent"
"""No page of this repository is called so; put together, so that no line here names one."""


@pytest.mark.parametrize(
    ("text", "what"),
    [
        (
            f"{ABSENT}.md section 1",
            [f"no page {ABSENT}.md", f"a section of nothing: {ABSENT}.md section 1"],
        ),
        (f"(docs/rules/{ABSENT}.md)", [f"no page docs/rules/{ABSENT}.md"]),
        (
            "docs/rules/baccarat.md#fourth-card",
            ["no heading #fourth-card in docs/rules/baccarat.md"],
        ),
        ("design section 5", ["a section of nothing: design section 5"]),
        ("DK baccarat 3.5.9", ["no clause DK baccarat 3.5.9"]),
        ("GR roulette", []),
        ("RU blackjack gambling", ["no clause RU blackjack gambling"]),
        ("docs/hidden-cards.md#the-rules, rule 11", ["no rule 11 of hidden cards"]),
        ("docs/rules/baccarat.md#third-card, DK baccarat 3.5.1 v, RU blackjack splitting", []),
        ("NIST e-Handbook, section 1.3", []),
        (f"see https://example.org/{ABSENT}.md", []),
    ],
)
def test_what_dangles_is_noticed(text: str, what: list[str]) -> None:
    assert [*dangling(text, ROOT)] == what


@pytest.mark.parametrize("spec", devices().values(), ids=lambda spec: spec.key)
def test_every_device_has_a_page_that_says_how_mature_it_is(spec: DeviceSpec) -> None:
    page = (ROOT / "docs" / "devices" / f"{spec.key}.md").read_text("utf-8")
    assert f"Maturity: {spec.maturity}" in page
    listed = (ROOT / "docs" / "devices" / "README.md").read_text("utf-8")
    line = next(line for line in listed.splitlines() if f"({spec.key}.md)" in line)
    assert line.endswith(f"| {spec.maturity} |")


@pytest.mark.parametrize(
    ("game", "page"),
    [
        ("baccarat", "baccarat.md"),
        ("blackjack", "blackjack.md"),
        ("roulette", "roulette.md"),
        ("sic_bo", "sic-bo.md"),
    ],
)
def test_every_rule_of_a_profile_stands_on_its_games_page(game: str, page: str) -> None:
    text = (ROOT / "docs" / "rules" / page).read_text("utf-8")
    named = {field.name for field in dataclasses.fields(games()[game].profile_type)}
    missing = {name for name in named if not re.search(rf"`{name}\b", text)}
    assert missing == set()
