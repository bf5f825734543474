"""What is in the journal's file: its tables by version, and the step from one version to the next.

1  records, answers, cursors (the last event that the bus has, in no chain)
2  answers are numbered, for their chain; cursors are in the checkpoints; two indexes are gone
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

import apsw

from daemon.journal.errors import JournalFailed
from daemon.journal.records import Answer

APPLICATION_ID: Final = 0x70697477  # "pitw"
VERSION: Final = 2

_RECORDS: Final = """CREATE TABLE records(
    table_id TEXT NOT NULL, record INTEGER NOT NULL, epoch TEXT NOT NULL, seq INTEGER,
    kind TEXT NOT NULL, blob BLOB NOT NULL, chain BLOB NOT NULL,
    PRIMARY KEY(table_id, record)) STRICT, WITHOUT ROWID"""
_EVENTS: Final = "CREATE UNIQUE INDEX events ON records(table_id, epoch, seq) WHERE seq IS NOT NULL"
_ANSWERS: Final = """CREATE TABLE answers(
    number INTEGER PRIMARY KEY, table_id TEXT NOT NULL, command_id TEXT NOT NULL,
    digest BLOB NOT NULL, blob BLOB NOT NULL, answered_at REAL NOT NULL,
    UNIQUE(table_id, command_id)) STRICT"""
_CHECKPOINTS: Final = """CREATE TABLE checkpoints(
    number INTEGER PRIMARY KEY, introduces INTEGER NOT NULL, line BLOB NOT NULL) STRICT"""

_STATES_1: Final = "CREATE INDEX states ON records(table_id, record) WHERE kind = 'state'"
_ANSWERS_1: Final = """CREATE TABLE answers(
    table_id TEXT NOT NULL, command_id TEXT NOT NULL, digest BLOB NOT NULL, blob BLOB NOT NULL,
    answered_at REAL NOT NULL, PRIMARY KEY(table_id, command_id)) STRICT, WITHOUT ROWID"""
_CURSORS_1: Final = """CREATE TABLE cursors(
    table_id TEXT NOT NULL PRIMARY KEY, epoch TEXT NOT NULL, seq INTEGER NOT NULL)
    STRICT, WITHOUT ROWID"""

_STATEMENTS: Final = {
    1: (_RECORDS, _EVENTS, _STATES_1, _ANSWERS_1, _CURSORS_1),
    2: (_RECORDS, _EVENTS, _ANSWERS, _CHECKPOINTS),
}

# There is one row per event: DISTINCT would read them all, this steps from table to table.
TABLE_IDS: Final = """
WITH RECURSIVE step(id) AS (
    SELECT min(table_id) FROM records UNION ALL
    SELECT (SELECT min(table_id) FROM records WHERE table_id > step.id)
      FROM step WHERE step.id IS NOT NULL)
SELECT id FROM step WHERE id IS NOT NULL
"""


def create(connection: apsw.Connection) -> None:
    """Make the tables of an empty file."""
    connection.execute("BEGIN IMMEDIATE")
    connection.pragma("application_id", APPLICATION_ID)
    connection.pragma("user_version", VERSION)
    for statement in _STATEMENTS[VERSION]:
        connection.execute(statement)
    connection.execute("COMMIT")


def version_of(connection: apsw.Connection, name: object) -> int:
    """Return the version of the file's tables. Raises JournalFailed where it is not ours."""
    application = connection.pragma("application_id")
    version: int = connection.pragma("user_version")
    if application == APPLICATION_ID and version in _STATEMENTS:
        return version
    what = f"a journal of version {version}" if application == APPLICATION_ID else "another file"
    raise JournalFailed(
        f"{name} is {what}; this program writes version {VERSION}",
        "name another file in the config, or run the version that wrote this one",
    )


def altered(connection: apsw.Connection, version: int) -> str | None:
    """Return what was added to the file's tables, changed or taken away, None if nothing was.

    A trigger would write what no line of this program writes.
    """
    ours = set(_STATEMENTS[version])
    there: dict[Any, str] = {}
    for kind, name, sql in connection.execute("SELECT type, name, sql FROM sqlite_schema"):
        if sql is not None or not str(name).startswith("sqlite_autoindex_"):
            there[sql] = f"{kind} {name}"
    if foreign := sorted(there[sql] for sql in there.keys() - ours):
        return f"it has a {foreign[0]} that is not ours"
    if missing := sorted(ours - there.keys()):
        return f"it lacks what `{missing[0].partition('(')[0]}` makes"
    return None


def upgrade(
    connection: apsw.Connection, answers: Iterable[tuple[int, str, Answer]], line: bytes
) -> None:
    """Bring a file of version 1 to version 2, in one transaction, with its first checkpoint.

    answers  those kept so far, as (number, table, answer)
    """
    connection.execute("BEGIN IMMEDIATE")
    for statement in (
        "DROP INDEX states",
        "DROP TABLE cursors",
        "DROP TABLE answers",
        _ANSWERS,
        _CHECKPOINTS,
    ):
        connection.execute(statement)
    connection.executemany(INSERT_ANSWER, (answer_row(*numbered) for numbered in answers))
    connection.execute(INSERT_CHECKPOINT, (1, 1, line))
    connection.pragma("user_version", VERSION)
    connection.execute("COMMIT")


def answer_row(number: int, table: str, answer: Answer) -> tuple[Any, ...]:
    """Return an answer's row, for INSERT_ANSWER."""
    return (number, table, answer.command_id, answer.digest, answer.blob, answer.answered_at)


INSERT_RECORD: Final = (
    "INSERT INTO records(table_id, record, epoch, seq, kind, blob, chain) VALUES(?,?,?,?,?,?,?)"
)
INSERT_ANSWER: Final = (
    "INSERT INTO answers(number, table_id, command_id, digest, blob, answered_at)"
    " VALUES(?,?,?,?,?,?)"
)
INSERT_CHECKPOINT: Final = "INSERT INTO checkpoints(number, introduces, line) VALUES(?,?,?)"
