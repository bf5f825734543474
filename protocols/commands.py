"""What the bridge obeys: the closed union `Command`, and why it may refuse."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType
from typing import Any, Final, Literal, TypeAlias, get_args

from protocols.faces import Faces, spelled
from protocols.limits import (
    Boxes,
    BoxNumber,
    CardCount,
    CardName,
    Decks,
    Identifier,
    PocketName,
    Sentence,
    Seq,
    SlotName,
)
from protocols.table_terms import Inspected, InspectionResult, Role

ResolveAction = Literal["void", "burn", "accept", "correct"]
PlayerAction = Literal["hit", "stand", "double", "split", "surrender", "insurance", "even_money"]
BurnReason = Literal["shuffle", "misdeal", "dealer_change", "discretion"]
ShoePart = Literal["all", "rest"]


@dataclass(frozen=True, slots=True)
class ShowStatus:
    """Answer with the whole open round. Changes nothing."""

    kind: Literal["table.status"] = "table.status"


@dataclass(frozen=True, slots=True)
class ResendEvents:
    """Publish events of this epoch again, those that the bus has had. Changes nothing.

    from_seq  seq of the first event that is wanted
    to_seq    seq of the last; None: every event from the first on
    """

    from_seq: Seq
    to_seq: Seq | None = None
    kind: Literal["table.resend"] = "table.resend"


@dataclass(frozen=True, slots=True)
class LoadShoe:
    """A shoe is ready at the table.

    shoe_id  names its pack of cards: one that left this table is verified before it is dealt from
    decks    how many decks it holds; required where the profile states none
    """

    shoe_id: Identifier
    decks: Decks | None = None
    kind: Literal["shoe.load"] = "shoe.load"


@dataclass(frozen=True, slots=True)
class StartVerify:
    """From now on cards pass the scanner to be counted, in any order. Between rounds; again: anew.

    cards  all: every card of the shoe; rest: those that were not dealt, at its end
    """

    cards: ShoePart = "all"
    kind: Literal["shoe.verify.start"] = "shoe.verify.start"


@dataclass(frozen=True, slots=True)
class ReplaceCard:
    """The pit boss replaces a card while the shoe is verified. Cards by their two letters.

    removed  one that was counted and is taken out: damaged, or one too many; refused while cards
             lie face down, since the answer would tell which
    added    one that is put in; it passes the scanner like every other
    """

    who: Sentence
    why: Sentence
    removed: CardName | None = None
    added: CardName | None = None
    kind: Literal["shoe.verify.replace"] = "shoe.verify.replace"


@dataclass(frozen=True, slots=True)
class FinishVerify:
    """Every card has passed.

    names  the dealer, and the pit boss who stood by
    """

    names: tuple[Sentence, Sentence]
    kind: Literal["shoe.verify.finish"] = "shoe.verify.finish"


@dataclass(frozen=True, slots=True)
class CloseShoe:
    """The shoe leaves play. Legal between rounds.

    Where the house verifies shoes and cards of it were dealt, the count of the rest begins, and it
    leaves when that is over. `shoe.verify.start` counts all of them instead.
    """

    kind: Literal["shoe.close"] = "shoe.close"


@dataclass(frozen=True, slots=True)
class OpenRound:
    """Open a round for bets. The bets decide which boxes are in play: `bets.close` may name others.

    round_id  a name for the round that no round had before
    boxes     that are in play, where they are known already: from 1
    """

    round_id: Identifier
    boxes: Boxes = ()
    kind: Literal["round.open"] = "round.open"


@dataclass(frozen=True, slots=True)
class CloseBets:
    """No more bets for this round.

    boxes  that have a bet, where the game has boxes: from 1. None named: those of `round.open`;
           refused where neither names any
    """

    round_id: Identifier
    boxes: Boxes = ()
    kind: Literal["bets.close"] = "bets.close"


@dataclass(frozen=True, slots=True)
class VoidRound:
    """Void the open round."""

    round_id: Identifier
    reason: Sentence
    kind: Literal["round.void"] = "round.void"


@dataclass(frozen=True, slots=True)
class Decide:
    """What a player chose for a hand.

    action      the player's choice
    hand_cards  how many cards of the hand the sender has seen; None: it does not say
    dark        a double whose card is dealt face down
    """

    round_id: Identifier
    box: BoxNumber
    hand: BoxNumber
    action: PlayerAction
    hand_cards: CardCount | None = None
    dark: bool = False
    kind: Literal["decision"] = "decision"


@dataclass(frozen=True, slots=True)
class CloseInsurance:
    """No more insurance in this round."""

    round_id: Identifier
    kind: Literal["insurance.close"] = "insurance.close"


@dataclass(frozen=True, slots=True)
class PeekHoleCard:
    """Tell whether the dealer has a blackjack, and nothing else of the hole card.

    Refused as `peek_not_allowed` where the dealer's look on the reader has told it already.
    """

    round_id: Identifier
    kind: Literal["hole_card.peek"] = "hole_card.peek"


@dataclass(frozen=True, slots=True)
class RevealCard:
    """Turn a face-down card.

    round_id  the round it lies in; None for a burned card
    """

    slot: SlotName
    round_id: Identifier | None = None
    kind: Literal["card.reveal"] = "card.reveal"


@dataclass(frozen=True, slots=True)
class BurnCards:
    """The next cards are burned.

    count   how many
    reason  what for: the profile says for what a house burns, and how many
    """

    count: CardCount
    reason: BurnReason
    kind: Literal["burn"] = "burn"


@dataclass(frozen=True, slots=True)
class ChangeDealer:
    """Another dealer takes the table."""

    badge: Identifier
    kind: Literal["dealer.change"] = "dealer.change"


@dataclass(frozen=True, slots=True)
class ResolveViolation:
    """A supervisor's decision on an open violation.

    action      one of its `resolutions`
    card        to correct a card: the right one, by its two letters
    pocket      to correct a spin: the right pocket
    dice        to correct a throw: three faces
    second_who  another person who saw it, where no device has stated that value
    """

    violation_id: Identifier
    action: ResolveAction
    who: Sentence
    why: Sentence
    card: CardName | None = None
    pocket: PocketName | None = None
    dice: Faces | None = None
    second_who: Sentence | None = None
    kind: Literal["violation.resolve"] = "violation.resolve"

    @property
    def value(self) -> str | None:
        """Return the card, pocket or dice as events spell them; None: none is named."""
        return self.card or self.pocket or (spelled(sorted(self.dice)) if self.dice else None)


@dataclass(frozen=True, slots=True)
class EnrolDevice:
    """The device that is there now is the table's own, until another is enrolled."""

    role: Role
    who: Sentence
    why: Sentence
    kind: Literal["device.enrol"] = "device.enrol"


@dataclass(frozen=True, slots=True)
class StartMaintenance:
    """From now on readings are shown and journalled, and no game sees them."""

    who: Sentence
    why: Sentence
    kind: Literal["maintenance.start"] = "maintenance.start"


@dataclass(frozen=True, slots=True)
class FinishMaintenance:
    """The devices count again."""

    who: Sentence
    why: Sentence
    kind: Literal["maintenance.finish"] = "maintenance.finish"


@dataclass(frozen=True, slots=True)
class RecordInspection:
    """A person has inspected a part of the table. The newest of a part counts, until the day ends.

    who     the person who did it
    what    the part of the table
    result  whether it may be played with
    note    what was found, and what was done
    """

    who: Sentence
    what: Inspected
    result: InspectionResult
    note: Sentence | None = None
    kind: Literal["inspection.record"] = "inspection.record"


VerifyShoe: TypeAlias = StartVerify | ReplaceCard | FinishVerify
"""How a shoe is verified, from the first word to the last."""


@dataclass(frozen=True, slots=True)
class AnnounceResult:
    """The dealer's word for the pocket of a spin that the wheel did not prove to be valid."""

    round_id: Identifier
    pocket: PocketName
    kind: Literal["result.announce"] = "result.announce"


CardCommand: TypeAlias = (
    LoadShoe
    | VerifyShoe
    | CloseShoe
    | BurnCards
    | Decide
    | CloseInsurance
    | PeekHoleCard
    | RevealCard
)
"""What means something in a game of cards alone."""

GameCommand: TypeAlias = OpenRound | CloseBets | AnnounceResult | ChangeDealer | CardCommand
"""What a table's game obeys; the others are for the table itself."""

Authority = Literal["read", "play", "supervise", "maintain"]
"""What a sender must be allowed to do, by the subject that it sends to: the bus's own permissions
keep the table server from resolving a violation, and the technician from opening a round."""

ReadCommand: TypeAlias = ShowStatus | ResendEvents
"""Changes nothing."""
PlayCommand: TypeAlias = (
    OpenRound
    | CloseBets
    | AnnounceResult
    | ChangeDealer
    | LoadShoe
    | StartVerify
    | FinishVerify
    | CloseShoe
    | BurnCards
    | Decide
    | CloseInsurance
    | PeekHoleCard
    | RevealCard
)
"""The course of the game, as the table server and the dealer go through it."""
SuperviseCommand: TypeAlias = VoidRound | ResolveViolation | ReplaceCard | RecordInspection
"""What is settled by a person who answers for it."""
MaintainCommand: TypeAlias = EnrolDevice | StartMaintenance | FinishMaintenance
"""The technician's."""

Command: TypeAlias = ReadCommand | PlayCommand | SuperviseCommand | MaintainCommand

_BY_AUTHORITY: Final[tuple[tuple[Authority, Any], ...]] = (
    ("read", ReadCommand),
    ("play", PlayCommand),
    ("supervise", SuperviseCommand),
    ("maintain", MaintainCommand),
)
AUTHORITIES: Final[Mapping[str, Authority]] = MappingProxyType(
    {
        command.__dataclass_fields__["kind"].default: authority
        for authority, union in _BY_AUTHORITY
        for command in get_args(union)
    }
)
"""Of each command, by its kind."""


class Refusal(StrEnum):
    """Why a command was not obeyed. The words of the contract."""

    MALFORMED = "malformed"
    """It could not be parsed; the answer says where."""
    EXPIRED = "expired"
    """`expires` had passed on arrival."""
    EXPIRES_TOO_LATE = "expires_too_late"
    """`expires` lies more than a day ahead; one of the two clocks may be wrong."""
    WRONG_SUBJECT = "wrong_subject"
    """This command belongs on another subject: read, play, supervise or maintain."""
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
    DECKS_DIFFER = "decks_differ"
    """The profile states another number of decks, or so few leave no card before its cut card."""
    SHOE_NOT_VERIFIED = "shoe_not_verified"
    """The house deals from no shoe before every card of it has passed the scanner."""
    PACK_RETURNED = "pack_returned"
    """The shoe's pack of cards left this table before: verify it, then deal from it."""
    VERIFYING = "verifying"
    """The shoe is being verified; nothing is dealt or burned from it."""
    TWO_NAMES = "two_names"
    """Two different names are needed: to verify a shoe, or to state what no device has stated."""
    LAST_ROUND_PLAYED = "last_round_played"
    """The cut card is out and its last round was played: change the shoe."""
    CUT_CARD_MISSING = "cut_card_missing"
    """The cut card should have come by now: find it, and change the shoe."""
    TOO_FEW_CARDS = "too_few_cards"
    """The shoe may not be able to finish a round with so many boxes: void it, change the shoe."""
    BURN_NOT_ALLOWED = "burn_not_allowed"
    """The profile does not burn for this reason, or not this many."""
    BOXES_NOT_STATED = "boxes_not_stated"
    """This game needs the boxes in play, each once, from 1 to its last; at least one has a bet."""
    NOT_ITS_TURN = "not_its_turn"
    """Another hand is to decide first, or this one has nothing to decide."""
    RULES_FORBID = "rules_forbid"
    """The profile does not allow this with these cards."""
    HAND_DIFFERS = "hand_differs"
    """The sender has seen another number of cards in this hand than we have."""
    HOLE_CARD_UNSCANNED = "hole_card_unscanned"
    """The hole card is not sealed yet: no hand is played before it is."""
    PEEK_NOT_ALLOWED = "peek_not_allowed"
    """Not with this up card, before the insurance is closed, a second time, or in this house."""
    NOT_FACE_DOWN = "not_face_down"
    """No face-down card lies there that may be turned now."""
    UNKNOWN_VIOLATION = "unknown_violation"
    """No such open violation."""
    ACTION_NOT_ALLOWED = "action_not_allowed"
    """This violation cannot be resolved in this way."""
    VALUE_MISSING = "value_missing"
    """A card, a pocket or dice that this game knows is needed, and here."""
    NOT_THIS_GAME = "not_this_game"
    """The command means nothing in this game."""
    ROUNDS_BY_DEVICE = "rounds_by_device"
    """At this table the device opens the rounds."""
    DEVICE_DOWN = "device_down"
    """A device of the table is absent, silent or garbled: no round opens until it is well."""
    NOT_ENROLLED = "not_enrolled"
    """A device of the table is not the one that was enrolled: no round opens."""
    NOT_INSPECTED = "not_inspected"
    """Something that the house inspects each day has not passed today: the status says what."""
    UNIDENTIFIED = "unidentified"
    """Nothing tells this device from another: neither its link nor itself has said what it is."""
    MAINTENANCE = "maintenance"
    """The table is in maintenance."""
    JOURNAL = "journal"
    """The journal cannot be written: nothing is accepted until it can."""
