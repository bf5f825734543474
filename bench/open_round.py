"""What `table.status` says is what the events have told: random plays of every game.

Usage: PYTHONPATH=tests python bench/open_round.py [--steps N] [--seed S] [game…]

After each step three are compared: what the table remembers, what its status says, and what
consumers know that have folded its events; one of them has listened since `table.started`, one
comes late again and again (tests/support/fold_law.py). Tables crash, begin new epochs, lose their
cables and are held on the way. A line for each game; ends with 1 where the three do not agree.
"""

from __future__ import annotations

import argparse
import sys
import time

from support.fold_law import play

from daemon.runtime.catalog import games


def main() -> int:
    """Play each game and print what came of it."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--steps", type=int, default=100_000, help="steps of each game")
    parser.add_argument("--seed", type=int, default=0, help="the first table's")
    parser.add_argument("games", nargs="*", default=sorted(games()))
    asked = parser.parse_args()
    broken = False
    for key in asked.games:
        begun = time.monotonic()
        score = play(games()[key], asked.steps, asked.seed)
        took = time.monotonic() - begun
        events = sum(score.events.values())
        told = "every status is the fold" if score.broken is None else score.broken
        counted = f"{score.steps} steps, {score.rounds} rounds, {events} events"
        print(f"{key:16} {counted}, {took:.0f} s: {told}", flush=True)
        broken |= score.broken is not None
    return int(broken)


if __name__ == "__main__":
    sys.exit(main())
