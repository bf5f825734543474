"""How often the ball went round the track: what the lines that were heard prove. Pure.

The wheel does not count laps. What it reports, and what follows (docs/rules/roulette.md#laps):

* A line in 'ball in rim' comes after one full lap before all three sensors, and as long as every
  lap takes less than `nmb_lap_s`, the lap time at which the wheel calls no more bets. So the time
  between two such lines of one launch holds at least that time / `nmb_lap_s` laps more.
* After the call nothing about laps is proven: the ball may drop at once, and bounce for seconds.
  A house may take the maker's word for it: `laps_after_call`.
* The ball was not launched yet when the last line before the rim came, and it lies in its pocket
  when the number comes. Between the two it made at most one lap in `fastest_lap_s` until
  the call, and one in `nmb_lap_s` after it.

No proof rests on a single statement, since a line has no checksum: of k lines in the rim the first
or the last may be a damaged line of another phase. And no proof rests on when lines arrived alone:
they may have been held up on their way. The wheel sends a line every `LINE_S` at most, so
k lines that are true took (k - 1) * `LINE_S` at least::

    proven  = min(t[k-1] - t[1], t[k] - t[2], (k - 2) * LINE_S)       k >= 3, else nothing
    least   = 1 + proven / nmb_lap_s + laps_after_call                 k >= 2, else nothing

What breaks the hearing (silence, a lost link, a restart, a relaunch) begins the count anew: behind
it another launch may hide. Lines are remembered until they prove what the house asks for: each
changes the state, so each is in the journal, and an audit finds the same bounds.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil, floor
from typing import Final

from daemon.games.roulette.profile import RouletteProfile
from daemon.games.roulette.state import BallRun
from protocols.instant import Instant

LINE_S: Final = 0.49
"""Measured: a wheel sends its status every 495 to 512 ms."""
SAME_S: Final = 0.4
"""Of lines that come nearer to each other one is a copy, or an answer to a poll."""
_WORTH_KNOWING: Final = 3.0
"""So many laps are proven also where the house asks for fewer."""


@dataclass(frozen=True, slots=True)
class Laps:
    """Between `least` and `most` laps; None where nothing proves a bound."""

    least: float | None
    most: float | None


def with_line(run: BallRun, at: Instant, profile: RouletteProfile) -> tuple[Instant, ...]:
    """Return the lines in the rim with one more, as far as it proves more."""
    passed = at.since(run.rim[-1]) if run.rim else None
    is_copy = passed is not None and passed < SAME_S
    if is_copy or _least(run, profile) >= max(profile.min_revolutions, _WORTH_KNOWING):
        return run.rim
    return (*run.rim, at)


def bounds(run: BallRun, lies_at: Instant, profile: RouletteProfile) -> Laps:
    """Return the bounds, rounded away from each other to a tenth of a lap.

    lies_at  when the wheel first stated where the ball lies
    """
    most = _most(run, lies_at, profile)
    least = _least(run, profile)
    return Laps(
        floor(least * 10) / 10 if least > 0 else None,
        ceil(most * 10) / 10 if most is not None else None,
    )


def _least(run: BallRun, profile: RouletteProfile) -> float:
    lines = len(run.rim)
    if lines < 2 or run.counted:  # where a wheel without spin numbers has its sensors is not known
        return 0.0
    return 1 + _proven_s(run.rim) / profile.nmb_lap_s + profile.laps_after_call


def _proven_s(rim: tuple[Instant, ...]) -> float:
    if len(rim) < 3:
        return 0.0
    without_last, without_first = rim[-2].since(rim[0]), rim[-1].since(rim[1])
    if without_last is None or without_first is None:
        return 0.0
    return max(0.0, min(without_last, without_first, (len(rim) - 2) * LINE_S))


def _most(run: BallRun, lies_at: Instant, profile: RouletteProfile) -> float | None:
    if run.counted or run.ready_at is None:
        return None
    called_at = run.nmb_at or lies_at
    fast, slow = called_at.since(run.ready_at), lies_at.since(called_at)
    if fast is None or slow is None or slow < 0:
        return None
    return fast / profile.fastest_lap_s + slow / profile.nmb_lap_s
