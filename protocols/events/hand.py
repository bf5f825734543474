"""What happens to a player's hand, and what its player decides."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from protocols.commands import PlayerAction

HandEnd: TypeAlias = Literal["stood", "bust", "blackjack", "doubled", "surrendered", "even_money"]


@dataclass(frozen=True, slots=True)
class DecisionMade:
    """A player's decision was let in. What becomes of it follows as further events.

    action  the player's choice; insurance is a box's, whatever the hand
    dark    a double whose card is dealt face down
    """

    round_id: str
    box: int
    hand: int
    action: PlayerAction
    dark: bool = False
    kind: Literal["decision.made"] = "decision.made"


@dataclass(frozen=True, slots=True)
class InsuranceOpened:
    """Boxes may take insurance from now on."""

    round_id: str
    kind: Literal["insurance.opened"] = "insurance.opened"


@dataclass(frozen=True, slots=True)
class InsuranceClosed:
    """No more insurance in this round."""

    round_id: str
    kind: Literal["insurance.closed"] = "insurance.closed"


@dataclass(frozen=True, slots=True)
class HandSplit:
    """The hand's second card is the first of a new hand now.

    hand        the hand that is split; it keeps its number
    new_hand    number of the hand that begins
    moved_from  slot in which the second card lay
    moved_to    slot in which it lies now
    """

    round_id: str
    box: int
    hand: int
    new_hand: int
    moved_from: str
    moved_to: str
    kind: Literal["hand.split"] = "hand.split"


@dataclass(frozen=True, slots=True)
class HandResolved:
    """Nothing more is decided for this hand.

    end    how it ended; blackjack: paid now or compared later, as the house does
    total  the hand's points; None where a card of it lies face down
    """

    round_id: str
    box: int
    hand: int
    end: HandEnd
    total: int | None
    kind: Literal["hand.resolved"] = "hand.resolved"
