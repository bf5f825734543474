"""A table of a two-card game on a bench: the real table and game, fed card by card."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from support.shoe_bench import ShoeBench
from support.table_bench import rules_of

from daemon.gamekit.shoegame import ShoeRules, ShoeState, TwoCardGame
from daemon.games import dragon_tiger, football_studio
from protocols.shoes.angel_eye_ii_ex import DEVICE
from protocols.table_terms import RoundControl


@dataclass(frozen=True)
class TwoCards:
    """A game of two cards, and what stands in its rule: who leads, who follows, if equal."""

    spec: TwoCardGame
    first: str
    second: str
    equal: str

    @property
    def slots(self) -> tuple[str, str]:
        return f"{self.first}.1", f"{self.second}.1"

    def rules(self, **changes: Any) -> ShoeRules:
        """Return the game's rules, as its file states them, with some of them changed."""
        return rules_of(self.spec, self.spec.default_profile, changes)


GAMES = (
    TwoCards(dragon_tiger.GAME, "dragon", "tiger", "tie"),
    TwoCards(football_studio.GAME, "home", "away", "draw"),
)


class TwoCardBench(ShoeBench[ShoeState, ShoeRules]):
    """One table with one shoe."""

    def __init__(
        self,
        game: TwoCards,
        control: RoundControl = "server",
        *,
        decks: int | None = 8,
        **rules: Any,
    ) -> None:
        devices = {"primary": DEVICE}
        super().__init__(game.spec, game.rules(**rules), devices, control, decks=decks)

    @property
    def winners(self) -> list[str]:
        """Return who won each completed round so far."""
        return [outcome.winner for outcome in self.outcomes]
