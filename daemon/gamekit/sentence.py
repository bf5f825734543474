"""A house's rules in words."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Sentence:
    """What a house's rules enforce, in plain English.

    topic  what it is about, by which a profile cites the clause: a rule's name, or a part of the
           game that no rule changes
    """

    topic: str
    text: str


ROUNDS_BY_DEVICE: Final = Sentence(
    "bets_end",
    'Where a table says round_control = "device", the device opens its rounds and closes their bets'
    ' by itself: that "no more bets" came before is not proven.',
)
"""What is lost of any house's rules where no table server opens the rounds."""
