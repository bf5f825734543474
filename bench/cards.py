"""No card is lost unheard: random rounds, each damaged once on its way, on every shoe protocol.

Usage: PYTHONPATH=tests python bench/cards.py [--rounds N] [--seed S] [--jobs J] [reader ...].

N rounds of baccarat and Dragon Tiger for each reader; the cards are known, so a round that is
completed with others is wrong (tests/support/judged_rounds.py). One sitting of five is clean. Wrong
by a damage that leaves no trace on that line is counted apart. Seeded: the same every time, and a
run goes on with `--seed` where another has ended. Ends with 1 where a round is wrong otherwise, or
a clean one was not completed.
"""

from __future__ import annotations

import argparse
import sys
import time
from concurrent.futures import ProcessPoolExecutor
from typing import Final

from support.judged_rounds import ROUNDS, Sitting, Tally
from support.killed_table import one_codec
from support.true_rounds import READERS

PORTION: Final = 50  # sittings of one job
CLEAN_OF: Final = 5
COLUMNS: Final = ("rounds", "damaged", "held", "unharmed", "flipped", "doubled", "vanished")


def play(reader: str, seed: int) -> Tally:
    """Play some sittings."""
    tally = Tally()
    with one_codec():
        for at in range(seed, seed + PORTION):
            Sitting(at, reader, tally, damaged=at % CLEAN_OF > 0).run()
    return tally


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("readers", nargs="*", choices=[[], *READERS])
    parser.add_argument("--rounds", type=int, default=30_000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--jobs", type=int, default=2)
    options = parser.parse_args()
    seeds = range(options.seed, options.seed + -(-options.rounds // ROUNDS), PORTION)
    head = " ".join(f"{name:>9}" for name in COLUMNS)
    print(f"{'reader':24} {head} {'otherwise':>9} {'clean':>7} {'held':>5}  held of damaged")
    began, bad = time.monotonic(), 0
    with ProcessPoolExecutor(options.jobs) as pool:
        for reader in options.readers or READERS:
            total = Tally()
            for tally in pool.map(play, [reader] * len(seeds), seeds):
                total.add(tally)
            tell(reader, total)
            bad += total.otherwise + total.clean_held
    print(f"{time.monotonic() - began:.0f} s; --seed {seeds[-1] + PORTION} goes on from here")
    return 1 if bad else 0


def tell(reader: str, tally: Tally) -> None:
    """Print what was counted of a reader, and the shortest stories of what went wrong."""
    counts = " ".join(f"{getattr(tally, name):9}" for name in COLUMNS)
    held = f"{tally.held / tally.damaged:.1%}" if tally.damaged else ""
    print(
        f"{reader:24} {counts} {tally.otherwise:9} {tally.clean:7} {tally.clean_held:5}  {held}",
        flush=True,
    )
    wrong = tally.flipped + tally.doubled + tally.vanished
    if wrong:
        kinds = ", ".join(f"{kind} {n}" for kind, n in sorted(tally.by_kind.items()))
        print(f"{'':24} wrong without a trace: {wrong / tally.damaged:.2%} of damaged: {kinds}")
    for story in tally.stories:
        print(*(f"    {line}" for line in story), sep="\n")


if __name__ == "__main__":
    sys.exit(main())
