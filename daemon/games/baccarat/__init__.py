"""Baccarat (punto banco): what is due next, who won, and what the shoe has to say of it.

rules.py the rules of the cards · state.py the house's rules · daemon/shoegame the rest
"""

from __future__ import annotations

from typing import Final

from daemon.games.baccarat.rules import Hand, due_slot, is_natural, is_pair, total, winner
from daemon.games.baccarat.state import BaccaratProfile
from daemon.shoegame import Dealt, ShoeGame, game_spec, listed
from protocols.events import BaccaratOutcome
from protocols.readings import ShoeResult


def _hands(dealt: Dealt) -> tuple[Hand, Hand]:
    """Return the player's cards and the banker's."""
    player = tuple(card for slot, card in dealt if slot.startswith("player"))
    return player, tuple(card for slot, card in dealt if slot.startswith("banker"))


def due(dealt: Dealt) -> str | None:
    """Return where the next card goes."""
    return due_slot(*_hands(dealt))


def outcome(dealt: Dealt, rules: BaccaratProfile) -> BaccaratOutcome:
    """Return how a complete round ended; pairs where the house reports them."""
    player, banker = _hands(dealt)
    return BaccaratOutcome(
        winner=winner(player, banker),
        player_total=total(player),
        banker_total=total(banker),
        natural=is_natural(player, banker),
        player_pair=rules.pairs_reported and is_pair(player),
        banker_pair=rules.pairs_reported and is_pair(banker),
        cards=listed(dealt),
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
        verdict=verdict,
    ),
    key="baccarat",
    title="Baccarat (punto banco)",
    default_profile="baccarat-lv",
    profile=BaccaratProfile,
    outcome=BaccaratOutcome,
)
