"""The composition of a shoe: which cards have left it, how many are left. Pure."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from protocols.cards import Card

CARDS_PER_DECK = 52


@dataclass(frozen=True, slots=True)
class Shoe:
    """One shoe in play.

    out          cards that have left it, known or not
    copies       how many of each card (by its two letters) have left it
    from_start   whether every card since its first was seen: only then is `left` exact, and not
                 merely the most that can be left
    cut_card_at  `out` when the cut card came, None before
    finished     whether its last round was played
    """

    shoe_id: str
    decks: int
    from_start: bool
    out: int = 0
    copies: dict[str, int] = field(default_factory=dict)
    cut_card_at: int | None = None
    finished: bool = False

    @property
    def left(self) -> int:
        """Return how many cards are left, by count."""
        return self.decks * CARDS_PER_DECK - self.out

    def surplus(self, card: Card) -> str | None:
        """Return why this card, counted out already, cannot be of this shoe (rule G4)."""
        code = str(card)
        if (times := self.copies.get(code, 0)) > self.decks:
            return f"{code} has left this shoe {times} times: it holds {self.decks} decks"
        if self.left < 0:
            cards = self.decks * CARDS_PER_DECK
            return f"{self.out} cards have left this shoe: it holds {cards}"
        return None

    def take(self, card: Card) -> Shoe:
        """Return the shoe without this card."""
        return replace(self, out=self.out + 1, copies=_with(self.copies, card, 1))

    def take_unknown(self) -> Shoe:
        """Return the shoe without a card that nobody identified."""
        return replace(self, out=self.out + 1)

    def identify(self, card: Card, taken_for: Card | None = None) -> Shoe:
        """Return the shoe when a card that left it, unread or `taken_for` another, is this one."""
        copies = self.copies if taken_for is None else _with(self.copies, taken_for, -1)
        return replace(self, copies=_with(copies, card, 1))


def _with(copies: dict[str, int], card: Card, more: int) -> dict[str, int]:
    code = str(card)
    return {**copies, code: max(0, copies.get(code, 0) + more)}
