"""A house's rules in words."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Sentence:
    """What a house's rules enforce, in plain English.

    topic  what it is about, by which a profile cites the clause: a rule's name, or a part of the
           game that no rule changes
    """

    topic: str
    text: str
