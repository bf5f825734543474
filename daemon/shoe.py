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
    from_start   whether it was in our hands from its first card: only then do counts mean anything
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

    def impossible(self, card: Card) -> str | None:
        """Return why this card cannot come out of this shoe (rule G4), None if it can."""
        code = str(card)
        if self.copies.get(code, 0) >= self.decks:
            return (
                f"{code} has left this shoe {self.decks} times already: it holds {self.decks} decks"
            )
        if self.left <= 0:
            return f"{self.out} cards have left this shoe already: it holds no more"
        return None

    def take(self, card: Card) -> Shoe:
        """Return the shoe without this card."""
        code = str(card)
        return replace(
            self, out=self.out + 1, copies={**self.copies, code: self.copies.get(code, 0) + 1}
        )

    def take_unknown(self) -> Shoe:
        """Return the shoe without a card that nobody identified."""
        return replace(self, out=self.out + 1)
