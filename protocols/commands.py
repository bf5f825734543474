"""What the bridge obeys: the closed union `Command`, and why it may refuse."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Literal, TypeAlias

ResolveAction = Literal["void", "burn", "accept", "correct"]
BurnReason = Literal["shuffle", "misdeal", "dealer_change", "discretion"]


@dataclass(frozen=True, slots=True)
class ShowStatus:
    """Answer with the whole open round. Changes nothing."""

    kind: Literal["table.status"] = "table.status"


@dataclass(frozen=True, slots=True)
class ResendEvents:
    """Publish again every event of this epoch from this seq on. Changes nothing."""

    from_seq: int
    kind: Literal["table.resend"] = "table.resend"


@dataclass(frozen=True, slots=True)
class LoadShoe:
    """A shoe is ready at the table. `decks` is required where the profile states none."""

    shoe_id: str
    decks: int | None = None
    kind: Literal["shoe.load"] = "shoe.load"


@dataclass(frozen=True, slots=True)
class CloseShoe:
    """The shoe leaves play. Legal between rounds."""

    kind: Literal["shoe.close"] = "shoe.close"


@dataclass(frozen=True, slots=True)
class OpenRound:
    """Open a round for bets."""

    round_id: str
    kind: Literal["round.open"] = "round.open"


@dataclass(frozen=True, slots=True)
class CloseBets:
    """No more bets for this round."""

    round_id: str
    kind: Literal["bets.close"] = "bets.close"


@dataclass(frozen=True, slots=True)
class VoidRound:
    """Void the open round."""

    round_id: str
    reason: str
    kind: Literal["round.void"] = "round.void"


@dataclass(frozen=True, slots=True)
class BurnCards:
    """The next `count` cards are burned."""

    count: int
    reason: BurnReason
    kind: Literal["burn"] = "burn"


@dataclass(frozen=True, slots=True)
class ChangeDealer:
    """Another dealer takes the table."""

    badge: str
    kind: Literal["dealer.change"] = "dealer.change"


@dataclass(frozen=True, slots=True)
class ResolveViolation:
    """A supervisor's decision on an open violation. `card` (two letters) or `pocket` to correct."""

    violation_id: str
    action: ResolveAction
    who: str
    why: str
    card: str | None = None
    pocket: str | None = None
    kind: Literal["violation.resolve"] = "violation.resolve"


@dataclass(frozen=True, slots=True)
class StartMaintenance:
    """From now on readings are shown and journalled, and no game sees them."""

    who: str
    why: str
    kind: Literal["maintenance.start"] = "maintenance.start"


@dataclass(frozen=True, slots=True)
class FinishMaintenance:
    """The devices count again."""

    who: str
    why: str
    kind: Literal["maintenance.finish"] = "maintenance.finish"


Command: TypeAlias = (
    ShowStatus
    | ResendEvents
    | LoadShoe
    | CloseShoe
    | OpenRound
    | CloseBets
    | VoidRound
    | BurnCards
    | ChangeDealer
    | ResolveViolation
    | StartMaintenance
    | FinishMaintenance
)


class Refusal(StrEnum):
    """Why a command was not obeyed. The words of the contract."""

    MALFORMED = "malformed"
    """It could not be parsed; the answer says where."""
    EXPIRED = "expired"
    """`expires` had passed on arrival."""
    RETAINED = "retained"
    """A broker kept it: nobody knows how old it is."""
    ID_REUSED = "id_reused"
    """This id was used for another command."""
    WRONG_ROUND = "wrong_round"
    """The round named is not the open one."""
    WRONG_PHASE = "wrong_phase"
    """Not now: the round is not in the phase that this needs."""
    ROUND_OPEN = "round_open"
    """A round is open; this is legal only between rounds."""
    HELD = "held"
    """The table is held by an open violation."""
    NO_SHOE = "no_shoe"
    """No shoe is loaded."""
    SHOE_LOADED = "shoe_loaded"
    """A shoe is in play; close it first."""
    DECKS_NOT_STATED = "decks_not_stated"
    """The profile states no number of decks and the command gives none."""
    LAST_ROUND_PLAYED = "last_round_played"
    """The cut card is out and its last round was played: change the shoe."""
    BURN_NOT_ALLOWED = "burn_not_allowed"
    """The profile does not burn for this reason, or not this many."""
    UNKNOWN_VIOLATION = "unknown_violation"
    """No such open violation."""
    ACTION_NOT_ALLOWED = "action_not_allowed"
    """This violation cannot be resolved in this way."""
    VALUE_MISSING = "value_missing"
    """`correct` needs a card or a pocket that this game knows."""
    NOT_THIS_GAME = "not_this_game"
    """The command means nothing in this game."""
    ROUNDS_BY_DEVICE = "rounds_by_device"
    """At this table the device opens the rounds."""
    DEVICE_DOWN = "device_down"
    """A device of the table is absent, silent or garbled: no round opens until it is well."""
    MAINTENANCE = "maintenance"
    """The table is in maintenance."""
    JOURNAL = "journal"
    """The journal cannot be written: nothing is accepted until it can."""
