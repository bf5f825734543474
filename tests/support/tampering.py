"""What somebody with write access to the file, and without the signing key, can do to a journal."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import apsw

from daemon.journal.chain import genesis, link
from daemon.journal.records import Record


def edit(path: Path, *statements: str) -> None:
    """Run SQL on the file of a stopped daemon."""
    file = apsw.Connection(str(path))
    for statement in statements:
        file.execute(statement)
    file.close()


def relink(path: Path, table: str, first: int = 1) -> None:
    """Compute a table's chain anew from this record on, so that it fits whatever is there."""
    file = apsw.Connection(str(path))
    rows: list[Any] = file.execute(
        "SELECT record, epoch, seq, kind, blob, chain FROM records WHERE table_id=?"
        " ORDER BY record",
        (table,),
    ).fetchall()
    chain = genesis(table)
    file.execute("BEGIN")
    for *columns, stored in rows:
        record = Record(*columns)
        chain = stored if record.record < first else link(chain, record)
        file.execute(
            "UPDATE records SET chain=? WHERE table_id=? AND record=?",
            (chain, table, record.record),
        )
    file.execute("COMMIT")
    file.close()


def renumber(path: Path, table: str, first: int, by: int) -> None:
    """Close a hole, or make room: move the records from this one on, in number and seq."""
    file = apsw.Connection(str(path))
    rows: list[Any] = file.execute(
        "SELECT record FROM records WHERE table_id=? AND record>=? ORDER BY record", (table, first)
    ).fetchall()
    for (record,) in rows if by < 0 else reversed(rows):
        file.execute(
            "UPDATE records SET record=record+?1 WHERE table_id=?2 AND record=?3",
            (by, table, record),
        )
    file.close()
