"""Baccarat (punto banco): what is due next, who won, and what the shoe has to say of it.

rules.py the rules of the cards · state.py the house's rules · daemon/shoegame the rest
"""

from __future__ import annotations

from typing import Final

from daemon.gamekit.shoegame import Dealt, ShoeGame, game_spec, listed
from daemon.gamekit.spec import DueCard
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
from protocols.events import BaccaratOutcome
from protocols.readings import ShoeResult


def _hands(dealt: Dealt) -> tuple[Hand, Hand]:
    """Return the player's cards and the banker's."""
    player = tuple(card for slot, card in dealt if slot.startswith("player"))
    return player, tuple(card for slot, card in dealt if slot.startswith("banker"))


def due(state: BaccaratState, rules: BaccaratProfile) -> DueCard | None:
    """Return where the next card goes: a third card only when those before it lie face up."""
    hidden = rules.concealed == "until_reveal"
    if len(state.order) < len(FIRST_FOUR):
        return DueCard(FIRST_FOUR[len(state.order)], hidden)
    if state.face_down:
        return None
    slot = due_slot(*_hands(state.turned))
    return DueCard(slot, hidden) if slot is not None else None


def outcome(state: BaccaratState, rules: BaccaratProfile) -> BaccaratOutcome | None:
    """Return how the round ended; pairs where the house reports them."""
    if state.face_down or due(state, rules) is not None:
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


def verdict(dealt: Dealt) -> ShoeResult:
    """Return what a baccarat shoe has to say of a complete round; it always states the pairs."""
    player, banker = _hands(dealt)
    return ShoeResult(winner(player, banker), is_pair(player), is_pair(banker))


GAME: Final = game_spec(
    ShoeGame(
        due=due,
        outcome=outcome,
        hands={"player": "player", "banker": "banker"},
        most_cards=6,
        first_slot=FIRST_FOUR[0],
        verdict=verdict,
        hides=lambda rules: rules.concealed == "until_reveal",
    ),
    key="baccarat",
    title="Baccarat (punto banco)",
    default_profile="baccarat-lv",
    profile=BaccaratProfile,
    outcome=BaccaratOutcome,
    sentences=sentences,
)
