"""Blackjack against its oracle, round after round: how many rounds, how many differences.

Usage: PYTHONPATH=tests python bench/blackjack_oracle.py [--rounds N] [--errors N] [--shoes N]
[--seed N]. Seeded: the same rounds every time. Every step of every round is compared; one round in
twenty is tried with commands that are illegal. Then dealers err, once a round, before each kind of
reader; then whole shoes are played in every house of either game.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from concurrent.futures import ProcessPoolExecutor
from itertools import repeat
from typing import Final

from oracle.blackjack_differential import jobs, run
from oracle.blackjack_erring import meet
from oracle.blackjack_side_by_side import Counts
from oracle.shoe import SHOES
from oracle.shoe_differential import Seen, play_shoes

from daemon.games.blackjack.violations import DEALER_ERRORS

PORTION: Final = 20_000  # rounds between two lines of progress


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=1_000_000)
    parser.add_argument("--errors", type=int, default=100_000)
    parser.add_argument("--shoes", type=int, default=1_000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    with ProcessPoolExecutor(os.cpu_count()) as pool:
        wrong = whole_rounds(pool, options.rounds, options.seed) if options.rounds else 0
        wrong += erring_dealers(pool, options.errors, options.seed) if options.errors else 0
        wrong += whole_shoes(pool, options.shoes, options.seed) if options.shoes else 0
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
                f"{total.refused} illegal commands refused, {total.checks} looks at the hole card, "
                f"{total.twins} held as twins, {len(total.differences)} differences, {took:.0f} s",
                flush=True,
            )
    return len(total.differences)


def erring_dealers(pool: ProcessPoolExecutor, rounds: int, seed: int) -> int:
    """Let dealers err; return how often it was not caught as the product's table says."""
    began = time.monotonic()
    met = [(error, reader) for error, rule in DEALER_ERRORS.items() for reader in rule.seen]
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


def whole_shoes(pool: ProcessPoolExecutor, shoes: int, seed: int) -> int:
    """Play so many shoes of every house; return in how many houses something differed."""
    wrong = 0
    runs: list[tuple[Seen, str | None]] = list(
        pool.map(play_shoes, SHOES, repeat(seed), repeat(shoes))
    )
    for key, (seen, difference) in zip(SHOES, runs, strict=True):
        print(f"{key}: {seen}, {difference or 'no difference'}", flush=True)
        wrong += difference is not None
    return wrong


if __name__ == "__main__":
    sys.exit(main())
