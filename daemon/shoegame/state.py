"""What a table that deals from a shoe remembers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from daemon.shoe import Shoe
from daemon.vault import Concealed, SealedCard
from protocols.cards import Card
from protocols.events import DealtCard
from protocols.readings import ShoeResult

Dealt: TypeAlias = tuple[tuple[str, Card], ...]
"""Cards in their slots, in deal order."""

Lying: TypeAlias = tuple[tuple[str, Card | None], ...]
"""The round's slots in deal order; None where the card lies face down."""


@dataclass(frozen=True, slots=True)
class Unconfirmed:
    """A card whose slot only the next reading confirms (integrity.md section 3, 6).

    position  cards out of the shoe with it, from 1
    """

    card: Concealed[Card]
    position: int


@dataclass(frozen=True, slots=True)
class ShoeState:
    """The round's cards, the burns that are due, the shoe.

    sealed       the cards that lie face down, burned ones too where they may be asked for later
    unconfirmed  a card that is told when the next one shows that none was missed before it
    rescan       the due card left the shoe unread and is scanned again: it was counted already
    last         what the shoe's own verdict on the last complete round has to be, until it came
    verdict      the shoe's verdict on cards that lie face down still
    carried      a card that was counted out already and that the shoe gives to the next round
    overdrawn    the shoe reported a card too many: counted out, and not known until it says which
    """

    shoe: Shoe | None = None
    order: Lying = ()
    sealed: tuple[SealedCard, ...] = ()
    unconfirmed: Unconfirmed | None = None
    rescan: bool = False
    burns_due: int = 0
    burned: int = 0
    burn_reason: str = "shuffle"
    last: ShoeResult | None = None
    verdict: Concealed[ShoeResult] | None = None
    carried: Card | None = None
    overdrawn: bool = False
    errors: tuple[int, ...] = ()

    def card_in(self, slot: str) -> Card | None:
        """Return the card that lies in a slot, face up."""
        return next((card for filled, card in self.order if filled == slot), None)

    def sealed_in(self, slot: str) -> SealedCard | None:
        """Return the card that lies in a slot, face down."""
        return next((one for one in self.sealed if one.slot == slot), None)

    @property
    def face_down(self) -> tuple[SealedCard, ...]:
        """Return the round's cards that are still to be turned."""
        return tuple(one for one in self.sealed if not is_burn_slot(one.slot))

    @property
    def turned(self) -> Dealt:
        """Return the round's cards that lie face up, in deal order."""
        return tuple((slot, card) for slot, card in self.order if card is not None)


def is_burn_slot(slot: str) -> bool:
    """Return whether a slot is that of a burned card."""
    return slot.startswith("burn.")


def listed(dealt: Dealt) -> tuple[DealtCard, ...]:
    """Return cards as an outcome lists them."""
    return tuple(DealtCard(slot, card.rank, card.suit) for slot, card in dealt)
