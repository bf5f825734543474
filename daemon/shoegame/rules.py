"""What a game from a shoe has of its own, and what a house decides in any of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from daemon.shoegame.state import Dealt
from protocols.events import Outcome
from protocols.readings import CardDrawn, CardTarget, ShoeResult


@dataclass(frozen=True, slots=True)
class ShoeRules:
    """The house's rules (rules.md section 0 and the burns of section 1).

    decks                     None: `shoe.load` has to say
    cut_card_from_back        cards behind the marker; `cut_card_tolerance` either way
    cut_card_first_out        what a cut card that comes before a round's first card means
    burn_*                    how many cards are burned, and when
    burn_at_discretion        whether the house burns any number between rounds
    burned_faces_shown        whether a burned card's face is published
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
    bets_end: Literal["announced", "first_card"]


@dataclass(frozen=True, slots=True)
class ShoeGame:
    """A game whose cards go face up, one by one, to slots that the rules alone decide.

    due         the cards dealt so far -> the next card's slot, None: the round is complete.
                Pure; never None for no cards; every slot is `hand.number`
    outcome     the cards of a complete round, the profile -> how it ended
    hands       what a shoe calls a hand -> what this game calls it. A shoe that states places
                states those of its own game: its number is held against ours as it is
    most_cards  the most that a round can take; fewer left means that it may not be finished
    verdict     the cards of a complete round -> what the shoe's own verdict has to be; None: the
                shoe judges by the rules of another game, and its verdicts are not heard
    """

    due: Callable[[Dealt], str | None]
    outcome: Callable[[Dealt, Any], Outcome]
    hands: Mapping[CardTarget, str]
    most_cards: int
    verdict: Callable[[Dealt], ShoeResult] | None = None

    @property
    def first_slot(self) -> str:
        """Return the slot of a round's first card."""
        slot = self.due(())
        if slot is None:
            raise AssertionError("a round has a first card")
        return slot

    def stated_slot(self, reading: CardDrawn) -> str | None:
        """Return the slot that the shoe itself states, if it does."""
        hand = self._hand(reading)
        return f"{hand}.{reading.index}" if hand and reading.index is not None else None

    def may_be_for(self, slot: str, reading: CardDrawn) -> bool:
        """Return whether the shoe does not give the card elsewhere: it may name a hand alone."""
        hand, _, number = slot.partition(".")
        return reading.target is None or (
            self._hand(reading) == hand and reading.index in (None, int(number))
        )

    def _hand(self, reading: CardDrawn) -> str | None:
        return self.hands.get(reading.target) if reading.target is not None else None
