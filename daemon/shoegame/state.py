"""What a table that deals from a shoe remembers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from daemon.shoe import Shoe
from protocols.cards import Card
from protocols.events import DealtCard
from protocols.readings import ShoeResult

Dealt: TypeAlias = tuple[tuple[str, Card], ...]
"""The round's cards in their slots, in deal order."""


@dataclass(frozen=True, slots=True)
class ShoeState:
    """The round's cards, the burns that are due, the shoe.

    last      what the shoe's own verdict on the last complete round has to be, until it was heard
    carried   a card that was counted out already and that the shoe gives to the next round
    overdrawn the shoe reported a card too many: counted out, and not known until it says which
    """

    shoe: Shoe | None = None
    order: Dealt = ()
    burns_due: int = 0
    burned: int = 0
    burn_reason: str = "shuffle"
    last: ShoeResult | None = None
    carried: Card | None = None
    overdrawn: bool = False
    errors: tuple[int, ...] = ()

    def card_in(self, slot: str) -> Card | None:
        """Return the card that lies in a slot."""
        return next((card for filled, card in self.order if filled == slot), None)


def listed(dealt: Dealt) -> tuple[DealtCard, ...]:
    """Return cards as an outcome lists them."""
    return tuple(DealtCard(slot, card.rank, card.suit) for slot, card in dealt)
