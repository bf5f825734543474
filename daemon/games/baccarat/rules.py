"""Punto banco: what is due next and who won (docs/rules/baccarat.md); nothing else."""

from __future__ import annotations

from typing import Final, Literal

from protocols.cards import Card, Rank

VALUE: Final[dict[Rank, int]] = {
    "A": 1, "2": 2, "3": 3, "4": 4, "5": 5, "6": 6, "7": 7, "8": 8, "9": 9,
    "T": 0, "J": 0, "Q": 0, "K": 0,
}  # fmt: skip

BANKER_DRAWS: Final[dict[int, frozenset[int]]] = {
    0: frozenset(range(10)),
    1: frozenset(range(10)),
    2: frozenset(range(10)),
    3: frozenset({0, 1, 2, 3, 4, 5, 6, 7, 9}),
    4: frozenset({2, 3, 4, 5, 6, 7}),
    5: frozenset({4, 5, 6, 7}),
    6: frozenset({6, 7}),
    7: frozenset(),
}
"""The banker's two-card total -> values of the player's third card on which the banker draws."""

Slot = Literal["player.1", "player.2", "player.3", "banker.1", "banker.2", "banker.3"]
FIRST_FOUR: Final[tuple[Slot, ...]] = ("player.1", "banker.1", "player.2", "banker.2")
Hand = tuple[Card, ...]


def total(hand: Hand) -> int:
    """Return a hand's total: the sum of its values modulo ten."""
    return sum(VALUE[card.rank] for card in hand) % 10


def due_slot(player: Hand, banker: Hand) -> Slot | None:
    """Return where the next card goes, None when the hands are complete."""
    match len(player), len(banker):
        case 0, _:
            return "player.1"
        case 1, 0:
            return "banker.1"
        case 1, _:
            return "player.2"
        case 2, 1:
            return "banker.2"
        case 2, 2:
            return _fifth(total(player), total(banker))
        case 3, 2:
            drawn = VALUE[player[2].rank]
            return "banker.3" if drawn in BANKER_DRAWS[total(banker)] else None
        case _:
            return None


def _fifth(player: int, banker: int) -> Slot | None:
    """Return where a fifth card goes: naturals stand both, 0-5 draws, 6-7 stands."""
    if player >= 8 or banker >= 8:
        return None
    if player <= 5:
        return "player.3"
    return "banker.3" if banker <= 5 else None


def is_natural(player: Hand, banker: Hand) -> bool:
    """Return whether an eight or nine in two cards ended the round."""
    return total(player[:2]) >= 8 or total(banker[:2]) >= 8


def is_pair(hand: Hand) -> bool:
    """Return whether the first two cards have the same rank."""
    return hand[0].rank == hand[1].rank


def winner(player: Hand, banker: Hand) -> Literal["player", "banker", "tie"]:
    """Return who won: the higher total."""
    ours, theirs = total(player), total(banker)
    if ours == theirs:
        return "tie"
    return "player" if ours > theirs else "banker"
