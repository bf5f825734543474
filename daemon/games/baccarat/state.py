"""What a baccarat table remembers, and what its houses decide besides the shoe."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from daemon.shoegame import ShoeRules, ShoeState


@dataclass(frozen=True, slots=True)
class BaccaratProfile(ShoeRules):
    """The house's rules (rules.md section 1, table of profiles).

    pairs_reported  whether pairs are part of the outcome
    """

    pairs_reported: bool


BaccaratState: TypeAlias = ShoeState
