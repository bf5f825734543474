"""Plays the players for demo and simulation: what a table server says between the cards.

It chooses among what the game asks for (`GameSpec.asks`), much as the books advise, with a liking
for splits. It looks at no card that lies face down.
"""

from __future__ import annotations

from collections.abc import Container, Sequence
from random import Random
from typing import Final

from daemon.games.blackjack.rules import total
from daemon.games.blackjack.state import BlackjackState, Hand
from protocols.cards import Card
from protocols.commands import (
    CloseInsurance,
    Command,
    Decide,
    PeekHoleCard,
    PlayerAction,
    RevealCard,
)

BOXES: Final = range(1, 8)
_SPLITS: Final = 0.75
_INSURES: Final = 0.2
_STANDS_FROM: Final = 17
_DOUBLES: Final = frozenset({9, 10, 11})


def boxes(lot: Random, *, full: bool) -> tuple[int, ...]:
    """Return the boxes that have a bet in the next round."""
    if full:
        return tuple(BOXES)
    return tuple(sorted(lot.sample(BOXES, lot.randint(3, 6))))


def show_everything(shoe: list[Card], first: int) -> None:
    """Put cards of a shoe in other places, so that a full table's next round shows everything.

    Box 2 has a pair, the dealer an ace up and no blackjack: insurance, a peek, a split, a reveal.

    first  cards that are burned before
    """
    wanted = ((1, "8"), (1 + 8, "8"), (7, "A"), (15, "9"))  # places in the deal, from 0
    for place, rank in wanted:
        at = len(shoe) - 1 - first - place
        found = next(spot for spot, card in enumerate(shoe) if card.rank == rank)
        shoe[at], shoe[found] = shoe[found], shoe[at]


def choose(asked: Sequence[Command], state: BlackjackState, lot: Random) -> Command | None:
    """Return what the server says now, None when it waits for a card."""
    decisions = [one for one in asked if isinstance(one, Decide)]
    if (closing := _first(asked, CloseInsurance)) is not None:
        offers = [one for one in decisions if one.action == "insurance"]
        return lot.choice(offers) if offers and lot.random() < _INSURES else closing
    if (peek := _first(asked, PeekHoleCard)) is not None:
        return peek
    hand = state.playing
    if hand is not None:
        own = {
            one.action: one
            for one in decisions
            if (one.box, one.hand, one.dark) == (hand.box, hand.number, False)
        }
        return own.get(_action(hand, own, lot)) if own else None
    return _first(asked, RevealCard)


def _action(hand: Hand, own: Container[str], lot: Random) -> PlayerAction:
    points, soft = total(hand.open_cards)
    if "split" in own and lot.random() < _SPLITS:
        return "split"
    if "double" in own and points in _DOUBLES and not soft:
        return "double"
    return "stand" if points >= _STANDS_FROM and not (soft and points == _STANDS_FROM) else "hit"


def _first(asked: Sequence[Command], kind: type[Command]) -> Command | None:
    return next((one for one in asked if isinstance(one, kind)), None)
