"""What some tables wrote in an evening, transaction by transaction, and how each stood after it.

The harnesses write it into a real journal, harm that, and compare with it what is taken up again.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final

import apsw
from support.durable import Opened, opened
from support.scenario import SCENARIOS, play
from support.shoe_line import Line

from daemon.journal.checkpoint import read
from daemon.journal.records import Answer, Record, Transaction
from daemon.runtime.codec import StateCodec
from daemon.runtime.inbox import Inbox
from daemon.table.state import TableSetup, TableState
from protocols.canonical import canonical

SHOE, WHEEL, DICE = "BAC-1", "ROU-1", "SIC-1"
ROUNDS: Final = (
    ("9S>player.1", "KD>banker.1", "KH>player.2", "8C>banker.2"),
    ("2S>player.1", "3D>banker.1", "3H>player.2", "3C>banker.2", "4S>player.3"),
    ("7S>player.1", "2D>banker.1", "TH>player.2", "4C>banker.2"),
)


@dataclass
class Sitting:
    """What tables wrote, in order.

    states  of each table, how it stood after a record that ends a transaction
    """

    setups: dict[str, TableSetup] = field(default_factory=dict)
    transactions: list[Transaction] = field(default_factory=list)
    states: dict[str, dict[int, bytes]] = field(default_factory=dict)

    def records(self, table: str) -> list[Record]:
        mine = (one for one in self.transactions if one.table == table)
        return [record for one in mine for record in one.records]

    def events(self, table: str) -> list[bytes]:
        return [record.blob for record in self.records(table) if record.seq is not None]

    def __add__(self, other: Sitting) -> Sitting:
        """Return both evenings, a transaction of each in turn."""
        turns: list[Transaction] = []
        longest = max(len(self.transactions), len(other.transactions))
        for number in range(longest):
            turns += [*self.transactions[number : number + 1]]
            turns += [*other.transactions[number : number + 1]]
        return Sitting(self.setups | other.setups, turns, self.states | other.states)


class _Scribe:
    """The journal of one table while it is played: everything is durable at once."""

    def __init__(self, table: str) -> None:
        self.table = table
        self.inbox: Inbox | None = None
        self.transactions: list[Transaction] = []
        self.states: dict[int, TableState] = {}

    def append(self, transaction: Transaction, done: Callable[[], None]) -> None:
        if transaction.records:
            self.transactions.append(replace(transaction, table=self.table))
            if self.inbox is not None:
                self.states[transaction.records[-1].record] = self.inbox.state
        done()

    def sitting(self) -> Sitting:
        assert self.inbox is not None
        setup = replace(self.inbox.setup, table=self.table)
        codec = StateCodec(setup.game)
        states = {record: canonical(codec.dump(state)) for record, state in self.states.items()}
        return Sitting({self.table: setup}, self.transactions, {self.table: states})


def at_the_shoe(rounds: int) -> Sitting:
    """So many rounds of baccarat, dealt by telegram."""
    scribe = _Scribe(SHOE)
    line = Line(journal=scribe, shoe=False)
    scribe.inbox = line.replay.inbox
    line.obey("shoe.load", shoe_id="S1", decks=8)
    for number in range(rounds):
        line.deal(*ROUNDS[number % len(ROUNDS)], round_id=f"R{number}")
        line.send("bets.close", round_id=f"R{number}")  # refused: it is answered, and noted
    assert len(line.outcomes) == rounds
    return scribe.sitting()


def at(table: str, scenario: str) -> Sitting:
    """A scenario at a table of this name; it is known how it stood at the end."""
    played = play(SCENARIOS / f"{scenario}.capture")
    transactions: list[Transaction] = []
    batch: list[Record] = []
    for record in played.records:
        if batch and record.kind in ("input", "command", "note"):
            transactions.append(Transaction(table, tuple(batch)))
            batch = []
        batch.append(record)
    transactions.append(Transaction(table, tuple(batch)))
    return Sitting({table: replace(played.setup, table=table)}, transactions, {table: {}})


def an_evening(rounds: int = 6) -> Sitting:
    """Three tables, about a hundred events."""
    wheel = at(WHEEL, "roulette/a_round_as_it_should_be")
    return at_the_shoe(rounds) + wheel + at(DICE, "sic_bo/second_thought")


@asynccontextmanager
async def writing(
    path: Path,
    sitting: Sitting,
    *,
    vfs: str | None = None,
    then: Callable[[], None] = lambda: None,
) -> AsyncIterator[Opened]:
    """Write a sitting, a commit for each transaction; the bus has all but the last few events.

    then  is called when one is acknowledged
    """
    async with opened(path, vfs=vfs) as it:
        for transaction in sitting.transactions:
            if it.failures:
                break
            it.append(transaction)
            await it.until(lambda: it.failures or len(it.acknowledged) == it.appended)
            if not it.failures:
                then()
                _publish(it, transaction)
        yield it


def _publish(it: Opened, transaction: Transaction) -> None:
    head = it.journal.appended(transaction.table)
    if head.epoch is not None and head.seq > 3:
        it.journal.move_cursor(transaction.table, head.epoch, head.seq - 3)


@dataclass(frozen=True, slots=True)
class Image:
    """A journal's files, byte for byte.

    log      the write-ahead log, empty where it was folded
    witness  every checkpoint that was handed out
    """

    main: bytes
    log: bytes
    witness: Sequence[bytes]

    def put(self, path: Path) -> Path:
        """Make these the files of a journal."""
        for suffix in ("-shm", "-wal", "-journal", ".suspect"):
            path.with_name(path.name + suffix).unlink(missing_ok=True)
        path.write_bytes(self.main)
        if self.log:
            path.with_name(path.name + "-wal").write_bytes(self.log)
        return path

    @classmethod
    def of(cls, path: Path, witness: Sequence[bytes]) -> Image:
        log = path.with_name(path.name + "-wal")
        return cls(path.read_bytes(), log.read_bytes() if log.exists() else b"", tuple(witness))


async def images(path: Path, sitting: Sitting) -> tuple[Image, Image]:
    """Return a journal as a stop in good order leaves it, and as `kill -9` does."""
    async with writing(path, sitting) as it:
        await it.until(lambda: read(it.checkpoints[-1]).checkpoint == it.journal.stand)
        killed = Image.of(path, it.checkpoints)
    return Image.of(path, it.checkpoints), killed


def rows(connection: apsw.Connection) -> tuple[list[object], ...]:
    """Return everything that a journal holds."""
    return tuple(
        connection.execute(f"SELECT * FROM {table} ORDER BY 1, 2").fetchall()  # noqa: S608 - of three literals
        for table in ("records", "answers", "checkpoints")
    )


def answered(answers: Sequence[Answer]) -> list[str]:
    return [answer.command_id for answer in answers]
