"""One line alone ends no spin: it has no check value, and one flipped bit is another spin's number.

What no wheel does from one line to the next is believed when two lines in a row say it:

* another spin's number that does not follow, or that follows while the ball is launched or runs;
* a closed wheel.

Only where a run or a round would be lost by it: else a line is taken as it is. The first of the two
is kept aside (`RouletteState.doubted`) and changes nothing: no statement, no edge, no lap is taken
from it. The next line decides. If it says the same, it is taken as if the first had been lost; but
not if it comes so soon that it is a copy (`laps.SAME_S`). If it says something else, the first was
damaged, and is forgotten. If no line follows (silence, a lost link, a restart), the first is taken
at its word, so that nothing goes on past it.

Where the line before was heard longer ago than `_SOON_S`, a line is taken as it is: in such a time
a wheel may have done what it says.
"""

from __future__ import annotations

import math
from typing import Final

from daemon.games.roulette import spin_counter
from daemon.games.roulette.laps import SAME_S
from daemon.games.roulette.state import BALL_RUNS
from daemon.games.roulette.transition import RouletteTransition, is_live
from protocols.readings import WheelStatus

_SOON_S: Final = 1.1
"""Two lines of a wheel, and a little: one between them may be lost."""
_LAUNCHED_OR_RUNS: Final = BALL_RUNS | {"place_bets"}


def is_doubted(transition: RouletteTransition, reading: WheelStatus) -> bool:
    """Return whether a line has to be said again before it is believed; keep it if so."""
    kept = transition.state.doubted
    if not _needs_another(transition, reading):
        if kept is not None:
            transition.set(doubted=None)
            transition.after_noise = True
        return False
    if kept is None or _claim(kept) != _claim(reading):
        transition.set(doubted=reading)
        return True
    if _passed_s(transition) < SAME_S:
        return True
    transition.set(doubted=None)
    return False


def _claim(reading: WheelStatus) -> tuple[int | None, bool]:
    return reading.spin, reading.phase == "closed"


def _needs_another(transition: RouletteTransition, reading: WheelStatus) -> bool:
    state = transition.state
    live = is_live(state.run)
    if not live and transition.pending_round is None:
        return False
    if transition.context.unproven or _passed_s(transition) > _SOON_S:
        return False
    if reading.phase == "closed" and state.phase not in (None, "closed"):
        return True
    if transition.before.counts or state.spin is None or state.spin == transition.spin:
        return False
    if spin_counter.step(transition.spin, state.spin, reading) == "jump":
        return True
    return live and state.phase in _LAUNCHED_OR_RUNS


def _passed_s(transition: RouletteTransition) -> float:
    """Return how long ago the line before was heard; infinite where none was, over this link."""
    heard = transition.input.heard_before
    passed = None if heard is None else transition.at.since(heard)
    return math.inf if passed is None else passed
