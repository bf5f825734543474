"""What a blackjack table remembers."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Literal

from daemon.gamekit.shoegame import ShoeState
from daemon.games.blackjack.rules import BEST, total
from protocols.cards import Card
from protocols.events import HandEnd


@dataclass(frozen=True, slots=True)
class Hand:
    """A player's hand. Its number counts the hands of its box in the order of their making.

    cards    None: dealt in the dark
    asked    a card is due to it, by a decision
    dark     that card is dealt face down
    split    a split made it: 21 in two cards is no blackjack here
    end      why nothing more is decided for it
    """

    box: int
    number: int = 1
    cards: tuple[Card | None, ...] = ()
    asked: bool = False
    dark: bool = False
    doubled: bool = False
    split: bool = False
    end: HandEnd | None = None

    @property
    def open_cards(self) -> tuple[Card, ...]:
        """Return the cards that are face up."""
        return tuple(card for card in self.cards if card is not None)

    @property
    def points(self) -> int:
        """Return the total of the cards that are face up."""
        return total(self.open_cards)[0]

    @property
    def next_slot(self) -> str:
        """Return the slot of its next card."""
        return self.slot(len(self.cards) + 1)

    def slot(self, number: int) -> str:
        """Return the slot of one of its cards."""
        return f"box{self.box}.hand{self.number}.card{number}"

    @property
    def slots(self) -> tuple[str, ...]:
        """Return the slots of its cards."""
        return tuple(self.slot(number) for number in range(1, len(self.cards) + 1))

    @property
    def waits_for_card(self) -> bool:
        """Return whether a card is due to it: its second, or one that was decided."""
        return self.asked or len(self.cards) == 1

    @property
    def of_split_aces(self) -> bool:
        """Return whether it is one of two hands that a pair of aces made."""
        return self.split and self.cards[0] is not None and self.cards[0].rank == "A"

    @property
    def played(self) -> bool:
        """Return whether a decision has played it; a blackjack, a surrender has not."""
        return self.asked or self.split or len(self.cards) > 2 or self.end == "stood"

    @property
    def undecided(self) -> bool:
        """Return whether the dealer's third card can still change what becomes of it."""
        return self.end in (None, "stood", "doubled") and self.points <= BEST


@dataclass(frozen=True)  # no slots: protocols/replace.py
class BlackjackState(ShoeState):
    """The hands in the order of play, the dealer's cards, and what was asked of the boxes.

    begun      every box has two cards and the dealer's first is face up
    third      a third card was dealt at the table
    insured    the boxes that took insurance
    peeked     what the hole card answered, None while it was not asked
    looked     the dealer has looked at it on its reader
    gone       slots of the hands that left the table during the round, as they left
    """

    hands: tuple[Hand, ...] = ()
    dealer: tuple[Card | None, ...] = ()
    begun: bool = False
    third: bool = False
    insurance: Literal["none", "open", "closed"] = "none"
    insured: tuple[int, ...] = ()
    peeked: bool | None = None
    looked: bool = False
    gone: tuple[str, ...] = field(default=())

    @property
    def up_card(self) -> Card | None:
        """Return the dealer's first card, where it is face up."""
        return self.dealer[0] if self.dealer else None

    def hand(self, box: int, number: int) -> Hand | None:
        """Return a hand."""
        place = (box, number)
        return next((hand for hand in self.hands if (hand.box, hand.number) == place), None)

    def of_box(self, box: int) -> tuple[Hand, ...]:
        """Return a box's hands, in the order of play."""
        return tuple(hand for hand in self.hands if hand.box == box)

    @property
    def playing(self) -> Hand | None:
        """Return the hand that plays now."""
        return next((hand for hand in self.hands if hand.end is None), None)


def with_hand(hands: Iterable[Hand], changed: Hand) -> tuple[Hand, ...]:
    """Return the hands with one of them changed."""
    place = (changed.box, changed.number)
    return tuple(changed if (hand.box, hand.number) == place else hand for hand in hands)
