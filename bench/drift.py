"""How often the drift watch alarms at a fair wheel, and how soon it finds one that is not.

Usage: python bench/drift.py [decades]. Seeded: the same numbers every time. Spins alternate in the
direction of the rotor; balls are drawn in bulk, and judged by the product at the spins at which it
looks at all.
"""

from __future__ import annotations

import random
import sys
import time
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from itertools import accumulate
from statistics import quantiles
from typing import Final

from daemon.games.roulette.drift import CHECK, SPINS_PER_DECADE, WINDOW, Drift, judge

WHEEL: Final = tuple(str(place) for place in range(37))
ALARMS: Final = 0.5
SECTOR: Final = 9
TRIALS: Final = 200
SPINS_MAX: Final = 10 * WINDOW

Weights = Sequence[float]


def lifted(width: int, lift: float) -> Weights:
    """Return cumulative weights of a wheel whose first pockets come up more often."""
    rest = (len(WHEEL) - width * (1 + lift)) / (len(WHEEL) - width)
    return tuple(accumulate([1 + lift] * width + [rest] * (len(WHEEL) - width)))


FAIR: Final = lifted(0, 0.0)


def more(row: Sequence[int], balls: int, weights: Weights, draw: random.Random) -> tuple[int, ...]:
    """Return the counts after so many balls more."""
    counts = list(row) or [0] * len(WHEEL)
    places = range(len(WHEEL))
    uneven = None if weights is FAIR else weights
    for place in draw.choices(places, k=balls, cum_weights=uneven):
        counts[place] += 1
    return tuple(counts)


def spun(drift: Drift, way: Weights, other: Weights, draw: random.Random) -> Drift:
    """Return the counts at the next look."""
    half = CHECK // 2
    clockwise = more(drift.clockwise, half, way, draw)
    counter = more(drift.counter_clockwise, half, other, draw)
    return Drift(drift.spins + CHECK, clockwise, counter)


def false_alarms(spins: int, seed: int) -> int:
    """Return how many alarms a fair wheel raises."""
    draw, drift, alarms = random.Random(seed), Drift(), 0
    for _ in range(spins // CHECK):
        drift = spun(drift, FAIR, FAIR, draw)
        alarm = judge(drift, WHEEL, ALARMS)
        alarms += alarm is not None
        if alarm is not None or drift.spins >= WINDOW:
            drift = Drift()
    return alarms


def spins_to_alarm(way: Weights, other: Weights, late: bool, seed: int) -> int:
    """Return how many spins after the wheel went wrong it is found: at nought, or in mid-count."""
    draw, drift = random.Random(seed), Drift()
    for _ in range(draw.randrange(WINDOW // CHECK) if late else 0):
        drift = spun(drift, FAIR, FAIR, draw)
        if judge(drift, WHEEL, ALARMS) is not None:
            drift = Drift()
    for spins in range(CHECK, SPINS_MAX + 1, CHECK):
        drift = spun(drift, way, other, draw)
        if judge(drift, WHEEL, ALARMS) is not None:
            return spins
        if drift.spins >= WINDOW:
            drift = Drift()
    return SPINS_MAX


FAULTS: Final[tuple[tuple[str, Weights, Weights, bool], ...]] = (
    ("9 pockets +10 %", lifted(9, 0.1), lifted(9, 0.1), False),
    ("9 pockets +10 %, begins in mid-count", lifted(9, 0.1), lifted(9, 0.1), True),
    ("9 pockets +20 %, one direction only", lifted(9, 0.2), FAIR, False),
    ("9 pockets +20 %", lifted(9, 0.2), lifted(9, 0.2), False),
    ("1 pocket +40 %", lifted(1, 0.4), lifted(1, 0.4), False),
    ("18 pockets +10 %", lifted(18, 0.1), lifted(18, 0.1), False),
)


def main(decades: int) -> None:
    began = time.perf_counter()
    with ProcessPoolExecutor() as pool:
        alarms = sum(pool.map(partial(false_alarms, SPINS_PER_DECADE), range(decades)))
        print(
            f"fair wheel, {decades} decades of {SPINS_PER_DECADE:,} spins: {alarms} false alarms,"
        )
        print(f"{alarms / decades:.2f} per wheel-decade (at most {ALARMS:g} by the bound)")
        print(f"{'spins until it is found':40} {'10 %':>8} {'median':>8} {'90 %':>8}")
        for name, way, other, late in FAULTS:
            found = list(pool.map(partial(spins_to_alarm, way, other, late), range(TRIALS)))
            tenths = quantiles(found, n=10)
            print(f"{name:40} {tenths[0]:8,.0f} {tenths[4]:8,.0f} {tenths[8]:8,.0f}")
    print(f"{time.perf_counter() - began:.0f} s")


if __name__ == "__main__":
    main(int(sys.argv[1]) if sys.argv[1:] else 10)
