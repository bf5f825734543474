"""How far a share that was counted may be from the true one."""

from __future__ import annotations

from math import sqrt
from typing import Final

Z_95: Final = 1.96
Z_SURE: Final = 3.9
"""One time in ten thousand a true share lies outside: a seeded test is not the one."""


def within(counted: int, of: int, z: float = Z_SURE) -> tuple[float, float]:
    """Return the Wilson interval of a share."""
    if of == 0:
        return 0.0, 1.0
    share = counted / of
    middle = share + z * z / (2 * of)
    reach = z * sqrt(share * (1 - share) / of + z * z / (4 * of * of))
    return max(0.0, (middle - reach) / (1 + z * z / of)), (middle + reach) / (1 + z * z / of)
