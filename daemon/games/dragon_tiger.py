"""Dragon Tiger: one card to the dragon, one to the tiger; the higher rank wins, the ace is low.

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
class DragonTigerOutcome(Outcome):
    """The higher rank won, ace low.

    winner      the hand that won
    dragon      the dragon's card
    tiger       the tiger's card
    suited_tie  the two cards are alike in suit too
    """

    winner: Literal["dragon", "tiger", "tie"]
    dragon: DealtCard
    tiger: DealtCard
    suited_tie: bool
    game: Literal["dragon_tiger"] = "dragon_tiger"


def _conclude(higher: int, dragon: DealtCard, tiger: DealtCard) -> DragonTigerOutcome:
    """Return who won: two of one rank tie, a suited tie where suits agree too."""
    return DragonTigerOutcome(
        winner="tie" if higher == 0 else "dragon" if higher > 0 else "tiger",
        dragon=dragon,
        tiger=tiger,
        suited_tie=(dragon.rank, dragon.suit) == (tiger.rank, tiger.suit),
    )


GAME: Final = TwoCardGame(
    key="dragon_tiger",
    title="Dragon Tiger",
    source="general knowledge",
    default_profile="dragon-tiger",
    profile_type=ShoeRules,
    state_type=ShoeState,
    outcome_type=DragonTigerOutcome,
    rehearsal=Rehearsal(table="DT-1", device="zebra_ssi", decks=8),
    hands={"player": "dragon", "banker": "tiger"},
    first_slot="dragon.1",
    second_slot="tiger.1",
    ranks_upward=RANKS,
    conclude=_conclude,
    says=(
        "One card goes to the dragon, one to the tiger; a third is a violation.",
        "The higher rank wins, the ace is low.",
    ),
)
