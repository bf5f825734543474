"""Football Studio (top card): one card home, one away; the higher rank wins, the ace is high.

Source: rules.md section 4; general knowledge, in no house's book. A third card is illegal: the
round is complete with the second, so it finds no slot due.

A baccarat shoe that states places calls home its player and away its banker. It deals its own
game: unless it is reset after each round it gives the next card to its player's second place, and
that holds the table. Its verdicts are on a baccarat and are not heard.
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
from protocols.cards import Rank
from protocols.events import FootballStudioOutcome

SLOTS: Final = ("home.1", "away.1")
RANKS_UPWARD: Final[tuple[Rank, ...]] = (
    "2", "3", "4", "5", "6", "7", "8", "9", "T", "J", "Q", "K", "A",
)  # fmt: skip
STRENGTH: Final = {rank: place for place, rank in enumerate(RANKS_UPWARD)}
"""A rank's place from the two up to the ace: rank alone decides, the suit never does."""


def due(state: ShoeState, _rules: ShoeRules) -> DueCard | None:
    """Return where the next card goes: home first."""
    return DueCard(SLOTS[len(state.order)]) if len(state.order) < len(SLOTS) else None


def outcome(state: ShoeState, _rules: ShoeRules) -> FootballStudioOutcome | None:
    """Return who won: the higher rank; two of one rank are a draw."""
    if len(state.order) < len(SLOTS):
        return None
    home, away = listed(state.turned)
    ahead = STRENGTH[home.rank] - STRENGTH[away.rank]
    return FootballStudioOutcome(
        winner="draw" if ahead == 0 else "home" if ahead > 0 else "away",
        home=home,
        away=away,
    )


def sentences(rules: ShoeRules) -> Iterator[str]:
    """Yield what these rules enforce, a sentence each."""
    yield from shoe_sentences(rules)
    yield "One card goes to home, one to away; a third is a violation."
    yield "The higher rank wins, the ace is high."


GAME: Final = game_spec(
    ShoeGame(
        due=due,
        outcome=outcome,
        hands={"player": "home", "banker": "away"},
        most_cards=len(SLOTS),
        first_slot=SLOTS[0],
    ),
    key="football_studio",
    title="Football Studio (top card)",
    default_profile="football-studio",
    profile=ShoeRules,
    sentences=sentences,
    outcome=FootballStudioOutcome,
)
