"""Cards, written one way in every test.

KS             a card: rank `A23456789TJQK`, suit `SHDC`
KS>player.1    a card, and the place that its reader states: a hand, and the place in it
KS>burn        a place without a number, where the reader states none: `burn`, `dealer`, `box2`
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, get_args

from protocols.cards import Card, find_card
from protocols.events import CardBurned, CardDealt, Event
from protocols.readings import CardDrawn, CardTarget
from protocols.simulator import DrawCard


def card(code: str) -> Card:
    """Return the card that `KS` names."""
    named = find_card(code)
    assert named is not None, f"{code!r} is no card"
    return named


def place(text: str) -> tuple[CardTarget, int | None]:
    """Return the hand and the number that `player.1` or `burn` names."""
    hand, _, number = text.partition(".")
    target: CardTarget | None = next((one for one in get_args(CardTarget) if one == hand), None)
    assert target is not None, f"{text!r} is no place"
    return target, int(number) if number else None


def drawn(text: str) -> CardDrawn:
    """Return the reading of a card: `KS` from a reader that states no place, or `KS>player.1`."""
    code, _, stated = text.partition(">")
    return CardDrawn(card(code), *place(stated)) if stated else CardDrawn(card(code))


def draw_cue(text: str) -> DrawCard:
    """Return the cue that makes a simulated shoe deal a card: `KS`, or `KS>player.1`."""
    reading = drawn(text)
    return DrawCard(reading.card, reading.target, reading.index)


def dealt(events: Iterable[Event]) -> list[tuple[str, str, int]]:
    """Return (slot, card, place in the shoe) of every card that was dealt."""
    return [
        (event.slot, event.rank + event.suit, event.shoe_position)
        for event in events
        if isinstance(event, CardDealt)
    ]


def burned(events: Iterable[Event]) -> list[tuple[str, str | None, str, int]]:
    """Return (slot, card or None, reason, place in the shoe) of every card that was burned."""
    return [
        (
            event.slot,
            event.rank + event.suit if event.rank and event.suit else None,
            event.reason,
            event.shoe_position,
        )
        for event in events
        if isinstance(event, CardBurned)
    ]


def written(data: Mapping[str, Any]) -> str:
    """Return the card of a published event, and its slot: `KS>player.1`."""
    return f"{data['rank']}{data['suit']}>{data['slot']}"
