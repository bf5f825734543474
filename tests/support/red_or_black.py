"""Red or Black: one card is dealt, its colour wins. A game that nobody plays, as a file of its own.

`tests/whole/test_new_game.py` puts it into a copy of the tree as `daemon/games/red_or_black.py`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, Literal

from daemon.gamekit.rehearsal import Rehearsal
from daemon.gamekit.sentence import Sentence
from daemon.gamekit.shoegame import (
    SHOE_VIOLATIONS,
    ShoeGame,
    ShoeRules,
    ShoeState,
    ShoeTransition,
    listed,
    shoe_sentences,
)
from daemon.gamekit.spec import DueCard
from daemon.gamekit.violations import GO_ON, ViolationRule
from protocols.cards import Card
from protocols.events import DealtCard, Outcome

SLOT: Final = "player.1"


@dataclass(frozen=True, slots=True)
class RedOrBlackOutcome(Outcome):
    """The colour of the only card."""

    colour: Literal["red", "black"]
    card: DealtCard
    game: Literal["red_or_black"] = "red_or_black"


class RedOrBlack(ShoeGame[ShoeState, ShoeRules]):
    """One card to one slot."""

    def next_card(self, state: ShoeState, rules: ShoeRules) -> DueCard | None:  # noqa: ARG002 - as every shoe game
        """Return the only slot, until it is filled."""
        return None if state.order else DueCard(SLOT)

    def round_outcome(self, state: ShoeState, rules: ShoeRules) -> RedOrBlackOutcome | None:  # noqa: ARG002 - as every shoe game
        """Return the colour of the card."""
        if not state.order:
            return None
        (card,) = listed(state.turned)
        return RedOrBlackOutcome("red" if card.suit in "HD" else "black", card)

    def on_card_placed(
        self, transition: ShoeTransition[ShoeState, ShoeRules], slot: str, card: Card | None
    ) -> None:
        """Hold the round where a queen of spades was dealt: this house plays without her."""
        if card == Card("Q", "S"):
            transition.violate("queen_of_spades", "the queen was dealt", slot=slot, read=card)

    def sentences(self, profile: ShoeRules) -> Iterator[Sentence]:
        """Yield what these rules enforce, a sentence each."""
        yield from shoe_sentences(profile)
        yield Sentence("result", "One card is dealt; its colour wins.")


GAME: Final = RedOrBlack(
    key="red_or_black",
    title="Red or Black",
    source="general knowledge",
    default_profile="red-or-black",
    profile_type=ShoeRules,
    state_type=ShoeState,
    outcome_type=RedOrBlackOutcome,
    rehearsal=Rehearsal(table="RB-1", device="zebra_ssi", decks=8),
    violations={
        **SHOE_VIOLATIONS,
        "queen_of_spades": ViolationRule(
            "The queen of spades is taken out before play.", holds=True, resolutions=GO_ON
        ),
    },
    hands={"player": "player"},
    most_cards=1,
    first_slot=SLOT,
)
