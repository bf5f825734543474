"""An open round as events tell it: what `table.status` shows, and what a new epoch begins with.

`protocols/play_fold.py` makes it of the events. It is by nouns, as the events are: a table without
boxes has no hands, one without a wheel no spin. Nothing is in it that was not published.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from protocols.cards import Rank, Suit
from protocols.commands import ResolveAction
from protocols.events.hand import HandEnd
from protocols.events.round import AwaitedCommand, BetsClosedBy, WaitingDecision
from protocols.events.shoe import Commitments, PeekQuestion
from protocols.table_terms import ViolationCode

RoundPhase = Literal["betting", "dealing"]
"""Of the open round: until the bets are closed, and then until it is over."""
CardFacing = Literal["up", "down"]
"""How a card is to lie."""
InsuranceState = Literal["open", "closed"]
"""Whether boxes may take insurance now, or no more."""
SpinPhase = Literal["started", "ball_in_rim", "no_more_bets"]
"""The wheel launches the ball; the ball is in the rim; the ball has slowed."""


@dataclass(frozen=True, slots=True)
class FaceUpCard:
    """A card that everybody sees.

    seq  number of the event of this epoch that told it last
    """

    rank: Rank
    suit: Suit
    seq: int


@dataclass(frozen=True, slots=True)
class FaceDownCard:
    """A card that lies face down.

    commitments  what its reveal has to open
    seq          number of the event of this epoch that told it last
    peeked       what a peek has told: its question, and the answer; None: nobody has peeked
    """

    commitments: Commitments
    seq: int
    peeked: dict[PeekQuestion, bool] | None = None


CardOnTable: TypeAlias = FaceUpCard | FaceDownCard


@dataclass(frozen=True, slots=True)
class OpenHand:
    """A hand of a box; its cards are in the round's slots.

    card_due  a decision has asked for a card that is not there yet: it comes face up or face down
    doubled   the hand was doubled
    split     a split made it
    end       why nothing more is decided for it; None: it is still to play
    """

    box: int
    hand: int
    card_due: CardFacing | None = None
    doubled: bool = False
    split: bool = False
    end: HandEnd | None = None


@dataclass(frozen=True)  # no slots: protocols/replace.py
class RoundState:
    """The open round.

    phase           betting: it takes bets; dealing: no more
    bets_closed_by  what closed the bets; None while they are open
    boxes           in play, in table order; until the bets are closed, those that were named;
                    None: the game has no boxes
    cards           by slot
    hands           of the boxes, in the order of play
    insurance       whether boxes may take insurance; None: it was not offered
    insured         the boxes that took it
    awaited         what the round waits for from the table server; none: it waits for none
    void_required   why the house has to void the round, in words for people; None: it has not
    """

    round_id: str
    profile: str
    phase: RoundPhase = "betting"
    bets_closed_by: BetsClosedBy | None = None
    boxes: tuple[int, ...] | None = None
    cards: dict[str, CardOnTable] = field(default_factory=dict)
    hands: tuple[OpenHand, ...] = ()
    insurance: InsuranceState | None = None
    insured: tuple[int, ...] = ()
    awaited: tuple[AwaitedCommand, ...] = ()
    void_required: str | None = None


@dataclass(frozen=True, slots=True)
class HoldingViolation:
    """A violation that holds the table, as `violation.raised` told it.

    code         what kind of violation it is
    rule         which rule it breaks, in words
    round_id     the round that it is about; None: it is about none
    detail       what happened, in words for people
    slot         where it touches the round: a card's slot, `pocket` or `dice`; None: nowhere
    expected     what was due, in words; None where nothing was
    read         what the device said; None where it said nothing, or it may be of a hidden card
    resolutions  what `violation.resolve` allows
    """

    violation_id: str
    code: ViolationCode
    rule: str
    detail: str
    round_id: str | None
    slot: str | None
    expected: str | None
    read: str | None
    resolutions: tuple[ResolveAction, ...]


@dataclass(frozen=True, slots=True)
class RunningSpin:
    """The run of the ball that is under way, as far as it was told.

    phase  how far the ball was told to be
    """

    spin: int
    phase: SpinPhase


@dataclass(frozen=True)  # no slots: protocols/replace.py
class PlayState:
    """What the events of a table have told of its play so far.

    round        the open round; None between rounds
    violations   those that hold the table
    decided      supervisors' decisions that take effect when the last hold is resolved
    spin         the run of the ball that is under way, if one was told
    maintenance  the devices' readings do not count
    dealer       the badge of the dealer that was named last; None: none was
    """

    round: RoundState | None = None
    violations: tuple[HoldingViolation, ...] = ()
    decided: tuple[WaitingDecision, ...] = ()
    spin: RunningSpin | None = None
    maintenance: bool = False
    dealer: str | None = None
