"""What becomes of a journal that is harmed: power cuts, failing disks, flipped bits, tampering.

Usage: PYTHONPATH=tests python bench/journal_harm.py KIND [--count N] [--seed S] [--minutes M]
       [--resume FILE]
KIND is powercut, failwrite, bitflip or tamper. Prints how many trials were done, what failed, and
the bound that no failure sets (3/N). With --resume a run goes on where an earlier one ended.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
from pathlib import Path

from support.harness import Report, once, run
from support.harness_bitflip import BitFlip
from support.harness_failwrite import FailWrite
from support.harness_powercut import PowerCut
from support.harness_tamper import TamperHarness

KINDS = {
    "bitflip": BitFlip,
    "failwrite": FailWrite,
    "powercut": PowerCut,
    "tamper": TamperHarness,
}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("kind", choices=KINDS)
    parser.add_argument("--count", type=int)
    parser.add_argument("--only", type=int, help="do this one trial again, and nothing else")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--minutes", type=float)
    parser.add_argument("--resume", type=Path)
    given = parser.parse_args()

    if given.only is not None:
        print(asyncio.run(once(KINDS[given.kind](), given.seed, given.only)) or "held")
        return 0

    def progress(report: Report) -> None:
        if sys.stderr.isatty():
            print(f"\r{report.done}, {len(report.failures)} failed ", end="", file=sys.stderr)

    report = asyncio.run(
        run(
            KINDS[given.kind](),
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
