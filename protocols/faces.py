"""What dice show. The order is the reader's; it means nothing to any rule."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Final, Literal, TypeAlias

Face = Literal[1, 2, 3, 4, 5, 6]
Faces: TypeAlias = tuple[Face, Face, Face]
"""Three dice, each with what it shows on top."""

FACES: Final[Mapping[str, Face]] = MappingProxyType(
    {"1": 1, "2": 2, "3": 3, "4": 4, "5": 5, "6": 6}
)
"""Every face by its digit."""


def find_faces(text: str) -> Faces | None:
    """Return three faces from three digits, `442`, or None where they are none."""
    match [FACES.get(digit) for digit in text]:
        case [int(first), int(second), int(third)]:
            return first, second, third
        case _:
            return None


def spelled(faces: Sequence[Face | None]) -> str:
    """Return faces as people read them, `4 4 2`; a die that was not recognised is `?`."""
    return " ".join("?" if face is None else str(face) for face in faces)
