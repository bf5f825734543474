"""Reading a tree that may be wrong anywhere: what is not there, or is of a wrong type, is None.

The shape of the tree is checked on its own. These let the names in it be checked at the same
time, so that the operator sees every problem in one go.
"""

from __future__ import annotations

import math
import re
import tomllib
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final, TypeAlias

from config.complaints import Findings
from config.places import Path

Tree: TypeAlias = Mapping[str, Any]

_LINE: Final = re.compile(r" \(at line (\d+), column \d+\)$")


def parse(text: str, findings: Findings) -> Tree | None:
    """Return the tree of a TOML text, every number in it finite; None with the problem added."""
    try:
        tree = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        at = _LINE.search(str(error))
        findings.syntax(int(at[1]) if at else None, _LINE.sub("", str(error)))
        return None

    def complain(path: Path) -> None:
        findings.problem(path, "the number is not finite", "expected a number")

    cleaned: Tree = _finite(tree, (), complain)
    return cleaned


def text(tree: Tree, key: str) -> str | None:
    """Return the text under a key."""
    value = tree.get(key)
    return value if isinstance(value, str) else None


def branch(tree: Tree, key: str) -> Tree | None:
    """Return the table under a key."""
    value = tree.get(key)
    return value if isinstance(value, dict) else None


def branches(tree: Tree, key: str) -> Iterator[tuple[int, Tree]]:
    """Yield the tables of a list of tables under a key, with their positions."""
    value = tree.get(key)
    for position, table in enumerate(value if isinstance(value, list) else ()):
        if isinstance(table, dict):
            yield position, table


def _finite(value: Any, path: Path, complain: Callable[[Path], None]) -> Any:
    """Return the value with a 1 for each nan and inf, which TOML allows and nothing here wants."""
    if isinstance(value, float) and not math.isfinite(value):
        complain(path)
        return 1.0
    if isinstance(value, dict):
        return {key: _finite(member, (*path, key), complain) for key, member in value.items()}
    if isinstance(value, list):
        return [_finite(member, (*path, at), complain) for at, member in enumerate(value)]
    return value
