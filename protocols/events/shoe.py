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
class Commitments:
    """What is known of a face-down card: it can be no other card later, and tells nothing now.

    Hex of BLAKE2b-256; how they are made and checked is in docs/hidden-cards.md.

    locked  the card itself, encrypted to the table server's key, where the table has one
    """

    card: str
    ten: str
    ace: str
    locked: str | None = None


@dataclass(frozen=True, slots=True)
class CardSealed:
    """A card lies face down in a slot; it is known to the vault alone."""

    round_id: str
    slot: str
    shoe_id: str
    commitments: Commitments
    shoe_position: int
    kind: Literal["card.sealed"] = "card.sealed"


@dataclass(frozen=True, slots=True)
class CardPeeked:
    """The one answer to a peek: whether the face-down card makes a blackjack. `nonce` opens it.

    question  is_ten under an ace, is_ace under a ten
    """

    round_id: str
    slot: str
    question: Literal["is_ten", "is_ace"]
    answer: bool
    nonce: str
    kind: Literal["card.peeked"] = "card.peeked"


@dataclass(frozen=True, slots=True)
class CardRevealed:
    """A face-down card was turned; the nonces open its commitments.

    voided  its round is void: the card counts for nothing
    """

    round_id: str | None
    slot: str
    rank: Rank
    suit: Suit
    card_nonce: str
    ten_nonce: str
    ace_nonce: str
    voided: bool = False
    kind: Literal["card.revealed"] = "card.revealed"


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
    """A card was burned; its face is published only where the house shows it.

    commitments  where the house does not: what a later reveal has to open
    """

    slot: str
    rank: Rank | None
    suit: Suit | None
    reason: str
    shoe_position: int
    shoe_id: str | None = None
    commitments: Commitments | None = None
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
