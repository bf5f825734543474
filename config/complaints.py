"""Pydantic's errors as `Problem`s: each with its line and the nearest name, in plain sentences."""

from __future__ import annotations

import dataclasses
import json
import re
from collections.abc import Iterable, Mapping
from typing import Any, Final, TypeVar, get_args, get_type_hints

from pydantic import TypeAdapter, ValidationError
from pydantic_core import ErrorDetails

from config.errors import Problem, nearest, one_of
from config.places import Path, Places, where
from config.schema import PATTERNS, SECTIONS
from protocols.settingerror import SettingError

_T = TypeVar("_T")

_QUOTED: Final = re.compile(r"'([^']*)'")
_TYPES: Final = {
    "string_type": "expected a text in quotes",
    "int_type": "expected a whole number",
    "float_type": "expected a number",
    "bool_type": "expected true or false",
    "list_type": "expected a list [...]",
    "tuple_type": "expected a list [...]",
    "frozen_set_type": "expected a list [...]",
    "dict_type": "expected a table of keys and values",
    "model_type": "expected a table of keys and values",
    "dataclass_type": "expected a table of keys and values",
    "string_too_short": "expected a text that is not empty",
}
_UNKNOWN_KEY: Final = ("extra_forbidden", "unexpected_keyword_argument")
_MISSING: Final = ("missing", "missing_argument", "missing_keyword_only_argument")


class Findings:
    """Collects the problems of one text, its warnings and its remarks."""

    def __init__(self, text: str, file: str | None = None) -> None:
        self.problems: list[Problem] = []
        self.warnings: list[Problem] = []
        self.remarks: list[Problem] = []
        self._places = Places(text)
        self._file = file

    def problem(self, path: Path, what: str, expected: str, guess: str | None = None) -> None:
        """Add a problem at a path."""
        self.problems.append(self._at(path, what, expected, guess))

    def warning(self, path: Path, what: str, expected: str) -> None:
        """Add a warning at a path: the file is used all the same."""
        self.warnings.append(self._at(path, what, expected, None))

    def remark(self, path: Path, what: str, expected: str) -> None:
        """Add what is worth knowing at a path, and nothing to put right."""
        self.remarks.append(self._at(path, what, expected, None))

    def syntax(self, line: int | None, what: str) -> None:
        """Add the problem that the text is no TOML."""
        self.problems.append(
            Problem("", line, f"this is no TOML: {what}", "put it right first", None, self._file)
        )

    def unknown(self, path: Path, noun: str, name: str, names: Iterable[str]) -> None:
        """Add the problem that nothing of that name is known."""
        listed = sorted(names)
        self.problem(path, f'there is no {noun} "{name}"', one_of(listed), nearest(name, listed))

    def check(self, kind: type[_T], data: Any, path: Path) -> _T | None:
        """Return the data as `kind`, a model or dataclass; or None, with every problem added.

        No value is converted but what TOML cannot say: a list to a tuple or set, a text to a path.
        """
        try:
            return _adapter(kind).validate_json(_json(data), strict=True, extra=_extra(kind))
        except ValidationError as error:
            for detail in error.errors(include_url=False):
                self._add(kind, detail, path)
            return None

    def _add(self, kind: type[Any], error: ErrorDetails, path: Path) -> None:
        full = path + error["loc"]
        name = str(full[-1]) if full else ""
        if error["type"] in _UNKNOWN_KEY:
            keys = _keys_around(kind, error["loc"])
            listed = one_of(keys) if keys else "remove it"
            self.problem(full, f'the key "{name}" is unknown', listed, nearest(name, keys))
        elif error["type"] in _MISSING:
            self.problem(full, f'"{name}" is missing', "it has no default")
        elif error["type"] == "literal_error":
            allowed = _QUOTED.findall(error["ctx"]["expected"])
            expected = one_of(allowed) if allowed else f"expected {error['ctx']['expected']}"
            guess = nearest(str(error["input"]), allowed)
            self.problem(full, f"{shown(error['input'])} is not possible here", expected, guess)
        elif isinstance(refused := error.get("ctx", {}).get("error"), SettingError):
            self.problem((*full, *refused.path), refused.what, refused.expected)
        else:
            self.problem(full, *_sentence(error))

    def _at(self, path: Path, what: str, expected: str, guess: str | None) -> Problem:
        return Problem(where(path), self._places.line(path), what, expected, guess, self._file)


def _sentence(error: ErrorDetails) -> tuple[str, str]:
    """Return what is wrong and what is expected, for a value of a wrong type or size."""
    if error["type"] == "value_error":
        return str(error["ctx"]["error"]), "see the documentation of this section"
    if error["type"] == "string_pattern_mismatch":
        pattern = error["ctx"]["pattern"]
        expected = PATTERNS.get(pattern, f"expected a match of {pattern}")
        return f"{shown(error['input'])} is not possible here", expected
    expected = _TYPES.get(error["type"]) or "expected: " + error["msg"].removeprefix(
        "Input should "
    )
    return f"{shown(error['input'])} is not possible here", expected


def shown(value: Any) -> str:
    """Return a value as the file's writer would know it, cut to a readable length."""
    text = "a table" if isinstance(value, Mapping) else json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 60 else text[:57] + "..."


def _keys_around(kind: type[Any], loc: Path) -> list[str]:
    """Return the keys that are valid where `loc` ends."""
    if dataclasses.is_dataclass(kind):
        inside = _inside(kind, loc[:-1])
        return [field.name for field in dataclasses.fields(inside)] if inside else []
    section = tuple(part for part in loc[:-1] if isinstance(part, str))
    model = SECTIONS.get(section)
    return list(model.model_fields) if model else []


def _inside(kind: Any, loc: Path) -> Any | None:
    """Return the dataclass at a place within settings; None where there is none."""
    for part in loc:
        if dataclasses.is_dataclass(kind) and isinstance(part, str):
            kind = get_type_hints(kind).get(part)
        # An optional section, or each of several.
        parts = [option for option in get_args(kind) if dataclasses.is_dataclass(option)]
        kind = parts[0] if parts else kind
    return kind if dataclasses.is_dataclass(kind) else None


def _adapter(kind: type[_T]) -> TypeAdapter[_T]:
    return TypeAdapter(kind)


def _extra(kind: type[Any]) -> Any:
    # Models say for themselves which of their sections are open.
    return "forbid" if dataclasses.is_dataclass(kind) else None


def _json(data: Any) -> bytes:
    return json.dumps(data, default=str).encode()
