"""A line as the device's manual prints it, names in braces where something varies.

    C{number:1}{card:2}        a letter, one byte, two bytes
    CARD;{card};{any};OK       fields between marks; a field ends where the text behind it begins

A field with a width has exactly so many bytes. One without has up to 32, none of them the byte that
follows it, nor any mark of the line that is no letter or digit: two lines glued together fit no
template of one. A line fits a template in one way or in none, and no template can make that slow.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Final

from protocols.bytetext import read_bytes
from protocols.settingerror import SettingError, meant

FIELDS: Final[Mapping[str, str]] = {
    "card": "the card's code",
    "hand": "which hand the card goes to, by the words of [hands]",
    "place": "which card of that hand it is, 1 for the first",
    "number": "the device's own number of the frame, as [number] says",
    "code": "an error's code, by the words of [errors]",
    "any": "something that does not matter",
}
"""What may stand in braces."""
WIDTH_MAX: Final = 32
_BRACES: Final = re.compile(r"\{([^{}]*)\}")
_FIELD: Final = re.compile(r"([a-z]+)(?::([1-9]\d?))?")


@dataclass(frozen=True, slots=True)
class Field:
    """A part of a line that varies; `width` in bytes, None where the text behind it ends it."""

    name: str
    width: int | None


class Template:
    """A line of a device. Raises SettingError for one that cannot be told apart."""

    def __init__(self, line: str) -> None:
        self.parts: tuple[bytes | Field, ...] = tuple(_parts(line))
        if not self.parts:
            raise SettingError("the line is empty", "copy one from the manual", "line")
        names = [part.name for part in self.parts if isinstance(part, Field) and part.name != "any"]
        if twice := {name for name in names if names.count(name) > 1}:
            what = f'{{{min(twice)}}} is there twice in "{line}"'
            raise SettingError(what, "name the other one {any}", "line")
        self.names = frozenset(names)
        self._order = tuple(part.name for part in self.parts if isinstance(part, Field))
        self._pattern = re.compile(_pattern(self.parts, line).decode("latin-1"), re.DOTALL)

    @property
    def size(self) -> int | None:
        """How many bytes every such line has; None where that varies."""
        sizes = [part.width if isinstance(part, Field) else len(part) for part in self.parts]
        return None if None in sizes else sum(size for size in sizes if size is not None)

    def read(self, text: str) -> tuple[str, ...] | None:
        """Return the fields of a line that fits, in order; None for another. Text is Latin-1."""
        match = self._pattern.fullmatch(text)
        return None if match is None else match.groups()

    def place_of(self, name: str) -> int | None:
        """Return which of the fields this is; None where the line has none of it."""
        return self._order.index(name) if name in self._order else None

    def width_of(self, name: str) -> int | None:
        """Return how many bytes this field has; None where that varies, or the line has none."""
        fields = (part for part in self.parts if isinstance(part, Field) and part.name == name)
        return next((part.width for part in fields), None)

    def fill(self, fields: Mapping[str, str]) -> bytes:
        """Return the line with these fields; noughts where nothing is given."""
        return b"".join(
            part
            if isinstance(part, bytes)
            else fields.get(part.name, "0" * (part.width or 1)).encode("latin-1")
            for part in self.parts
        )


template_of: Final = cache(Template)
"""The template of a line; there are as many as the profiles of a site have lines."""


def _parts(line: str) -> list[bytes | Field]:
    parts: list[bytes | Field] = []
    place = 0
    for braces in _BRACES.finditer(line):
        parts += [_text(line[place : braces.start()])] if braces.start() > place else []
        parts.append(_field(braces[1]))
        place = braces.end()
    return parts + ([_text(line[place:])] if place < len(line) else [])


def _text(text: str) -> bytes:
    if "{" in text or "}" in text:
        raise SettingError(f"a brace is open in {text!r}", "write <7B> and <7D> for braces", "line")
    return read_bytes(text, "line")


def _field(inside: str) -> Field:
    field = _FIELD.fullmatch(inside)
    if field is None:
        what = f"{{{inside}}} is no field"
        raise SettingError(what, "write {name}, or {name:2} for a width of two bytes", "line")
    if field[1] not in FIELDS:
        raise SettingError(f'no field is called "{field[1]}"', meant(field[1], FIELDS), "line")
    width = int(field[2]) if field[2] else None
    if width is not None and width > WIDTH_MAX:
        raise SettingError(f"{{{inside}}} is too wide", f"expected 1 to {WIDTH_MAX}", "line")
    return Field(field[1], width)


def _pattern(parts: tuple[bytes | Field, ...], line: str) -> bytes:
    marks = {byte for part in parts if isinstance(part, bytes) for byte in part}
    marks -= set(b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz")
    pattern = b""
    for part, after in zip(parts, (*parts[1:], b""), strict=True):
        if isinstance(part, bytes):
            pattern += re.escape(part)
        elif part.width is not None:
            pattern += b"(.{%d})" % part.width
        elif isinstance(after, Field):
            what = f'nothing tells where {{{part.name}}} ends in "{line}"'
            raise SettingError(what, f"give it a width, as {{{part.name}:2}}", "line")
        else:
            barred = re.escape(bytes(sorted(marks | set(after[:1]))))
            pattern += b"(%b{1,%d})" % (b"[^%b]" % barred if barred else b".", WIDTH_MAX)
    return pattern
