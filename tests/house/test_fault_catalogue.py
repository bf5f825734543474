"""Every fault of docs/field-reports.md has a test named after it, or a sentence here says why not.

fault_NN  faults of card shoes and scanners
wheel_NN  faults of wheels; in a file about wheels the number alone will do
bNN       bug reports of neighbours: live studios, serial lines, HID, USB and CAN

A test's name begins with the numbers whose right value it asserts: `test_fault_02_b05_equal…`.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

import pytest

TESTS = Path(__file__).resolve().parents[1]

PAGE: Final = (TESTS.parent / "docs/field-reports.md").read_text("utf-8")


def listed(heading: str) -> frozenset[str]:
    """Return the entries that the page lists under a heading."""
    part = PAGE.split(f"\n## {heading}\n", 1)[1].split("\n## ", 1)[0]
    return frozenset(
        entry.lower()
        for entry in re.findall(r"^\| ((?:fault_|wheel_|B)\d\d) \|", part, re.MULTILINE)
    )


KNOWN: Final = listed("Shoes and scanners") | listed("Wheels") | listed("Bug reports")
LATER: Final = listed("Bus, disk and service")
"""A test may carry their numbers, and need not yet."""

ABOUT_WHEELS: Final = re.compile("wheel|roulette|cammegh|napsa|saturn|session_silence")

NO_TEST: Final[Mapping[str, str]] = {
    "wheel_40": "No camera speaks to the bridge, so there is no verdict of one to compare.",
}
"""Why an entry has no test of its own, in one sentence."""


def numbers(name: str, *, of_wheels: bool = False) -> Iterator[str]:
    """Yield the entries that a test's name begins with."""
    kind = "wheel" if of_wheels else ""
    for word in name.split("_")[1:]:
        if word in ("fault", "wheel"):
            kind = word
        elif re.fullmatch(r"b[0-9]{2}", word):
            yield word
        elif kind and re.fullmatch(r"[0-9]{2}", word):
            yield f"{kind}_{word}"
        else:
            return


def covered() -> dict[str, list[str]]:
    """Return the tests of every entry."""
    found: dict[str, list[str]] = {}
    for path in sorted(TESTS.rglob("test_*.py")):
        of_wheels = ABOUT_WHEELS.search(path.stem) is not None
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            match node:
                case ast.FunctionDef(name) | ast.AsyncFunctionDef(name) if name.startswith("test_"):
                    for entry in numbers(name, of_wheels=of_wheels):
                        found.setdefault(entry, []).append(f"{path.name}::{name}")
    return found


@pytest.mark.parametrize(
    ("name", "entries"),
    [
        ("test_fault_02_b05_equal_cards", ["fault_02", "b05"]),
        ("test_wheel_15_16_an_answer", ["wheel_15", "wheel_16"]),
        ("test_b16_wheel_08_a_reader", ["b16", "wheel_08"]),
        ("test_32_bytes_are_a_key", []),
        ("test_a_wheel_08", []),
    ],
)
def test_a_name_begins_with_its_numbers(name: str, entries: list[str]) -> None:
    assert list(numbers(name)) == entries


def test_the_page_is_read_whole() -> None:
    kinds = [sum(entry.startswith(kind) for entry in KNOWN) for kind in ("fault_", "wheel_", "b")]
    assert kinds == [46, 46, 40]
    assert len(LATER) == 15
    assert KNOWN.isdisjoint(LATER)


def test_every_known_fault_is_tested_or_says_why_not() -> None:
    assert sorted(KNOWN - set(covered()) - set(NO_TEST)) == []


def test_no_test_is_named_after_a_fault_that_nobody_knows() -> None:
    assert sorted(set(covered()) - KNOWN - LATER) == []


def test_what_has_a_test_needs_no_excuse_and_an_excuse_is_a_sentence() -> None:
    assert sorted(set(NO_TEST) & set(covered())) == []
    assert all(entry in KNOWN and why.endswith(".") for entry, why in NO_TEST.items())
