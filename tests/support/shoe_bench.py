"""A table of a game from a shoe, on a bench: cards leave the shoe one by one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TypeVar

from support.notation import drawn
from support.table_bench import ROUND, TableBench

from daemon.gamekit.commitments import Concealed
from daemon.gamekit.shoe import Shoe
from daemon.gamekit.shoegame import ShoeGame, ShoeRules, ShoeState
from daemon.table.state import NO_KEY
from protocols.commands import LoadShoe
from protocols.device import DeviceSpec
from protocols.events import Event
from protocols.table_terms import Role, RoundControl

ShoeStateT = TypeVar("ShoeStateT", bound=ShoeState)
ShoeRulesT = TypeVar("ShoeRulesT", bound=ShoeRules)


class ShoeBench(TableBench[ShoeStateT, ShoeRulesT]):
    """One table and its shoe.

    decks  of the shoe that is loaded at once; None: no shoe is
    """

    def __init__(
        self,
        game: ShoeGame[ShoeStateT, ShoeRulesT],
        rules: ShoeRulesT,
        devices: Mapping[Role, DeviceSpec],
        control: RoundControl = "server",
        key: Concealed[bytes] = NO_KEY,
        *,
        decks: int | None = 8,
    ) -> None:
        super().__init__(game, rules, devices, control, key)
        if decks is not None:
            self.obey(LoadShoe("S1", rules.decks or decks))

    @property
    def shoe(self) -> Shoe:
        assert self.game.shoe is not None
        return self.game.shoe

    def fill(self, out: int) -> None:
        """Let cards have left the shoe, of every face alike."""
        copies: dict[str, int] = {}
        for number in range(out):
            code = "A23456789TJQK"[number % 13] + "SHDC"[number // 13 % 4]
            copies[code] = copies.get(code, 0) + 1
        shoe = replace(self.shoe, out=out, copies=copies)
        self.state = replace(self.state, game=replace(self.game, shoe=shoe))

    def draw(self, *cards: str, role: Role = "primary") -> list[Event]:
        """Let cards be read: `KS`, or `KS>player.1`."""
        return self.hear(*(drawn(text) for text in cards), role=role)

    def deal(self, *cards: str, round_id: str = ROUND) -> list[Event]:
        """Open a round, close its bets and let these cards leave the shoe."""
        return self.open(round_id) + self.close(round_id) + self.draw(*cards)
