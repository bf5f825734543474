"""Two daemons on one table, disturbed in every way: one serves, no event of the other is taken.

Usage: PYTHONPATH=tests python bench/two_daemons.py [--count N] [--seed S] [--minutes M]
       [--resume FILE] [--only TRIAL]
Each trial is three disturbances of two real daemons and a real bus: partitions, restarts, copies of
a running daemon's journal. Prints what was done, how often both served at once or an event of the
loser was taken (each is a failure), and the bound that no failure sets (3/N). With --resume a run
goes on where an earlier one ended.
"""

from __future__ import annotations

import sys

from support.harness_command import carry_out, options
from support.harness_two_daemons import TwoDaemons


def main() -> int:
    """Disturb two daemons; return 1 where both served, or an event of the loser was taken."""
    return carry_out(TwoDaemons(), options(__doc__, count=70).parse_args())


if __name__ == "__main__":
    sys.exit(main())
