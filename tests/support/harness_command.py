"""A harness as a command of `bench/`: its options, its progress, and what it ends with."""

from __future__ import annotations

import argparse
import asyncio
import sys
from pathlib import Path

from support.harness import Harness, Report, once, run


def options(description: str | None, *, count: int | None = None) -> argparse.ArgumentParser:
    """Return a parser with what every harness takes. `count`: trials, where none is asked for."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--count", type=int, default=count, help="trials")
    parser.add_argument("--only", type=int, help="do this one trial again, and nothing else")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--minutes", type=float)
    parser.add_argument("--resume", type=Path)
    return parser


def carry_out(harness: Harness, given: argparse.Namespace) -> int:
    """Do the trials and print what they came to; return 1 where one failed."""
    if given.only is not None:
        failure = asyncio.run(once(harness, given.seed, given.only))
        sys.stdout.write(f"{failure or 'held'}\n")
        return int(failure is not None)
    report = asyncio.run(
        run(
            harness,
            seed=given.seed,
            count=given.count,
            minutes=given.minutes,
            resume=given.resume,
            progress=_progress,
        )
    )
    sys.stdout.write(f"{report}\n")
    return int(bool(report.failures))


def _progress(report: Report) -> None:
    if sys.stderr.isatty():
        sys.stderr.write(f"\r{report.done}, {len(report.failures)} failed ")
