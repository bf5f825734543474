"""From version 1 of the file to version 2, once, before anything else is written.

Version 1 signed nothing: what it holds is checked whole, and is what the first checkpoint signs. A
table that does not fit is damaged as at any start, and the damage stays for `verify` to name.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import apsw

from daemon.journal.chain import link_answer
from daemon.journal.checkpoint import AnswersHead, ChainPoint, signed
from daemon.journal.reader import ReadableJournal
from daemon.journal.records import Answer
from daemon.journal.schema import upgrade
from daemon.journal.signing import SigningKeys
from daemon.journal.startup import Start, look_at_old


def upgrade_from_1(connection: apsw.Connection, keys: SigningKeys, at: str) -> Start:
    """Upgrade the file and return what it holds. Raises JournalFailed, apsw.Error.

    at  wall time, RFC 3339
    """
    cursors = {
        table: (epoch, seq)
        for table, epoch, seq in connection.execute("SELECT table_id, epoch, seq FROM cursors")
    }
    start = look_at_old(ReadableJournal(connection), cursors)
    answers = tuple(_answers(connection))
    last = AnswersHead().last
    for number, table, answer in answers:
        last = ChainPoint(number, link_answer(last.chain, table, answer))
    stand = replace(start.stand, number=1, at=at, key=keys.in_force, answers=AnswersHead(last=last))
    upgrade(connection, answers, signed(stand, keys, introduces=True))
    return replace(start, stand=stand)


def _answers(connection: apsw.Connection) -> Iterator[tuple[int, str, Answer]]:
    rows: list[Any] = connection.execute(
        "SELECT table_id, command_id, digest, blob, answered_at FROM answers"
        " ORDER BY answered_at, table_id, command_id"
    ).fetchall()
    for number, (table, command_id, digest, blob, answered_at) in enumerate(rows, 1):
        yield number, table, Answer(command_id, digest, blob, answered_at)
