"""How far counts are from a fair wheel: ratios of likelihoods by sector, chi-squared by pocket.

For each run of w neighbours on a wheel of N pockets and each lift b, the likelihood ratio of "these
w come up 1 + b times as often, the others share the loss" against "fair" is, after n spins of
which k fell there, (1 + b)^k (1 - b w / (N - w))^(n - k). A fair wheel makes each of them a
martingale of mean 1, and so every weighted mean of them.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache
from itertools import accumulate
from operator import sub
from typing import Final, NamedTuple

SECTORS: Final[dict[int, tuple[float, ...]]] = {
    1: (0.20, 0.40, 0.80),  # a pocket
    3: (0.10, 0.20, 0.40),  # a few loose frets
    5: (0.08, 0.16, 0.32),
    9: (0.05, 0.10, 0.20),  # a quarter
    18: (0.03, 0.06, 0.12),  # a half
}
"""Width of a sector in pockets, and its lifts. A cold sector is the hot rest of the wheel."""


class Hypothesis(NamedTuple):
    """Sectors of one width and lift; the ln of a ratio is spins * miss + hits * gain."""

    width: int
    miss: float
    gain: float


class Row(NamedTuple):
    """A hypothesis, the hits in its sector from each pocket on, and the most of them."""

    hypothesis: Hypothesis
    hits: tuple[int, ...]
    most: int


class Scan(NamedTuple):
    """Counts by pocket against every sector and lift."""

    spins: int
    rows: tuple[Row, ...]

    def peak(self) -> float:
        """Return ln of the greatest ratio, which no mean of them exceeds."""
        return max((self._top(row) for row in self.rows), default=0.0)

    def log_e(self) -> float:
        """Return ln of the mean ratio: at 0 the counts show nothing, above it the wheel is odd."""
        peak = self.peak()
        ratios = [
            math.exp(self.spins * row.hypothesis.miss - peak + row.hypothesis.gain * hits)
            for row in self.rows
            for hits in row.hits
        ]
        return peak + math.log(math.fsum(ratios) / len(ratios)) if ratios else 0.0

    def sector(self) -> tuple[int, ...]:
        """Return the places of the sector with the greatest ratio, clockwise."""
        row = max(self.rows, key=self._top)
        first, size = row.hits.index(row.most), len(row.hits)
        return tuple((first + step) % size for step in range(row.hypothesis.width))

    def _top(self, row: Row) -> float:
        return self.spins * row.hypothesis.miss + row.hypothesis.gain * row.most


def scan(counts: Sequence[int]) -> Scan:
    """Hold counts against every sector that is at most half of the wheel."""
    rows: list[Row] = []
    for width, hypotheses in _hypotheses(len(counts)):
        ends = (0, *accumulate((*counts, *counts[: width - 1])))
        hits = tuple(map(sub, ends[width:], ends))
        rows.extend(Row(hypothesis, hits, max(hits)) for hypothesis in hypotheses)
    return Scan(sum(counts), tuple(rows))


@lru_cache(maxsize=8)
def _hypotheses(size: int) -> tuple[tuple[int, tuple[Hypothesis, ...]], ...]:
    by_width: list[tuple[int, tuple[Hypothesis, ...]]] = []
    for width, lifts in SECTORS.items():
        if 2 * width <= size:
            loss = width / (size - width)
            misses = [math.log1p(-lift * loss) for lift in lifts]
            gains = [math.log1p(lift) - miss for lift, miss in zip(lifts, misses, strict=True)]
            pairs = zip(misses, gains, strict=True)
            by_width.append((width, tuple(Hypothesis(width, *pair) for pair in pairs)))
    return tuple(by_width)


def chi_squared(counts: Sequence[int]) -> float:
    """Return Pearson's statistic of counts that should be equal; there is at least one ball."""
    expected = sum(counts) / len(counts)
    return math.fsum((count - expected) ** 2 for count in counts) / expected


def survival(value: float, freedom: int) -> float:
    """Return how often chi-squared of `freedom` >= 1 degrees exceeds `value` >= 0.

    The upper incomplete gamma function at half-integers, by its recurrence: DLMF 8.8.2.
    """
    half = value / 2
    odd = freedom % 2 == 1
    order, tail = (0.5, math.erfc(math.sqrt(half))) if odd else (1.0, math.exp(-half))
    term = half**order * math.exp(-half) / math.gamma(order + 1)
    while order < freedom / 2:
        tail += term
        order += 1
        term *= half / order
    return tail
