"""A roulette table on a bench: the real table and game, fed by hand on a clock of its own."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeVar

from daemon.gamekit.spec import DueSpin, RoundControl
from daemon.games.roulette import GAME
from daemon.games.roulette.profile import RouletteProfile
from daemon.games.roulette.state import RouletteState
from daemon.table.apply import apply, start, wake_at
from daemon.table.inputs import (
    Commanded,
    DeviceSaid,
    Input,
    InputBody,
    LinkDown,
    LinkUp,
    Restarted,
    TimePassed,
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
from protocols.events import Event, RoundCompleted, ViolationRaised
from protocols.instant import Instant
from protocols.readings import (
    Direction,
    Reading,
    WheelFlag,
    WheelNumber,
    WheelPhase,
    WheelStatus,
)
from protocols.wheels.cammegh_ss2 import DEVICE

REPO = Path(__file__).parents[2]
PROFILES = REPO / "config" / "profiles"
_Event = TypeVar("_Event")


def profile(key: str = "roulette-dk", **changes: Any) -> RouletteProfile:
    """Return a profile of the house, as its file states it."""
    rules = tomllib.loads((PROFILES / f"{key}.toml").read_text())["rules"]
    rules = {name: tuple(one) if isinstance(one, list) else one for name, one in rules.items()}
    return replace(RouletteProfile(**rules), **changes)


def line(
    phase: WheelPhase,
    spin: int,
    pocket: str | None = "17",
    *,
    flags: Iterable[WheelFlag] = (),
    rpm: float = 15.0,
    way: Direction | None = "clockwise",
) -> WheelStatus:
    """Return what a status line says."""
    return WheelStatus(phase, spin, pocket, frozenset(flags), round(rpm * 10), way)


class Bench:
    """One table with one wheel. Every call returns the events that it caused."""

    def __init__(
        self, rules: RouletteProfile | None = None, control: RoundControl = "device"
    ) -> None:
        self.setup = TableSetup(
            "r1", GAME, rules or profile(), "roulette-dk", "b2:00", control, {"primary": DEVICE}
        )
        self.state = start(self.setup)
        self.now = Instant("boot", 0)
        self.events: list[Event] = []
        self.put(LinkUp("primary", "wheel", "bench"))

    @property
    def game(self) -> RouletteState:
        state = self.state.game
        assert isinstance(state, RouletteState)
        return state

    def spin_is_due(self) -> bool:
        context = TableTransition(self.setup, self.state, self.now).context()
        return isinstance(GAME.due(self.state.game, context), DueSpin)

    def put(self, body: InputBody) -> list[Event]:
        step = apply(self.setup, self.state, Input(self.now, body))
        assert step.refusal is None, step.refusal
        self.state = step.state
        self.events.extend(step.events)
        return list(step.events)

    def wait(self, seconds: float) -> list[Event]:
        """Let time pass; the table gets its wake-ups on the way."""
        until = self.now.after(seconds)
        heard: list[Event] = []
        while (wake := wake_at(self.setup, self.state)) is not None and until.reached(wake):
            self.now = max(wake, self.now, key=lambda one: one.ns)
            heard += self.put(TimePassed())
        self.now = until
        return heard

    def reboot(self) -> None:
        self.now = Instant("another boot", 5)

    def hear(self, reading: Reading) -> list[Event]:
        return self.put(DeviceSaid("primary", "wheel", reading, None, ""))

    def say(
        self,
        phase: WheelPhase,
        spin: int,
        pocket: str | None = "17",
        *,
        after: float = 0.5,
        **more: Any,
    ) -> list[Event]:
        """Let time pass, then let the wheel say a status line."""
        heard = self.wait(after)
        return heard + self.hear(line(phase, spin, pocket, **more))

    def number(self, pocket: str) -> list[Event]:
        return self.hear(WheelNumber(pocket))

    def spin_to(self, phase: WheelPhase, spin: int = 11, last: str | None = "34") -> list[Event]:
        """Play a healthy spin up to the first line of this phase."""
        heard: list[Event] = []
        for step, seconds in (
            ("place_bets", 4.0),
            ("ball_in_rim", 6.0),
            ("no_more_bets", 4.0),
            ("winning_number", 26.0),
        ):
            pocket = "27" if step == "winning_number" else last
            heard += self.say(step, spin, pocket, after=seconds)  # type: ignore[arg-type] # a tuple of literals widens to str
            if step == phase:
                break
        return heard

    def obey(self, command: Command) -> list[Event]:
        return self.put(Commanded(command, "c"))

    def refused(self, command: Command) -> Refusal | None:
        step = apply(self.setup, self.state, Input(self.now, Commanded(command, "c")))
        return step.refusal

    def open(self, round_id: str = "R1") -> list[Event]:
        return self.obey(OpenRound(round_id))

    def close(self, round_id: str = "R1") -> list[Event]:
        return self.obey(CloseBets(round_id))

    def void(self) -> list[Event]:
        assert self.state.round is not None
        return self.obey(VoidRound(self.state.round.round_id, "test"))

    def decision(self, code: str, action: ResolveAction, pocket: str | None) -> ResolveViolation:
        found = next(one for one in self.state.open if one.violation.code == code)
        return ResolveViolation(found.violation_id, action, "anna", "seen", pocket=pocket)

    def resolve(self, code: str, action: ResolveAction, pocket: str | None = None) -> list[Event]:
        return self.obey(self.decision(code, action, pocket))

    def restart(self) -> None:
        self.put(Restarted("test", 0))
        self.put(LinkUp("primary", "wheel", "bench"))

    def unplug(self) -> None:
        self.put(LinkDown("primary", "wheel", "unplugged"))
        self.put(LinkUp("primary", "wheel", "bench"))

    @property
    def codes(self) -> list[str]:
        """Return the code of every violation so far."""
        return [one.code for one in found(self.events, ViolationRaised)]

    @property
    def pockets(self) -> list[str]:
        """Return the pocket of every completed round so far."""
        return [pocket_of(one) for one in found(self.events, RoundCompleted)]


def pocket_of(event: RoundCompleted) -> str:
    """Return the pocket of an outcome of roulette."""
    assert event.outcome.game == "roulette"
    return event.outcome.pocket


def found(events: Iterable[Event], kind: type[_Event]) -> list[_Event]:
    """Return the events of one kind."""
    return [one for one in events if isinstance(one, kind)]


def kinds(events: Iterable[Event]) -> list[str]:
    """Return what happened, by name."""
    return [one.kind for one in events]
