"""Tampering with the file of a stopped daemon, by somebody who knows all but the signing key.

`verify`, with what witnesses have, says that the file is not what was written, and calls nothing
proven that was touched; a start plays on from nothing, and publishes nothing, that was never
written.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random
from typing import Any, Final, TypeAlias

import apsw
from support.durable import opened
from support.sitting import DICE, SHOE, WHEEL, Image, an_evening, images
from support.take_up import Original, take_up, trusted, wrong_accepts
from support.tampering import Row, file_of, linked, numbered, put_rows, rows_of

from daemon.gamekit.commitments import Concealed
from daemon.journal.checkpoint import TableHead, read, signed
from daemon.journal.errors import JournalFailed
from daemon.journal.signing import SigningKeys
from daemon.journal.verify import verify

TABLES: Final = (SHOE, WHEEL, DICE)
FORGERS: Final = SigningKeys([Concealed(b"the key of somebody else, 32 by.")])


@dataclass(frozen=True, slots=True)
class Touched:
    """The first record that was touched, None where it is not about one."""

    table: str | None = None
    record: int | None = None


Tamper: TypeAlias = Callable[[apsw.Connection, Random], Touched]


def _pick(file: apsw.Connection, chance: Random) -> tuple[str, list[Row], int]:
    """Return a table, its records, and the place of one of them."""
    table = chance.choice(TABLES)
    rows = rows_of(file, table)
    return table, rows, chance.randrange(len(rows))


def _edited(row: Row, chance: Random) -> Row:
    """Return the record with another digit or letter in its body."""
    record, epoch, seq, kind, blob, chain = row
    body = bytearray(blob)
    places = [at for at, byte in enumerate(body) if chr(byte).isalnum()]
    at = chance.choice(places)
    body[at] = ord(chance.choice([one for one in "0123456789abcXYZ" if ord(one) != body[at]]))
    return record, epoch, seq, kind, bytes(body), chain


def edit(file: apsw.Connection, chance: Random) -> Touched:
    table, rows, at = _pick(file, chance)
    rows[at] = _edited(rows[at], chance)
    put_rows(file, table, rows)
    return Touched(table, at + 1)


def edit_and_relink(file: apsw.Connection, chance: Random) -> Touched:
    table, rows, at = _pick(file, chance)
    rows[at] = _edited(rows[at], chance)
    put_rows(file, table, linked(table, rows))
    return Touched(table, at + 1)


def edit_and_relink_some(file: apsw.Connection, chance: Random) -> Touched:
    """The break in the chain is put somewhere else than the edit."""
    table, rows, at = _pick(file, chance)
    rows[at] = _edited(rows[at], chance)
    end = chance.randrange(at, len(rows)) + 1
    put_rows(file, table, [*linked(table, rows)[:end], *rows[end:]])
    return Touched(table, at + 1)


def edit_the_state(file: apsw.Connection, chance: Random) -> Touched:
    table = chance.choice(TABLES)
    rows = rows_of(file, table)
    at = max(place for place, row in enumerate(rows) if row[3] == "state")
    record, epoch, seq, kind, blob, chain = rows[at]
    kept = json.loads(blob)
    kept["state"]["rounds_forged"] = 777
    rows[at] = (record, epoch, seq, kind, json.dumps(kept).encode(), chain)
    put_rows(file, table, linked(table, rows))
    return Touched(table, at + 1)


def blank_the_inputs(file: apsw.Connection, chance: Random) -> Touched:
    table = chance.choice(TABLES)
    rows = [
        (record, epoch, seq, kind, b"{}" if kind == "input" else blob, chain)
        for record, epoch, seq, kind, blob, chain in rows_of(file, table)
    ]
    put_rows(file, table, linked(table, rows))
    return Touched(table, 1)


def delete(file: apsw.Connection, chance: Random) -> Touched:
    table, rows, at = _pick(file, chance)
    put_rows(file, table, rows[:at] + rows[at + 1 :])
    return Touched(table, at + 1)


def cut_out_and_relink(file: apsw.Connection, chance: Random) -> Touched:
    """Some records are taken out, and everything after them is numbered and chained anew."""
    table, rows, at = _pick(file, chance)
    end = min(len(rows), at + chance.randrange(1, 12))
    put_rows(file, table, linked(table, numbered(rows[:at] + rows[end:])))
    return Touched(table, at + 1)


def insert_and_relink(file: apsw.Connection, chance: Random) -> Touched:
    """Some records come twice: a round that was never played."""
    table, rows, at = _pick(file, chance)
    start = chance.randrange(at + 1)
    forged = rows[:at] + rows[start:at] + rows[at:] if start < at else [*rows, rows[-1]]
    put_rows(file, table, linked(table, numbered(forged)))
    return Touched(table, (at if start < at else len(rows)) + 1)


def invent_at_the_end(file: apsw.Connection, chance: Random) -> Touched:
    table = chance.choice(TABLES)
    rows = rows_of(file, table)
    again = rows[-chance.randrange(1, 12) :]
    put_rows(file, table, linked(table, numbered(rows + again)))
    return Touched(table, len(rows) + 1)


def swap_two_records(file: apsw.Connection, chance: Random) -> Touched:
    table, rows, at = _pick(file, chance)
    other = chance.choice([place for place in range(len(rows)) if place != at])
    first, second = sorted((at, other))
    rows[first], rows[second] = (
        (rows[first][0], *rows[second][1:]),
        (rows[second][0], *rows[first][1:]),
    )
    file.execute("DROP INDEX events")
    put_rows(file, table, rows)
    file.execute(
        "CREATE UNIQUE INDEX events ON records(table_id, epoch, seq) WHERE seq IS NOT NULL"
    )
    return Touched(table, first + 1)


def cut_off_the_end(file: apsw.Connection, chance: Random) -> Touched:
    table, rows, at = _pick(file, chance)
    put_rows(file, table, rows[:at])
    return Touched(table, at + 1)


def cut_off_with_its_checkpoints(file: apsw.Connection, chance: Random) -> Touched:
    """Everything after a checkpoint goes, in all tables, and so do the later checkpoints."""
    lines: list[Any] = file.execute(
        "SELECT number, line FROM checkpoints ORDER BY number"
    ).fetchall()
    number, line = chance.choice(lines[:-1])
    heads = read(line).checkpoint.tables
    for table in TABLES:
        rows = rows_of(file, table)
        put_rows(file, table, rows[: heads[table].record if table in heads else 0])
    answers = read(line).checkpoint.answers.last.number
    file.execute("DELETE FROM answers WHERE number>?", (answers,))
    file.execute("DELETE FROM checkpoints WHERE number>?", (number,))
    return Touched()


def delete_a_table(file: apsw.Connection, chance: Random) -> Touched:
    table = chance.choice(TABLES)
    file.execute("DELETE FROM records WHERE table_id=?", (table,))
    return Touched(table, 1)


def swap_two_tables(file: apsw.Connection, chance: Random) -> Touched:
    one, other = chance.sample(TABLES, 2)
    of_one, of_other = rows_of(file, one), rows_of(file, other)
    put_rows(file, one, linked(one, of_other))
    put_rows(file, other, linked(other, of_one))
    return Touched(one, 1)


def copy_a_table(file: apsw.Connection, chance: Random) -> Touched:
    table = chance.choice(TABLES)
    put_rows(file, "NEW-1", linked("NEW-1", rows_of(file, table)))
    return Touched("NEW-1", 1)


def move_the_cursor(file: apsw.Connection, chance: Random) -> Touched:
    """The position on the bus is moved, in the newest checkpoint."""
    number, line = _newest(file)
    body = json.loads(line)
    table = chance.choice(TABLES)
    epoch, seq = body["body"]["tables"][table]["published"]
    body["body"]["tables"][table]["published"] = [epoch, seq + chance.choice((-2, -1, 1, 2, 3))]
    new = json.dumps(body, separators=(",", ":"), sort_keys=True).encode()
    file.execute("UPDATE checkpoints SET line=? WHERE number=?", (new, number))
    return Touched()


def sign_with_another_key(file: apsw.Connection, chance: Random) -> Touched:
    """All is edited, chained, and signed anew, by somebody with a key of his own."""
    table, rows, at = _pick(file, chance)
    rows[at] = _edited(rows[at], chance)
    put_rows(file, table, linked(table, rows))
    newest = read(_newest(file)[1]).checkpoint
    tables: Mapping[str, TableHead] = {
        **newest.tables,
        table: _head(newest.tables[table], rows_of(file, table)[-1]),
    }
    forged = replace(newest, key=FORGERS.in_force, tables=tables)
    file.execute("DELETE FROM checkpoints")
    line = signed(forged, FORGERS, introduces=True)
    file.execute("INSERT INTO checkpoints VALUES(?,1,?)", (newest.number, line))
    return Touched()


def _head(head: TableHead, last: Row) -> TableHead:
    return TableHead(last[0], last[1], head.seq, last[5], head.published)


def _newest(file: apsw.Connection) -> tuple[int, bytes]:
    rows: list[Any] = file.execute(
        "SELECT number, line FROM checkpoints ORDER BY number DESC LIMIT 1"
    ).fetchall()
    number, line = rows[0]
    return number, line


def delete_the_checkpoints(file: apsw.Connection, _chance: Random) -> Touched:
    file.execute("DELETE FROM checkpoints")
    return Touched()


def forget_an_answer(file: apsw.Connection, chance: Random) -> Touched:
    """A command that was obeyed could be sent, and obeyed, once more."""
    (count,) = file.execute("SELECT max(number) FROM answers").fetchall()[0]
    file.execute("DELETE FROM answers WHERE number=?", (chance.randrange(1, int(count) + 1),))
    return Touched()


def change_an_answer(file: apsw.Connection, chance: Random) -> Touched:
    (count,) = file.execute("SELECT max(number) FROM answers").fetchall()[0]
    column, value = chance.choice(
        (("command_id", "another"), ("blob", b"{}"), ("digest", bytes(32)), ("answered_at", 1.0))
    )
    file.execute(
        f"UPDATE answers SET {column}=? WHERE number=?",  # noqa: S608 - of four literals
        (value, chance.randrange(1, int(count) + 1)),
    )
    return Touched()


def invent_an_answer(file: apsw.Connection, chance: Random) -> Touched:
    """A command that never came counts as answered."""
    (count,) = file.execute("SELECT max(number) FROM answers").fetchall()[0]
    row = (int(count) + 1, chance.choice(TABLES), "never sent", bytes(32), b"{}", 1.0)
    file.execute("INSERT INTO answers VALUES(?,?,?,?,?,?)", row)
    return Touched()


def add_a_trigger(file: apsw.Connection, chance: Random) -> Touched:
    file.execute(
        chance.choice(
            (
                "CREATE TRIGGER later AFTER INSERT ON records BEGIN DELETE FROM answers; END",
                "CREATE TRIGGER later AFTER INSERT ON answers BEGIN DELETE FROM records; END",
                "CREATE TRIGGER later AFTER DELETE ON checkpoints BEGIN DELETE FROM records; END",
            )
        )
    )
    return Touched()


def add_a_table(file: apsw.Connection, _chance: Random) -> Touched:
    file.execute("CREATE TABLE notes(text)")
    return Touched()


def drop_the_index(file: apsw.Connection, _chance: Random) -> Touched:
    file.execute("DROP INDEX events")
    return Touched()


KINDS: Final[tuple[Tamper, ...]] = (
    edit, edit_and_relink, edit_and_relink_some, edit_the_state, blank_the_inputs, delete,
    cut_out_and_relink, insert_and_relink, invent_at_the_end, swap_two_records, cut_off_the_end,
    cut_off_with_its_checkpoints, delete_a_table, swap_two_tables, copy_a_table, move_the_cursor,
    sign_with_another_key, delete_the_checkpoints, forget_an_answer, change_an_answer,
    invent_an_answer, add_a_trigger, add_a_table, drop_the_index,
)  # fmt: skip


class TamperHarness:
    """Trials take turns: each kind above, an older copy, overwritten pages, a log that is gone."""

    name = "tamper"

    def __init__(self, rounds: int = 6) -> None:
        self.total: int | None = None
        self.outcomes: Counter[str] = Counter()
        self._rounds = rounds

    async def prepare(self, folder: Path, seed: int) -> None:
        self._seed = seed
        self._path = folder / "journal.db"
        self._original = Original(an_evening(self._rounds))
        self._older = await self._older_copies(folder)
        self._stopped, self._killed = await images(self._path, self._original.sitting)

    async def _older_copies(self, folder: Path) -> list[Image]:
        """Return copies that were taken between rounds of the same evening."""
        older: list[Image] = []
        path = folder / "older.db"
        sitting = self._original.sitting
        async with opened(path) as it:
            for number, transaction in enumerate(sitting.transactions):
                await it.write(transaction)
                if number % 7 == 6 and number < len(sitting.transactions) - 1:
                    older.append(Image.of(path, ()))
        return older

    async def trial(self, number: int) -> str | None:
        chance = Random(f"{self._seed}:{number}")
        name, touched, image = self._harm(number % (len(KINDS) + 3), chance)
        path = self._path
        try:
            report = verify(path, witnesses=image.witness, trusted=trusted())
            good = report.good
        except JournalFailed:
            report, good = None, False
        self.outcomes[f"{name} {'MISSED' if good else 'found'}"] += 1
        if good:
            return f"{name} of {touched}: verify says that it is what was written"
        if report is not None and touched.record is not None:
            named = [bad for bad in report.bad if bad.table == touched.table]
            if not named or (named[0].proven or 0) >= touched.record:
                return f"{name} of {touched}: verify names {named}, and {report.faults}"
        taken = await take_up(path, self._original, image.witness[-1])
        wrong = wrong_accepts(taken, self._original)
        return f"{name} of {touched}: {'; '.join(wrong)}" if wrong else None

    def _harm(self, kind: int, chance: Random) -> tuple[str, Touched, Image]:
        image, path = self._stopped, self._path
        if kind < len(KINDS):
            image.put(path)
            with file_of(path) as file:
                touched = KINDS[kind](file, chance)
            return KINDS[kind].__name__, touched, image
        if kind == len(KINDS):
            chance.choice(self._older).put(path)
            return "an older copy", Touched(), image
        if kind == len(KINDS) + 1:
            pages = [image.main[at : at + 4096] for at in range(0, len(image.main), 4096)]
            for at in chance.sample(range(len(pages)), 3):
                pages[at] = chance.randbytes(4096)
            Image(b"".join(pages), image.log, image.witness).put(path)
            return "three pages", Touched(), image
        killed = self._killed
        frames = (len(killed.log) - 32) // 4120
        kept = chance.randrange(frames)
        log = killed.log[: 32 + kept * 4120] if kept else b""
        Image(killed.main, log, killed.witness).put(path)
        return "a log that was cut", Touched(), killed
