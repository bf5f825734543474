"""Cards that lie together, and how a hand ended: the values of the oracle."""

from dataclasses import dataclass, field
from typing import Final, Literal

from oracle.blackjack_house import Verdict

from protocols.cards import RANKS, Card

VALUE: Final = {rank: min(number, 10) for number, rank in enumerate(RANKS, 1)}


@dataclass(slots=True, eq=False)
class Pile:
    """Cards of one hand, counted as they come. The dealer's are a plain pile."""

    cards: list[Card] = field(default_factory=list)
    low: int = 0  # every ace as one
    ace: bool = False

    def take(self, card: Card) -> None:
        self.cards.append(card)
        self.low += VALUE[card.rank]
        self.ace = self.ace or card.rank == "A"

    @property
    def soft(self) -> bool:
        return self.ace and self.low <= 11

    @property
    def total(self) -> int:
        return self.low + 10 if self.soft else self.low

    @property
    def blackjack(self) -> bool:
        return len(self.cards) == 2 and self.total == 21

    def next_slot(self) -> str:
        return f"dealer.{len(self.cards) + 1}"


@dataclass(slots=True, eq=False)
class Hand(Pile):
    """A player's hand and everything that was decided on it."""

    box: int = 0
    number: int = 1
    split: bool = False  # it came out of a split, or was split itself
    asked: bool = False  # hit or doubled, and the card has not come yet
    stood: bool = False
    doubled: bool = False
    dark: bool = False  # the doubled card lies face down, or will
    gone: Literal["", "surrender", "even_money", "blackjack"] = ""  # settled and off the table

    @property
    def blackjack(self) -> bool:
        return not self.split and len(self.cards) == 2 and self.total == 21

    @property
    def live(self) -> bool:
        return not self.gone and self.low <= 21

    @property
    def undecided(self) -> bool:
        return self.live and not self.blackjack

    def next_slot(self) -> str:
        return f"box{self.box}.hand{self.number}.card{len(self.cards) + 1}"


@dataclass(frozen=True, slots=True)
class HandResult:
    """How one hand ended; a doubled card that lay in the dark is counted, it is turned by then."""

    box: int
    hand: int
    cards: tuple[Card, ...]
    total: int
    soft: bool
    doubled: bool
    result: Verdict


@dataclass(frozen=True, slots=True)
class Result:
    """How a round ended: hands in table order. Without a hole card one dealer card may be all."""

    dealer: tuple[Card, ...]
    total: int
    blackjack: bool
    hands: tuple[HandResult, ...]


def dealer_must_draw(dealer: Pile, soft_17: Literal["stand", "draw"]) -> bool:
    """Draws to 16, stands on hard 17 and more; soft 17 by field."""
    return dealer.total < 17 or (dealer.total == 17 and dealer.soft and soft_17 == "draw")


def verdict(hand: Hand, dealer: Pile) -> Verdict:
    """Hold a finished hand against the dealer's finished cards."""
    if hand.gone:
        return hand.gone
    if hand.total > 21:
        return "lose"
    if hand.blackjack:
        return "push" if dealer.blackjack else "blackjack"
    if dealer.blackjack:
        return "lose"
    if dealer.total > 21 or hand.total > dealer.total:
        return "win"
    return "push" if hand.total == dealer.total else "lose"
