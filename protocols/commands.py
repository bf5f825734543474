"""What the bridge obeys: the closed union `Command`. Why it may refuse: `refusals`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
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
