"""Exit codes: the contract with systemd and with scripts."""

from __future__ import annotations

from enum import IntEnum


class Exit(IntEnum):
    """What a code means; README lists them."""

    OK = 0
    FAILED = 1  # the verb ran and its answer is no: a refused command, a broken chain
    USAGE = 2
    UNAVAILABLE = 69  # what it needs is not there: no daemon, no server binary
    DEFECT = 70  # a fault of ours
    JOURNAL = 74  # the journal cannot be trusted; systemd restarts, replay restores
    CONFIG = 78  # the configuration is wrong; systemd does not restart
