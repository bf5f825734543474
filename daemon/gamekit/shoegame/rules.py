"""What a house decides in any game from a shoe, and what passes between the game and its shoe."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from protocols.commands import CloseInsurance, Decide, PeekHoleCard

PlayCommand: TypeAlias = Decide | CloseInsurance | PeekHoleCard
"""What the table server decides between the cards of a round."""


@dataclass(frozen=True, slots=True)
class ShoeRules:
    """The house's rules (docs/rules/README.md#every-game).

    decks                     None: `shoe.load` has to say
    verify                    required: no card is dealt from a shoe before all its cards passed the
                              scanner and are whole decks; optional: who counts them is not ours
    cut_card_from_back        cards behind the marker; `cut_card_tolerance` either way
    cut_card_first_out        what a cut card that comes before a round's first card means
    burn_*                    how many cards are burned, and when
    burn_at_discretion        whether the house burns any number between rounds
    burned_faces              shown: a burned card's face is published; on_request: it stays hidden
                              until `card.reveal`; never: it stays hidden
    bets_end                  announced: no card before `bets.close`; first_card: it closes them
    """

    decks: int | None = field(default=None, kw_only=True)
    verify: Literal["required", "optional"]
    cut_card_from_back: int
    cut_card_tolerance: int
    cut_card_first_out: Literal["this_round_is_last", "shuffle_now"]
    burn_after_shuffle: int
    burn_after_misdeal: int
    burn_after_dealer_change: int
    burn_at_discretion: bool
    burned_faces: Literal["shown", "on_request", "never"]
    bets_end: Literal["announced", "first_card"]


@dataclass(frozen=True, slots=True)
class Undue:
    """Why a card may not go where it went, in the words of docs/rules/README.md#violations."""

    code: str
    detail: str
