"""A table of a two-card game on a bench: the real table and game, fed card by card."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass, replace
from typing import Any

from support import baccarat_bench
from support.baccarat_bench import PROFILES, found

from daemon.gamekit.shoegame import ShoeRules
from daemon.gamekit.spec import AnyGame, RoundControl
from daemon.games import dragon_tiger, football_studio
from daemon.games.dragon_tiger import DragonTigerOutcome
from daemon.games.football_studio import FootballStudioOutcome
from daemon.table.apply import start
from daemon.table.inputs import LinkUp
from daemon.table.state import TableSetup
from protocols.commands import LoadShoe
from protocols.events import (
    RoundCompleted,
)
from protocols.instant import Instant
from protocols.shoes.angel_eye_ii_ex import DEVICE


@dataclass(frozen=True)
class TwoCards:
    """A game of two cards, and what stands in its rule: who leads, who follows, if equal."""

    spec: AnyGame
    first: str
    second: str
    equal: str

    @property
    def slots(self) -> tuple[str, str]:
        return f"{self.first}.1", f"{self.second}.1"

    def rules(self, **changes: Any) -> ShoeRules:
        """Return the rules, as the game's profile states them."""
        text = (PROFILES / f"{self.spec.default_profile}.toml").read_text()
        return replace(ShoeRules(**tomllib.loads(text)["rules"]), **changes)


GAMES = (
    TwoCards(dragon_tiger.GAME, "dragon", "tiger", "tie"),
    TwoCards(football_studio.GAME, "home", "away", "draw"),
)


class Bench(baccarat_bench.Bench):
    """One table with one shoe. Every call returns the events that it caused."""

    def __init__(
        self, game: TwoCards, control: RoundControl = "server", *, shoe: bool = True, **rules: Any
    ) -> None:
        primary = {"primary": DEVICE}
        house = game.rules(**rules)
        self.setup = TableSetup(
            "t1", game.spec, house, game.spec.default_profile, "b2:00", control, primary
        )
        self.state = start(self.setup)
        self.now = Instant("boot", 0)
        self.events = []
        self.put(LinkUp("primary", "shoe", "bench"))
        if shoe:
            self.obey(LoadShoe("S1", 8))

    @property
    def winners(self) -> list[str]:
        """Return who won each completed round so far."""
        winners = []
        for one in found(self.events, RoundCompleted):
            assert isinstance(one.outcome, DragonTigerOutcome | FootballStudioOutcome)
            winners.append(one.outcome.winner)
        return winners
