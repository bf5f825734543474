"""Blackjack against its oracle, round after round: how many rounds, how many differences.

Usage: PYTHONPATH=tests python bench/blackjack_oracle.py [--rounds N] [--errors N] [--seed N].
Seeded: the same rounds every time. Every step of every round is compared; one round in twenty is
tried with commands that are illegal. Then dealers err, once a round, before each kind of reader.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from concurrent.futures import ProcessPoolExecutor
from itertools import repeat
from typing import Final

from oracle.blackjack_differential import Counts, jobs, run
from oracle.blackjack_erring import meet

from daemon.games.blackjack.violations import DEALER_ERRORS

PORTION: Final = 20_000  # rounds between two lines of progress


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=1_000_000)
    parser.add_argument("--errors", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    with ProcessPoolExecutor(os.cpu_count()) as pool:
        wrong = whole_rounds(pool, options.rounds, options.seed) if options.rounds else 0
        wrong += erring_dealers(pool, options.errors, options.seed) if options.errors else 0
    return 1 if wrong else 0


def whole_rounds(pool: ProcessPoolExecutor, rounds: int, seed: int) -> int:
    """Compare rounds; return how many differ."""
    total, began = Counts(), time.monotonic()
    portions = -(-rounds // PORTION)
    work = [job for at in range(portions) for job in jobs(min(PORTION, rounds), seed + at)]
    for number, counts in enumerate(pool.map(run, work), 1):
        for difference in counts.differences:
            print(difference)
        total.add(counts)
        if number % (len(work) // portions) == 0:
            took = time.monotonic() - began
            print(
                f"{total.rounds + total.twins} rounds, {total.steps} steps, "
                f"{total.refused} illegal commands refused, {total.twins} held as twins, "
                f"{len(total.differences)} differences, {took:.0f} s",
                flush=True,
            )
    return len(total.differences)


def erring_dealers(pool: ProcessPoolExecutor, rounds: int, seed: int) -> int:
    """Let dealers err; return how often it was not caught as the product's table says."""
    began = time.monotonic()
    met = [(error, reader) for error, one in DEALER_ERRORS.items() for reader in one.seen]
    share = -(-rounds // len(met))
    errors, readers = zip(*met, strict=True)
    done = wrong = 0
    for (error, reader), caught in zip(
        met, pool.map(meet, errors, readers, repeat(share), repeat(seed)), strict=True
    ):
        for difference in caught.differences:
            print(difference)
        done, wrong = done + caught.rounds, wrong + len(caught.differences)
        word, moment = DEALER_ERRORS[error].seen[reader]
        print(f"{error} before {reader}: {caught.rounds} times {word}, {moment}", flush=True)
    took = time.monotonic() - began
    print(f"{done} rounds with an error, {wrong} not caught as the table says, {took:.0f} s")
    return wrong


if __name__ == "__main__":
    sys.exit(main())
