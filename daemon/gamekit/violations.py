"""What a violation is: what it breaks, whether it holds, how it may be resolved, who shows it when.

Source: docs/rules/README.md#violations. A violation never disappears and never turns into a guess.
Each game lists its own (`Game.violations`); here are those that any table may raise.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, Literal, TypeAlias

from protocols.commands import ResolveAction

Reader: TypeAlias = Literal["identity", "position", "hole"]
"""What reads the cards of a table: `identity` knows a card and not its place, `position` states the
hand that each card goes to, `hole` is an identity reader with a hole-card reader beside it."""

Moment: TypeAlias = Literal["this card", "next card", "decision", "never"]
"""When a reader shows an error: at the card itself; at a later card, which then goes where none is
due; when the server's next command is refused; or not for sure, since no count is wrong by it."""

Seen: TypeAlias = Mapping[Reader, Moment]

Cause: TypeAlias = Literal["play", "early", "malfunction"]
"""What a violation comes from: `play`, how the table deals or spins; `early`, a card, ball or dice
before "no more bets"; `malfunction`, the system: a device, a line or our own records failed. What
the two last leave a supervisor to decide is the house's (`HouseRules`)."""


@dataclass(frozen=True, slots=True)
class ViolationRule:
    """The rule in words, whether it holds the table, and what `violation.resolve` allows.

    What does not hold is on record and over: nothing waits to be resolved. Where a card may be
    burned for it, it is about that card: to accept it deals the card. To accept another goes on.

    seen      when each kind of reader shows it at the latest; empty where it is no matter of cards
    cause     what it comes from
    of_round  whether it is about the open round, if there is one
    """

    rule: str
    holds: bool
    resolutions: tuple[ResolveAction, ...]
    seen: Seen = field(default_factory=dict)
    cause: Cause = "play"
    of_round: bool = True


VOID_ONLY: Final[tuple[ResolveAction, ...]] = ("void",)
ANY_CARD: Final[tuple[ResolveAction, ...]] = ("void", "burn", "accept", "correct")
CARD_OUT: Final[tuple[ResolveAction, ...]] = ("void", "burn")
GO_ON: Final[tuple[ResolveAction, ...]] = ("void", "accept")
VALUE: Final[tuple[ResolveAction, ...]] = ("void", "accept", "correct")
VALUE_MISSING: Final[tuple[ResolveAction, ...]] = ("void", "correct")

TABLE_VIOLATIONS: Final[Mapping[str, ViolationRule]] = {
    "result_conflict": ViolationRule(
        "Two sources state different results.", holds=True, resolutions=GO_ON, cause="malfunction"
    ),
    "late_result": ViolationRule(
        "A result without a round it could belong to.",
        holds=False,
        resolutions=(),
        of_round=False,
    ),
    "device_lost": ViolationRule(
        "The device went away in mid-round.", holds=True, resolutions=GO_ON, cause="malfunction"
    ),
    "reading_gap": ViolationRule(
        "What the device said in the meantime is not known.",
        holds=True,
        resolutions=GO_ON,
        cause="malfunction",
    ),
    "journal_rolled_back": ViolationRule(
        "The bus knows events that the journal does not: the journal was rolled back.",
        holds=True,
        resolutions=GO_ON,
        cause="malfunction",
    ),
    "foreign_event": ViolationRule(
        "The bus has an event in the table's name that this bridge did not send.",
        holds=True,
        resolutions=GO_ON,
        cause="malfunction",
    ),
    "software_changed": ViolationRule(
        "Program or configuration are not what the bridge was started with.",
        holds=True,
        resolutions=GO_ON,
        cause="malfunction",
        of_round=False,
    ),
    "recovery_differs": ViolationRule(
        "Replaying the journal does not give the events that it holds.",
        holds=True,
        resolutions=GO_ON,
        cause="malfunction",
    ),
}
"""What any table may raise, whatever it plays."""

UNKNOWN: Final = ViolationRule(
    "A violation of another game or another version of pitwire.", holds=True, resolutions=VOID_ONLY
)
"""The rule of a code that a game does not list: it is in the journal, from before."""

Sight: TypeAlias = tuple[str, Moment]
"""A violation's code, or the reason of a refusal, and when."""


@dataclass(frozen=True, slots=True)
class DealerError:
    """What a dealer does wrong at a table with boxes, and what each kind of reader makes of it.

    seen  what names it, and when; a kind that is missing cannot meet it
    """

    what: str
    seen: Mapping[Reader, Sight]
