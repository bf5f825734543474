"""A roulette table on a bench: the real table and game, fed line by line."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from support.table_bench import TableBench, rules_of

from daemon.gamekit.spec import DueSpin
from daemon.games.roulette import GAME
from daemon.games.roulette.profile import RouletteProfile
from daemon.games.roulette.state import RouletteState
from protocols.device import DeviceSpec
from protocols.events import Event
from protocols.readings import Direction, WheelFlag, WheelNumber, WheelPhase, WheelStatus
from protocols.table_terms import RoundControl
from protocols.wheels.cammegh_ss2 import DEVICE


def profile(key: str = "roulette-dk", **changes: Any) -> RouletteProfile:
    """Return the rules of a house, as its file states them, with some of them changed."""
    return rules_of(GAME, key, changes)


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


class RouletteBench(TableBench[RouletteState, RouletteProfile]):
    """One table with one wheel.

    Its house asks for no laps unless the test says so: few tests play a whole rim.
    """

    def __init__(
        self,
        rules: RouletteProfile | None = None,
        control: RoundControl = "device",
        wheel: DeviceSpec = DEVICE,
    ) -> None:
        rules = rules or profile(min_revolutions=0.0)
        super().__init__(GAME, rules, {"primary": wheel}, control)

    @property
    def pockets(self) -> list[str]:
        """Return the pocket of every completed round so far."""
        return [outcome.pocket for outcome in self.outcomes]

    def spin_is_due(self) -> bool:
        return isinstance(self.due, DueSpin)

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
            ("no_more_bets", 0.5),
            ("winning_number", 26.0),
        ):
            pocket = "27" if step == "winning_number" else last
            if step == "no_more_bets":
                heard += self.rim(spin, last)
            heard += self.say(step, spin, pocket, after=seconds)  # type: ignore[arg-type] # a tuple of literals widens to str
            if step == phase:
                break
        return heard

    def rim(self, spin: int = 11, last: str | None = "34", *, lines: int = 7) -> list[Event]:
        """Let the ball stay in the rim for so many more lines: with the first, three laps."""
        return [event for _ in range(lines) for event in self.say("ball_in_rim", spin, last)]

    def named(self, text: str) -> dict[str, Any]:
        """Return the field of a decision that names a pocket."""
        return {"pocket": text}
