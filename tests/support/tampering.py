"""What somebody with write access to the file, and without the signing key, can do to a journal."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import apsw

from daemon.journal.chain import genesis, link
from daemon.journal.records import Record

Row = tuple[Any, ...]
"""record, epoch, seq, kind, blob, chain"""


@contextmanager
def file_of(path: Path) -> Iterator[apsw.Connection]:
    """Open the file of a stopped daemon, and write to it."""
    file = apsw.Connection(str(path))
    try:
        yield file
    finally:
        file.close()


def edit(path: Path, *statements: str) -> None:
    """Run SQL on the file of a stopped daemon."""
    with file_of(path) as file:
        for statement in statements:
            file.execute(statement)


def rows_of(file: apsw.Connection, table: str) -> list[Row]:
    """Return a table's records as they are stored, in order."""
    rows: list[Row] = file.execute(
        "SELECT record, epoch, seq, kind, blob, chain FROM records WHERE table_id=?"
        " ORDER BY record",
        (table,),
    ).fetchall()
    return rows


def put_rows(file: apsw.Connection, table: str, rows: list[Row]) -> None:
    """Make these the records of a table."""
    file.execute("BEGIN")
    file.execute("DELETE FROM records WHERE table_id=?", (table,))
    file.executemany(
        "INSERT INTO records(table_id, record, epoch, seq, kind, blob, chain)"
        " VALUES(?,?,?,?,?,?,?)",
        [(table, *row) for row in rows],
    )
    file.execute("COMMIT")


def numbered(rows: list[Row]) -> list[Row]:
    """Return the records with numbers and seqs that follow each other, as their bodies say."""
    result: list[Row] = []
    seq = 0
    for number, (_, epoch, old_seq, kind, blob, chain) in enumerate(rows, 1):
        if old_seq is None:
            result.append((number, epoch, None, kind, blob, chain))
            continue
        seq += 1
        was, now = f'"sequence":"{old_seq:020d}"', f'"sequence":"{seq:020d}"'
        body = blob.replace(was.encode(), now.encode())
        result.append((number, epoch, seq, kind, body, chain))
    return result


def linked(table: str, rows: list[Row], first: int = 1) -> list[Row]:
    """Return the records with a chain that fits, computed anew from the `first` one on."""
    chain = genesis(table)
    result: list[Row] = []
    for record, epoch, seq, kind, blob, stored in rows:
        chain = stored if record < first else link(chain, Record(record, epoch, seq, kind, blob))
        result.append((record, epoch, seq, kind, blob, chain))
    return result


def relink(path: Path, table: str, first: int = 1) -> None:
    """Compute a table's chain anew from this record on, so that it fits whatever is there."""
    with file_of(path) as file:
        put_rows(file, table, linked(table, rows_of(file, table), first))
