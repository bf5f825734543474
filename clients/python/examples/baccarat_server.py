"""A whole table server for one baccarat table: it takes bets, opens and closes rounds, and settles.

    python baccarat_server.py nats://127.0.0.1:4222 riga-1 BAC-1 server ledger.db

Put `pitwire_table.py` and `pitwire_nats.py` beside it, or their folder on PYTHONPATH.

What it knows is in one SQLite file, and each event changes it in one transaction, together with the
position. A command is written there before it is sent, and taken out behind its answer. So this
process may die at any moment, and the next one goes on where it was: no bet is settled twice, none
is forgotten. What it settles with is an example; the house's rules say what is paid.
"""

from __future__ import annotations

import asyncio
import json
import logging
import secrets
import sqlite3
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from fractions import Fraction
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final, Literal, TypeAlias

import nats
from nats.aio.client import Client
from pitwire_nats import TableClient
from pitwire_table import Answer, Command, Event, Known, Notice, Position, Table, command

log = logging.getLogger(__name__)

Phase: TypeAlias = Literal["asked", "open", "dealing", "completed", "voided"]
PAYS: Final[Mapping[str, Fraction]] = MappingProxyType(
    {"player": Fraction(1), "banker": Fraction(19, 20), "tie": Fraction(8)}
)
"""What a bet that wins gets beside its stake. A tie gives stakes on player and banker back."""
_TABLES: Final = """
create table if not exists place (one integer primary key, epoch text, seq integer);
create table if not exists rounds (round_id text primary key, phase text, winner text);
create table if not exists bets (round_id text, who text, spot text, stake integer, paid integer);
create table if not exists unanswered (id text primary key, name text, payload blob);
"""


class Ledger:
    """What the server keeps. Each method is one transaction, which is on the disk behind it."""

    def __init__(self, path: Path) -> None:
        self._db = sqlite3.connect(path, isolation_level=None)
        self._db.execute("pragma synchronous = full")
        self._db.executescript(_TABLES)

    def close(self) -> None:
        """Close the file."""
        self._db.close()

    @property
    def position(self) -> Position | None:
        """Return the position of the last event that was applied."""
        row = self._db.execute("select epoch, seq from place").fetchone()
        return None if row is None else Position(*row)

    def apply(self, event: Event) -> None:
        """Keep what the event says, and its position."""
        with self._transaction():
            match event.kind:
                case "round.opened":
                    self._turn(event.data["round_id"], "open")
                case "round.bets_closed":
                    self._turn(event.data["round_id"], "dealing")
                case "round.completed":
                    self._settle(event.data["round_id"], event.data["outcome"]["winner"])
                case "round.voided":
                    self._void(event.data["round_id"])
                case "table.started":  # of our rounds only the one that it names goes on
                    going = ((event.data.get("play") or {}).get("round") or {}).get("round_id")
                    for round_id in self._unfinished():
                        if round_id != going:
                            self._void(round_id)
                case _:
                    pass
            self._db.execute("insert or replace into place values (1, ?, ?)", _row(event.position))

    def bet(self, round_id: str, who: str, spot: str, stake: int) -> bool:
        """Take a bet while the round is open; return whether it was taken. stake: in cents."""
        if spot not in PAYS or stake <= 0:
            return False
        with self._transaction():
            if self.phase(round_id) != "open":
                return False
            bet = (round_id, who, spot, stake)
            self._db.execute("insert into bets values (?, ?, ?, ?, null)", bet)
            return True

    def phase(self, round_id: str) -> Phase | None:
        """Return how far the round is; None: there is none of this name."""
        found = self._db.execute("select phase from rounds where round_id = ?", (round_id,))
        row: tuple[Phase] | None = found.fetchone()
        return None if row is None else row[0]

    def open_round(self) -> str | None:
        """Return the round that is not over."""
        return next(iter(self._unfinished()), None)

    def finished(self) -> int:
        """Return how many rounds are over."""
        over = "select count(*) from rounds where phase in ('completed', 'voided')"
        count: int = self._db.execute(over).fetchone()[0]
        return count

    def ask(self, order: Command, new_round: str | None = None) -> None:
        """Keep a command that is about to be sent."""
        with self._transaction():
            row = (order.id, order.name, order.payload)
            self._db.execute("insert into unanswered values (?, ?, ?)", row)
            if new_round is not None:
                self._db.execute("insert into rounds values (?, 'asked', null)", (new_round,))

    def answered(self, order: Command, answer: Answer) -> None:
        """Forget a command that was answered, and the round that it did not open."""
        with self._transaction():
            self._db.execute("delete from unanswered where id = ?", (order.id,))
            if order.name == "round.open" and answer.reason is not None:
                round_id = json.loads(order.payload)["round_id"]
                gone = "delete from rounds where round_id = ? and phase = 'asked'"
                self._db.execute(gone, (round_id,))

    def unanswered(self) -> list[Command]:
        """Return the commands of which nobody knows what became, in order."""
        rows = self._db.execute("select name, id, payload from unanswered order by rowid")
        return [Command(*row) for row in rows]

    def bets(self) -> list[tuple[str, str, str, int, int | None]]:
        """Return every bet: round, who, spot, stake, and what was paid, None where it is open."""
        return list(self._db.execute("select * from bets order by rowid"))

    def _unfinished(self) -> list[str]:
        rows = "select round_id from rounds where phase in ('asked', 'open', 'dealing')"
        return [row[0] for row in self._db.execute(rows)]

    def _turn(self, round_id: str, phase: Phase) -> None:
        self._db.execute("update rounds set phase = ? where round_id = ?", (phase, round_id))

    def _settle(self, round_id: str, winner: str) -> None:
        self._turn(round_id, "completed")
        won = "update rounds set winner = ? where round_id = ?"
        self._db.execute(won, (winner, round_id))
        for row, spot, stake in self._open_bets(round_id):
            back = stake if winner in (spot, "tie") else 0
            paid = back + (int(stake * PAYS[spot]) if spot == winner else 0)
            self._db.execute("update bets set paid = ? where rowid = ?", (paid, row))

    def _void(self, round_id: str) -> None:
        self._turn(round_id, "voided")
        for row, _, stake in self._open_bets(round_id):
            self._db.execute("update bets set paid = ? where rowid = ?", (stake, row))

    def _open_bets(self, round_id: str) -> list[tuple[int, str, int]]:
        rows = "select rowid, spot, stake from bets where round_id = ? and paid is null"
        return list(self._db.execute(rows, (round_id,)))

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        self._db.execute("begin immediate")
        try:
            yield
        except BaseException:
            self._db.execute("rollback")
            raise
        self._db.execute("commit")


def _row(position: Position) -> tuple[str, int]:
    return position.epoch, position.seq


class BaccaratServer:
    """Plays rounds one after the other. `run` ends when it is cancelled, or by an exception.

    betting_s  how long bets are taken
    decks      of a shoe
    """

    def __init__(
        self, bus: Client, table: Table, ledger: Ledger, betting_s: float = 15.0, decks: int = 8
    ) -> None:
        self.ledger = ledger
        self.client = TableClient(bus, table, self, ledger.position, f"{table.user}-{table.table}")
        self._betting_s, self._decks = betting_s, decks
        self._news = asyncio.Event()

    async def run(self) -> None:
        """Read the table, and play, from what the ledger knows."""
        async with asyncio.TaskGroup() as group:
            group.create_task(self.client.run())
            group.create_task(self._play())

    def bet(self, round_id: str, who: str, spot: str, stake: int) -> bool:
        """Take a bet; return whether it was taken. None is while the table may have said more."""
        return self.client.is_level() and self.ledger.bet(round_id, who, spot, stake)

    async def apply(self, event: Event) -> None:
        """Take an event of the table."""
        self.ledger.apply(event)
        if not event.more:  # what happened at once is seen at once
            self._news.set()

    async def tell(self, notice: Notice) -> None:
        """Take what the client found; all but signs of life is for a person."""
        level = logging.INFO if notice == Known(known=True) else logging.WARNING
        log.log(level, "%s", notice)

    async def _play(self) -> None:
        for kept in self.ledger.unanswered():
            self.ledger.answered(kept, await self.client.send(kept))
        while True:
            round_id = self.ledger.open_round()
            if round_id is None:
                await self._open()
            elif self.ledger.phase(round_id) == "open":
                await asyncio.sleep(self._betting_s)
                if self.ledger.phase(round_id) == "open":
                    await self._obey("bets.close", round_id=round_id)
                    await self._next_news()
            else:
                await self._next_news()

    async def _open(self) -> None:
        if not self.client.is_known():
            await self._next_news()
            return
        round_id = f"R-{secrets.token_hex(6)}"
        answer = await self._obey("round.open", new_round=round_id, round_id=round_id)
        match answer.reason:
            case None:
                pass
            case "last_round_played":
                await self._obey("shoe.close")
            case "no_shoe":
                shoe_id = f"S-{secrets.token_hex(6)}"
                await self._obey("shoe.load", shoe_id=shoe_id, decks=self._decks)
            case reason:
                log.warning("no round: %s, %s", reason, answer.remedy)
                await self._next_news()

    async def _obey(self, name: str, new_round: str | None = None, **fields: Any) -> Answer:
        order = command(name, **fields)
        self.ledger.ask(order, new_round)
        answer = await self.client.send(order)
        self.ledger.answered(order, answer)
        return answer

    async def _next_news(self) -> None:
        """Wait for an event, half a second at the most."""
        self._news.clear()
        try:
            async with asyncio.timeout(0.5):
                await self._news.wait()
        except TimeoutError:
            return


async def main(url: str, site: str, table: str, user: str, path: str) -> None:
    """Serve a live table until the process ends."""
    bus = await nats.connect(url, user=user, max_reconnect_attempts=-1)
    try:
        await BaccaratServer(bus, Table(site, table, user), Ledger(Path(path))).run()
    finally:
        await bus.close()


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
