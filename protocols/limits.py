"""What a field of a command may hold: one statement for the parser and for the published schema.

Pydantic asks whatever annotates a type for its part of the schema, which is plain data: nothing of
it is imported here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Annotated, Any, Final, TypeAlias

_CONTROLS: Final = r"\x00-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069"
"""What moves a terminal's cursor, ends a line, or turns the direction of reading."""
_LINE: Final = rf"^ *[^\s{_CONTROLS}][^{_CONTROLS}]*$"
"""Not all of it spaces. No validator has to go back in it, however long a text is."""


_in_force: ContextVar[bool] = ContextVar("limits in force", default=True)


class Limits:
    """Bounds of a field, by pydantic's words: ge, le, min_length, max_length, pattern."""

    def __init__(self, **bounds: int | str) -> None:
        self._bounds = bounds

    def __get_pydantic_core_schema__(
        self, source: Any, handler: Callable[[Any], Mapping[str, Any]]
    ) -> dict[str, Any]:
        return {**handler(source), **(self._bounds if _in_force.get() else {})}


@contextmanager
def lifted() -> Iterator[None]:
    """Let no type that is built meanwhile have limits: a journal is read as it was written."""
    before = _in_force.set(False)
    try:
        yield
    finally:
        _in_force.reset(before)


IDENTIFIER: Final = "^[!-~]([ -~]{0,62}[!-~])?$"
Identifier: TypeAlias = Annotated[str, Limits(pattern=IDENTIFIER)]
"""A name that a machine gave: 1 to 64 printable ASCII characters, no space at either end."""
Sentence: TypeAlias = Annotated[str, Limits(max_length=200, pattern=_LINE)]
"""A name or a reason: 1 to 200 characters on one line, not all of them spaces."""

CARD: Final = "^[A23456789TJQK][SHDC]$"
POCKET: Final = "^(00|0|[1-9][0-9]?)$"
SLOT: Final = r"^[a-z]+[1-9]?[0-9]*(\.[a-z]*[1-9][0-9]*)*$"

CardName: TypeAlias = Annotated[str, Limits(pattern=CARD)]
PocketName: TypeAlias = Annotated[str, Limits(pattern=POCKET)]
SlotName: TypeAlias = Annotated[str, Limits(pattern=SLOT, max_length=32)]
Decks: TypeAlias = Annotated[int, Limits(ge=1, le=16)]
Seq: TypeAlias = Annotated[int, Limits(ge=1, le=2**53 - 1)]
"""An event's number. Beyond 2^53 JSON readers disagree."""
BoxNumber: TypeAlias = Annotated[int, Limits(ge=1, le=32)]
Boxes: TypeAlias = Annotated[tuple[BoxNumber, ...], Limits(max_length=32)]
CardCount: TypeAlias = Annotated[int, Limits(ge=0, le=832)]
"""So many cards: at most those of sixteen decks."""
