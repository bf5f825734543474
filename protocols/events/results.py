"""Results that did not come from the primary device, and what is against the rules."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from protocols.commands import ResolveAction
from protocols.readings import Winner
from protocols.table_terms import ViolationCode


@dataclass(frozen=True, slots=True)
class ResultAnnounced:
    """A second source stated the result. It never makes one, it can only contradict.

    source       who stated it: the shoe's own verdict
    winner       the hand that it says has won
    player_pair  it says that the player's first two cards are a pair
    banker_pair  it says that the banker's first two cards are a pair
    agrees       whether that is what the cards say; if not, `result_conflict` holds the table
    """

    source: Literal["shoe"]
    winner: Winner
    player_pair: bool
    banker_pair: bool
    agrees: bool
    kind: Literal["result.announced"] = "result.announced"


@dataclass(frozen=True, slots=True)
class ResultEnteredManually:
    """A person stated the value of a slot or a pocket. Never an edit of an earlier event.

    slot        what the value is of: a card's slot, `pocket` or `dice`
    value       a card's two letters, a pocket, or three faces with spaces between them
    second_who  another person who saw it; None where a device had stated that value too
    """

    round_id: str
    slot: str
    value: str
    who: str
    why: str
    second_who: str | None = None
    kind: Literal["result.entered_manually"] = "result.entered_manually"


@dataclass(frozen=True, slots=True)
class ViolationRaised:
    """Something is against the rules or cannot be known. It waits for a supervisor.

    code         what kind of violation it is
    rule         which rule it breaks, in words
    round_id     the open round, if it is about that; a `late_result` never is
    detail       what happened, in words for people
    holds        whether the table is held until a supervisor resolves it; if not, it is on record
                 alone
    slot         where it touches the round: a card's slot, `pocket` or `dice`; None: nowhere
    expected     what was due, in words; None where nothing was
    read         what the device said; None where it said nothing, or it may be of a hidden card
    resolutions  what `violation.resolve` allows; none where it does not hold
    """

    violation_id: str
    code: ViolationCode
    rule: str
    detail: str
    holds: bool
    round_id: str | None
    slot: str | None
    expected: str | None
    read: str | None
    resolutions: tuple[ResolveAction, ...]
    kind: Literal["violation.raised"] = "violation.raised"


@dataclass(frozen=True, slots=True)
class ViolationResolved:
    """A supervisor decided.

    code    of the violation, as it was raised
    action  what was decided
    card    the card that was named to correct it, by its two letters; None where none was
    """

    violation_id: str
    code: ViolationCode
    action: ResolveAction
    who: str
    why: str
    card: str | None = None
    kind: Literal["violation.resolved"] = "violation.resolved"
