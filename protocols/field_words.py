"""Fields that mean the same in every message, described once; and the form of their text.

A class says in its docstring what a field of its own means, or one of these where it means more.
The published contract is made of both (docs/asyncapi.json), and a test holds that no field is
without a description.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from protocols.limits import CARD, POCKET, SLOT


@dataclass(frozen=True, slots=True)
class FieldWord:
    """What a field means, and what it looks like.

    pattern  what its text, or each key of a count, matches (ECMA 262)
    least    its smallest number
    """

    text: str
    pattern: str | None = None
    least: int | None = None

    @property
    def forms(self) -> Mapping[str, Mapping[str, object]]:
        """Return what JSON Schema says of such a field, by its type."""
        text = {} if self.pattern is None else {"pattern": self.pattern}
        number = {} if self.least is None else {"minimum": self.least}
        return {"string": text, "object": {"propertyNames": text}, "integer": number}


_DIGEST: Final = "^b2:[0-9a-f]{64}$"
EPOCH_PATTERN: Final = "^[0-9]{6}-[0-9a-z]+$"
_HEX_256: Final = "^[0-9a-f]{64}$"

FIELD_WORDS: Final[Mapping[str, FieldWord]] = MappingProxyType(
    {
        "round_id": FieldWord(
            "the round, as `round.open` named it, or the table where it opens them"
        ),
        "slot": FieldWord(
            "a place for a card: `player.1`, `dealer.2`, `box4.hand2.card3`, `burn.5`", SLOT
        ),
        "rank": FieldWord("the card's rank; T is the ten"),
        "suit": FieldWord("the card's suit: spades, hearts, diamonds, clubs"),
        "card": FieldWord("a card by its two letters, `KS`: rank, then suit", CARD),
        "removed": FieldWord("the card that is taken out, by its two letters", CARD),
        "added": FieldWord("the card that is put in, by its two letters", CARD),
        "known": FieldWord("how many of each card, by its two letters", CARD),
        "missing": FieldWord("how many of each card are missing", CARD),
        "surplus": FieldWord("how many of each card are too many", CARD),
        "shoe_id": FieldWord("the shoe, as `shoe.load` named it"),
        "Commitments.card": FieldWord("commits to the card itself", _HEX_256),
        "Commitments.ten": FieldWord("commits to whether it counts ten", _HEX_256),
        "Commitments.ace": FieldWord("commits to whether it is an ace", _HEX_256),
        "shoe_position": FieldWord("which card out of this shoe it is, from 1", least=1),
        "decks": FieldWord("decks of 52 cards in the shoe", least=1),
        "cards_out": FieldWord("cards that have left the shoe", least=0),
        "cards_left": FieldWord("cards left in the shoe by count", least=0),
        "when": FieldWord("start: before the first card of the shoe left it; end: after"),
        "card_nonce": FieldWord("opens the commitment to the card", _HEX_256),
        "ten_nonce": FieldWord("opens the commitment to whether it counts ten", _HEX_256),
        "ace_nonce": FieldWord("opens the commitment to whether it is an ace", _HEX_256),
        "nonce": FieldWord("opens a commitment", _HEX_256),
        "box": FieldWord("a player's betting place, from 1", least=1),
        "hand": FieldWord("which hand of the box, from 1; a split makes another", least=1),
        "boxes": FieldWord("players' betting places, from 1"),
        "new_hand": FieldWord("which hand of the box, from 1", least=1),
        "faces": FieldWord(
            "what the three dice show, in the order in which they lie; the order means nothing"
        ),
        "pocket": FieldWord("a pocket of the wheel, as it is written there", POCKET),
        "spin": FieldWord(
            "the wheel's own number of the spin, which starts over, or ours where it numbers none",
            least=0,
        ),
        "profile": FieldWord("digest of the house's rules in force", _DIGEST),
        "table": FieldWord("id of the table in the configuration"),
        "mode": FieldWord("whether the table plays for money, a rehearsal, or a recording again"),
        "epoch": FieldWord(
            "the span in which `seq` counts on; texts do not order epochs", EPOCH_PATTERN
        ),
        "seq": FieldWord("number of an event in its epoch, from 1 without gaps", least=0),
        "clockquality": FieldWord("whether the wall clock is synchronised"),
        "profile_key": FieldWord("name of the house's rules in the configuration"),
        "game": FieldWord("the game that the table plays"),
        "device": FieldWord("what the device is: its key in the configuration"),
        "role": FieldWord(
            "the device's place at its table: `primary` decides, `hole` reads hole cards, `witness`"
            " can only contradict"
        ),
        "violation_id": FieldWord("the violation's name, unique within its table and epoch"),
        "who": FieldWord("the person who decided it"),
        "why": FieldWord("that person's reason, in their words"),
        "second_who": FieldWord("another person who saw it; None where none is named"),
        "badge": FieldWord("the new dealer's badge"),
        "reason": FieldWord("what happened, in words for people; no program should read it"),
        "detail": FieldWord("what exactly, in words for people; no program should read it"),
    }
)
"""By a field's name, or by its class and name where the same name means another thing there."""


def word_of(message: str, field: str) -> FieldWord | None:
    """Return what this field of this class shares with others of its name."""
    return FIELD_WORDS.get(f"{message}.{field}") or FIELD_WORDS.get(field)
