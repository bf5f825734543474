"""Hidden cards: what is published of them face down, and how a reveal is proven. Pure.

Three commitments stand for a face-down card: the card, whether it counts ten, whether it is an ace
(docs/hidden-cards.md#the-rules). With H = BLAKE2b-256 and every part preceded by its length in four
bytes, big endian::

    context  table, epoch, shoe, round, slot, profile digest
    card     H("card",   context…, card,      n0)
    ten      H("is_ten", context…, "1" | "0", n1)
    ace      H("is_ace", context…, "1" | "0", n2)
    n_i      BLAKE2b-256, keyed: ("n", i, context…, number of the input's record)

52 values fall to 52 tries, so each is salted with a nonce that cannot be guessed without the
table's key. The nonces are derived, not random: a restart and an audit make the same bytes again.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, Generic, NoReturn, TypeVar

from protocols.cards import Card
from protocols.events import Commitments

T = TypeVar("T")
_TENS: Final = frozenset("TJQK")


@dataclass(frozen=True, slots=True, repr=False, eq=False)
class Concealed(Generic[T]):
    """A value that no text shows: not repr, not str, not a comparison, not a pickle."""

    value: T

    def __repr__(self) -> str:
        """Say that something is hidden, and nothing else."""
        return "<concealed>"

    def __reduce__(self) -> NoReturn:
        """Refuse to be copied out of the process."""
        raise TypeError("a concealed value is not pickled")


@dataclass(frozen=True, slots=True)
class Place:
    """What a commitment is bound to: it opens no other slot, round, shoe, table or rule book."""

    table: str
    epoch: str
    shoe: str
    round_id: str
    slot: str
    profile: str

    def parts(self) -> tuple[bytes, ...]:
        """Return the context's parts, in their order."""
        parts = (self.table, self.epoch, self.shoe, self.round_id, self.slot, self.profile)
        return tuple(part.encode() for part in parts)


@dataclass(frozen=True, slots=True)
class Nonces:
    """What opens each commitment, in hex."""

    card: str
    ten: str
    ace: str


@dataclass(frozen=True, slots=True)
class SealedCard:
    """A face-down card: what is known to all, and what only the vault knows.

    position  cards out of the shoe with it, from 1
    """

    slot: str
    commitments: Commitments
    position: int
    card: Concealed[Card]
    nonces: Concealed[Nonces]


Lock = Callable[[Card, Place, int], str]
"""Encrypts a card to the table server's own key, where the table wants that: base64.

Takes the card, its place and the number of the input's record.
"""


@dataclass(frozen=True, slots=True, repr=False, eq=False)
class Vault:
    """Seals the cards of one input.

    key     the table's sealing key
    record  the number that the input has in the journal
    lock    None unless the table has a `sealed_to` key
    """

    key: bytes
    table: str
    epoch: str
    record: int
    lock: Lock | None = None

    def place(self, shoe: str, round_id: str, slot: str, profile: str) -> Place:
        """Return the place of a card that is sealed now."""
        return Place(self.table, self.epoch, shoe, round_id, slot, profile)

    def seal(self, card: Card, place: Place, position: int) -> SealedCard:
        """Return the card as it is kept while it is face down."""
        nonces = Nonces(*(self._nonce(number, place) for number in range(3)))
        locked = self.lock(card, place, self.record) if self.lock is not None else None
        commitments = commit(card, place, nonces, locked)
        return SealedCard(place.slot, commitments, position, Concealed(card), Concealed(nonces))

    def _nonce(self, number: int, place: Place) -> str:
        parts = (b"n", b"%d" % number, *place.parts(), b"%d" % self.record)
        return hashlib.blake2b(framed(*parts), key=self.key[:64], digest_size=32).hexdigest()


BENCH_VAULT: Final = Vault(b"", "", "", 0)
"""The vault of a game on a bench, without a table."""


def commit(card: Card, place: Place, nonces: Nonces, locked: str | None = None) -> Commitments:
    """Return the commitments of a card in a place."""
    return Commitments(
        card=_commitment("card", place, str(card), nonces.card),
        ten=_commitment("is_ten", place, _bit(counts_ten(card)), nonces.ten),
        ace=_commitment("is_ace", place, _bit(is_ace(card)), nonces.ace),
        locked=locked,
    )


def opens(commitments: Commitments, place: Place, card: Card, nonces: Nonces) -> bool:
    """Return whether this reveal opens all three commitments: a forged one opens none."""
    again = commit(card, place, nonces)
    pairs = (
        (again.card, commitments.card),
        (again.ten, commitments.ten),
        (again.ace, commitments.ace),
    )
    return all(hmac.compare_digest(ours, theirs) for ours, theirs in pairs)


def opens_bit(commitment: str, place: Place, question: str, answer: bool, nonce: str) -> bool:
    """Return whether a peek's answer to `is_ten` or `is_ace` is the one that was sealed."""
    return hmac.compare_digest(_commitment(question, place, _bit(answer), nonce), commitment)


def counts_ten(card: Card) -> bool:
    """Return whether the card counts ten at blackjack."""
    return card.rank in _TENS


def is_ace(card: Card) -> bool:
    """Return whether the card is an ace."""
    return card.rank == "A"


def _bit(answer: bool) -> str:
    return "1" if answer else "0"


def _commitment(what: str, place: Place, value: str, nonce: str) -> str:
    parts = (what.encode(), *place.parts(), value.encode(), nonce.encode())
    return hashlib.blake2b(framed(*parts), digest_size=32).hexdigest()


def framed(*parts: bytes) -> bytes:
    """Return parts that cannot run into one another: each after its length, in four bytes."""
    return b"".join(len(part).to_bytes(4, "big") + part for part in parts)
