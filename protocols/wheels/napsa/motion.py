"""How the simulated wheel moves: scripts that change it once per status line, every 500 ms.

Dwell times are those of a public host's own simulator where it has them (states 3 and 4); the
others, and the steady rotor, are our assumptions.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final, TypeAlias

Script: TypeAlias = Iterator[None]

UNDEFINED, CLOSED = 0, 6
COUNTER_CLOCKWISE, CLOCKWISE = 0, 1
_SPEEDS: Final = (18, 19, 18, 18, 17)
_STATE_1, _AIM, _STATE_3, _STATE_4, _STATE_5 = 4, 12, 12, 20, 8
_RELAUNCH: Final = 24
_BRAKING: Final = (12, 6, 0)
_START_UP: Final = 4


@dataclass(slots=True)
class Wheel:
    """The wheel as it stands; speed in whole revolutions per minute.

    balls      the pockets of the games asked for and not yet launched
    announce   the number that is known and will stand in the next line
    armed      faults that wait for their moment
    """

    state: int = CLOSED
    pocket: str | None = None
    speed: int = 0
    direction: int = CLOCKWISE
    error: int = 0
    announce: str | None = None
    balls: deque[str] = field(default_factory=deque)
    armed: set[str] = field(default_factory=set)
    lines: int = 0

    def disarm(self, fault: str) -> bool:
        """Return whether `fault` was armed; it is not any more."""
        was_armed = fault in self.armed
        self.armed.discard(fault)
        return was_armed


def run(wheel: Wheel) -> Script:
    """Start the rotor, then play game after game until a fault closes the table."""
    while True:
        wheel.state = 1
        yield from _turn(wheel, _STATE_1)
        wheel.state = 2
        while not wheel.balls:
            yield from _turn(wheel, 1)
        ball = wheel.balls.popleft()
        yield from _launch(wheel)
        wheel.state = 3
        yield from _turn(wheel, _STATE_3, error=7 if wheel.disarm("multiple_detection") else 0)
        wheel.state = 4
        if wheel.disarm("encoder"):
            yield from _turn(wheel, 2, error=1)
            yield from _stop(wheel, error=1)
            return
        yield from _turn(wheel, _STATE_4)
        wheel.announce = ball
        yield from _turn(wheel, 1)
        wheel.state, wheel.pocket = 5, ball
        if wheel.disarm("result_unread"):
            yield from _turn(wheel, _STATE_5, error=4)
        else:
            yield from _turn(wheel, 2, error=8 if wheel.disarm("extraction") else 0)
            yield from _turn(wheel, _STATE_5 - 2)
        wheel.direction = 1 - wheel.direction


def closed(wheel: Wheel) -> Script:
    """Stand still. What the wheel had in hand is forgotten."""
    wheel.balls.clear()
    wheel.state, wheel.speed, wheel.announce = CLOSED, 0, None
    while True:
        yield


def start_up(wheel: Wheel) -> Script:
    """Come back from a mains cycle: undefined, initialising, without a number; then closed."""
    wheel.state, wheel.pocket, wheel.speed, wheel.announce = UNDEFINED, None, 0, None
    for tick in range(_START_UP):
        wheel.error = 9 if tick < _START_UP // 2 else 0
        yield
    yield from closed(wheel)


def _launch(wheel: Wheel) -> Script:
    yield from _turn(wheel, _AIM)
    if wheel.disarm("launch_failure"):
        yield from _turn(wheel, _RELAUNCH, error=6)
        yield from _turn(wheel, _AIM)


def _turn(wheel: Wheel, ticks: int, *, error: int = 0) -> Script:
    for _ in range(ticks):
        wheel.lines += 1
        wheel.speed, wheel.error = _SPEEDS[wheel.lines % len(_SPEEDS)], error
        yield
    wheel.error = 0


def _stop(wheel: Wheel, *, error: int) -> Script:
    for speed in _BRAKING:
        wheel.speed, wheel.error = speed, error
        yield
    wheel.state = CLOSED
    for _ in range(4):
        yield
    wheel.error = 0
    yield from closed(wheel)
