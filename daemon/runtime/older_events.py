"""What an older version wrote, held against what this version derives from the same input.

The contract only grows: a later version says the same and more, in further fields. What an older
one left unsaid is no difference, and what it said has to be the same today.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any


def is_older(envelope: Mapping[str, Any]) -> bool:
    """Return whether an older version wrote this envelope: it did not mark events of one cause."""
    return "more" not in envelope


def says(derived: bytes, envelope: Mapping[str, Any]) -> bool:
    """Return whether a derived event says all that an older envelope does."""
    return _covers(json.loads(derived), envelope)


def _covers(now: Any, then: Any) -> bool:
    if isinstance(now, dict) and isinstance(then, Mapping):
        return all(name in now and _covers(now[name], value) for name, value in then.items())
    return bool(now == then)
