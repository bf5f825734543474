"""Blackjack against its oracle, round after round: how many rounds, how many differences.

Usage: PYTHONPATH=tests python bench/blackjack_oracle.py [--rounds N] [--seed N]. Seeded: the same
rounds every time. Every step of every round is compared; one round in twenty is tried with commands
that are illegal.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from concurrent.futures import ProcessPoolExecutor
from typing import Final

from oracle.blackjack_differential import Counts, jobs, run

PORTION: Final = 20_000  # rounds between two lines of progress


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=1_000_000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    total, began = Counts(), time.monotonic()
    portions = range(options.seed, options.seed + max(1, options.rounds // PORTION))
    work = [job for seed in portions for job in jobs(min(PORTION, options.rounds), seed)]
    with ProcessPoolExecutor(os.cpu_count()) as pool:
        for number, counts in enumerate(pool.map(run, work), 1):
            for difference in counts.differences:
                print(difference)
            total.add(counts)
            if number % len(jobs(1, 1)) == 0 or number == len(work):
                took = time.monotonic() - began
                print(
                    f"{total.rounds + total.twins} rounds, {total.steps} steps, "
                    f"{total.refused} illegal commands refused, {total.twins} held as twins, "
                    f"{len(total.differences)} differences, {took:.0f} s",
                    flush=True,
                )
    return 1 if total.differences else 0


if __name__ == "__main__":
    sys.exit(main())
