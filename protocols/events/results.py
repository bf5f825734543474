"""Results that did not come from the primary device, and what is against the rules."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from protocols.readings import Winner


@dataclass(frozen=True, slots=True)
class ResultAnnounced:
    """A second source stated the result: the shoe's own verdict or the dealer's key."""

    source: str
    winner: Winner
    player_pair: bool
    banker_pair: bool
    agrees: bool
    kind: Literal["result.announced"] = "result.announced"


@dataclass(frozen=True, slots=True)
class ResultEnteredManually:
    """A person stated the value of a slot or a pocket. Never an edit of an earlier event."""

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

    rule         which rule it breaks, in words
    round_id     the open round, if it is about that; a `late_result` never is
    slot         where it touches the round, if anywhere
    expected     what was due
    read         what the device said
    resolutions  what `violation.resolve` allows
    """

    violation_id: str
    code: str
    rule: str
    detail: str
    holds: bool
    round_id: str | None
    slot: str | None
    expected: str | None
    read: str | None
    resolutions: tuple[str, ...]
    kind: Literal["violation.raised"] = "violation.raised"


@dataclass(frozen=True, slots=True)
class ViolationResolved:
    """A supervisor decided."""

    violation_id: str
    code: str
    action: str
    who: str
    why: str
    card: str | None = None
    kind: Literal["violation.resolved"] = "violation.resolved"
