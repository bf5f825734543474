"""`replace` for the states that every input changes: as `dataclasses.replace`, at a tenth of it.

A table's state has some twenty fields, and a card changes one of them at a time, a dozen times.
`dataclasses.replace` reads and sets each field of a frozen class by itself; a class without slots
keeps its fields in one dict, which is copied as a whole. For every other class (with slots, with
`__post_init__`, with a cached property, which a copy must not have) it is `dataclasses.replace`.
"""

from __future__ import annotations

from functools import cache, cached_property
from typing import TYPE_CHECKING, Any, TypeVar

_State = TypeVar("_State")

if TYPE_CHECKING:
    from dataclasses import replace as replace  # noqa: PLC0414 - so that each change is checked
else:
    import dataclasses

    def replace(state: _State, /, **changes: Any) -> _State:
        """Return a copy of a frozen dataclass with these fields changed.

        Raises TypeError where the class has no such field.
        """
        cls = type(state)
        fields = _fields_in_dict(cls)
        if fields is None:
            return dataclasses.replace(state, **changes)
        if not fields.issuperset(changes):
            raise TypeError(f"{cls.__name__} has no {', '.join(changes.keys() - fields)}")
        copy = object.__new__(cls)
        copy.__dict__.update(state.__dict__, **changes)
        return copy

    @cache
    def _fields_in_dict(cls: type) -> frozenset[str] | None:
        """Return the names of the fields, where all that an object has is them, in its dict."""
        for base in cls.__mro__:
            members = vars(base)
            if members.get("__slots__") or "__post_init__" in members:
                return None
            if any(isinstance(member, cached_property) for member in members.values()):
                return None
        return frozenset(field.name for field in dataclasses.fields(cls))
