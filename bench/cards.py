"""No card is lost unheard: random rounds, each damaged once on its way, on every shoe protocol.

Usage: PYTHONPATH=tests python bench/cards.py [--rounds N] [--seed S] [--jobs J] [reader ...].

N rounds of baccarat and Dragon Tiger for each reader; the cards are known, so a round that is
completed with others is wrong (tests/support/judged_rounds.py). One sitting of five is clean.
For each reader:

 damaged, held     rounds with a damage, and those of them that were not completed
 good, held        rounds without one, and those of them that were not completed: 0
 wrong             completed otherwise than dealt, and the table could have known: 0
 misread           the damage made another valid card, on a line without a check value
 unseen            a frame that never came, or came again, on a line without numbers
 one bit           of frames one bit of which was flipped: those that were another card, and the
                   exact share of `pitwire check` (protocols/line_damage.py)

Shares stand with their 95 % interval. Seeded: the same every time, and a run goes on with `--seed`
where another has ended. Ends with 1 where a round is wrong, a good one is held, or the exact share
lies far outside of the counted one.
"""

from __future__ import annotations

import argparse
import sys
import time
from concurrent.futures import ProcessPoolExecutor
from typing import Final

from support.judged_rounds import ROUNDS, Sitting, Tally
from support.killed_table import one_codec
from support.shares import Z_95, within
from support.true_rounds import READERS

from protocols.line_damage import has_check, misread_share

PORTION: Final = 50  # sittings of one job
CLEAN_OF: Final = 5
NO_DAMAGE: Final = ()


def play(reader: str, seed: int) -> Tally:
    """Play some sittings."""
    tally = Tally()
    with one_codec():
        for at in range(seed, seed + PORTION):
            Sitting(at, reader, tally, None if at % CLEAN_OF else NO_DAMAGE).run()
    return tally


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("readers", nargs="*", choices=[[], *READERS])
    parser.add_argument("--rounds", type=int, default=30_000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--jobs", type=int, default=2)
    options = parser.parse_args()
    seeds = range(options.seed, options.seed + -(-options.rounds // ROUNDS), PORTION)
    began, failed = time.monotonic(), 0
    with ProcessPoolExecutor(options.jobs) as pool:
        for reader in options.readers or READERS:
            total = Tally()
            for tally in pool.map(play, [reader] * len(seeds), seeds):
                total.add(tally)
            failed += not tell(reader, total)
    print(f"{time.monotonic() - began:.0f} s; --seed {seeds[-1] + PORTION} goes on from here")
    return 1 if failed else 0


def tell(reader: str, tally: Tally) -> bool:
    """Print what was counted of a reader, with stories of what went wrong; return whether none."""
    kinds = ", ".join(f"{kind} {number}" for kind, number in sorted(tally.by_kind.items()))
    unseen = tally.doubled + tally.vanished
    print(
        f"{reader}: {tally.rounds} rounds; {tally.damaged} damaged, held "
        f"{share(tally.held, tally.damaged)}; {tally.clean} good, held {tally.clean_held};"
        f" wrong {tally.wrong}"
    )
    print(f"    misread {tally.misread}, {share(tally.misread, tally.damaged)} of the damaged")
    print(f"    unseen  {unseen}, {share(unseen, tally.damaged)}")
    if kinds:
        print(f"    by kind {kinds}")
    one = READERS[reader]
    exact = misread_share(one.spec, one.settings)
    agrees = True
    if not has_check(one.spec):
        low, high = within(tally.flips_misread, tally.flips)
        agrees = low < exact < high
        counted = share(tally.flips_misread, tally.flips)
        print(f"    one bit {tally.flips_misread} of {tally.flips}, {counted}; exact {exact:.2%}")
    for story in tally.stories:
        print(*(f"    {line}" for line in story), sep="\n")
    sys.stdout.flush()
    return agrees and not tally.wrong and not tally.clean_held


def share(counted: int, of: int) -> str:
    """Return a share and its 95 % interval."""
    if not of:
        return "-"
    low, high = within(counted, of, Z_95)
    return f"{counted / of:.2%} ({low:.2%} to {high:.2%})"


if __name__ == "__main__":
    sys.exit(main())
