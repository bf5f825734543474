"""The house's rules of Sic Bo."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True)
class SicBoProfile:
    """One house's Sic Bo. Source: docs/rules/sic-bo.md.

    bets_end  `announced`: no dice land before `bets.close`; `throw`: shaking them closes the bets
    """

    bets_end: Literal["announced", "throw"]
