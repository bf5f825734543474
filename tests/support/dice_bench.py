"""A Sic Bo table on a bench: the real table and game, fed by hand."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeVar

from daemon.gamekit.spec import DueDice, RoundControl
from daemon.games.sic_bo import GAME
from daemon.games.sic_bo.outcome import SicBoOutcome
from daemon.games.sic_bo.profile import SicBoProfile
from daemon.table.apply import apply, start
from daemon.table.inputs import (
    Commanded,
    DeviceSaid,
    Input,
    InputBody,
    LinkDown,
    LinkUp,
    Restarted,
)
from daemon.table.state import TableSetup
from daemon.table.transition import TableTransition
from protocols.commands import (
    CloseBets,
    Command,
    OpenRound,
    Refusal,
    ResolveAction,
    ResolveViolation,
    VoidRound,
)
from protocols.dice.pitwire_shaker import DEVICE
from protocols.events import (
    Event,
    RoundCompleted,
    ViolationRaised,
)
from protocols.faces import FACES, Faces, find_faces
from protocols.instant import Instant
from protocols.readings import DiceRead, DiceShaken, DiceUnread, Reading

PROFILES = Path(__file__).parents[2] / "config" / "profiles"
_Event = TypeVar("_Event")


def profile(**changes: Any) -> SicBoProfile:
    """Return the rules, as their file states them."""
    text = (PROFILES / "sic-bo.toml").read_text()
    return replace(SicBoProfile(**tomllib.loads(text)["rules"]), **changes)


def dice(text: str) -> Faces:
    """Return the faces of three digits."""
    faces = find_faces(text)
    assert faces is not None, text
    return faces


class Bench:
    """One table with one shaker. Every call returns the events that it caused."""

    def __init__(self, control: RoundControl = "server", **rules: Any) -> None:
        self.setup = TableSetup(
            "s1", GAME, profile(**rules), "sic-bo", "b2:00", control, {"primary": DEVICE}
        )
        self.state = start(self.setup)
        self.now = Instant("boot", 0)
        self.events: list[Event] = []
        self.put(LinkUp("primary", "shaker", "bench"))

    def put(self, body: InputBody) -> list[Event]:
        self.now = self.now.after(1.0)
        step = apply(self.setup, self.state, Input(self.now, body))
        assert step.refusal is None, step.refusal
        self.state = step.state
        self.events.extend(step.events)
        return list(step.events)

    def hear(self, reading: Reading, number: str | None = None) -> list[Event]:
        return self.put(DeviceSaid("primary", "shaker", reading, number, f"{number}"))

    def shake(self, number: str | None = None) -> list[Event]:
        return self.hear(DiceShaken(), number)

    def show(self, text: str, number: str | None = None, *, checked: bool = True) -> list[Event]:
        """Let the dice be read; `-` is a die that is not recognised."""
        if "-" in text:
            first, second, third = (FACES.get(digit) for digit in text)
            return self.hear(DiceUnread((first, second, third)), number)
        return self.hear(DiceRead(dice(text), checked), number)

    def throw(self, text: str) -> list[Event]:
        """Let the dice be shaken and read."""
        return self.shake() + self.show(text)

    def obey(self, command: Command) -> list[Event]:
        return self.put(Commanded(command, "c"))

    def refused(self, command: Command) -> Refusal | None:
        step = apply(self.setup, self.state, Input(self.now, Commanded(command, "c")))
        return step.refusal

    def open(self, round_id: str = "R1") -> list[Event]:
        return self.obey(OpenRound(round_id))

    def close(self, round_id: str = "R1") -> list[Event]:
        return self.obey(CloseBets(round_id))

    def deal(self, round_id: str = "R1") -> None:
        """Open a round and close its bets: the dice are due."""
        self.open(round_id)
        self.close(round_id)

    def void(self) -> list[Event]:
        assert self.state.round is not None
        return self.obey(VoidRound(self.state.round.round_id, "test"))

    def decision(
        self, code: str, action: ResolveAction, text: str | None = None
    ) -> ResolveViolation:
        found = next(one for one in self.state.open if one.violation.code == code)
        faces = None if text is None else dice(text)
        return ResolveViolation(found.violation_id, action, "anna", "seen", dice=faces)

    def resolve(self, code: str, action: ResolveAction, text: str | None = None) -> list[Event]:
        return self.obey(self.decision(code, action, text))

    def unplug(self) -> None:
        self.put(LinkDown("primary", "shaker", "unplugged"))
        self.put(LinkUp("primary", "shaker", "bench"))

    def restart(self) -> None:
        self.put(Restarted("test", 0))
        self.put(LinkUp("primary", "shaker", "bench"))

    def dice_are_due(self) -> bool:
        context = TableTransition(self.setup, self.state, self.now).context()
        return GAME.due(self.state.game, context) == DueDice()

    @property
    def codes(self) -> list[str]:
        """Return the code of every violation so far."""
        return [one.code for one in found(self.events, ViolationRaised)]

    @property
    def results(self) -> list[Faces]:
        """Return the dice of every completed round so far."""
        return [outcome_in(one).faces for one in found(self.events, RoundCompleted)]


def outcome_in(event: RoundCompleted) -> SicBoOutcome:
    """Return how a round of Sic Bo ended."""
    assert isinstance(event.outcome, SicBoOutcome)
    return event.outcome


def found(events: Iterable[Event], kind: type[_Event]) -> list[_Event]:
    """Return the events of one kind."""
    return [one for one in events if isinstance(one, kind)]


def kinds(events: Iterable[Event]) -> list[str]:
    """Return what happened, by name."""
    return [one.kind for one in events]
