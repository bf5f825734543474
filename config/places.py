"""Where a key stands in a TOML text. The parser in the standard library does not say."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final, TypeAlias

Path: TypeAlias = tuple[str | int, ...]
"""Keys and positions from the top of the file to a value."""

_HEADER: Final = re.compile(r"\s*(\[\[?)\s*([^\[\]]+?)\s*\]\]?\s*(#.*)?$")
_KEY: Final = re.compile(r"""\s*((?:[\w-]+|"[^"]*"|'[^']*')(?:\s*\.\s*(?:[\w-]+|"[^"]*"))*)\s*=""")
_PART: Final = re.compile(r"""[\w-]+|"[^"]*"|'[^']*'""")
_TOKEN: Final = re.compile(
    r'''"""(?:\\.|[^\\])*?(?:"""|\Z)|\'\'\'.*?(?:\'\'\'|\Z)|"(?:\\.|[^"\\\n])*"|'[^'\n]*'|#[^\n]*''',
    re.DOTALL,
)


def where(path: Path) -> str:
    """Return a path as people write it: `table[0].device[1].link.port`."""
    text = ""
    for part in path:
        text += f"[{part}]" if isinstance(part, int) else f".{part}" if text else part
    return text


class Places:
    """The lines of a TOML text's headers and keys. Best effort, on a text that parses."""

    def __init__(self, text: str) -> None:
        self._lines = _scan(text)

    def line(self, path: Path) -> int | None:
        """Return the line of a value, or of the nearest thing around it; None at the top."""
        while path:
            if path in self._lines:
                return self._lines[path]
            path = path[:-1]
        return None


def _scan(text: str) -> Mapping[Path, int]:
    lines: dict[Path, int] = {}
    arrays: dict[Path, int] = {}
    inside: Path = ()
    depth = 0
    for number, line in enumerate(_without_strings(text).split("\n"), start=1):
        header = _HEADER.match(line) if depth == 0 else None
        if header is not None:
            inside = _enter(_parts(header[2]), arrays, repeated=header[1] == "[[")
            if isinstance(inside[-1], int):
                lines.setdefault(inside[:-1], number)
            lines.setdefault(inside, number)
            continue
        key = _KEY.match(line) if depth == 0 else None
        if key is not None:
            lines.setdefault(inside + _parts(key[1]), number)
        depth += sum(line.count(bracket) for bracket in "[{") - sum(
            line.count(bracket) for bracket in "]}"
        )
    return lines


def _without_strings(text: str) -> str:
    """Blank out values' strings and comments, so that brackets and keys can be counted."""

    def blank(match: re.Match[str]) -> str:
        token = match[0]
        before = text[text.rfind("\n", 0, match.start()) + 1 : match.start()]
        after = text[match.end() : match.end() + 40].lstrip(" \t")
        # A quoted key stays readable: only blanks, dots, headers before it, or `=` behind it.
        if token[0] in "\"'" and (after[:1] in ("=", ".") or before.lstrip().startswith("[")):
            return token
        return "\n" * token.count("\n")

    return _TOKEN.sub(blank, text)


def _parts(dotted: str) -> Path:
    return tuple(part.strip("\"'") for part in _PART.findall(dotted))


def _enter(parts: Path, arrays: dict[Path, int], *, repeated: bool) -> Path:
    """Return the path of a header, with the position of every array of tables on the way."""
    path: Path = ()
    for position, part in enumerate(parts, start=1):
        path += (part,)
        if repeated and position == len(parts):
            arrays[path] = arrays.get(path, -1) + 1
        if path in arrays:
            path += (arrays[path],)
    return path
