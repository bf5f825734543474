"""How often the ball went round: a lower bound, from the edges that the wheel reports.

The wheel does not count laps. What it says, and what follows:

* 'ball in rim' is said after one full lap before all three sensors: 1 lap.
* until 'no more bets' every lap took at most the lap time at which that is called: t3 / nmb_lap.
* after it the ball still makes about 3.5 laps before it drops. It leaves the track at the latest
  at half of that speed, so a lap takes less than 2 nmb_lap; and the number is only said once the
  ball has lain in its pocket for a turn of the rotor, which is at least 60 / rotor_max_rpm
  seconds: (t4 - that) / (2 nmb_lap), at most 3.5.

182 measured games give between 5 and 15; a t3 + t4 under about 8 s falls below three.
"""

from __future__ import annotations

from typing import Final

from daemon.games.roulette.profile import RouletteProfile
from daemon.games.roulette.state import BallRun
from protocols.instant import Instant

_LAPS_TO_DROP: Final = 3.5
_BUNCHED_S: Final = 0.4
"""The wheel speaks every 0.5 s: edges closer than this were delayed together and tell no time."""


def estimate(run: BallRun, landed_at: Instant, profile: RouletteProfile) -> float | None:
    """Return the least number of laps, None where an edge was missed or told no time.

    Where a wheel that does not number its spins has its sensors is not known: None, too.
    """
    if run.counted or not run.timed or run.rim_at is None or run.nmb_at is None:
        return None
    in_rim = run.nmb_at.since(run.rim_at)
    falling = landed_at.since(run.nmb_at)
    if in_rim is None or falling is None or min(in_rim, falling) < _BUNCHED_S:
        return None
    on_track = (falling - 60 / profile.rotor_max_rpm) / (2 * profile.nmb_lap_s)
    return round(1 + in_rim / profile.nmb_lap_s + min(max(on_track, 0.0), _LAPS_TO_DROP), 1)
