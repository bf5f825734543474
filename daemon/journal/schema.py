"""The journal's file: its tables, how it is opened, and how a damaged one is set aside."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final

import apsw

from daemon.journal.errors import DAMAGED, JournalFailed

_APPLICATION_ID: Final = 0x70697477  # "pitw"
_VERSION: Final = 1
_PATIENCE_MS: Final = 500  # longer than any honest lock; then the tables are held and told why
_SIDE_FILES: Final = ("-wal", "-shm", "-journal")

_TABLES: Final = """
CREATE TABLE records(
    table_id TEXT NOT NULL, record INTEGER NOT NULL, epoch TEXT NOT NULL, seq INTEGER,
    kind TEXT NOT NULL, blob BLOB NOT NULL, chain BLOB NOT NULL,
    PRIMARY KEY(table_id, record)) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX events ON records(table_id, epoch, seq) WHERE seq IS NOT NULL;
CREATE INDEX states ON records(table_id, record) WHERE kind = 'state';
CREATE TABLE answers(
    table_id TEXT NOT NULL, command_id TEXT NOT NULL, digest BLOB NOT NULL, blob BLOB NOT NULL,
    answered_at REAL NOT NULL, PRIMARY KEY(table_id, command_id)) STRICT, WITHOUT ROWID;
CREATE TABLE cursors(
    table_id TEXT NOT NULL PRIMARY KEY, epoch TEXT NOT NULL, seq INTEGER NOT NULL)
    STRICT, WITHOUT ROWID;
"""

# There is one row per event: DISTINCT would read them all, this steps from table to table.
TABLE_IDS: Final = """
WITH RECURSIVE step(id) AS (
    SELECT min(table_id) FROM records UNION ALL
    SELECT (SELECT min(table_id) FROM records WHERE table_id > step.id)
      FROM step WHERE step.id IS NOT NULL)
SELECT id FROM step WHERE id IS NOT NULL
"""


def open_for_writing(path: Path, vfs: str | None) -> tuple[apsw.Connection, Path | None]:
    """Open the journal's file, made if need be, and say where a damaged one was set aside.

    Raises JournalFailed.
    """
    try:
        aside = set_aside(path) if _write_ahead_log_without_file(path) else None
        try:
            return _open_checked(path, vfs), aside
        except DAMAGED:
            aside = set_aside(path)
            return _open_checked(path, vfs), aside
    except (apsw.Error, OSError) as error:
        raise JournalFailed(
            f"{path} cannot be opened ({error})",
            "its folder must exist, have space, and belong to the daemon's user",
        ) from error


def open_for_reading(path: Path, vfs: str | None, patience_s: float) -> apsw.Connection:
    """Open a second, read-only connection that waits up to `patience_s` for a lock.

    Raises JournalFailed.
    """
    try:
        connection = apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READONLY, vfs=vfs)
        connection.set_busy_timeout(round(patience_s * 1000))
        _refuse_another_schema(connection, path)
    except apsw.Error as error:
        raise JournalFailed(
            f"{path} cannot be read ({error})",
            "it must exist and be a journal, and you must be allowed to read it",
        ) from error
    return connection


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


def _write_ahead_log_without_file(path: Path) -> bool:
    # SQLite deletes the log of an empty file; the records in it would be gone unseen.
    log = path.with_name(path.name + "-wal")
    return path.exists() and path.stat().st_size == 0 and log.exists() and log.stat().st_size > 0


def _open_checked(path: Path, vfs: str | None) -> apsw.Connection:
    if not path.exists():
        os.close(os.open(path, os.O_CREAT | os.O_RDWR | os.O_CLOEXEC, 0o600))
        _sync_folder(path)
    path.chmod(0o600)
    connection = apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READWRITE, vfs=vfs)
    try:
        _prepare(connection, path)
    except BaseException:
        connection.close()
        raise
    return connection


def _prepare(connection: apsw.Connection, path: Path) -> None:
    # A damaged file is set aside as it was found: closing must not fold the log into it.
    connection.config(apsw.SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1)
    connection.set_busy_timeout(_PATIENCE_MS)
    if not connection.execute("SELECT 1 FROM sqlite_schema LIMIT 1").fetchall():
        _create(connection)
    _refuse_another_schema(connection, path)
    connection.pragma("journal_mode", "wal")
    connection.pragma("synchronous", "FULL")
    _check_whole_if_suspect(connection, path)
    connection.config(apsw.SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 0)


def _create(connection: apsw.Connection) -> None:
    connection.pragma("journal_mode", "wal")
    connection.pragma("synchronous", "FULL")
    connection.execute("BEGIN IMMEDIATE")
    connection.pragma("application_id", _APPLICATION_ID)
    connection.pragma("user_version", _VERSION)
    connection.execute(_TABLES)
    connection.execute("COMMIT")


def _refuse_another_schema(connection: apsw.Connection, path: Path) -> None:
    application = connection.pragma("application_id")
    version = connection.pragma("user_version")
    if (application, version) == (_APPLICATION_ID, _VERSION):
        return
    what = f"a journal of version {version}" if application == _APPLICATION_ID else "another file"
    connection.close()
    raise JournalFailed(
        f"{path} is {what}; this program writes version {_VERSION}",
        "name another file in the config, or run the version that wrote this one",
    )


def _check_whole_if_suspect(connection: apsw.Connection, path: Path) -> None:
    suspect = suspect_file(path)
    if not suspect.exists():
        return
    verdict = connection.execute("PRAGMA quick_check(1)").fetchall()
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
