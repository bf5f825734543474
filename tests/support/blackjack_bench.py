"""A blackjack table on a bench: the real table and game, fed card by card and word by word."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from support.shoe_bench import ShoeBench
from support.table_bench import ROUND, rules_of

from daemon.gamekit.commitments import Concealed
from daemon.gamekit.spec import DueCard
from daemon.games.blackjack import GAME
from daemon.games.blackjack.outcome import BlackjackOutcome
from daemon.games.blackjack.profile import BlackjackProfile
from daemon.games.blackjack.state import BlackjackState
from protocols.commands import (
    CloseInsurance,
    Decide,
    OpenRound,
    PeekHoleCard,
    PlayerAction,
    RevealCard,
)
from protocols.events import Event
from protocols.shoes.zebra_ssi import DEVICE
from protocols.table_terms import Role

HOUSES = ("blackjack-dk", "blackjack-lv", "blackjack-gr", "blackjack-ru")
KEY = Concealed(bytes(range(32)))


def profile(key: str = "blackjack-lv", **changes: Any) -> BlackjackProfile:
    """Return the rules of a house, as its file states them, with some of them changed."""
    return rules_of(GAME, key, changes)


class BlackjackBench(ShoeBench[BlackjackState, BlackjackProfile]):
    """One table; the cards that its house burns after a shuffle are burned already."""

    PAUSE_S = 1.0

    def __init__(
        self,
        house: BlackjackProfile | str = "blackjack-lv",
        roles: Iterable[Role] = ("primary",),
        decks: int = 8,
    ) -> None:
        rules = profile(house) if isinstance(house, str) else house
        super().__init__(GAME, rules, dict.fromkeys(roles, DEVICE), key=KEY, decks=decks)
        while isinstance(self.due, DueCard):
            self.draw("2C")

    @property
    def outcome(self) -> BlackjackOutcome | None:
        """Return how the last round ended, if it has."""
        outcomes = self.outcomes
        return outcomes[-1] if outcomes else None

    def bet(self, *boxes: int) -> None:
        """Open a round with these boxes and close its bets."""
        self.obey(OpenRound(ROUND, boxes))
        if self.setup.profile.bets_end == "announced":
            self.close()

    def decide(
        self, place: str, action: PlayerAction, *, dark: bool = False, seen: int | None = None
    ) -> list[Event]:
        """Let a player choose: `2` the first hand of box 2, `2.3` its third."""
        box, _, hand = place.partition(".")
        return self.ask(Decide(ROUND, int(box), int(hand or 1), action, seen, dark))

    def close_insurance(self) -> list[Event]:
        """No more insurance."""
        return self.ask(CloseInsurance(ROUND))

    def peek(self) -> list[Event]:
        """Ask the hole card."""
        return self.ask(PeekHoleCard(ROUND))

    def reveal(self, slot: str = "dealer.2") -> list[Event]:
        """Turn a card."""
        return self.ask(RevealCard(slot, ROUND))
