"""What three dice are to the layout: their total, small or big, a triple."""

from __future__ import annotations

from typing import Final

from protocols.events import SicBoOutcome
from protocols.faces import Faces

SMALL_MAX: Final = 10
"""4 to 10 is small, 11 to 17 big; 3 and 18 are triples, and a triple is neither."""


def outcome_of(faces: Faces) -> SicBoOutcome:
    """Return the outcome of three dice."""
    total = sum(faces)
    if len(set(faces)) == 1:
        return SicBoOutcome(faces, total, None, triple=True)
    return SicBoOutcome(faces, total, "small" if total <= SMALL_MAX else "big", triple=False)
