"""Baccarat (punto banco): what is due next, who won, and what the shoe has to say of it.

rules.py the rules of the cards · outcome.py how a round ends · state.py the house's rules
daemon/gamekit/shoegame the rest
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from daemon.gamekit.rehearsal import Rehearsal
from daemon.gamekit.sentence import Sentence
from daemon.gamekit.shoegame import Dealt, ShoeGame, listed
from daemon.gamekit.spec import DueCard
from daemon.games.baccarat.outcome import BaccaratOutcome
from daemon.games.baccarat.rules import (
    FIRST_FOUR,
    Hand,
    due_slot,
    is_natural,
    is_pair,
    total,
    winner,
)
from daemon.games.baccarat.sentences import sentences
from daemon.games.baccarat.state import BaccaratProfile, BaccaratState
from protocols.readings import ShoeResult


def _hands(dealt: Dealt) -> tuple[Hand, Hand]:
    """Return the player's cards and the banker's."""
    player = tuple(card for slot, card in dealt if slot.startswith("player"))
    return player, tuple(card for slot, card in dealt if slot.startswith("banker"))


class Baccarat(ShoeGame[BaccaratState, BaccaratProfile]):
    """Player and banker get two cards each, then third cards by fixed rules."""

    def next_card(self, state: BaccaratState, rules: BaccaratProfile) -> DueCard | None:
        """Return where the next card goes: a third only when those before it lie face up."""
        hidden = self.deals_face_down(rules)
        if len(state.order) < len(FIRST_FOUR):
            return DueCard(FIRST_FOUR[len(state.order)], hidden)
        if state.face_down:
            return None
        slot = due_slot(*_hands(state.turned))
        return DueCard(slot, hidden) if slot is not None else None

    def round_outcome(self, state: BaccaratState, rules: BaccaratProfile) -> BaccaratOutcome | None:
        """Return how the round ended; pairs where the house reports them."""
        if self.next_card(state, rules) is not None or state.face_down:
            return None
        player, banker = _hands(state.turned)
        return BaccaratOutcome(
            winner=winner(player, banker),
            player_total=total(player),
            banker_total=total(banker),
            natural=is_natural(player, banker),
            player_pair=rules.pairs_reported and is_pair(player),
            banker_pair=rules.pairs_reported and is_pair(banker),
            cards=listed(state.turned),
        )

    def expected_verdict(self, dealt: Dealt) -> ShoeResult:
        """Return what a baccarat shoe has to state of a complete round: always the pairs too."""
        player, banker = _hands(dealt)
        return ShoeResult(winner(player, banker), is_pair(player), is_pair(banker))

    def deals_face_down(self, rules: BaccaratProfile) -> bool:
        """Return whether this is a squeeze table."""
        return rules.concealed == "until_reveal"

    def sentences(self, profile: BaccaratProfile) -> Iterable[Sentence]:
        """Return what these rules enforce, in plain English."""
        return sentences(profile)


GAME: Final = Baccarat(
    key="baccarat",
    title="Baccarat (punto banco)",
    source="rulebooks",
    default_profile="baccarat-lv",
    profile_type=BaccaratProfile,
    state_type=BaccaratState,
    outcome_type=BaccaratOutcome,
    rehearsal=Rehearsal(table="BAC-1", device="angel_eye_ii_ex", decks=8, by_default=True),
    hands={"player": "player", "banker": "banker"},
    most_cards=6,
    first_slot=FIRST_FOUR[0],
    shoe_judges=True,
)
