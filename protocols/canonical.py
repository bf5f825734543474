"""Canonical JSON (RFC 8785): one spelling per value, so that a hash means something."""

from __future__ import annotations

import json
from typing import Any, Final

_AS_THEY_ARE: Final = frozenset({str, int, bool, type(None)})  # nearly every value is one of these
_spelled: Final = json.JSONEncoder(
    sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False
).encode


def canonical(value: Any) -> bytes:
    """Return the canonical JSON of plain data; a set becomes a sorted list.

    Raises ValueError for what has no canonical spelling here: NaN, infinities, and fractions so
    small or so large that RFC 8785 would need an exponent (we publish none).
    """
    return _spelled(_plain(value)).encode()


def _plain(value: Any) -> Any:
    if type(value) in _AS_THEY_ARE:
        return value
    if isinstance(value, dict):
        return {
            key: member if type(member) in _AS_THEY_ARE else _plain(member)
            for key, member in value.items()
        }
    if isinstance(value, list | tuple):
        return [_plain(member) for member in value]
    if isinstance(value, frozenset | set):
        return sorted(_plain(member) for member in value)
    if isinstance(value, float):
        if value.is_integer():
            return int(value)
        if not 1e-4 <= abs(value) < 1e16:
            raise ValueError(f"no canonical spelling for {value!r}: round it first")
    return value
