"""The commitment's formula, written a second time from docs/hidden-cards.md and nothing else."""

from __future__ import annotations

from hashlib import blake2b
from typing import Protocol


class Placed(Protocol):
    table: str
    epoch: str
    shoe: str
    round_id: str
    slot: str
    profile: str


def opens_by_hand(place: Placed, what: str, value: str, nonce: str) -> str:
    """Return what the commitment must be."""
    parts = [what, place.table, place.epoch, place.shoe, place.round_id, place.slot, place.profile,
             value, nonce]  # fmt: skip
    framed = b"".join(len(one.encode()).to_bytes(4, "big") + one.encode() for one in parts)
    return blake2b(framed, digest_size=32).hexdigest()
