"""A baccarat table on a bench: the real table and game, fed card by card."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeVar, get_args

from daemon.gamekit.shoe import Shoe
from daemon.gamekit.spec import RoundControl
from daemon.games.baccarat import GAME
from daemon.games.baccarat.outcome import BaccaratOutcome
from daemon.games.baccarat.state import BaccaratProfile, BaccaratState
from daemon.table.apply import apply, start
from daemon.table.inputs import Commanded, DeviceSaid, Input, InputBody, LinkUp
from daemon.table.state import TableSetup
from protocols.cards import Card, find_card
from protocols.commands import (
    CloseBets,
    Command,
    LoadShoe,
    OpenRound,
    Refusal,
    ResolveAction,
    ResolveViolation,
    VoidRound,
)
from protocols.events import (
    CardBurned,
    CardDealt,
    Event,
    RoundCompleted,
    ViolationRaised,
)
from protocols.instant import Instant
from protocols.readings import CardDrawn, CardTarget, Reading
from protocols.shoes.angel_eye_ii_ex import DEVICE

PROFILES = Path(__file__).parents[2] / "config" / "profiles"
NATURAL = ("8S", "5C", "KD", "2H")
"""Player 8 against banker 7: over after four cards."""
SIX_CARDS = ("2S", "3C", "3D", "2H", "6S", "4D")
"""Player 5 draws a six (1); banker 5 draws on it and gets a four (9)."""
_Event = TypeVar("_Event")


def profile(key: str = "baccarat-dk", **changes: Any) -> BaccaratProfile:
    """Return a profile of the house, as its file states it."""
    rules = tomllib.loads((PROFILES / f"{key}.toml").read_text())["rules"]
    return replace(BaccaratProfile(**rules), **changes)


def card(code: str) -> Card:
    """Return the card of a two-letter code."""
    found_card = find_card(code)
    assert found_card is not None, code
    return found_card


def drawn(text: str) -> CardDrawn:
    """Return a reading: `8S` from a shoe that states no slot, `8S>player.1` from one that does."""
    code, _, slot = text.partition(">")
    hand, _, index = slot.partition(".")
    target: CardTarget | None = next((one for one in get_args(CardTarget) if one == hand), None)
    return CardDrawn(card(code), target, int(index) if index else None)


class Bench:
    """One table with one shoe. Every call returns the events that it caused."""

    def __init__(
        self,
        rules: BaccaratProfile | None = None,
        control: RoundControl = "server",
        *,
        shoe: bool = True,
    ) -> None:
        self.setup = TableSetup(
            "b1", GAME, rules or profile(), "baccarat-dk", "b2:00", control, {"primary": DEVICE}
        )
        self.state = start(self.setup)
        self.now = Instant("boot", 0)
        self.events: list[Event] = []
        self.put(LinkUp("primary", "shoe", "bench"))
        if shoe:
            self.obey(LoadShoe("S1", 8))

    @property
    def game(self) -> BaccaratState:
        state = self.state.game
        assert isinstance(state, BaccaratState)
        return state

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

    def put(self, body: InputBody) -> list[Event]:
        step = apply(self.setup, self.state, Input(self.now, body))
        assert step.refusal is None, step.refusal
        self.state = step.state
        self.events.extend(step.events)
        return list(step.events)

    def hear(self, *readings: Reading) -> list[Event]:
        heard: list[Event] = []
        for one in readings:
            heard += self.put(DeviceSaid("primary", "shoe", one, None, ""))
        return heard

    def draw(self, *cards: str) -> list[Event]:
        """Let cards leave the shoe, written as `drawn` reads them."""
        return self.hear(*(drawn(one) for one in cards))

    def obey(self, command: Command) -> list[Event]:
        return self.put(Commanded(command, "c"))

    def refused(self, command: Command) -> Refusal | None:
        step = apply(self.setup, self.state, Input(self.now, Commanded(command, "c")))
        return step.refusal

    def open(self, round_id: str = "R1") -> list[Event]:
        return self.obey(OpenRound(round_id))

    def deal(self, *cards: str, round_id: str = "R1") -> list[Event]:
        """Open a round, close its bets and let these cards leave the shoe."""
        heard = self.open(round_id) + self.obey(CloseBets(round_id))
        return heard + self.draw(*cards)

    def void(self) -> list[Event]:
        assert self.state.round is not None
        return self.obey(VoidRound(self.state.round.round_id, "test"))

    def decision(
        self, code: str, action: ResolveAction, named: str | None = None
    ) -> ResolveViolation:
        violation = next(one for one in self.state.open if one.violation.code == code)
        return ResolveViolation(violation.violation_id, action, "anna", "seen", card=named)

    def resolve(self, code: str, action: ResolveAction, named: str | None = None) -> list[Event]:
        return self.obey(self.decision(code, action, named))

    @property
    def codes(self) -> list[str]:
        """Return the code of every violation so far."""
        return [one.code for one in found(self.events, ViolationRaised)]

    @property
    def outcomes(self) -> list[BaccaratOutcome]:
        """Return the outcome of every completed round so far."""
        return [outcome_of(one) for one in found(self.events, RoundCompleted)]


def outcome_of(event: RoundCompleted) -> BaccaratOutcome:
    """Return the outcome of a round of baccarat."""
    assert isinstance(event.outcome, BaccaratOutcome)
    return event.outcome


def found(events: Iterable[Event], kind: type[_Event]) -> list[_Event]:
    """Return the events of one kind."""
    return [one for one in events if isinstance(one, kind)]


def kinds(events: Iterable[Event]) -> list[str]:
    """Return what happened, by name."""
    return [one.kind for one in events]


def dealt(events: Iterable[Event]) -> list[tuple[str, str, int]]:
    """Return (slot, card, place in the shoe) of every card that was dealt."""
    return [
        (one.slot, one.rank + one.suit, one.shoe_position)
        for one in events
        if isinstance(one, CardDealt)
    ]


def burned(events: Iterable[Event]) -> list[tuple[str, str | None, str, int]]:
    """Return (slot, card or None, reason, place in the shoe) of every card that was burned."""
    return [
        (one.slot, one.rank + one.suit if one.rank and one.suit else None, one.reason,
         one.shoe_position)
        for one in events
        if isinstance(one, CardBurned)
    ]  # fmt: skip
