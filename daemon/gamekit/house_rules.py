"""What every house decides, whatever is played: who answers for what no device can prove.

A supervisor resolves what is against the rules (`ViolationRule.resolutions`). Where a book leaves
the supervisor no choice, the house's rules take those ways out away: they are neither offered nor
obeyed. `HouseRules.resolutions` alone decides that.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from daemon.gamekit.sentence import Sentence
from daemon.gamekit.violations import VOID_ONLY, ViolationRule
from protocols.commands import ResolveAction


@dataclass(frozen=True, slots=True, kw_only=True)
class HouseRules:
    """The rules that each game's profile has; the defaults are the strict ones.

    malfunction         void: when the system failed (a device, a line, our own records) the round
                        is void; supervisor: he may also accept or correct what it left
    before_no_more_bets what comes before "no more bets": not_counted: no round gets it, it is
                        void or burned; supervisor: he may also let it count, and closes the bets
    inspection          daily: no round opens before what the game lists (`Game.inspections`) was
                        inspected and passed on that day; off: nothing is asked for
    """

    malfunction: Literal["void", "supervisor"] = "void"
    before_no_more_bets: Literal["not_counted", "supervisor"] = "not_counted"
    inspection: Literal["daily", "off"] = "daily"

    def sentences(self) -> Iterator[Sentence]:
        """Yield what these rules enforce, a sentence each."""
        if self.malfunction == "void":
            failed = "When the system failed the round is void: a supervisor can only void it."
        else:
            failed = "When the system failed the round is held until a supervisor decides."
        yield Sentence("malfunction", failed)
        if self.before_no_more_bets == "not_counted":
            early = "What comes before the bets are closed counts for no round."
        else:
            early = "A supervisor may let count what comes before the bets are closed."
        yield Sentence("before_no_more_bets", early)
        yield Sentence(
            "two_names", "A value that no device stated is entered by two people, with their names."
        )

        if self.inspection == "daily":
            daily = "No round opens before the inspections of the day were recorded as passed."
        else:
            daily = "No inspection of the table is asked for."
        yield Sentence("inspection", daily)

    def resolutions(self, rule: ViolationRule) -> tuple[ResolveAction, ...]:
        """Return what a supervisor may do about a violation in this house."""
        if not rule.holds:
            return ()
        if rule.cause == "malfunction" and self.malfunction == "void":
            return VOID_ONLY
        if rule.cause == "early" and self.before_no_more_bets == "not_counted":
            return tuple(action for action in rule.resolutions if action in ("void", "burn"))
        return rule.resolutions
