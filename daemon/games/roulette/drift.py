"""Watches the wheel by where its balls land: the alarm that it is no longer fair.

Two tests, which share the error that the house bears (`drift_alarms_per_decade`):

* **Sectors**, every `CHECK` spins, over all spins and over those of each direction of the rotor.
  E, the weighted mean of the ratios of `fairness`, has the mean 1 under a fair wheel at any time,
  so by Ville's inequality it *ever* reaches 1/a with a probability of at most a. That one bound
  covers every sector, lift, direction and look: there is nothing left to correct.
* **Pockets**, after `CHI_AT` spins: chi-squared of all counts, an equal share of the error for
  each look. With 130 and more hits expected in each pocket its distribution is near enough.

Counting starts anew every `WINDOW` spins, so that a fault which begins late is not drowned in the
fair years before it. A window of a fair wheel alarms with a probability of at most
r / (windows in a decade + r); an alarm begins another window; so r alarms in a decade on average
are the most.

The state is counts alone: anybody can compute an alarm again. `bench/drift.py` measures both sides.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from operator import add
from typing import Final, Literal

from daemon.games.roulette.fairness import chi_squared, scan, survival
from protocols.events import WheelDriftSuspected
from protocols.readings import Direction
from protocols.replace import replace

SPINS_PER_DECADE: Final = 3_652_500
"""Ten years of 1000 spins a day."""
WINDOW: Final = 40_000
CHECK: Final = 200
CHI_AT: Final = (5_000, 10_000, 20_000, 40_000)
_WINDOWS_PER_DECADE: Final = math.ceil(SPINS_PER_DECADE / WINDOW)
_SECTORS_SHARE: Final = 0.5
"""Of the error; the rest is for the pockets."""
_LN_MAX: Final = 700.0
"""Where e to its power nears the greatest float: JSON knows no infinity."""

_Row = Literal["clockwise", "counter_clockwise", "unsaid"]
_LOOKS: Final[dict[Direction | None, float]] = {
    None: 0.5,
    "clockwise": 0.25,
    "counter_clockwise": 0.25,
}
"""Weight of all spins together, and of each direction by itself."""


@dataclass(frozen=True, slots=True)
class Drift:
    """Balls landed since the count began, by place on the wheel clockwise from zero.

    One row for each direction of the rotor (`unsaid`: none was stated), empty before its first.
    """

    spins: int = 0
    clockwise: tuple[int, ...] = ()
    counter_clockwise: tuple[int, ...] = ()
    unsaid: tuple[int, ...] = ()

    def counts(self, direction: Direction | None = None) -> tuple[int, ...]:
        """Return the counts of a direction, or of all spins."""
        if direction is not None:
            return self.clockwise if direction == "clockwise" else self.counter_clockwise
        rows = [row for row in (self.clockwise, self.counter_clockwise, self.unsaid) if row]
        total = rows[0] if rows else ()
        for row in rows[1:]:
            total = tuple(map(add, total, row))
        return total


def watch(
    drift: Drift,
    pocket: str,
    direction: Direction | None,
    wheel: Sequence[str],
    alarms_per_decade: float,
) -> tuple[Drift, WheelDriftSuspected | None]:
    """Count a ball that landed. Return the new counts, and the alarm that it completes.

    `wheel` is the order of the pockets clockwise. Raises ValueError where `pocket` is not on it.
    """
    counted = _count(drift, wheel.index(pocket), direction, len(wheel))
    alarm = judge(counted, wheel, alarms_per_decade)
    if alarm is not None or counted.spins >= WINDOW:
        return Drift(), alarm
    return counted, None


def _count(drift: Drift, place: int, direction: Direction | None, size: int) -> Drift:
    known = drift.clockwise or drift.counter_clockwise or drift.unsaid
    if known and len(known) != size:
        drift = Drift()  # another wheel
    name: _Row = direction or "unsaid"
    row: tuple[int, ...] = getattr(drift, name) or (0,) * size
    row = (*row[:place], row[place] + 1, *row[place + 1 :])
    spins = drift.spins + 1
    match name:
        case "clockwise":
            return replace(drift, spins=spins, clockwise=row)
        case "counter_clockwise":
            return replace(drift, spins=spins, counter_clockwise=row)
        case "unsaid":
            return replace(drift, spins=spins, unsaid=row)


def judge(
    drift: Drift, wheel: Sequence[str], alarms_per_decade: float
) -> WheelDriftSuspected | None:
    """Return the alarm that counts raise; None where none, and where it is not yet time to look."""
    if drift.spins == 0 or drift.spins % CHECK or len(wheel) < 2:
        return None
    # ln of the error of a window: the least float of a profile has a logarithm too.
    error = math.log(alarms_per_decade) - math.log(_WINDOWS_PER_DECADE + alarms_per_decade)
    alarm = _sectors(drift, wheel, -error - math.log(_SECTORS_SHARE))
    if alarm is None and drift.spins in CHI_AT:
        alarm = _pockets(drift, wheel, math.exp(error) * (1 - _SECTORS_SHARE) / len(CHI_AT))
    return alarm


def _sectors(drift: Drift, wheel: Sequence[str], limit: float) -> WheelDriftSuspected | None:
    """Judge E; `limit` is the ln of what it may not reach."""
    none = (0,) * len(wheel)
    scans = {direction: scan(drift.counts(direction) or none) for direction in _LOOKS}
    if max(scanned.peak() for scanned in scans.values()) < limit:
        return None
    parts = {way: math.log(weight) + scans[way].log_e() for way, weight in _LOOKS.items()}
    worst = max(parts, key=parts.__getitem__)
    top = parts[worst]
    log_e = top + math.log(math.fsum(math.exp(part - top) for part in parts.values()))
    if log_e < limit:
        return None
    e_value = math.exp(min(log_e, _LN_MAX))
    return _alarm(drift, wheel, scans[worst].sector(), direction=worst, e_value=e_value)


def _pockets(drift: Drift, wheel: Sequence[str], error: float) -> WheelDriftSuspected | None:
    counts = drift.counts()
    p_value = survival(chi_squared(counts), len(counts) - 1)
    if p_value >= error:
        return None
    fair = drift.spins / len(counts)
    oddest = max(range(len(counts)), key=lambda place: abs(counts[place] - fair))
    return _alarm(drift, wheel, (oddest,), p_value=p_value)


def _alarm(
    drift: Drift,
    wheel: Sequence[str],
    places: Sequence[int],
    *,
    direction: Direction | None = None,
    e_value: float | None = None,
    p_value: float | None = None,
) -> WheelDriftSuspected:
    counts = drift.counts(direction)
    spins = sum(counts)
    hits = sum(counts[place] for place in places)
    expected = spins * len(places) / len(wheel)
    return WheelDriftSuspected(
        test="pockets" if e_value is None else "sector",
        pockets=tuple(wheel[place] for place in places),
        direction=direction,
        spins=spins,
        hits=hits,
        expected=round(expected, 1),
        excess=round(hits / expected - 1, 4),
        e_value=e_value,
        p_value=p_value,
    )
