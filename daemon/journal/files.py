"""The journal's files: how they are opened, locked, and how damaged ones are set aside.

To write     by one process at a time, in WAL mode, every commit synced. A file that is damaged, or
             has tables that are not ours, is renamed byte for byte, and a new one begins.
To read      beside the daemon, as SQLite readers do; the daemon is never kept from writing.
As evidence  without the daemon: file and write-ahead log are opened read-only and nothing is made,
             folded or locked, so that what is looked at stays as it was found, on any medium.
"""

from __future__ import annotations

import fcntl
import os
import struct
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

import apsw

from daemon.journal.errors import JournalFailed
from daemon.journal.schema import altered, create, version_of

_PATIENCE_MS: Final = 500  # longer than any honest lock; then the tables are held and told why
_SIDE_FILES: Final = ("-wal", "-shm", "-journal")
_OPEN_BYTE: Final = 128  # of the shared index: whoever has the file open holds a lock on it
_FLOCK: Final = "hhqqi4x"  # struct flock of fcntl(2)


def open_for_writing(path: Path, vfs: str | None) -> apsw.Connection:
    """Open the journal's file, made if need be. Closing it does not fold the log before it is told.

    Raises apsw.Error, OSError, JournalFailed; one of DAMAGED where the file is: set it aside then.
    """
    if not path.exists():
        os.close(os.open(path, os.O_CREAT | os.O_RDWR | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600))
        _sync_folder(path)
    elif _write_ahead_log_without_file(path):
        raise apsw.CorruptError("the file is empty and its write-ahead log is not")
    path.chmod(0o600)
    connection = apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READWRITE, vfs=vfs)
    try:
        _prepare(connection, path)
    except BaseException:
        connection.close()
        raise
    return connection


def open_for_reading(path: Path, vfs: str | None, patience_s: float) -> apsw.Connection:
    """Open a second, read-only connection that waits up to `patience_s` for a lock.

    Raises JournalFailed.
    """
    try:
        connection = apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READONLY, vfs=vfs)
        connection.set_busy_timeout(round(patience_s * 1000))
        version_of(connection, path)
    except apsw.Error as error:
        raise JournalFailed(
            f"{path} cannot be read ({error})",
            "it must exist and be a journal, and you must be allowed to read it",
        ) from error
    return connection


def is_open_somewhere(path: Path) -> bool:
    """Return whether a process has the journal open now, found without touching a lock."""
    try:
        index = os.open(path.with_name(path.name + "-shm"), os.O_RDONLY | os.O_CLOEXEC)
    except OSError:
        return False
    try:
        asked = struct.pack(_FLOCK, fcntl.F_WRLCK, os.SEEK_SET, _OPEN_BYTE, 1, 0)
        answer = struct.unpack(_FLOCK, fcntl.fcntl(index, fcntl.F_OFD_GETLK, asked))
    except OSError:
        return False
    finally:
        os.close(index)
    return bool(answer[0] != fcntl.F_UNLCK)


@contextmanager
def opened_as_evidence(path: Path) -> Iterator[apsw.Connection]:
    """Open file and write-ahead log so that neither they nor anything beside them changes.

    Raises apsw.Error.
    """
    log = path.with_name(path.name + "-wal")
    if log.exists() and log.stat().st_size:
        disk = _EvidenceDisk()
        name, vfs, flags = str(path), disk.name, apsw.SQLITE_OPEN_READONLY
    else:
        disk = None
        name, vfs = f"{path.absolute().as_uri()}?immutable=1", None
        flags = apsw.SQLITE_OPEN_READONLY | apsw.SQLITE_OPEN_URI
    try:
        connection = apsw.Connection(name, flags=flags, vfs=vfs)
        try:
            connection.config(apsw.SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1)
            connection.pragma("locking_mode", "exclusive")  # its index in memory, not in a file
            yield connection
        finally:
            connection.close()
    finally:
        if disk is not None:
            disk.unregister()


class _EvidenceDisk(apsw.VFS):
    """SQLite's own file layer without locks, for which every file is read-only."""

    def __init__(self) -> None:
        self.name = f"evidence-{id(self)}"
        super().__init__(self.name, "unix-none")

    def xOpen(self, name: str | apsw.URIFilename | None, flags: list[int]) -> apsw.VFSFile:  # noqa: N802 - SQLite's name
        flags[0] &= ~(apsw.SQLITE_OPEN_READWRITE | apsw.SQLITE_OPEN_CREATE)
        flags[0] |= apsw.SQLITE_OPEN_READONLY
        return apsw.VFSFile("unix-none", name, flags)

    def xDelete(self, name: str, sync: bool) -> None:  # noqa: N802, ARG002 - SQLite's names
        raise apsw.ReadOnlyError(f"{name} is evidence")


def suspect_file(path: Path) -> Path:
    """Return the file whose presence makes the next start check the whole journal."""
    return path.with_name(path.name + ".suspect")


def set_aside(path: Path) -> Path:
    """Rename the journal's files, byte for byte, to the next free `<name>.corrupt-<n>`."""
    number = 1
    while (target := path.with_name(f"{path.name}.corrupt-{number}")).exists():
        number += 1
    for suffix in _SIDE_FILES:
        side = path.with_name(path.name + suffix)
        if side.exists():
            side.rename(target.with_name(target.name + suffix))
    path.rename(target)
    suspect_file(path).unlink(missing_ok=True)
    _sync_folder(path)
    return target


def lock_for_writing(path: Path) -> int:
    """Take the journal for this process: two writers would tear the chain. Raises JournalFailed.

    The lock has a file of its own: closing a second descriptor of SQLite's file drops its locks.
    """
    name = path.with_name(path.name + ".lock")
    try:
        lock = os.open(name, os.O_CREAT | os.O_RDWR | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
    except OSError as error:
        raise JournalFailed(
            f"{name} cannot be opened ({error.strerror})",
            "its folder must exist and belong to the daemon's user",
        ) from error
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        holder = os.read(lock, 20).decode("ascii", "replace") or "unknown"
        os.close(lock)
        raise JournalFailed(
            f"{path} is in use by process {holder} ({error.strerror})",
            "stop the other daemon, or name another file in the config",
        ) from error
    # A full disk may refuse the holder's number; the lock itself is taken.
    with suppress(OSError):
        os.truncate(lock, 0)
        os.write(lock, str(os.getpid()).encode())
    return lock


def _write_ahead_log_without_file(path: Path) -> bool:
    # SQLite deletes the log of an empty file; the records in it would be gone unseen.
    log = path.with_name(path.name + "-wal")
    return path.stat().st_size == 0 and log.exists() and log.stat().st_size > 0


def _prepare(connection: apsw.Connection, path: Path) -> None:
    # A damaged file is set aside as it was found: closing must not fold the log into it.
    connection.config(apsw.SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1)
    connection.set_busy_timeout(_PATIENCE_MS)
    if not connection.execute("SELECT 1 FROM sqlite_schema LIMIT 1").fetchall():
        connection.pragma("journal_mode", "wal")
        connection.pragma("synchronous", "FULL")
        create(connection)
    version = version_of(connection, path)
    connection.pragma("journal_mode", "wal")
    connection.pragma("synchronous", "FULL")
    _check_whole_if_suspect(connection, path)
    if (what := altered(connection, version)) is not None:
        raise apsw.CorruptError(what)


def _check_whole_if_suspect(connection: apsw.Connection, path: Path) -> None:
    suspect = suspect_file(path)
    if not suspect.exists():
        return
    verdict = connection.execute("PRAGMA integrity_check(1)").fetchall()
    if verdict != [("ok",)]:
        raise apsw.CorruptError(str(verdict))
    suspect.unlink()


def _sync_folder(path: Path) -> None:
    # A new name is durable only when its folder is.
    folder = os.open(path.parent, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)
