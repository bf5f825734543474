"""What the docstring of a message says: the message in a sentence or more, and each field.

A field's meaning stands in its class's docstring, two spaces after its name; what means the same in
every message is in `protocols/field_words.py`, once:

    A card was burned.

    reason  what it was due for, or `violation`
    rank suit
            None where the house does not show it
"""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from enum import Enum
from itertools import pairwise
from typing import get_origin

from protocols.field_words import word_of

_ENTRY = re.compile(r"(?P<names>[a-z]\w*(?:,? [a-z]\w*)*)(?: {2,}(?P<text>\S.*))?")


def message_text(message: type) -> str:
    """Return what a message is, without its fields."""
    lines = inspect.cleandoc(_own(message).__doc__ or "").splitlines()
    names = field_names(message)
    first = next((at for at, line in enumerate(lines) if _names(line, names)), len(lines))
    paragraphs = "\n".join(lines[:first]).strip().split("\n\n")
    return "\n\n".join(" ".join(one.split()) for one in paragraphs)


def field_texts(message: type) -> dict[str, str]:
    """Return what each field means; a field that nobody described is missing."""
    names = field_names(message)
    words = {name: word_of(_own(message).__name__, name) for name in names}
    texts = {name: word.text for name, word in words.items() if word}
    for base in reversed(_own(message).__mro__):
        if is_dataclass(base):
            texts.update(_entries(base.__doc__ or "", names))
    return texts


def word_texts(words: type[Enum]) -> dict[str, str]:
    """Return what each word of an enum means: the text that stands below it in the source."""
    body = ast.parse(inspect.getsource(words)).body[0].body  # type: ignore[attr-defined] # a class
    texts = dict[str, str]()
    for word, below in pairwise(body):
        match word, below:
            case ast.Assign(value=ast.Constant(value)), ast.Expr(value=ast.Constant(str(text))):
                texts[str(value)] = text
            case _:
                pass
    return texts


def field_names(message: type) -> frozenset[str]:
    """Return the fields of a message; `kind` is its name and none of them."""
    return frozenset(field.name for field in fields(_own(message))) - {"kind"}


def _own(message: type) -> type:
    return get_origin(message) or message


def _entries(doc: str, names: frozenset[str]) -> Iterator[tuple[str, str]]:
    described: tuple[str, ...] = ()
    text: list[str] = []
    for line in [*inspect.cleandoc(doc).splitlines(), ""]:
        if line.startswith(" "):
            text.append(line.strip())
            continue
        yield from ((name, " ".join(text).strip()) for name in described)
        described = _names(line, names)
        text = [_ENTRY.fullmatch(line)["text"] or ""] if described else []  # type: ignore[index] # it matched


def _names(line: str, names: frozenset[str]) -> tuple[str, ...]:
    """Return the fields that a line of a docstring begins to describe."""
    found = _ENTRY.fullmatch(line)
    described = tuple(re.findall(r"\w+", found["names"])) if found else ()
    return described if set(described) <= names else ()
