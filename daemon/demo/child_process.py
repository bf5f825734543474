"""Child processes that do not outlive us, even when we are killed without a word."""

from __future__ import annotations

import ctypes
import os
import signal
from collections.abc import Callable
from typing import Any, Final

_PR_SET_PDEATHSIG: Final = 1


def dies_with(parent: int) -> Callable[[], Any]:
    """Return what a child runs before its program, so that it is killed when `parent` ends.

    The kernel watches the *thread* that forks: fork from the main one. prctl(2), PR_SET_PDEATHSIG.
    """
    # Loaded here: between fork and exec nothing may take a lock.
    prctl = ctypes.CDLL(None, use_errno=True).prctl

    def in_child() -> None:
        prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
        if os.getppid() != parent:  # it died before it could be watched
            os._exit(1)

    return in_child
