"""One flipped bit of a journal: in its file, its write-ahead log, or a single value of a row.

`verify`, with the published checkpoints as witness, either finds it, or it is harmless: every row
is as it was, and a start plays on and publishes as if nothing had happened. Found or not, nothing
is ever raised but JournalFailed, no loop spins, and nothing that was never written is played or
published.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from random import Random
from typing import Any, Final

import apsw
from support.sitting import Image, an_evening, images, rows
from support.take_up import Original, take_up, trusted, wrong_accepts

from daemon.journal.errors import JournalFailed
from daemon.journal.files import opened_as_evidence
from daemon.journal.verify import verify

_COLUMNS: Final = (
    *(("records", column) for column in ("record", "epoch", "seq", "kind", "blob", "chain")),
    *(("answers", column) for column in ("command_id", "digest", "blob", "answered_at")),
    *(("checkpoints", column) for column in ("number", "introduces", "line")),
)


class BitFlip:
    """Trials take turns: a bit of the file, of a killed daemon's file, of its log, of a value."""

    name = "bitflip"

    def __init__(self, rounds: int = 6) -> None:
        self.total: int | None = None
        self.outcomes: Counter[str] = Counter()
        self._rounds = rounds

    async def prepare(self, folder: Path, seed: int) -> None:
        self._seed = seed
        self._path = folder / "journal.db"
        self._original = Original(an_evening(self._rounds))
        self._stopped, self._killed = await images(self._path, self._original.sitting)
        self._rows = {id(image): self._read(image) for image in (self._stopped, self._killed)}

    def _read(self, image: Image) -> tuple[list[object], ...]:
        with opened_as_evidence(image.put(self._path)) as connection:
            return rows(connection)

    async def trial(self, number: int) -> str | None:
        chance = Random(f"{self._seed}:{number}")
        image, where = self._harmed(number % 4, chance)
        path = self._path
        try:
            good = verify(path, witnesses=image.witness, trusted=trusted()).good
        except JournalFailed:
            good = False
        unharmed = good and self._is_unharmed(path, image)
        self.outcomes["harmless" if unharmed else "found" if not good else "missed"] += 1
        if good and not unharmed:
            return f"{where}: verify says that it is what was written, and it is not"
        taken = await take_up(path, self._original)
        if wrong := wrong_accepts(taken, self._original):
            return f"{where}: {'; '.join(wrong)}"
        if unharmed and (isinstance(taken, str) or any(one.held for one in taken.values())):
            return f"{where}: it is harmless, and a table is held"
        return None

    def _harmed(self, kind: int, chance: Random) -> tuple[Image, str]:
        if kind == 3:
            self._stopped.put(self._path)
            return self._stopped, _flip_value(self._path, chance)
        image = self._stopped if kind == 0 else self._killed
        whole = image.log if kind == 2 else image.main
        at, bit = chance.randrange(len(whole)), chance.randrange(8)
        changed = bytearray(whole)
        changed[at] ^= 1 << bit
        if kind == 2:
            Image(image.main, bytes(changed), image.witness).put(self._path)
        else:
            Image(bytes(changed), image.log, image.witness).put(self._path)
        return image, f"{('file', 'killed file', 'log')[kind]}, byte {at}, bit {bit}"

    def _is_unharmed(self, path: Path, image: Image) -> bool:
        with opened_as_evidence(path) as connection:
            return rows(connection) == self._rows[id(image)]


def _flip_value(path: Path, chance: Random) -> str:
    """Flip one bit of one value, whatever its type is, past every check of SQLite's."""
    table, column = chance.choice(_COLUMNS)
    file = apsw.Connection(str(path))
    keys: list[Any] = file.execute(
        f"SELECT {_KEYS[table]} FROM {table} WHERE {column} IS NOT NULL"  # noqa: S608 - literals
    ).fetchall()
    key = chance.choice(keys)
    where = " AND ".join(f"{name}=?" for name in _KEYS[table].split(", "))
    select = f"SELECT {column} FROM {table} WHERE {where}"  # noqa: S608 - literals
    value: Any = file.execute(select, key).fetchone()[0]
    new, bit = _flipped(value, chance)
    try:
        file.execute(f"UPDATE {table} SET {column}=? WHERE {where}", (new, *key))  # noqa: S608 - literals
    except apsw.ConstraintError:  # it would be another row's: delete that one's place
        file.execute(f"DELETE FROM {table} WHERE {where}", key)  # noqa: S608 - literals
    file.close()
    return f"{table}.{column} of {key}, bit {bit}"


_KEYS: Final = {
    "records": "table_id, record",
    "answers": "number",
    "checkpoints": "number",
}


def _flipped(value: Any, chance: Random) -> tuple[Any, int]:
    match value:
        case int():
            bit = chance.randrange(max(8, value.bit_length()))
            return value ^ (1 << bit), bit
        case float():
            bit = chance.randrange(40)
            return value + 2.0**bit, bit
        case str() | bytes():
            raw = bytearray(value.encode() if isinstance(value, str) else value)
            bit = chance.randrange(8 * len(raw))
            raw[bit // 8] ^= 1 << bit % 8
            text = bytes(raw)
            return (text.decode("latin-1") if isinstance(value, str) else text), bit
        case _:
            raise AssertionError(value)
