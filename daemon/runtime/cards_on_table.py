"""The open round's cards by slot, as `table.status` tells them: from what was published alone."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from protocols.events import (
    CardDealt,
    CardPeeked,
    CardRevealed,
    CardSealed,
    Event,
    HandSplit,
    RoundOpened,
)


def fold(cards: dict[str, dict[str, Any]], event: Event, seq: int) -> None:
    """Update the cards on the table with an event.

    A face-up card in a slot is `rank` and `suit`; a face-down card is its `commitments`, and the
    answer to a peek. `seq` is that of the event that published it.
    """
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
