"""An oracle for a spin of roulette: what the house must do, from what truly happened on the wheel.

It reads no line of any device. It knows what no device knows for sure: how far the ball ran on its
track, which way ball and rotor turned meanwhile, when the bets were closed and where the ball came
to rest. So it judges whoever has to find that out from lines: what lands must land by `judge`, what
is called invalid must be invalid, and to hold is always right (`right_acts`).

Clauses: DK roulette 2.1.1, 2.1.6, 3.1.1, 3.1.2, and LV roulette the same. Where they are silent,
the W-numbers of tests/oracle/DISAGREEMENTS.md say how they are read here.
"""

from dataclasses import dataclass
from math import fsum
from typing import Final, Literal, TypeAlias

Turning: TypeAlias = Literal["clockwise", "counter_clockwise"]
Act: TypeAlias = Literal["land", "void", "respin", "hold"]
Reason: TypeAlias = Literal[
    "sound",
    "malfunction",
    "not_seen",
    "with_the_rotor",
    "too_few_laps",
    "no_pocket",
    "bets_open",
]


@dataclass(frozen=True, slots=True)
class WheelHouse:
    """What a house asks of a spin, and what it does where that is not met.

    min_laps       turns of the ball round its fixed track; 0: it does not count them
    against_rotor  the ball has to run against the rotor
    malfunction    a failure of the system voids the round, or a supervisor decides
    invalid_spin   a spin that is none voids the round, or the dealer spins again
    """

    min_laps: float
    against_rotor: bool = True
    malfunction: Literal["void", "hold"] = "void"
    invalid_spin: Literal["void", "respin"] = "void"


WHEEL_HOUSES: Final = {
    "roulette-dk": WheelHouse(min_laps=3),  # 3.1.1, 2.1.6
    "roulette-lv": WheelHouse(min_laps=3),  # 3.1.1, 2.1.6
}


@dataclass(frozen=True, slots=True)
class Leg:
    """A stretch of the ball's way on the track, in turns of that, with the ways that both turned.

    rotor  None while it stood
    """

    laps: float
    ball: Turning
    rotor: Turning | None

    def __post_init__(self) -> None:
        if self.laps < 0:
            raise ValueError(f"a ball does not run {self.laps} laps")


@dataclass(frozen=True, slots=True)
class Spin:
    """What truly happened, from the moment the ball was let go. Times are seconds on one clock.

    legs         the ball's way on the track, until it left that for the last time
    pocket       where the ball came to rest; None: in none
    at_rest      when it did
    bets_closed  when the bets of its round were closed; None: they were not
    seen         the dealer or a sensor saw the ball run on the track
    malfunction  the wheel, a device of the table or the link to it failed during the round
    """

    legs: tuple[Leg, ...]
    pocket: str | None
    at_rest: float | None
    bets_closed: float | None
    seen: bool = True
    malfunction: bool = False

    def __post_init__(self) -> None:
        if (self.pocket is None) != (self.at_rest is None):
            raise ValueError("a ball is at rest in a pocket, or it is not at rest")

    @property
    def laps(self) -> float:
        """How often the ball ran round the track."""
        return fsum(leg.laps for leg in self.legs)


@dataclass(frozen=True, slots=True)
class Judgement:
    """Whether the spin is a valid one, what the house must do now, and why."""

    valid: bool
    act: Act
    reason: Reason


def judge(house: WheelHouse, spin: Spin) -> Judgement:
    """Say what the house must do with a spin."""
    fault = fault_of(house, spin)
    valid = fault is None
    if spin.malfunction:
        return Judgement(valid, house.malfunction, "malfunction")
    if not spin.seen:
        return Judgement(valid, "hold", "not_seen")
    if fault is not None:
        return Judgement(valid, house.invalid_spin, fault)
    if not bets_closed_in_time(spin):
        return Judgement(valid, "hold", "bets_open")
    return Judgement(valid, "land", "sound")


def right_acts(house: WheelHouse, spin: Spin) -> frozenset[Act]:
    """Return what a bridge may do that cannot see all this: what must be done, or to hold."""
    return frozenset({judge(house, spin).act, "hold"})


def fault_of(house: WheelHouse, spin: Spin) -> Reason | None:
    """Return why a spin is no valid one; None where it is one."""
    if house.against_rotor and not all(runs_against(leg) for leg in spin.legs):
        return "with_the_rotor"
    if spin.laps < house.min_laps:
        return "too_few_laps"
    return "no_pocket" if spin.pocket is None else None


def runs_against(leg: Leg) -> bool:
    """Tell whether the ball runs against the rotor: there is no running against one that stands."""
    return leg.rotor is not None and leg.rotor != leg.ball


def bets_closed_in_time(spin: Spin) -> bool:
    """Tell whether the bets were closed before the ball was at rest."""
    if spin.bets_closed is None or spin.at_rest is None:
        return False
    return spin.bets_closed < spin.at_rest
