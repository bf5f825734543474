"""Dragon Tiger: one card to the dragon, one to the tiger; the higher rank wins, the ace is low.

Source: rules.md section 4; general knowledge, in no house's book. A third card is illegal: the
round is complete with the second, so it finds no slot due.

A baccarat shoe that states places calls the dragon its player and the tiger its banker. It deals
its own game: unless it is reset after each round it gives the next card to its player's second
place, and that holds the table. Its verdicts are on a baccarat and are not heard.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from daemon.gamekit.shoegame import (
    ShoeGame,
    ShoeRules,
    ShoeState,
    game_spec,
    listed,
    shoe_sentences,
)
from daemon.gamekit.spec import DueCard
from protocols.cards import RANKS
from protocols.events import DragonTigerOutcome

SLOTS: Final = ("dragon.1", "tiger.1")
STRENGTH: Final = {rank: place for place, rank in enumerate(RANKS)}
"""A rank's place from the ace up to the king: rank alone decides, the suit never does."""


def due(state: ShoeState, _rules: ShoeRules) -> DueCard | None:
    """Return where the next card goes: dragon first."""
    return DueCard(SLOTS[len(state.order)]) if len(state.order) < len(SLOTS) else None


def outcome(state: ShoeState, _rules: ShoeRules) -> DragonTigerOutcome | None:
    """Return who won: the higher rank; two of one rank tie, a suited tie where suits agree too."""
    if len(state.order) < len(SLOTS):
        return None
    dragon, tiger = listed(state.turned)
    ahead = STRENGTH[dragon.rank] - STRENGTH[tiger.rank]
    return DragonTigerOutcome(
        winner="tie" if ahead == 0 else "dragon" if ahead > 0 else "tiger",
        dragon=dragon,
        tiger=tiger,
        suited_tie=(dragon.rank, dragon.suit) == (tiger.rank, tiger.suit),
    )


def sentences(rules: ShoeRules) -> Iterator[str]:
    """Yield what these rules enforce, a sentence each."""
    yield from shoe_sentences(rules)
    yield "One card goes to the dragon, one to the tiger; a third is a violation."
    yield "The higher rank wins, the ace is low."


GAME: Final = game_spec(
    ShoeGame(
        due=due,
        outcome=outcome,
        hands={"player": "dragon", "banker": "tiger"},
        most_cards=len(SLOTS),
        first_slot=SLOTS[0],
    ),
    key="dragon_tiger",
    title="Dragon Tiger",
    default_profile="dragon-tiger",
    profile=ShoeRules,
    sentences=sentences,
    outcome=DragonTigerOutcome,
)
