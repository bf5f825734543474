"""The open round's cards by slot, as `table.status` tells them: from what was published alone."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Final, TypeAlias

from protocols.cards import Rank, Suit
from protocols.events import (
    CardDealt,
    CardPeeked,
    CardRevealed,
    CardSealed,
    Commitments,
    Event,
    HandSplit,
    PeekQuestion,
    RoundOpened,
)

CARD_EVENTS: Final = (CardDealt, CardSealed, CardPeeked, CardRevealed, HandSplit)
"""Events that change which cards lie where."""


@dataclass(frozen=True, slots=True)
class FaceUpCard:
    """A card that everybody sees.

    seq  number of the event that published it
    """

    rank: Rank
    suit: Suit
    seq: int


@dataclass(frozen=True, slots=True)
class FaceDownCard:
    """A card that lies face down.

    commitments  what its reveal has to open
    seq          number of the event that sealed it, or of the peek since
    peeked       what a peek has told: its question, and the answer; None: nobody has peeked
    """

    commitments: Commitments
    seq: int
    peeked: dict[PeekQuestion, bool] | None = None


CardOnTable: TypeAlias = FaceUpCard | FaceDownCard


def fold(events: Iterable[tuple[int, Event]]) -> dict[str, CardOnTable]:
    """Return the open round's cards by slot, from events and their seq."""
    cards: dict[str, CardOnTable] = {}
    for seq, event in events:
        match event:
            case RoundOpened():
                cards.clear()
            case CardDealt(slot=slot, rank=rank, suit=suit):
                cards[slot] = FaceUpCard(rank, suit, seq)
            case CardSealed(slot=slot, commitments=commitments):
                cards[slot] = FaceDownCard(commitments, seq)
            case CardPeeked(slot=slot, question=question, answer=answer):
                if isinstance(card := cards.get(slot), FaceDownCard):
                    cards[slot] = replace(card, peeked={question: answer}, seq=seq)
            case CardRevealed(slot=slot, rank=rank, suit=suit) if slot in cards:
                cards[slot] = FaceUpCard(rank, suit, seq)
            case HandSplit(moved_from=moved_from, moved_to=moved_to) if moved_from in cards:
                cards[moved_to] = cards.pop(moved_from)
            case _:
                pass
    return cards
