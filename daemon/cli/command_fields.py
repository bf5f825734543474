"""The table's commands as a technician types them: their fields, types and values, in plain words.

Everything is read off the dataclasses of `protocols/commands.py`, so a new command needs no second
edit here. A field is described by what may be typed for it, and a value is read by its field's
type: `badge=4711` is text, `box=2` a number, `boxes=1,2` a list.
"""

from __future__ import annotations

import inspect
import json
import textwrap
import types
import typing
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import MISSING, Field, fields
from difflib import get_close_matches
from functools import partial
from types import MappingProxyType
from typing import Any, Final, Literal, get_args, get_origin, get_type_hints

from protocols.commands import Command

TABLE_COMMANDS: Final[Mapping[str, type[Any]]] = MappingProxyType(
    {command.__dataclass_fields__["kind"].default: command for command in get_args(Command)}
)
"""Every command by its name, in the order of the contract."""


def summary_of(command: type[Any]) -> str:
    """Return the first sentence of what a command does."""
    return (inspect.getdoc(command) or "").partition("\n")[0].partition(". ")[0].rstrip(".")


def describe_commands(width: int = 76) -> Iterator[str]:
    """Yield each command with what it does, and its fields, in lines of at most this width."""
    for name, command in TABLE_COMMANDS.items():
        yield from _wrapped(f"{name:20} {summary_of(command)}", width, "", " " * 21)
        yield from _wrapped(" ".join(_words_of(command)), width, "    ", "    ")


def _words_of(command: type[Any]) -> Iterator[str]:
    """Yield each field as it is typed; in brackets where it may be left out."""
    for field, kind in _fields_of(command):
        word = f"{field.name}={_typed(kind)}"
        yield word if _is_required(field) else f"[{word}]"


def _wrapped(text: str, width: int, first: str, others: str) -> list[str]:
    return textwrap.wrap(
        text, width, initial_indent=first, subsequent_indent=others, break_on_hyphens=False
    )


def read_fields(name: str, pairs: Sequence[str]) -> tuple[dict[str, Any], list[str]]:
    """Return a command's fields from `key=value` pairs, and every problem with them, in words.

    The values are as in JSON: what the daemon parses, which has the last word on them.
    """
    command = TABLE_COMMANDS.get(name)
    if command is None:
        return {}, [f"no command {name!r}; {_nearest(name, TABLE_COMMANDS)}"]
    kinds = {field.name: kind for field, kind in _fields_of(command)}
    missing = [field.name for field, _ in _fields_of(command) if _is_required(field)]
    values: dict[str, Any] = {}
    problems: list[str] = []
    for pair in pairs:
        key, equals, text = pair.partition("=")
        if not equals:
            problems.append(f"{pair!r}: expected FIELD=VALUE")
        elif key not in kinds:
            problems.append(f"{name} has no field {key!r}; {_nearest(key, kinds)}")
        else:
            missing = [field for field in missing if field != key]
            try:
                values[key] = _read(kinds[key], text)
            except ValueError:
                problems.append(f"{pair}: expected {key}={_typed(kinds[key])}")
    problems += [f"missing: {field}={_typed(kinds[field])}" for field in missing]
    return values, problems


def _nearest(word: str, known: Mapping[str, Any]) -> str:
    near = get_close_matches(word, known, n=1)
    return f"did you mean {near[0]}?" if near else f"there are: {', '.join(known) or 'none'}"


def _fields_of(command: type[Any]) -> Iterator[tuple[Field[Any], Any]]:
    """Yield a command's own fields, each with its type."""
    hints = get_type_hints(command)
    return ((field, hints[field.name]) for field in fields(command) if field.name != "kind")


def _is_required(field: Field[Any]) -> bool:
    return field.default is MISSING and field.default_factory is MISSING


def _typed(kind: Any) -> str:
    """Return what may be typed for a value of this type."""
    match get_origin(kind), get_args(kind):
        case (None, _):
            return _TYPED[kind]
        case (origin, (int(lowest), *_, int(highest))) if origin is Literal:
            return f"{lowest}-{highest}"
        case (origin, choices) if origin is Literal:
            return "|".join(choices)
        case (types.UnionType | typing.Union, (kind_if_given, *_)):
            return _typed(kind_if_given)
        case (_, (item, last)) if last is ...:
            return f"{_typed(item)}[,{_typed(item)}]"
        case (_, items):
            return ",".join(_typed(item) for item in items)


def _read(kind: Any, text: str) -> Any:
    """Return the JSON value that a text stands for. Raises ValueError."""
    match get_origin(kind), get_args(kind):
        case (None, _):
            return _READ[kind](text)
        case (origin, choices) if origin is Literal:
            return _chosen({str(choice): choice for choice in choices}, text)
        case (types.UnionType | typing.Union, (kind_if_given, *_)):
            return _read(kind_if_given, text)
        case (_, items):
            values = _items(text)
            if items[-1] is not ... and len(values) != len(items):
                raise ValueError(text)
            return [_read(items[0], value) for value in values]


def _items(text: str) -> list[str]:
    """Return the values of a list, typed as `1,2` or as JSON."""
    if text.startswith("["):
        return [str(value) for value in json.loads(text)]
    return [value.strip() for value in text.split(",")] if text else []


def _chosen(choices: Mapping[str, Any], text: str) -> Any:
    if text not in choices:
        raise ValueError(text)
    return choices[text]


_TYPED: Final[Mapping[Any, str]] = {str: "TEXT", int: "NUMBER", bool: "yes|no"}
_READ: Final[Mapping[Any, Callable[[str], Any]]] = {
    str: str,
    int: int,
    bool: partial(_chosen, {"yes": True, "no": False, "true": True, "false": False}),
}
