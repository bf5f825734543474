"""What the dice do."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from protocols.faces import Faces


@dataclass(frozen=True, slots=True)
class DiceLanded:
    """A sure result: what the dice of this round's throw show."""

    round_id: str
    faces: Faces
    kind: Literal["dice.landed"] = "dice.landed"
