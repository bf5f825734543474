"""What becomes of a journal that is harmed: power cuts, failing disks, flipped bits, tampering.

Usage: PYTHONPATH=tests python bench/journal_harm.py KIND [--count N] [--seed S] [--minutes M]
       [--resume FILE]
KIND is powercut, failwrite, bitflip or tamper. Prints how many trials were done, what failed, and
the bound that no failure sets (3/N). With --resume a run goes on where an earlier one ended.
"""

from __future__ import annotations

import sys

from support.harness_bitflip import BitFlip
from support.harness_command import carry_out, options
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
    """Harm journals in one way; return 1 where that was not found, or something was lost."""
    parser = options(__doc__)
    parser.add_argument("kind", choices=KINDS)
    given = parser.parse_args()
    return carry_out(KINDS[given.kind](), given)


if __name__ == "__main__":
    sys.exit(main())
