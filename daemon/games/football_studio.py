"""Football Studio (top card): one card home, one away; the higher rank wins, the ace is high.

Source: docs/rules/two-card-games.md: general knowledge, in no house's book.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

from daemon.gamekit.rehearsal import Rehearsal
from daemon.gamekit.shoegame import ShoeRules, ShoeState, TwoCardGame
from protocols.cards import RANKS
from protocols.events import DealtCard, Outcome


@dataclass(frozen=True, slots=True)
class FootballStudioOutcome(Outcome):
    """The higher rank won, ace high.

    winner  the hand that won
    home    the card of the home side
    away    the card of the away side
    """

    winner: Literal["home", "away", "draw"]
    home: DealtCard
    away: DealtCard
    game: Literal["football_studio"] = "football_studio"


def _conclude(higher: int, home: DealtCard, away: DealtCard) -> FootballStudioOutcome:
    """Return who won: two of one rank are a draw."""
    return FootballStudioOutcome(
        winner="draw" if higher == 0 else "home" if higher > 0 else "away", home=home, away=away
    )


GAME: Final = TwoCardGame(
    key="football_studio",
    title="Football Studio (top card)",
    source="general knowledge",
    default_profile="football-studio",
    profile_type=ShoeRules,
    state_type=ShoeState,
    outcome_type=FootballStudioOutcome,
    rehearsal=Rehearsal(table="FS-1", device="zebra_ssi", decks=8),
    hands={"player": "home", "banker": "away"},
    first_slot="home.1",
    second_slot="away.1",
    ranks_upward=(*RANKS[1:], RANKS[0]),
    conclude=_conclude,
    says=(
        "One card goes to home, one to away; a third is a violation.",
        "The higher rank wins, the ace is high.",
    ),
)
