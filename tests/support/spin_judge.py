"""The judge of true spins: whether what a table made of them is allowed by what the ball did.

Wrong is every landing, and every completed round, that the truth does not allow: the ball ran with
the rotor, or too few laps; the bets were open when the wheel told the number; another spin was the
round's own, or another pocket the ball's; or more laps are stated than it ran, up to the next
sensor: where between two of them a ball leaves the track, nothing tells.

Between a ball's rest and the first word of it that arrives, no line tells anybody that it lies. A
result of a round that was opened, or whose bets were closed, in that time is counted by itself
(`blind`).
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from support.line_damage import Delivery
from support.true_spins import SENSORS, Line, TrueSpin

LINE_S: Final = 0.49
"""No two lines of a wheel are nearer to each other."""


@dataclass
class Wrong:
    """A result that the truth does not allow, and all that the host met of its spin."""

    sitting: int
    place: int
    reason: str
    story: tuple[str, ...]


@dataclass
class Score:
    """What was counted.

    good         valid spins of a round in order that the lines can prove: see `is_provable`
    spare        those of them that could do without two more lines
    hurt_of      of those that had one damage, by its kind; `hurt_held_of`: those that did not land
    held_of      violations that were raised in good spins which did not land
    invalid      valid spins that were called invalid
    blind        results of rounds that were opened or closed when no line could tell
    """

    spins: int = 0
    valid: int = 0
    landed: int = 0
    damaged: int = 0
    lines: int = 0
    good: int = 0
    good_held: int = 0
    spare: int = 0
    spare_held: int = 0
    invalid: int = 0
    blind: int = 0
    hurt_of: Counter[str] = field(default_factory=Counter)
    hurt_held_of: Counter[str] = field(default_factory=Counter)
    held_of: Counter[str] = field(default_factory=Counter)
    wrong_of: Counter[str] = field(default_factory=Counter)
    wrong: list[Wrong] = field(default_factory=list)

    def add(self, other: Score) -> None:
        for name in vars(self):
            mine, its = getattr(self, name), getattr(other, name)
            setattr(self, name, mine + its)
        self.wrong = sorted(self.wrong, key=lambda one: len(one.story))[:3]


@dataclass(frozen=True, slots=True)
class House:
    """A table of the law: its device, rules and wheel."""

    device: str
    profile: str
    control: str
    min_laps: float
    nmb_lap_s: float
    bets_end: str
    rim_event: str
    tells_off_track: bool


def is_provable(house: House, spin: TrueSpin, lines_to_spare: int = 0) -> bool:
    """Tell whether the lines from the rim prove the laps, whichever of them is false.

    One lap is proven by the first line. So many more take at most `nmb_lap_s` each; over that time
    there have to be lines, `LINE_S` apart at least, without the first of them and the last.
    """
    steps = math.ceil((house.min_laps - 1) * house.nmb_lap_s / LINE_S)
    return house.device == "cammegh_ss2" and spin.rim_lines >= steps + 2 + lines_to_spare


@dataclass
class _Bets:
    """A round: when it was opened, and when its bets were closed."""

    opened_at: float
    closed_at: float | None = None


@dataclass
class _Known:
    """A spin, when the first word of its number was heard, and whether it gave a result."""

    spin: TrueSpin
    heard_at: float
    landed: bool = False


class Judge:
    """Follows the events of one table and holds them against its true spins."""

    def __init__(self, house: House, score: Score) -> None:
        self.wrong: list[str] = []
        self._house = house
        self._score = score
        self._spins: list[_Known] = []
        self._rounds: dict[str, _Bets] = {}
        self._in_order = False
        self._damages: tuple[str, ...] = ()
        self._codes: list[str] = []

    def begin(
        self, spin: TrueSpin, heard: float, damages: tuple[str, ...], *, in_order: bool
    ) -> None:
        """A spin begins. `in_order`: the dealer opens its round and closes the bets in time."""
        self._spins = [*self._spins[-2:], _Known(spin, heard)]
        self._in_order, self._damages = in_order, damages
        self._codes.clear()

    def end(self) -> None:
        """The spin is over: count what became of it."""
        known, score = self._spins[-1], self._score
        spin = known.spin
        if spin.pocket is None or spin.fault(self._house.min_laps) is not None:
            return
        score.valid += 1
        if not self._in_order or len(spin.courses) > 1:
            return
        if is_provable(self._house, spin):
            score.good += 1
            score.good_held += not known.landed
            if not known.landed:
                score.held_of.update(self._codes or ["nothing"])
        if is_provable(self._house, spin, 2):
            score.spare += 1
            score.spare_held += not known.landed
            if len(self._damages) == 1:
                score.hurt_of.update(self._damages)
                score.hurt_held_of.update(() if known.landed else self._damages)

    def note(self, at: float, kind: str, data: dict[str, Any]) -> None:
        """Take an event."""
        match kind:
            case "round.opened":
                self._rounds = {data["round_id"]: _Bets(at)}
            case "round.bets_closed":
                self._rounds[data["round_id"]].closed_at = at
            case "spin.landed":
                self._score.landed += 1
                laps = math.ceil(self._spins[-1].spin.laps * SENSORS) / SENSORS
                if data["laps"] is not None and data["laps"] > laps:
                    self.wrong.append("more laps are stated than it ran")
            case "spin.invalid":
                fault = self._spins[-1].spin.fault(self._house.min_laps)
                self._score.invalid += fault is None
            case "violation.raised":
                self._codes.append(data["code"])
            case "round.completed":
                self._completed(self._rounds[data["round_id"]], data["outcome"]["pocket"])
            case _:
                pass

    def _completed(self, bets: _Bets, pocket: str) -> None:
        current = self._spins[-1]
        blind = self._is_blind(bets.opened_at, current)
        mine = current if blind else self._spin_of(bets)
        if mine is not current:
            reason: str | None = "another spin was the round's own"
        elif pocket != current.spin.pocket:
            reason = "another pocket was the ball's"
        elif current.landed:
            reason = "the spin has had a result"
        elif bets.closed_at is None or bets.closed_at >= current.heard_at:
            reason = "the bets were open"
        else:
            reason = current.spin.fault(self._house.min_laps)
            blind = blind or self._is_blind(bets.closed_at, current)
        current.landed = True
        if reason is not None:
            self.wrong.append(reason)
        elif blind:
            self._score.blind += 1

    def _is_blind(self, at: float, known: _Known) -> bool:
        rest = known.spin.rest_at
        return rest is not None and rest <= at < known.heard_at

    def _spin_of(self, bets: _Bets) -> _Known | None:
        """Return the spin that decides a round: the first ball to come to rest after its opening.

        Where the wheel opens its rounds, it is the spin that was running or the next.
        """
        for known in self._spins:
            rest, over = known.spin.rest_at, known.spin.ends
            if rest is None:
                continue
            by_device = self._house.control == "device" and not known.landed
            if (over if by_device else rest) > bets.opened_at:
                return known
        return None


def heard_at(spin: TrueSpin, lines: Sequence[Line], met: Sequence[Delivery]) -> float:
    """Return when the first whole line arrives that tells the number; infinite if none does."""
    if spin.told_at is None:
        return math.inf
    telling = {line.data for line in lines if line.state in (0, 5) and line.at >= spin.told_at}
    moments = (
        one.at
        for one in met
        if one.what == "bytes" and one.at >= spin.told_at and any(t in one.data for t in telling)
    )
    return next(moments, math.inf)
