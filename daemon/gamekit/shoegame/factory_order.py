"""Cards that come out of a shoe as they lie in a new deck: nobody shuffled it.

Source: docs/field-reports.md#incidents-at-tables (eight unshuffled decks, 41 hands won). Six
successors in a row, of one suit and in one direction, come from shuffled cards once in 17 thousand
million cards (6 decks and 8 alike): once in 50 years on 100 tables that deal 9 600 cards a day.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from protocols.cards import RANKS, Card

ALARMS_AT: Final = 6
"""Successors in a row."""


@dataclass(frozen=True, slots=True)
class FactoryOrderRun:
    """Cards that follow each other as in a new deck.

    last        the card before the next, None where it is face down or unread: that ends a run,
                so that no alarm ever depends on a hidden card
    step        1 from ace to king, -1 from king to ace, 0 where no run is
    successors  how many there are in a row
    """

    last: Card | None = None
    step: int = 0
    successors: int = 0

    def then(self, card: Card | None) -> FactoryOrderRun:
        """Return the run when this card follows, None where nobody may know which it is."""
        step = 0 if card is None or self.last is None else _step(self.last, card)
        if step == 0:
            return FactoryOrderRun(card)
        return FactoryOrderRun(card, step, self.successors + 1 if step == self.step else 1)

    @property
    def alarms(self) -> bool:
        """Return whether the run is long enough now; once a run, however long it gets."""
        return self.successors == ALARMS_AT


def _step(first: Card, second: Card) -> int:
    apart = RANKS.index(second.rank) - RANKS.index(first.rank)
    return apart if first.suit == second.suit and apart in (1, -1) else 0
