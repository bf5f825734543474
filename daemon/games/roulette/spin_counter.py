"""Spins of a wheel that does not number them: our own count, and what of it may decide a round.

A number of the wheel's own shows that no spin was missed. Without one only unbroken hearing does:
after any silence the count goes on with a hole in it, so that the round which waited has lost its
spin; and a result counts only of a spin whose whole course was heard: getting ready, rim, no more
bets, the number alone, and the same number in a status line. Lines that were held up and came
together show no course.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Final, Literal, TypeAlias

from daemon.games.roulette.state import BALL_OUT, BallRun, RouletteState
from daemon.games.roulette.transition import RouletteTransition
from protocols.instant import Instant
from protocols.readings import WheelStatus

Step: TypeAlias = Literal["next", "mains", "jump"]
_WRAP: Final = 256
_READY: Final = frozenset(("before_game", "place_bets"))
_LEAST_S: Final = (2.0, 0.4, 2.0)
"""From getting ready to the rim, on to no more bets, on to the number.

Wheels take more than four, one and nine seconds, and send a line every half second: edges that are
nearer to each other were held up and came together.
"""


def spin_number(transition: RouletteTransition, reading: WheelStatus) -> int:
    """Return the number of the spin of a status line: the wheel's, or our count."""
    state = transition.state
    counts = reading.spin is None
    if (state.counts, state.missed) != (counts, False):
        transition.set(counts=counts, missed=False)
    return _count(state, reading) if reading.spin is None else reading.spin


def _count(state: RouletteState, reading: WheelStatus) -> int:
    if state.spin is None:
        return 1
    if state.missed or not state.counts:
        return state.spin + 2
    # A ball that was out does not tell a relaunch from an end that was not heard.
    is_next = reading.phase in _READY and (state.phase in BALL_OUT or state.done == state.spin)
    return state.spin + is_next


def step(spin: int, before: int, reading: WheelStatus) -> Step:
    """Tell the next spin (or the counter's wrap) from a power cycle and from lost spins."""
    if spin <= 1 and reading.pocket is None:
        return "mains"
    if spin == before + 1 or (before == _WRAP and spin in (0, 1)):
        return "next"
    return "jump"


def mark_missed(transition: RouletteTransition) -> None:
    """Remember that a wheel which does not number its spins may have spun unheard."""
    if transition.state.counts and not transition.state.missed:
        transition.set(missed=True)


def was_heard_whole(run: BallRun, ended_at: Instant) -> bool:
    """Return whether the whole course of a counted spin was heard as it happened."""
    if not run.timed or run.taken_up or run.bare is None:
        return False
    edges = pairwise((run.begun_at, run.rim_at, run.nmb_at, ended_at))
    return all(_apart(*pair, least) for pair, least in zip(edges, _LEAST_S, strict=True))


def _apart(earlier: Instant | None, later: Instant | None, seconds: float) -> bool:
    if earlier is None or later is None:
        return False
    passed = later.since(earlier)
    return passed is not None and passed >= seconds
