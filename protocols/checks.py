"""Check values, one function each."""

from __future__ import annotations

from functools import reduce
from operator import xor


def xor8(data: bytes) -> int:
    """Return the exclusive or of all bytes: blind to order and to equal flips in two bytes."""
    return reduce(xor, data, 0)
