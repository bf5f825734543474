"""How the simulated wheel moves: scripts that change it once per status tick of 500 ms.

Dwell times and speed ramps are those measured on real wheels (V2.50, `*T n` 2920, `*T t` 1475).
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final, TypeAlias

from protocols.wheels.cammegh_ss2.layout import CLOSED, SPIN_MAX

Script: TypeAlias = Iterator[None]

NOT_DETECTED: Final = 1
WRONG_WAY: Final = 2
SENSOR: Final = 4
LAUNCH_FAILED: Final = 8

_BRAKE: Final = 66
_COAST: Final = 24
_RUNAWAY_TOP: Final = 953
_RUNAWAY_STEP: Final = 95
_RUNAWAY_START: Final = 10
"""Measured: the rotor slows almost to a standstill (1.0 and 3.0 rpm seen) before it races."""
_MASK: Final = (1 << 64) - 1


class Dice:
    """A small generator of its own (xorshift64*): the same seed gives the same wheel."""

    def __init__(self, seed: int) -> None:
        self._state = seed & _MASK or 1

    def between(self, least: int, most: int) -> int:
        """Return a whole number in [least, most]."""
        state = self._state
        state ^= state >> 12
        state ^= (state << 25) & _MASK
        state ^= state >> 27
        self._state = state
        return least + ((state * 0x2545F4914F6CDD1D & _MASK) >> 33) % (most - least + 1)


@dataclass(slots=True)
class Wheel:
    """The wheel as it stands. Speeds in tenths of a revolution per minute.

    balls      the pockets of the games asked for and not yet launched
    waiting    in state 2, free to start a game
    announce   the number that is known and will stand in the next line
    armed      faults that wait for their moment
    """

    state: int = CLOSED
    spin: int = 1
    pocket: str | None = None
    flags: int = 0
    speed: int = 0
    set_speed: int = 0
    direction: int = 0
    reverses: bool = True
    waiting: bool = False
    announce: str | None = None
    balls: deque[str] = field(default_factory=deque)
    armed: set[str] = field(default_factory=set)

    def disarm(self, fault: str) -> bool:
        """Return whether `fault` was armed; it is not any more."""
        was_armed = fault in self.armed
        self.armed.discard(fault)
        return was_armed


def run(wheel: Wheel, dice: Dice) -> Script:
    """Start the rotor, then play game after game until a fault closes the table."""
    yield from _start(wheel, dice)
    while wheel.state == 2:
        yield from _wait(wheel, dice)
        ball = wheel.balls.popleft()
        yield from _launch(wheel, dice)
        yield from _ball_in_rim(wheel, dice)
        if wheel.state == 3:
            yield from _no_more_bets(wheel, dice, ball)
        if wheel.state == 4:
            yield from _winning_number(wheel, dice, ball)
    yield from closed(wheel)


def power_down(wheel: Wheel, dice: Dice) -> Script:
    """Coast to a stop in the same state, then close. Flag 4 outlives it, the others do not."""
    wheel.waiting = False
    wheel.balls.clear()
    yield from _coast_down(wheel, dice)
    yield from closed(wheel)


def closed(wheel: Wheel) -> Script:
    """Stand still in state 6. What the wheel had in hand is forgotten."""
    wheel.state, wheel.waiting, wheel.announce = CLOSED, False, None
    wheel.balls.clear()
    while True:
        wheel.speed = 0
        yield


def stall(wheel: Wheel, dice: Dice) -> Script:
    """Power on, no motion: flag 4 after 2.0 s, state 6 after 4.0 s more."""
    wheel.state, wheel.flags, wheel.waiting = 1, 0, False
    wheel.balls.clear()
    for tick in range(12):
        wheel.speed = dice.between(0, 9) if tick == 0 else 0
        if tick == 4:
            wheel.flags = SENSOR
        yield
    yield from closed(wheel)


def _start(wheel: Wheel, dice: Dice) -> Script:
    if wheel.disarm("stuck_sensor"):
        yield from stall(wheel, dice)
    wheel.state, wheel.flags = 1, 0
    wheel.set_speed = dice.between(160, 180)
    for least, most in ((40, 60), (140, 155)):
        wheel.speed = dice.between(least, most)
        yield
    yield from _cruise(wheel, dice, dice.between(14, 18))
    wheel.state = 2


def _wait(wheel: Wheel, dice: Dice) -> Script:
    wheel.waiting = True
    yield from _cruise(wheel, dice, 1)
    while not wheel.balls:
        yield from _cruise(wheel, dice, 1)
    wheel.waiting = False


def _launch(wheel: Wheel, dice: Dice) -> Script:
    yield from _cruise(wheel, dice, dice.between(1, 5))
    while True:
        yield from _aim_and_fire(wheel, dice)
        if not wheel.disarm("launch_failure"):
            break
        yield from _cruise(wheel, dice, dice.between(9, 12))
        wheel.flags = LAUNCH_FAILED
        yield from _cruise(wheel, dice, dice.between(40, 60))
    yield from _cruise(wheel, dice, dice.between(1, 3))


def _aim_and_fire(wheel: Wheel, dice: Dice) -> Script:
    while wheel.speed:
        wheel.speed = max(0, wheel.speed - _BRAKE)
        yield
    for _ in range(dice.between(1, 3)):
        yield
    if wheel.reverses:
        wheel.direction ^= 1
    wheel.set_speed = dice.between(160, 180)
    while wheel.speed < wheel.set_speed:
        wheel.speed = min(wheel.set_speed, wheel.speed + dice.between(82, 100))
        yield


def _ball_in_rim(wheel: Wheel, dice: Dice) -> Script:
    wheel.state, wheel.flags = 3, 0
    if wheel.disarm("wrong_direction"):
        # The guide waits for `*R`; that the wheel closes after 20 s without it is our assumption.
        wheel.flags = WRONG_WAY
        yield from _cruise(wheel, dice, 40)
        yield from _coast_down(wheel, dice)
        return
    yield from _cruise(wheel, dice, dice.between(5, 10))


def _no_more_bets(wheel: Wheel, dice: Dice, ball: str) -> Script:
    wheel.state = 4
    wheel.set_speed += dice.between(-20, 20)
    yield from _cruise(wheel, dice, 2)
    if wheel.disarm("runaway"):
        yield from _run_away(wheel, dice)
        return
    if wheel.disarm("stuck_sensor"):
        yield from _sensor_stuck(wheel)
        return
    yield from _cruise(wheel, dice, dice.between(45, 53))
    wheel.announce = ball
    yield from _cruise(wheel, dice, 1)


def _winning_number(wheel: Wheel, dice: Dice, ball: str) -> Script:
    wheel.state, wheel.pocket = 5, ball
    yield from _cruise(wheel, dice, dice.between(7, 13))
    wheel.state = 2
    wheel.spin = wheel.spin % SPIN_MAX + 1


def _sensor_stuck(wheel: Wheel) -> Script:
    while wheel.speed:
        wheel.speed = max(0, wheel.speed - _BRAKE)
        yield
    for _ in range(9):
        yield
    wheel.flags = SENSOR
    for _ in range(60):
        yield
    wheel.state = CLOSED


def _run_away(wheel: Wheel, dice: Dice) -> Script:
    while wheel.speed > _RUNAWAY_START:
        wheel.speed = max(_RUNAWAY_START, wheel.speed - _RUNAWAY_STEP)
        yield
    while wheel.speed < _RUNAWAY_TOP:
        wheel.speed = min(_RUNAWAY_TOP, wheel.speed + _RUNAWAY_STEP)
        yield
    for tick in range(20):
        wheel.flags = NOT_DETECTED if tick % 4 == 3 else 0
        wheel.speed = 1040 if 8 <= tick < 12 else _RUNAWAY_TOP
        yield
    wheel.flags = 0
    if wheel.disarm("stuck_sensor"):
        yield from _sensor_stuck(wheel)
    else:
        yield from _coast_down(wheel, dice)


def _coast_down(wheel: Wheel, dice: Dice) -> Script:
    while wheel.speed > _COAST:
        wheel.speed -= _COAST
        yield
    wheel.state = CLOSED
    wheel.flags &= SENSOR
    wheel.speed = dice.between(0, 5)
    yield


def _cruise(wheel: Wheel, dice: Dice, ticks: int) -> Script:
    for _ in range(ticks):
        wheel.speed = wheel.set_speed + dice.between(-2, 2)
        yield
