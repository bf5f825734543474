"""What a house decides in any game from a shoe, and what passes between the game and its shoe."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from daemon.gamekit.house_rules import HouseRules
from protocols.commands import CloseInsurance, Decide, PeekHoleCard

PlayCommand: TypeAlias = Decide | CloseInsurance | PeekHoleCard
"""What the table server decides between the cards of a round."""


@dataclass(frozen=True, slots=True)
class ShoeRules(HouseRules):
    """The house's rules (docs/rules/README.md#every-game).

    decks                     None: `shoe.load` has to say
    verify                    required: no card is dealt from a shoe before all its cards passed the
                              scanner and are whole decks, and they are counted again when it is
                              closed; optional: who counts them is not ours
    cut_card_from_back        cards behind the marker where the house states its place,
                              `cut_card_tolerance` either way
    cut_card_min_from_back    cards behind it at least, where players cut; then the house names no
                              place. One of the two is stated
    cut_card_first_out        what a cut card that comes before a round's first card means
    burn_*                    how many cards are burned, and when
    burn_at_discretion        whether the house burns any number between rounds
    burned_faces              shown: a burned card's face is published; on_request: it stays hidden
                              until `card.reveal`; never: it stays hidden
    bets_end                  announced: no card before `bets.close`; first_card: it closes them
    """

    decks: int | None = field(default=None, kw_only=True)
    verify: Literal["required", "optional"]
    cut_card_from_back: int | None = field(default=None, kw_only=True)
    cut_card_min_from_back: int | None = field(default=None, kw_only=True)
    cut_card_tolerance: int = field(default=0, kw_only=True)
    cut_card_first_out: Literal["this_round_is_last", "shuffle_now"]
    burn_after_shuffle: int
    burn_after_misdeal: int
    burn_after_dealer_change: int
    burn_at_discretion: bool
    burned_faces: Literal["shown", "on_request", "never"]
    bets_end: Literal["announced", "first_card"]

    def __post_init__(self) -> None:
        if (self.cut_card_from_back is None) == (self.cut_card_min_from_back is None):
            raise ValueError("cut_card_from_back or cut_card_min_from_back: one of the two")
        if self.cut_card_min_from_back is not None and self.cut_card_tolerance:
            raise ValueError("cut_card_tolerance: a minimum has none")

    @property
    def burns(self) -> bool:
        """Return whether the house burns cards at all."""
        return self.burn_at_discretion or any(
            (self.burn_after_shuffle, self.burn_after_misdeal, self.burn_after_dealer_change)
        )

    @property
    def cut_card_place(self) -> int:
        """Return how many cards lie behind the cut card, at least where it has no exact place."""
        return self.cut_card_from_back or self.cut_card_min_from_back or 0

    @property
    def fewest_behind_cut(self) -> int:
        """Return with how many cards left the cut card has come, wherever the house cuts."""
        return self.cut_card_place - self.cut_card_tolerance

    def may_lie_behind_cut(self, cards: int) -> bool:
        """Return whether the cut card may lie before so many cards."""
        if self.cut_card_from_back is None:
            return cards >= self.cut_card_place
        return abs(cards - self.cut_card_from_back) <= self.cut_card_tolerance


@dataclass(frozen=True, slots=True)
class Undue:
    """Why a card may not go where it went, in the words of docs/rules/README.md#violations."""

    code: str
    detail: str
