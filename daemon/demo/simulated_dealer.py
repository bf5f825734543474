"""Plays the dealer for demo and simulation: what is due, from the rules; what comes, by chance.

The dealer runs the same pure table as the daemon does, on its own, and is told what the table
server does. It turns what is due into cues for a simulator.
"""

from __future__ import annotations

from dataclasses import dataclass
from random import Random
from typing import Final

from daemon.gamekit.shoegame import ShoeRules
from daemon.gamekit.spec import DueCard, DueDice, DueSpin
from daemon.table.apply import apply, start
from daemon.table.inputs import Commanded, DeviceSaid, Input, LinkUp
from daemon.table.state import TableSetup
from daemon.table.transition import TableTransition
from protocols.cards import DECK, Card
from protocols.commands import CloseBets, Command, LoadShoe, OpenRound, VoidRound
from protocols.faces import FACES
from protocols.instant import Instant
from protocols.readings import CardDrawn, CardTarget, DiceRead, DiceShaken, Reading
from protocols.simulator import Cue, DrawCard, DrawCutCard, SpinBall, ThrowDice

_START = Instant("dealer", 0)
_TARGETS: Final[dict[str, CardTarget]] = {"player": "player", "banker": "banker", "burn": "burn"}
"""Hands that a simulated shoe states by itself."""


@dataclass(frozen=True, slots=True)
class DealerAction:
    """What the dealer does next, and after how many seconds of table time."""

    cue: Cue
    after_s: float


class Dealer:
    """One table's dealer. Same seed, same cards."""

    def __init__(
        self, setup: TableSetup, seed: int, card_s: float = 1.8, spin_s: float = 2.0
    ) -> None:
        self._setup = setup
        self._rehearsal = setup.game.rehearsal
        self._now = _START
        self._chance = Random(seed)  # noqa: S311 - a rehearsal, never money
        self._card_s = card_s
        self._spin_s = spin_s
        self._state = start(setup)
        self._shoe: list[Card] = []
        self._cut_at = -1
        self._spun = False
        self._shoes = 0
        self._plugged = LinkUp("primary", setup.devices["primary"].key, "dealer")
        self._tell(self._plugged)

    def shuffle(self, shoe_id: str, decks: int) -> None:
        """Take a new shoe of this many decks."""
        self._shoe = list(DECK) * decks
        self._chance.shuffle(self._shoe)
        rules = self._setup.profile
        if not self._shoes:
            self._rehearsal.arrange_shoe(self._shoe, rules)
        self._shoes += 1
        self._cut_at = rules.cut_card_place if isinstance(rules, ShoeRules) else -1
        self._state = start(self._setup)
        self._tell(self._plugged)
        self._command(LoadShoe(shoe_id, decks))

    def bets(self) -> tuple[int, ...]:
        """Return the boxes that play next, where the game has boxes."""
        return self._rehearsal.bets(self._chance, first_round=not self._shoes)

    def open_round(self, round_id: str) -> DealerAction | None:
        """The table server opened a round; the one before it is over, completed or voided."""
        if self._state.round is not None:
            self._command(VoidRound(self._state.round.round_id, "it is over"))
        self._spun = False
        self._command(OpenRound(round_id))
        return self.next()

    def close_bets(self, round_id: str, boxes: tuple[int, ...] = ()) -> DealerAction | None:
        """The table server closed the bets; these boxes have one, where the game has boxes."""
        self._command(CloseBets(round_id, boxes))
        return self.next()

    def next(self) -> DealerAction | None:
        """Return the next gesture, None when nothing is due, and take it as done."""
        context = TableTransition(self._setup, self._state, self._now).context()
        match self._setup.game.due(self._state.game, context):
            case DueCard(slot=slot):
                if len(self._shoe) == self._cut_at:
                    self._cut_at = -1
                    return DealerAction(DrawCutCard(), self._card_s)
                return DealerAction(self._draw(slot), self._card_s)
            case DueSpin(pockets=pockets) if not self._spun:
                self._spun = True
                return DealerAction(SpinBall(self._chance.choice(pockets)), self._spin_s)
            case DueDice():
                return DealerAction(self._throw(), self._spin_s)
            case _:
                return None

    def next_command(self) -> Command | None:
        """Return the table server's next command, None when it waits for a card or the end."""
        context = TableTransition(self._setup, self._state, self._now).context()
        legal = self._setup.game.legal_commands(self._state.game, context)
        return self._rehearsal.next_command(legal, self._state.game, self._chance)

    def obeyed(self, command: Command) -> None:
        """The table server sent this command, and the daemon obeyed."""
        self._command(command)

    def _draw(self, slot: str) -> Cue:
        card = self._shoe.pop()
        hand, _, place = slot.partition(".")
        target = _TARGETS.get(hand)
        index = int(place) if target is not None else None
        self._hear(CardDrawn(card, target, index))
        return DrawCard(card, target, index)

    def _throw(self) -> Cue:
        first, second, third = self._chance.choices(list(FACES.values()), k=3)
        self._hear(DiceShaken())
        self._hear(DiceRead((first, second, third), checked=True))
        return ThrowDice((first, second, third))

    def _hear(self, reading: Reading) -> None:
        # No card comes at the moment of another: two equal cards would be a card read twice.
        self._now = self._now.after(self._card_s)
        self._tell(DeviceSaid("primary", self._setup.devices["primary"].key, reading, None, ""))

    def _command(self, command: Command) -> None:
        self._tell(Commanded(command, "dealer"))

    def _tell(self, body: LinkUp | Commanded | DeviceSaid) -> None:
        self._state = apply(self._setup, self._state, Input(self._now, body)).state
