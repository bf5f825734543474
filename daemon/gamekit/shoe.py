"""A shoe: which cards have left it, how many are left, whether they come as from a new deck. Pure.

Cards that come out as they lie in a new deck were not shuffled: eight such decks dealt 41 hands
before anyone noticed (docs/field-reports.md#incidents-at-tables). Six successors in a row, of one
suit and in one direction, come from shuffled cards once in 17 thousand million cards (6 decks and 8
alike): once in 50 years on 100 tables that deal 9 600 cards a day.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from protocols.cards import DECK, RANKS, Card
from protocols.commands import ShoePart
from protocols.events import EndCheck, ShoeMoment
from protocols.replace import replace

CARDS_PER_DECK: Final = len(DECK)
CODES: Final = {card: str(card) for card in DECK}
"""A card's two letters: the counts of a shoe are by them."""
ALARMS_AT: Final = 6
"""Successors in a row."""


@dataclass(frozen=True, slots=True)
class Composition:
    """Cards held against whole decks: 52 counts, by a card's two letters.

    expected   cards in the decks
    accounted  cards that there are, with a name or without
    missing    how many of each are missing; empty where a card is without a name, because what is
               missing would then name it
    surplus    how many of each are too many
    """

    expected: int
    accounted: int
    missing: dict[str, int]
    surplus: dict[str, int]

    @property
    def whole(self) -> bool:
        """Return whether no card is missing and none is too many, as far as they have names."""
        return self.accounted == self.expected and not self.surplus

    @property
    def difference(self) -> str:
        """Return in words what is missing and what is too many."""
        said = [f"{self.accounted} of {self.expected} cards are there"]
        for what, cards in (("missing", self.missing), ("too many", self.surplus)):
            if cards:
                named = (
                    code if times == 1 else f"{times} x {code}" for code, times in cards.items()
                )
                said.append(f"{what}: {', '.join(named)}")
        return "; ".join(said)


def compose(decks: int, copies: Mapping[str, int], unknown: int = 0) -> Composition:
    """Hold these cards, and so many without a name, against whole decks."""
    differ = {code: copies.get(code, 0) - decks for code in CODES.values()}
    missing = {code: -more for code, more in differ.items() if more < 0}
    return Composition(
        expected=decks * CARDS_PER_DECK,
        accounted=sum(copies.values()) + unknown,
        missing={} if unknown else missing,
        surplus={code: more for code, more in differ.items() if more > 0},
    )


class LeftPack(NamedTuple):
    """A pack of cards that left the table, and how the count ended that was made of it then."""

    shoe_id: str
    end_check: EndCheck
    counted: ShoePart | None


PACKS_KEPT: Final = 128
"""How many of the packs that left a table it remembers: those of some days of play."""


@dataclass(frozen=True)  # no slots: protocols/replace.py
class Shoe:
    """One shoe in play.

    out          cards that have left it, known or not
    copies       how many of each card (by its two letters) have left it
    from_start   whether every card since its first was seen: only then is `left` exact, and not
                 merely the most that can be left
    cut_card_at  `out` when the cut card came, None before
    finished     whether its last round was played
    unverified   whether it is dealt from only when every card of it has passed the scanner
    verified     when its cards were found to be whole decks
    returned     where its pack left this table before: how its end check ended then
    closing      it leaves play when its end check is over
    end_check    how the count ended that was made when play was over, and what it counted
    """

    shoe_id: str
    decks: int
    from_start: bool
    out: int = 0
    copies: dict[str, int] = field(default_factory=dict)
    cut_card_at: int | None = None
    finished: bool = False
    unverified: bool = False
    verified: tuple[ShoeMoment, ...] = ()
    returned: EndCheck | None = None
    closing: bool = False
    end_check: EndCheck = "not_made"
    end_counted: ShoePart | None = None

    @property
    def left(self) -> int:
        """Return how many cards are left, by count."""
        return self.decks * CARDS_PER_DECK - self.out

    @property
    def unknown(self) -> int:
        """Return how many of the cards that are out have no name."""
        return self.out - sum(self.copies.values())

    def surplus(self, card: Card) -> str | None:
        """Return why this card, counted out already, cannot be of this shoe (rule G4)."""
        code = CODES[card]
        if (times := self.copies.get(code, 0)) > self.decks:
            return f"{code} has left this shoe {times} times: it holds {self.decks} decks"
        if self.left < 0:
            cards = self.decks * CARDS_PER_DECK
            return f"{self.out} cards have left this shoe: it holds {cards}"
        return None

    def take(self, card: Card) -> Shoe:
        """Return the shoe without this card."""
        shoe = self if self.end_check == "not_made" else self.without_end_check()
        return replace(shoe, out=self.out + 1, copies=with_card(self.copies, card))

    def take_unknown(self) -> Shoe:
        """Return the shoe without a card that was not identified."""
        return replace(self.without_end_check(), out=self.out + 1)

    def without_end_check(self) -> Shoe:
        """Return the shoe without its end check: it is made anew, or a card left the shoe since."""
        verified = tuple(when for when in self.verified if when != "end")
        return replace(self, verified=verified, end_check="not_made", end_counted=None)

    def identify(self, card: Card, taken_for: Card | None = None) -> Shoe:
        """Return the shoe with the name of a card that left it unread, or `taken_for` another."""
        copies = self.copies if taken_for is None else with_card(self.copies, taken_for, -1)
        return replace(self, copies=with_card(copies, card))


def with_card(copies: dict[str, int], card: Card, more: int = 1) -> dict[str, int]:
    """Return the copies with so many more of a card, or fewer."""
    code = CODES[card]
    return {**copies, code: max(0, copies.get(code, 0) + more)}


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
        """Return the run when this card follows, None where it is face down or unread."""
        step = 0 if card is None or self.last is None else _step(self.last, card)
        if step == 0:
            return FactoryOrderRun(card)
        return FactoryOrderRun(card, step, self.successors + 1 if step == self.step else 1)


def _step(first: Card, second: Card) -> int:
    apart = RANKS.index(second.rank) - RANKS.index(first.rank)
    return apart if first.suit == second.suit and apart in (1, -1) else 0
