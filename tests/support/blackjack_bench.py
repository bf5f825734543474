"""A blackjack table on a bench: the real table and game, fed card by card and word by word."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeVar, get_args

from daemon.gamekit.commitments import Concealed
from daemon.gamekit.spec import DueCard, Role
from daemon.games.blackjack import GAME
from daemon.games.blackjack.outcome import BlackjackOutcome
from daemon.games.blackjack.profile import BlackjackProfile
from daemon.games.blackjack.state import BlackjackState
from daemon.table.apply import apply, start
from daemon.table.concealment import card_may_be_hidden
from daemon.table.inputs import Commanded, DeviceSaid, HiddenSaid, Input, LinkUp
from daemon.table.state import RecordRef, TableSetup, TableState
from daemon.table.transition import TableTransition
from protocols.cards import Card, find_card
from protocols.commands import (
    CloseBets,
    CloseInsurance,
    Command,
    Decide,
    LoadShoe,
    OpenRound,
    PeekHoleCard,
    PlayerAction,
    Refusal,
    ResolveAction,
    ResolveViolation,
    RevealCard,
    VoidRound,
)
from protocols.events import (
    Event,
    RoundCompleted,
    ViolationRaised,
)
from protocols.instant import Instant
from protocols.readings import CardDrawn, CardTarget, Reading
from protocols.shoes.zebra_ssi import DEVICE

PROFILES = Path(__file__).parents[2] / "config" / "profiles"
HOUSES = ("blackjack-dk", "blackjack-lv", "blackjack-gr", "blackjack-ru")
KEY = Concealed(bytes(range(32)))
ROUND = "R1"
_Event = TypeVar("_Event")


def profile(key: str = "blackjack-lv", **changes: Any) -> BlackjackProfile:
    """Return a profile of the house, as its file states it."""
    rules = tomllib.loads((PROFILES / f"{key}.toml").read_text())["rules"]
    return replace(BlackjackProfile(**rules), **changes)


def card(code: str) -> Card:
    """Return the card of a two-letter code."""
    found_card = find_card(code)
    assert found_card is not None, code
    return found_card


class Bench:
    """One table; every call returns the events that it caused."""

    def __init__(
        self,
        house: BlackjackProfile | str = "blackjack-lv",
        roles: Iterable[Role] = ("primary",),
        decks: int = 8,
    ) -> None:
        rules = profile(house) if isinstance(house, str) else house
        self.setup = TableSetup(
            table="BJ-1",
            game=GAME,
            profile=rules,
            profile_key="a house",
            digest="b2:00",
            control="server",
            devices=dict.fromkeys(roles, DEVICE),
            key=KEY,
        )
        self.state: TableState = start(self.setup)
        self.now = Instant("boot", 0)
        self.events: list[Event] = []
        self.refusal: Refusal | None = None
        self._record = 0
        for role in self.setup.devices:
            self.put(LinkUp(role, DEVICE.key, "bench"))
        self.command(LoadShoe("S1", decks))
        while isinstance(self.due, DueCard):
            self.draw("2C")  # the house's burns

    @property
    def play(self) -> BlackjackState:
        """Return what the game remembers."""
        state: BlackjackState = self.state.game
        return state

    @property
    def due(self) -> DueCard | None:
        """Return where the next card goes."""
        turn = TableTransition(self.setup, self.state, self.now)
        due = GAME.due(self.state.game, turn.context())
        assert due is None or isinstance(due, DueCard)
        return due

    @property
    def asks(self) -> set[Command]:
        """Return what the game waits to hear."""
        return set(
            GAME.legal_commands(
                self.state.game, TableTransition(self.setup, self.state, self.now).context()
            )
        )

    @property
    def outcome(self) -> BlackjackOutcome | None:
        """Return how the last round ended, if it has."""
        ended = [one.outcome for one in self.events if isinstance(one, RoundCompleted)]
        if not ended:
            return None
        assert isinstance(ended[-1], BlackjackOutcome)
        return ended[-1]

    @property
    def codes(self) -> list[str]:
        """Return the codes of every violation so far."""
        return [one.code for one in self.events if isinstance(one, ViolationRaised)]

    # --- what happens ----------------------------------------------------------------------

    def put(self, body: Any) -> list[Event]:
        """Let something happen."""
        self.now = self.now.after(1.0)
        self._record += 1
        mark = RecordRef("000001-bench", self._record)
        step = apply(self.setup, self.state, Input(self.now, body), mark)
        self.state, self.refusal = step.state, step.refusal
        self._record += len(step.events)
        self.events += step.events
        return list(step.events)

    def say(self, reading: Reading, role: Role = "primary") -> list[Event]:
        """Let a device say something, concealed where the daemon would."""
        said = DeviceSaid(role, DEVICE.key, reading, None, "")
        hidden = card_may_be_hidden(self.setup, self.state, role)
        return self.put(HiddenSaid(Concealed(said)) if hidden else said)

    def draw(self, *codes: str, role: Role = "primary") -> list[Event]:
        """Let cards leave the shoe: `KD`, or `KD>box2` where the shoe states the place."""
        heard: list[Event] = []
        for code in codes:
            name, _, target = code.partition(">")
            place: CardTarget | None = next(
                (one for one in get_args(CardTarget) if one == target), None
            )
            assert place is not None or not target, target
            heard += self.say(CardDrawn(card(name), place), role)
        return heard

    def command(self, command: Command) -> list[Event]:
        """Let the table server say something."""
        return self.put(Commanded(command, f"c{self._record}"))

    def open(self, *boxes: int) -> None:
        """Open a round with these boxes and close its bets."""
        self.command(OpenRound(ROUND, boxes))
        assert self.refusal is None, self.refusal
        if self.setup.profile.bets_end == "announced":
            self.command(CloseBets(ROUND))

    def decide(
        self, place: str, action: PlayerAction, *, dark: bool = False, seen: int | None = None
    ) -> list[Event]:
        """Let a player choose: `2` the first hand of box 2, `2.3` its third."""
        box, _, hand = place.partition(".")
        return self.command(Decide(ROUND, int(box), int(hand or 1), action, seen, dark))

    def close_insurance(self) -> list[Event]:
        """No more insurance."""
        return self.command(CloseInsurance(ROUND))

    def peek(self) -> list[Event]:
        """Ask the hole card."""
        return self.command(PeekHoleCard(ROUND))

    def reveal(self, slot: str = "dealer.2") -> list[Event]:
        """Turn a card."""
        return self.command(RevealCard(slot, ROUND))

    def resolve(self, code: str, action: ResolveAction, named: str | None = None) -> list[Event]:
        """Let a supervisor decide about the open violation of this code."""
        found = next(one for one in self.state.open if one.violation.code == code)
        return self.command(
            ResolveViolation(found.violation_id, action, "anna", "seen on the felt", named)
        )

    def void(self) -> list[Event]:
        """Void the round."""
        return self.command(VoidRound(ROUND, "misdeal"))


def found(events: Iterable[object], kind: type[_Event]) -> list[_Event]:
    """Return the events of a kind."""
    return [one for one in events if isinstance(one, kind)]
