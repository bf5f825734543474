"""What can go wrong with the journal, and which of it passes by itself.

blocked        no space, locked, read-only: held, retried each second, resumed by itself
JournalFailed  I/O error, failed fsync, corruption, another schema: the process ends with 74
"""

from __future__ import annotations

import errno
from typing import Final

import apsw


class JournalFailed(Exception):  # noqa: N818 - a condition, named as design and exits name it
    """The journal can promise nothing any more; `action` is what an operator can do.

    `damaged`: the file itself is suspect and is checked whole at the next start.
    """

    def __init__(self, what: str, action: str, *, damaged: bool = False) -> None:
        super().__init__(f"journal: {what}")
        self.what = what
        self.action = action
        self.damaged = damaged


DAMAGED: Final = (apsw.CorruptError, apsw.NotADBError, UnicodeDecodeError)
"""What SQLite raises for a damaged file: a text column may come out as no text."""

_PASSES: Final[tuple[tuple[type[apsw.Error], str], ...]] = (
    (apsw.FullError, "no space left on the disk: free some"),
    (apsw.BusyError, "another program holds the file locked: end it"),
    (apsw.LockedError, "another program holds the file locked: end it"),
    (apsw.ReadOnlyError, "the disk or the file is read-only: remount it or restore its mode"),
    (apsw.CantOpenError, "the file or its folder cannot be opened: restore its owner and mode"),
)

# A full disk is not always SQLITE_FULL: growing the shared index reports its own code, and a
# spent quota is a failed write whose errno says so.
_FULL_CODES: Final = frozenset({apsw.SQLITE_IOERR_SHMSIZE})
_FULL_ERRNOS: Final = frozenset({errno.ENOSPC, errno.EDQUOT})


def why_blocked(error: apsw.Error, system_errno: int) -> str | None:
    """Return one sentence if the error may pass by itself, None if nothing can be trusted.

    `system_errno` is the errno that SQLite kept of its last failed call.
    """
    for kind, sentence in _PASSES:
        if isinstance(error, kind):
            return sentence
    if isinstance(error, apsw.IOError):
        # apsw sets it on every error that SQLite raised; its type stubs do not name it.
        code = getattr(error, "extendedresult", apsw.SQLITE_IOERR)
        write_failed = code == apsw.SQLITE_IOERR_WRITE and system_errno in _FULL_ERRNOS
        if code in _FULL_CODES or write_failed:
            return _PASSES[0][1]
    return None


def failed(error: Exception) -> JournalFailed:
    """Return the failure that a foreign error means."""
    if isinstance(error, JournalFailed):
        return error
    if isinstance(error, DAMAGED):
        return damaged(str(error))
    if isinstance(error, apsw.IOError):
        return JournalFailed(
            f"the disk failed ({error})", "check the disk (dmesg, smartctl); then start again"
        )
    return JournalFailed(
        f"it cannot be written or read ({type(error).__name__}: {error})",
        "this is a defect: report it with the log; the daemon may be started again",
    )


def damaged(how: str) -> JournalFailed:
    """Return the failure of a file that does not hold what was written."""
    return JournalFailed(
        f"the file is damaged ({how})",
        "start the daemon again: it checks the file, sets it aside if it is damaged, and opens"
        " every table held",
        damaged=True,
    )
