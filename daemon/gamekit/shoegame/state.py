"""What a table that deals from a shoe remembers."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TypeAlias

from daemon.gamekit.commitments import Concealed, SealedCard
from daemon.gamekit.shoe import PACKS_KEPT, FactoryOrderRun, LeftPack, Shoe
from daemon.gamekit.spec import ShoeStatus
from protocols.cards import Card
from protocols.commands import BurnReason, ShoePart
from protocols.events import AwaitedCommand, DealtCard, EndCheck, ShoeMoment
from protocols.instant import Instant
from protocols.readings import ShoeResult

Dealt: TypeAlias = tuple[tuple[str, Card], ...]
"""Cards in their slots, in deal order."""

Placed: TypeAlias = tuple[tuple[str, Card | None], ...]
"""The round's slots in deal order, and their cards; None where the card is face down."""

Burns: TypeAlias = tuple[tuple[BurnReason, int], ...]
"""Why cards are due to be burned, and how many for each reason, in order."""


def burns_for(reason: BurnReason, count: int) -> Burns:
    """Return so many burns for one reason."""
    return ((reason, count),) if count > 0 else ()


@dataclass(frozen=True, slots=True)
class Unconfirmed:
    """A card whose slot only the next reading confirms (docs/hidden-cards.md#the-rules, rule 6).

    position  cards out of the shoe with it, from 1
    """

    card: Concealed[Card]
    position: int


@dataclass(frozen=True, slots=True)
class CompositionCheck:
    """The cards of a shoe that pass the scanner to be counted.

    counted   all of them, or the rest that was not dealt
    copies    how many of each have passed
    unread    passes on which none was identified
    replaced  times that the pit boss replaced a card
    """

    counted: ShoePart
    when: ShoeMoment
    since: Instant
    copies: dict[str, int] = field(default_factory=dict)
    unread: int = 0
    replaced: int = 0


@dataclass(frozen=True)  # no slots: protocols/replace.py
class ShoeState:
    """The round's cards, the burns that are due, the shoe.

    check        the count of its cards, while it is verified
    run          the last cards from it, as far as they lie in factory order
    sealed       the face-down cards, burned ones too where they may be asked for later
    unconfirmed  a card that is published when the next shows that none was missed before it
    rescan       the due card left the shoe unread and is scanned again: it was counted already
    last         what the shoe's own verdict on the last complete round has to be, until it came
    verdict      the shoe's verdict on cards that are still face down
    carried      a card that was counted out already and that the shoe gives to the next round
    overdrawn    the shoe reported a card too many: counted out, and not known until it says which
    packs_left   the packs of cards that left the table, the last of them last
    asked        what was told last that the round waits for from the table server
    """

    shoe: Shoe | None = None
    check: CompositionCheck | None = None
    run: FactoryOrderRun = field(default_factory=FactoryOrderRun)
    order: Placed = ()
    sealed: tuple[SealedCard, ...] = ()
    unconfirmed: Unconfirmed | None = None
    rescan: bool = False
    burns: Burns = ()
    burned: int = 0
    last: ShoeResult | None = None
    verdict: Concealed[ShoeResult] | None = None
    carried: Card | None = None
    overdrawn: bool = False
    errors: tuple[int, ...] = ()
    packs_left: tuple[LeftPack, ...] = ()
    asked: tuple[AwaitedCommand, ...] = ()

    @property
    def shoe_status(self) -> ShoeStatus | None:
        """Return the counts of the shoe, without a name of any card."""
        shoe, check = self.shoe, self.check
        if shoe is None:
            return None
        return ShoeStatus(
            shoe.shoe_id,
            shoe.decks,
            shoe.out,
            shoe.left,
            shoe.verified,
            None if check is None else sum(check.copies.values()),
            shoe.unverified,
            shoe.returned,
            shoe.closing,
            shoe.end_check,
            shoe.end_counted,
        )

    def left_with(self, shoe_id: str) -> EndCheck | None:
        """Return how the end check of a pack ended when it left this table; None: it never did."""
        return next((one.end_check for one in self.packs_left if one.shoe_id == shoe_id), None)

    def with_left(self, pack: LeftPack) -> tuple[LeftPack, ...]:
        """Return the packs that left the table, with one more."""
        others = (one for one in self.packs_left if one.shoe_id != pack.shoe_id)
        return (*others, pack)[-PACKS_KEPT:]

    def card_in(self, slot: str) -> Card | None:
        """Return the card in a slot, where it is face up."""
        return next((card for filled, card in self.order if filled == slot), None)

    def sealed_in(self, slot: str) -> SealedCard | None:
        """Return the card in a slot, where it is face down."""
        return next((sealed for sealed in self.sealed if sealed.slot == slot), None)

    @property
    def burns_due(self) -> int:
        """Return how many cards are due to be burned."""
        return sum(count for _, count in self.burns)

    @property
    def misdeal_burn_due(self) -> bool:
        """Return whether the next card is burned for a misdeal: the one burn that a round has."""
        return bool(self.burns) and self.burns[0][0] == "misdeal"

    def burn_is_due(self, *, in_round: bool) -> bool:
        """Return whether the next card is to be burned."""
        return self.misdeal_burn_due if in_round else self.burns_due > 0

    @property
    def counts_hidden(self) -> bool:
        """Return whether a card that passes the scanner may be hidden, or show by its lack what is.

        That is so while the shoe is counted and some of its cards have no name.
        """
        return self.check is not None and self.shoe is not None and self.shoe.unknown > 0

    @property
    def face_down(self) -> tuple[SealedCard, ...]:
        """Return the round's cards that are still to be turned."""
        return tuple(sealed for sealed in self.sealed if not is_burn_slot(sealed.slot))

    @property
    def turned(self) -> Dealt:
        """Return the round's cards that are face up, in deal order."""
        return tuple((slot, card) for slot, card in self.order if card is not None)


def is_burn_slot(slot: str) -> bool:
    """Return whether a slot is that of a burned card."""
    return slot.startswith("burn.")


def listed(dealt: Dealt) -> tuple[DealtCard, ...]:
    """Return cards as an outcome lists them."""
    return tuple(DealtCard(slot, card.rank, card.suit) for slot, card in dealt)
