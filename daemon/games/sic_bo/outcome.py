"""What three dice are to the layout: their total, small or big, a triple."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

from protocols.events import Outcome
from protocols.faces import Faces

SMALL_MAX: Final = 10
"""4 to 10 is small, 11 to 17 big; 3 and 18 are triples, and a triple is neither."""


@dataclass(frozen=True, slots=True)
class SicBoOutcome(Outcome):
    """What three dice come to.

    total   the sum of the faces
    size    small: 4 to 10, big: 11 to 17; None for a triple
    triple  the three faces are the same
    """

    faces: Faces
    total: int
    size: Literal["small", "big"] | None
    triple: bool
    game: Literal["sic_bo"] = "sic_bo"


def outcome_of(faces: Faces) -> SicBoOutcome:
    """Return the outcome of three dice."""
    total = sum(faces)
    if len(set(faces)) == 1:
        return SicBoOutcome(faces, total, None, triple=True)
    return SicBoOutcome(faces, total, "small" if total <= SMALL_MAX else "big", triple=False)
