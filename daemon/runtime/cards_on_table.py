"""The open round's cards by slot, as `table.status` tells them: from what was published alone."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict
from typing import Any, Final

from protocols.events import (
    CardDealt,
    CardPeeked,
    CardRevealed,
    CardSealed,
    Event,
    HandSplit,
    RoundOpened,
)

CARD_EVENTS: Final = (CardDealt, CardSealed, CardPeeked, CardRevealed, HandSplit)
"""Events that change which cards lie where."""


def fold(events: Iterable[tuple[int, Event]]) -> dict[str, dict[str, Any]]:
    """Return the open round's cards by slot, from events and their seq.

    A face-up card in a slot is `rank` and `suit`; a face-down card is its `commitments`, and the
    answer to a peek. `seq` is that of the event that published it.
    """
    cards: dict[str, dict[str, Any]] = {}
    for seq, event in events:
        match event:
            case RoundOpened():
                cards.clear()
            case CardDealt(slot=slot, rank=rank, suit=suit):
                cards[slot] = {"rank": rank, "suit": suit, "seq": seq}
            case CardSealed(slot=slot, commitments=commitments):
                cards[slot] = {"commitments": asdict(commitments), "seq": seq}
            case CardPeeked(slot=slot, question=question, answer=answer) if slot in cards:
                cards[slot] = {**cards[slot], "peeked": {question: answer}, "seq": seq}
            case CardRevealed(slot=slot, rank=rank, suit=suit) if slot in cards:
                cards[slot] = {"rank": rank, "suit": suit, "seq": seq}
            case HandSplit(moved_from=moved_from, moved_to=moved_to) if moved_from in cards:
                cards[moved_to] = cards.pop(moved_from)
            case _:
                pass
    return cards
