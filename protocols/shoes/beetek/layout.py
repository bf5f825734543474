"""The text of a Bee-Tek shoe, as data: shared by its decoder and its simulator.

    [OPERATION]<EVENT>      one token; a space before and after each, a line end perhaps
    <W0xNN>                 a warning, without an operation

    OPERATION   Game | Manual Burn Cards | GameAlarm
    EVENT       Card:RS     a card: rank 2-9 T J Q K A or 10, then suit C D H S
                Game        in place of a card: it could not be read
                Alarm:En t  alarm number n and its text; E3 is "Card Not Read"

There is no checksum, no frame number, no sign of life and no host command.

Source: two public readers, unrelated, that agree on the card token and on 9600 baud. One names
suit-first cards (`H3`) in a comment; its pattern takes rank-first alone. Here both are read: no
rank is a letter of a suit, so neither can be taken for the other.

Not understood: what ends a line, if anything; every alarm but E3; the warnings; what the shoe
says of its cutting card, its lid, its start; whether a token's spaces are shared with the next
one's; whether one unread card is told twice, as `<Game>` and as alarm E3.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from protocols.cards import DECK, Card

SEPARATORS: Final = b" \r\n"
OPERATION_MAX: Final = 32
"""Most characters between the square brackets; the longest known operation has 17."""
EVENT_MAX: Final = 64
"""Most characters between the angle brackets; the longest known event has 22."""
LEAD_MAX: Final = 16
"""Most separators that are kept with the token behind them."""
TOKEN_MAX: Final = LEAD_MAX + OPERATION_MAX + EVENT_MAX + 4

GAME: Final = "Game"
MANUAL_BURN: Final = "Manual Burn Cards"
GAME_ALARM: Final = "GameAlarm"

CARDS: Final[Mapping[str, Card]] = MappingProxyType(
    {
        code: card
        for card in DECK
        for rank in ((card.rank, "10") if card.rank == "T" else (card.rank,))
        for code in (rank + card.suit, card.suit + rank)
    }
)
"""Every spelling of every card."""

NOT_READ: Final = 3
"""The one alarm whose meaning is public: a card passed and was not read."""
ALARM_BASE: Final = 100
"""An alarm's `code` is this plus its number, or this alone where it states none. The rules know
low codes by what they mean on another make of shoe; this shoe's 2 need not be that one's."""


@dataclass(frozen=True, slots=True)
class BeetekSettings:
    """What differs between sites.

    manual_burn_is_burn  cards drawn in "Manual Burn Cards" are burned. Off, they are cards like
                         any other: sites run the shoe in that mode to be spared its own rules
    """

    manual_burn_is_burn: bool = False


def token(operation: str, event: str) -> bytes:
    """Return a token as the shoe writes it, a space on either side."""
    return f" [{operation}]<{event}> ".encode("ascii")
