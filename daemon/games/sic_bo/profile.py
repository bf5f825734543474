"""The house's rules of Sic Bo."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from daemon.gamekit.house_rules import HouseRules


@dataclass(frozen=True, slots=True)
class SicBoProfile(HouseRules):
    """One house's Sic Bo. Source: docs/rules/sic-bo.md.

    bets_end  `announced`: no dice land before `bets.close`; `throw`: shaking them closes the bets
    """

    bets_end: Literal["announced", "throw"]
