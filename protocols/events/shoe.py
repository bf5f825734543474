"""What happens to the shoe and its cards."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from protocols.cards import Rank, Suit
from protocols.commands import ShoePart

ShoeMoment = Literal["start", "end"]
"""Before the first card of a shoe left it, or after."""
PeekQuestion = Literal["is_ten", "is_ace"]
"""What a peek asks of a face-down card: what would make a blackjack of it."""
BurnedFor = Literal["shuffle", "misdeal", "dealer_change", "discretion", "indicator", "violation"]
"""What a card was burned for: a reason of `burn`, or one that the table has by itself."""

EndCheck = Literal["whole", "failed", "not_made"]
"""How the count ended that is made when play is over. `failed`: cards were missing or too many, and
a person let the shoe go as it was."""


@dataclass(frozen=True, slots=True)
class ShoeLoaded:
    """A shoe is in play from now on.

    by  who told: `shoe.load`, or the shoe itself
    """

    shoe_id: str
    decks: int
    by: Literal["command", "device"]
    kind: Literal["shoe.loaded"] = "shoe.loaded"


@dataclass(frozen=True, slots=True)
class ShoeReturned:
    """The shoe that was loaded left this table before: no card is dealt before it is verified.

    end_check  how the count ended that was made of it then
    """

    shoe_id: str
    end_check: EndCheck
    kind: Literal["shoe.returned"] = "shoe.returned"


@dataclass(frozen=True, slots=True)
class ShoeCutCardSeen:
    """The cut card came out.

    cards_out   cards that have left this shoe
    cards_left  cards left in it by count, from the decks loaded
    """

    shoe_id: str
    cards_out: int
    cards_left: int
    kind: Literal["shoe.cut_card_seen"] = "shoe.cut_card_seen"


@dataclass(frozen=True, slots=True)
class ShoeVerifyStarted:
    """Cards pass the scanner to be counted, until `shoe.verified`; no round opens meanwhile.

    A failed count goes on: `shoe.composition_failed`, then what was missing, then another verdict.

    counted  all: each card of the shoe passes; rest: those that were not dealt
    """

    shoe_id: str
    decks: int
    when: ShoeMoment
    counted: ShoePart
    kind: Literal["shoe.verify_started"] = "shoe.verify_started"


@dataclass(frozen=True, slots=True)
class ShoeCardReplaced:
    """The pit boss took a card out of the shoe or put one in while it was verified.

    removed  the card that was taken out, by its two letters; None where none was
    added    the card that was put in, by its two letters; None where none was
    """

    shoe_id: str
    removed: str | None
    added: str | None
    who: str
    why: str
    kind: Literal["shoe.card_replaced"] = "shoe.card_replaced"


@dataclass(frozen=True, slots=True)
class ShoeCount:
    """How the cards of a shoe were counted (rule G3).

    counted   all: each passed the scanner; rest: the undealt did, after those that were dealt
    cards     that passed the scanner and were identified
    unknown   that left the shoe face down or unread and were not told since; to the rest they are
              counted without a name
    unread    passes on which the scanner identified nothing
    replaced  times that the pit boss replaced a card
    names     dealer and pit boss
    took_s    seconds from `shoe.verify_started` on; None over a restart of the machine
    """

    shoe_id: str
    decks: int
    when: ShoeMoment
    counted: ShoePart
    cards: int
    unknown: int
    unread: int
    replaced: int
    names: tuple[str, str]
    took_s: float | None


@dataclass(frozen=True, slots=True)
class ShoeVerified(ShoeCount):
    """The cards of the shoe are whole decks: none is missing and none too many."""

    kind: Literal["shoe.verified"] = "shoe.verified"


@dataclass(frozen=True, slots=True)
class ShoeCompositionFailed(ShoeCount):
    """The cards of the shoe are not whole decks: it is not released.

    expected   cards in its decks
    accounted  cards that there are, by name or without one
    missing    how many of each card, by its two letters, are missing. Named only where no card is
               unknown: else what is missing would tell what lies face down
    surplus    how many of each card are too many
    """

    expected: int
    accounted: int
    missing: dict[str, int]
    surplus: dict[str, int]
    kind: Literal["shoe.composition_failed"] = "shoe.composition_failed"


@dataclass(frozen=True, slots=True)
class ShoeClosed:
    """The shoe is out of play, and whatever verified it is void.

    cards_out  cards that have left it
    known      how many of each card, by its two letters, left it
    unknown    cards that left it face down or unread and were not told since
    surplus    how many of each card are too many for its decks; no card is proven to be missing
    verified   when its cards were verified to be whole decks
    end_check  how the count ended that was made of them after play
    counted    what of them was counted then: all, or the rest that was not dealt; None: nothing
    """

    shoe_id: str
    cards_out: int
    known: dict[str, int]
    unknown: int
    surplus: dict[str, int]
    verified: tuple[ShoeMoment, ...]
    end_check: EndCheck = "not_made"
    counted: ShoePart | None = None
    kind: Literal["shoe.closed"] = "shoe.closed"


@dataclass(frozen=True, slots=True)
class Commitments:
    """What is known of a face-down card: it can be no other card later, and tells nothing now.

    Hex of BLAKE2b-256; how they are made and checked is in docs/hidden-cards.md.

    locked  the card itself, encrypted to the table server's key; None where the table has no such
            key
    """

    card: str
    ten: str
    ace: str
    locked: str | None = None


@dataclass(frozen=True, slots=True)
class CardSealed:
    """A card lies face down in a slot, and only the table itself knows it.

    commitments  what its reveal has to open
    """

    round_id: str
    slot: str
    shoe_id: str
    commitments: Commitments
    shoe_position: int
    kind: Literal["card.sealed"] = "card.sealed"


@dataclass(frozen=True, slots=True)
class CardPeeked:
    """The one answer to a peek: whether the face-down card makes a blackjack.

    The server asked (`hole_card.peek`), or the dealer looked at the card on its reader.

    question  is_ten under an ace, is_ace under a ten
    answer    whether it does
    nonce     opens the commitment of that question, as 64 hex digits
    """

    round_id: str
    slot: str
    question: PeekQuestion
    answer: bool
    nonce: str
    kind: Literal["card.peeked"] = "card.peeked"


@dataclass(frozen=True, slots=True)
class CardRevealed:
    """A face-down card was turned; the nonces open its commitments.

    round_id    the round it lay in; None for a burned card
    card_nonce  opens `commitments.card`, as 64 hex digits
    ten_nonce   opens `commitments.ten`, likewise
    ace_nonce   opens `commitments.ace`, likewise
    voided      its round is void: the card counts for nothing
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
    """A card lies face up in a slot."""

    round_id: str
    slot: str
    rank: Rank
    suit: Suit
    shoe_position: int
    kind: Literal["card.dealt"] = "card.dealt"


@dataclass(frozen=True, slots=True)
class CardBurned:
    """A card was burned; its face is published only where the house shows it.

    rank suit    the card's face; None where the house does not show it, or it was not read
    reason       what it was due for; indicator: the first card, shown, says how many follow it;
                 violation: a supervisor burned it
    shoe_id      the shoe it left, where `commitments` are given; else None
    commitments  where its face is not shown: what a later reveal has to open
    """

    slot: str
    rank: Rank | None
    suit: Suit | None
    reason: BurnedFor
    shoe_position: int
    shoe_id: str | None = None
    commitments: Commitments | None = None
    kind: Literal["card.burned"] = "card.burned"


@dataclass(frozen=True, slots=True)
class CardUnreadSeen:
    """A card passed the reader without being identified.

    slot  where it would have gone; None where no card was due
    """

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
