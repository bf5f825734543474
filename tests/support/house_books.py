"""The houses' pages under docs/rules/books, and the clauses that stand in them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parents[2]
BOOKS: Final[Mapping[str, Path]] = {
    house: ROOT / "docs" / "rules" / "books" / f"{house.lower()}.md"
    for house in ("DK", "LV", "GR", "RU")
}


@cache
def rows(page: Path, game: str = "") -> frozenset[str]:
    """Return the first cells of a page's tables, of the part under one heading if it is named."""
    text = page.read_text("utf-8")
    if game:
        text = re.split(r"^## ", text, flags=re.MULTILINE)[
            [part.lower() for part in re.findall(r"^## (.*)", text, re.MULTILINE)].index(game) + 1
        ]
    return frozenset(re.findall(r"^\| ([^|]+?) \|", text, re.MULTILINE))


def row_of(house: str, game: str, clause: str) -> str:
    """Return the row of a clause in its house's page."""
    _, _, part = BOOKS[house].read_text("utf-8").partition(f"## {game.capitalize()}\n")
    lines = part.partition("\n## ")[0].splitlines()
    return next(line for line in lines if line.startswith(f"| {clause} |"))
