"""Spins as they truly happen, and the lines that a wheel sends of them.

A ball is let go with some speed and slows down on its track: after `t` seconds it runs at
`speed * exp(-t / decay_s)` laps a second. It leaves the track at some moment, early or late, then
bounces and settles, and at last lies in a pocket. All of that is the truth; nothing of it is said.

What the wheel says follows from its three sensors, a third of a lap apart:

* ball in rim     as soon as the ball has gone round once, where that lap was faster than `n`
* no more bets    at the first sensor that ends a lap of `n` or slower; or when a ball that left
                  the track is missed: up to a third of `n` late
* off the track   where that is enabled: up to half a second after the ball has left the track
* the number      after the ball has lain still for about a turn of the rotor; then status lines

A ball that runs with the rotor is flagged in every line from the rim to the number (Slingshot 2; a
NAPSA wheel has no such flag). Between two lines lie 495 to 512 ms.

Written from the facts of the lines alone: neither the simulators nor the rules of the product are
used. Phases are as short as they can be, except those on the track, which are the matter.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from random import Random
from typing import Final, NamedTuple

from oracle.roulette import Leg, Spin, Turning, WheelHouse, fault_of

SENSORS: Final = 3
FASTEST: Final = 2.0
"""Laps a second: no wheel launches a ball faster."""
WRONG_WAY, LAUNCH_FAILED = 2, 8


@dataclass(frozen=True, slots=True)
class Mix:
    """How often each course of a spin is taken; `mishaps`: what goes wrong around it goes wrong."""

    fates: Mapping[str, int]
    mishaps: bool = True


MIXED: Final = Mix(
    {
        "normal": 28,
        "early": 17,
        "knocked": 15,
        "edge": 18,
        "again": 3,
        "fast": 5,
        "late": 4,
        "weak": 4,
        "never": 2,
        "by_hand": 2,
        "flies_out": 2,
    }
)
"""Of everything something; many are near the limit of three laps."""
ORDINARY: Final = Mix({"normal": 90, "late": 10}, mishaps=False)
"""As a healthy wheel throws them: no launch fails, no ball runs with the rotor, no dealer errs."""


class Line(NamedTuple):
    """A line as the wheel sends it; `state` is its digit, 0 for the number alone."""

    at: float
    data: bytes
    state: int


@dataclass(frozen=True, slots=True)
class Course:
    """A ball's way on the track: `speed` in laps a second when it is let go."""

    at: float
    speed: float
    decay_s: float
    seconds: float

    @property
    def leaves_at(self) -> float:
        """Return when the ball leaves the track."""
        return self.at + self.seconds

    @property
    def laps(self) -> float:
        """Return how often it went round."""
        return self.speed * self.decay_s * -math.expm1(-self.seconds / self.decay_s)

    def when(self, laps: float) -> float:
        """Return when it had gone round so often; infinite where it never had."""
        part = laps / (self.speed * self.decay_s)
        seconds = -self.decay_s * math.log1p(-part) if part < 1 else math.inf
        return self.at + seconds if seconds <= self.seconds else math.inf


@dataclass(frozen=True, slots=True)
class TrueSpin:
    """What the ball did under one number of the wheel, until the next spin begins.

    courses    every launch; only the last one may end in a pocket
    with_rotor the last launch ran with the rotor
    rest_at    when the ball came to lie in `pocket`; None: it never did
    told_at    when the wheel knows that
    rim_lines  how many lines say 'ball in rim' of the last launch
    """

    number: int
    fate: str
    begins: float
    ends: float
    courses: tuple[Course, ...] = ()
    with_rotor: bool = False
    pocket: str | None = None
    rest_at: float | None = None
    told_at: float | None = None
    rim_lines: int = 0

    @property
    def laps(self) -> float:
        """Return how often the ball went round before it fell."""
        return self.courses[-1].laps if self.courses else 0.0

    def fault(self, min_laps: float) -> str | None:
        """Return why the oracle calls it no valid spin; None where it is one."""
        rotor: Turning = "clockwise" if self.with_rotor else "counter_clockwise"
        legs = (Leg(self.laps, "clockwise", rotor),) if self.courses else ()
        spin = Spin(legs, self.pocket, self.rest_at, bets_closed=None)
        return fault_of(WheelHouse(min_laps), spin)


class Phase(NamedTuple):
    """From when on the wheel is in a state, with which flags."""

    at: float
    state: int
    flags: int = 0


class Slingshot:
    """How a Slingshot 2 spells its lines."""

    numbers_spins = True
    tells_direction = True

    def status(
        self, state: int, number: int, pocket: str | None, flags: int, rpm: float, way: int
    ) -> bytes:
        way = 0 if state == 6 else way
        text = f"*X;{state};{number:03d};{pocket or '':>2};{flags:X};{round(rpm * 10):03d};{way}"
        return text.encode() + b"\r\n"

    def number(self, pocket: str) -> bytes:
        return f"{pocket:>2}\r\n".encode()


class Napsa:
    """How a NAPSA wheel spells its lines."""

    numbers_spins = False
    tells_direction = False

    def status(
        self, state: int, number: int, pocket: str | None, flags: int, rpm: float, way: int
    ) -> bytes:
        del number
        error = 6 if flags & LAUNCH_FAILED else 0
        return f"NS{self._field(pocket)}{state}{round(rpm):02d}{1 - way}{error}\r\n".encode()

    def number(self, pocket: str) -> bytes:
        return f"NN{self._field(pocket)}    N\r\n".encode()

    @staticmethod
    def _field(pocket: str | None) -> str:
        return "  " if pocket is None else "37" if pocket == "00" else f"{int(pocket):02d}"


SPELLINGS: Final[Mapping[str, Slingshot | Napsa]] = {"cammegh_ss2": Slingshot(), "napsa": Napsa()}
"""The wheels of the catalog that give results, by their keys."""


class TrueWheel:
    """One wheel, spin after spin. The same `random`: the same spins.

    nmb_lap_s        its parameter `n`: the lap time at which it calls no more bets
    tells_off_track  its state 7 is enabled
    """

    def __init__(
        self,
        random: Random,
        device: str,
        pockets: tuple[str, ...],
        mix: Mix = MIXED,
        *,
        nmb_lap_s: float = 1.43,
        tells_off_track: bool = False,
    ) -> None:
        self.spelling = SPELLINGS[device]
        self.nmb_lap_s = nmb_lap_s
        self._tells_off_track = tells_off_track and device == "cammegh_ss2"
        self._random = random
        self._pockets = pockets
        self._mix = mix
        self._number = random.randint(1, 256)
        self._last: str | None = None
        self._closed = False
        self._way = 0
        self._tick = random.uniform(0.5, 1.0)

    def spin(self) -> tuple[TrueSpin, list[Line]]:
        """Let one spin happen; return it and the lines of it."""
        begins, fates = self._tick, self._mix.fates
        (fate,) = self._random.choices(list(fates), list(fates.values()))
        phases, ready = self._gets_ready(begins)
        if fate in ("never", "by_hand"):
            spin = self._without_a_ball(fate, phases, begins, ready)
        else:
            spin = self._with_a_ball(fate, phases, begins, ready)
        lines = list(self._lines(spin, phases))
        launched_at = spin.courses[-1].at if spin.courses else spin.ends
        rim_lines = sum(1 for one in lines if one.state == 3 and one.at >= launched_at)
        self._after(spin)
        return replace(spin, rim_lines=rim_lines), lines

    # --- what happens ------------------------------------------------------------------------

    def _gets_ready(self, begins: float) -> tuple[list[Phase], float]:
        """Return the phases before the ball is launched, and when it may be."""
        random, phases, at = self._random, list[Phase](), begins
        if self._closed or random.random() < 0.2:
            phases.append(Phase(at, 1))
            at += random.uniform(0.6, 1.6)
        phases.append(Phase(at, 2))
        at += random.uniform(3.0, 5.0)
        if self._happens(0.06):  # a launch that failed before the ball had gone round
            phases.append(Phase(at, 2, LAUNCH_FAILED))
            at += random.uniform(3.0, 6.0)
            phases.append(Phase(at - 0.8, 2))
        return phases, at

    def _without_a_ball(
        self, fate: str, phases: list[Phase], begins: float, ready: float
    ) -> TrueSpin:
        """No ball is launched: the wheel gives up, or a hand lays one into a pocket."""
        random = self._random
        phases.append(Phase(ready, 2, LAUNCH_FAILED))
        at = ready + random.uniform(1.0, 5.0)
        if fate == "never":
            phases.append(Phase(at, 6))
            ends = at + random.uniform(1.0, 2.0)
            return TrueSpin(self._number, fate, begins, ends)
        told = at + self._turn()
        pocket = random.choice(self._pockets)
        phases += [Phase(at, 2), Phase(told, 5)]
        ends = told + random.uniform(1.6, 3.0)
        return TrueSpin(self._number, fate, begins, ends, pocket=pocket, rest_at=at, told_at=told)

    def _with_a_ball(self, fate: str, phases: list[Phase], begins: float, ready: float) -> TrueSpin:
        random = self._random
        courses = []
        if fate == "again" or self._happens(0.05):  # it falls out of the rim, and is launched anew
            first = self._course("knocked", ready)
            courses.append(first)
            self._tell(phases, first, with_rotor=self._happens(0.1))
            ready = phases[-1].at + random.uniform(3.0, 6.0)
            phases[-1] = Phase(phases[-1].at, 2, LAUNCH_FAILED)
            phases.append(Phase(ready - 0.8, 2))
        course = self._course(fate, ready)
        courses.append(course)
        with_rotor = self._happens(0.1)
        self._tell(phases, course, with_rotor=with_rotor)
        flags = WRONG_WAY if with_rotor else 0
        if fate == "flies_out":
            away = phases[-1].at + random.uniform(2.0, 8.0)
            phases.append(Phase(away, 6))
            return TrueSpin(self._number, fate, begins, away + 1.5, tuple(courses), with_rotor)
        rest = course.leaves_at + 0.3 * 40 ** random.random() ** 1.5  # 0.3 to 12 s
        told = max(rest, phases[-1].at) + self._turn()
        if self._tells_off_track:
            gone = max(course.leaves_at + random.uniform(0.0, 0.5), phases[-1].at)
            phases.append(Phase(gone, 7, flags))
        phases.append(Phase(told, 5))
        ends = told + random.uniform(1.6, 3.0)
        pocket = random.choice(self._pockets)
        return TrueSpin(
            self._number, fate, begins, ends, tuple(courses), with_rotor, pocket, rest, told
        )

    def _happens(self, often: float) -> bool:
        """Tell whether something goes wrong that goes wrong so often."""
        return self._mix.mishaps and self._random.random() < often

    def _turn(self) -> float:
        """Return about a turn of the rotor: so long a ball lies before the wheel believes it."""
        return self._random.uniform(0.6, 1.1) * 4.0

    def _course(self, fate: str, at: float) -> Course:
        """Return a ball's way that ends as its fate says."""
        random, slow = self._random, 1 / self.nmb_lap_s
        decay, in_rim, leaves = random.uniform(7, 12), random.uniform(1.5, 7.0), slow / 2
        if fate == "early":
            in_rim = random.uniform(-0.65, 0.7)  # in all 0.1 to 1.2 s
        elif fate == "late":
            decay, in_rim = random.uniform(14, 20), random.uniform(7.0, 14.0)
        elif fate == "fast":
            decay, in_rim = random.uniform(2.0, 6.0), random.uniform(1.0, 4.0)
        elif fate == "edge":
            decay, in_rim = random.uniform(40, 300), random.uniform(1.0, 8.0)
        speed = min(slow * math.exp(in_rim / decay) + 1 / decay, FASTEST)
        if fate == "weak":
            speed = slow * random.uniform(0.7, 0.99)
        seconds = decay * math.log(speed / leaves)
        whole = Course(at, speed, decay, seconds)
        if fate == "early":
            laps = self._called_at(whole)[1] + random.uniform(0.0, 1.1)
            seconds = min(seconds, whole.when(laps) - at)
        elif fate == "knocked":
            seconds = min(seconds, whole.when(1.0) - at + random.uniform(0.0, in_rim))
        elif fate in ("edge", "fast", "again"):
            seconds = min(seconds, whole.when(random.uniform(1.2, 4.5)) - at)
        return Course(at, speed, decay, seconds)

    # --- what the sensors make of it -----------------------------------------------------------

    def _called_at(self, course: Course) -> tuple[float, float]:
        """Return when the wheel calls no more bets, and how far the ball had come by then."""
        thirds, passed = SENSORS, course.when(1.0)
        if passed == math.inf:
            return course.leaves_at, course.laps
        while passed - course.when(thirds / SENSORS - 1) < self.nmb_lap_s:
            thirds += 1
            following = course.when(thirds / SENSORS)
            if following == math.inf:
                missed = max(course.leaves_at, passed + self.nmb_lap_s / SENSORS)
                return missed, course.laps
            passed = following
        return passed, thirds / SENSORS

    def _tell(self, phases: list[Phase], course: Course, *, with_rotor: bool) -> None:
        """Add what the wheel says from the rim to no more bets."""
        flags = WRONG_WAY if with_rotor and self.spelling.tells_direction else 0
        called, _ = self._called_at(course)
        if course.when(1.0) < called:
            phases.append(Phase(course.when(1.0), 3, flags))
        phases.append(Phase(called, 4, flags))

    # --- what is sent --------------------------------------------------------------------------

    def _lines(self, spin: TrueSpin, phases: list[Phase]) -> Iterator[Line]:
        """Send a status line twice a second, and the number alone when it is known."""
        random, spelling = self._random, self.spelling
        rpm = random.uniform(14.2, 17.8)
        launch = spin.courses[-1].at if spin.courses else spin.ends
        place, told = 0, False
        while self._tick < spin.ends:
            at = self._tick
            if spin.told_at is not None and spin.pocket and not told and at >= spin.told_at:
                told = True
                yield Line(spin.told_at, spelling.number(spin.pocket), 0)
            while place + 1 < len(phases) and phases[place + 1].at <= at:
                place += 1
            _, state, flags = phases[place]
            pocket = spin.pocket if state == 5 else self._last
            aims = state == 2 and launch - 2.0 < at < launch - 0.5
            speed = 0.0 if aims or state == 6 else rpm + random.uniform(-0.2, 0.2)
            line = spelling.status(state, spin.number, pocket, flags, speed, self._way)
            yield Line(at, line, state)
            self._tick = at + random.uniform(0.495, 0.512)

    def _after(self, spin: TrueSpin) -> None:
        self._closed = spin.pocket is None
        if spin.pocket is not None:
            self._last = spin.pocket
            self._number = self._number % 256 + 1
        self._way = 1 - self._way
