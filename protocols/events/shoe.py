"""What happens to the shoe and its cards."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from protocols.cards import Rank, Suit


@dataclass(frozen=True, slots=True)
class ShoeLoaded:
    """A shoe of `decks` decks is in play from now on; `by` says who told."""

    shoe_id: str
    decks: int
    by: Literal["command", "device"]
    kind: Literal["shoe.loaded"] = "shoe.loaded"


@dataclass(frozen=True, slots=True)
class ShoeCutCardSeen:
    """The cut card came out. `cards_left` is by count, from the decks loaded."""

    shoe_id: str
    cards_out: int
    cards_left: int
    kind: Literal["shoe.cut_card_seen"] = "shoe.cut_card_seen"


@dataclass(frozen=True, slots=True)
class ShoeClosed:
    """The shoe is out of play."""

    shoe_id: str
    cards_out: int
    kind: Literal["shoe.closed"] = "shoe.closed"


@dataclass(frozen=True, slots=True)
class CardDealt:
    """A card is in a slot. `shoe_position` counts cards out of this shoe, from 1."""

    round_id: str
    slot: str
    rank: Rank
    suit: Suit
    shoe_position: int
    kind: Literal["card.dealt"] = "card.dealt"


@dataclass(frozen=True, slots=True)
class CardBurned:
    """A card was burned; its face is published only where the house shows it."""

    slot: str
    rank: Rank | None
    suit: Suit | None
    reason: str
    shoe_position: int
    kind: Literal["card.burned"] = "card.burned"


@dataclass(frozen=True, slots=True)
class CardUnreadSeen:
    """A card passed the reader without being identified. `slot` is where it would have gone."""

    slot: str | None
    reason: str
    kind: Literal["card.unread"] = "card.unread"


@dataclass(frozen=True, slots=True)
class CardDuplicateSuppressed:
    """The same physical card was reported again by the device; it counts once."""

    rank: Rank
    suit: Suit
    reason: str
    kind: Literal["card.duplicate_suppressed"] = "card.duplicate_suppressed"
