"""Digests of resolved values: `b2:` and the hex of BLAKE2b-256 of their canonical JSON."""

from __future__ import annotations

import dataclasses
import hashlib
from collections.abc import Mapping
from enum import Enum
from pathlib import PurePath
from typing import Any

from protocols.canonical import canonical


def digest_of(value: Any) -> str:
    """Return the digest of a settings dataclass or of plain data.

    Raises ValueError for a number without a canonical spelling, TypeError for what is no JSON.
    """
    return "b2:" + hashlib.blake2b(canonical(plain(value)), digest_size=32).hexdigest()


def plain(value: Any) -> Any:
    """Return the value as plain JSON data; a set as the sorted list of its members."""
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {
            field.name: plain(getattr(value, field.name)) for field in dataclasses.fields(value)
        }
    if isinstance(value, Mapping):
        return {str(key): plain(member) for key, member in value.items()}
    if isinstance(value, frozenset | set):
        return sorted((plain(member) for member in value), key=canonical)
    if isinstance(value, list | tuple):
        return [plain(member) for member in value]
    if isinstance(value, Enum):
        return plain(value.value)
    return str(value) if isinstance(value, PurePath) else value
