"""What a baccarat table remembers, and what its houses decide besides the shoe."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from daemon.gamekit.shoegame import ShoeRules, ShoeState


@dataclass(frozen=True, slots=True)
class BaccaratProfile(ShoeRules):
    """The house's rules (docs/rules/baccarat.md#profile).

    pairs_reported  whether pairs are part of the outcome
    concealed       until_reveal: a squeeze table, whose cards are dealt face down and turned later
    """

    pairs_reported: bool
    concealed: Literal["no", "until_reveal"]


BaccaratState: TypeAlias = ShoeState
