"""Two daemons on one table, disturbed in every way: one serves, no event of the other is taken.

Usage: PYTHONPATH=tests python bench/two_daemons.py [--count N] [--seed S] [--minutes M]
       [--resume FILE] [--only TRIAL]
Each trial is three disturbances of two real daemons and a real bus: partitions, restarts, copies of
a running daemon's journal. Prints what was done, how often both served at once or an event of the
loser was taken (each is a failure), and the bound that no failure sets (3/N). With --resume a run
goes on where an earlier one ended.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
from pathlib import Path

from support.harness import Report, once, run
from support.harness_two_daemons import TwoDaemons


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=70, help="trials")
    parser.add_argument("--only", type=int, help="do this one trial again, and nothing else")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--minutes", type=float)
    parser.add_argument("--resume", type=Path)
    given = parser.parse_args()

    if given.only is not None:
        print(asyncio.run(once(TwoDaemons(), given.seed, given.only)) or "held")
        return 0

    def progress(report: Report) -> None:
        if sys.stderr.isatty():
            print(f"\r{report.done}, {len(report.failures)} failed ", end="", file=sys.stderr)

    report = asyncio.run(
        run(
            TwoDaemons(),
            seed=given.seed,
            count=given.count,
            minutes=given.minutes,
            resume=given.resume,
            progress=progress,
        )
    )
    print(report)
    return 1 if report.failures else 0


if __name__ == "__main__":
    sys.exit(main())
