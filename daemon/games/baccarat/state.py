"""What a baccarat table remembers, and the house's rules as data."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from daemon.games.baccarat.rules import Hand, due_slot
from daemon.shoe import Shoe
from protocols.cards import Card


@dataclass(frozen=True, slots=True)
class BaccaratProfile:
    """The house's rules (rules.md section 1, table of profiles).

    decks                     None: `shoe.load` has to say
    cut_card_from_back        cards behind the marker; `cut_card_tolerance` either way
    cut_card_first_out        what a cut card that comes before a round's first card means
    burn_*                    how many cards are burned, and when
    burn_at_discretion        whether the house burns any number between rounds
    burned_faces_shown        whether a burned card's face is published
    pairs_reported            whether pairs are part of the outcome
    bets_end                  announced: no card before `bets.close`; first_card: it closes them
    """

    decks: int | None
    cut_card_from_back: int
    cut_card_tolerance: int
    cut_card_first_out: Literal["this_round_is_last", "shuffle_now"]
    burn_after_shuffle: int
    burn_after_misdeal: int
    burn_after_dealer_change: int
    burn_at_discretion: bool
    burned_faces_shown: bool
    pairs_reported: bool
    bets_end: Literal["announced", "first_card"]


@dataclass(frozen=True, slots=True)
class Verdict:
    """How the last complete round ended, for the shoe's own verdict to be held against."""

    winner: Literal["player", "banker", "tie"]
    player_pair: bool
    banker_pair: bool


@dataclass(frozen=True, slots=True)
class BaccaratState:
    """The hands, the burns that are due, the shoe.

    last      the last complete round, until the shoe's own verdict on it was heard
    carried   a card that was counted out already and that the shoe gives to the next round
    overdrawn the shoe reported a card too many: counted out, and not known until it says which
    """

    shoe: Shoe | None = None
    player: Hand = ()
    banker: Hand = ()
    order: tuple[tuple[str, Card], ...] = ()
    burns_due: int = 0
    burned: int = 0
    burn_reason: str = "shuffle"
    last: Verdict | None = None
    carried: Card | None = None
    overdrawn: bool = False
    errors: tuple[int, ...] = ()

    def due(self) -> str | None:
        """Return the slot that the next card of the round goes to."""
        return due_slot(self.player, self.banker)

    def card_in(self, slot: str) -> Card | None:
        """Return the card that lies in a slot."""
        return next((card for filled, card in self.order if filled == slot), None)
