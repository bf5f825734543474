"""What a table server must not forget, in one SQLite file: bets, commands, the play.

Each method that changes something is one transaction, which is on the disk behind it. An event and
its position are one transaction, and a bet is paid in that of the event which ends its round. So no
bet is settled twice and none is forgotten, whenever the process dies.
"""

from __future__ import annotations

import json
import sqlite3
from abc import ABC, abstractmethod
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager
from fractions import Fraction
from pathlib import Path
from typing import Any, Final, TypeAlias

from pitwire_play import NOTHING_TOLD, after
from pitwire_table import Answer, Command, Event, Position

Json: TypeAlias = Mapping[str, Any]
_TABLES: Final = """
create table if not exists place (one integer primary key, epoch text, seq integer, play text);
create table if not exists rounds (round_id text primary key, closing integer, outcome text);
create table if not exists bets (round_id text, who text, spot text, stake integer, paid integer);
create table if not exists unanswered (id text primary key, name text, payload blob);
"""


class Bets(ABC):
    """The bets of a game."""

    @abstractmethod
    def takes(self, spot: str, taken: Collection[str]) -> bool:
        """Return whether a bet may be made there; taken: where the round has bets already."""

    @abstractmethod
    def back(self, spot: str, stake: int, outcome: Json) -> int:
        """Return what a bet gets back, its stake included. The outcome is the round's."""

    @abstractmethod
    def raised(self, now: Json) -> Mapping[str, tuple[str, Fraction]]:
        """Return the bets that decisions have made: each spot, whose stake it follows, its share.

        The round is as `table.status` says it; what it says once it says until it is over.
        """


class Ledger:
    """The file. bets: which there are, and what is paid for them."""

    def __init__(self, path: Path, bets: Bets) -> None:
        self._bets = bets
        self._db = sqlite3.connect(path, isolation_level=None)
        self._db.execute("pragma synchronous = full")
        self._db.executescript(_TABLES)

    def close(self) -> None:
        """Close the file."""
        self._db.close()

    # --- the table ---------------------------------------------------------------------------

    @property
    def position(self) -> Position | None:
        """Return the position of the last event that was applied."""
        row = self._db.execute("select epoch, seq from place").fetchone()
        return None if row is None else Position(*row)

    @property
    def play(self) -> Json:
        """Return what the events have told of the play, as `table.status` says it."""
        row = self._db.execute("select play from place").fetchone()
        play: Json = NOTHING_TOLD if row is None else json.loads(row[0])
        return play

    def apply(self, event: Event) -> None:
        """Keep what the event says, and its position."""
        with self._transaction():
            at = event.position
            play = after(self.play, event.kind, event.data, at.seq)
            place = (at.epoch, at.seq, json.dumps(dict(play)))
            self._db.execute("insert or replace into place values (1, ?, ?, ?)", place)
            match event.kind:
                case "round.completed":
                    self._end(event.data["round_id"], event.data["outcome"])
                case "round.voided":
                    self._end(event.data["round_id"], None)
                case "table.started":  # of our rounds only the one that it names goes on
                    going = (play["round"] or {}).get("round_id")
                    for round_id in self._unfinished():
                        if round_id != going:
                            self._end(round_id, None)
                case _:
                    pass
            if play["round"] is not None:
                self._raise(play["round"])

    # --- rounds and bets ---------------------------------------------------------------------

    def open_round(self) -> str | None:
        """Return the round of the table that is not over, where it is one of ours."""
        round_id: str | None = (self.play["round"] or {}).get("round_id")
        ours = self._db.execute("select 1 from rounds where round_id = ?", (round_id,)).fetchone()
        return None if ours is None else round_id

    def bet(self, round_id: str, who: str, spot: str, stake: int) -> bool:
        """Take a bet while the round is open; return whether it was taken. stake: in cents."""
        with self._transaction():
            open_for_bets = self.open_round() == round_id and not self._is_closing(round_id)
            if stake <= 0 or not open_for_bets or not self._bets.takes(spot, self.spots(round_id)):
                return False
            self._insert(round_id, who, spot, stake)
            return True

    def spots(self, round_id: str, who: str | None = None) -> set[str]:
        """Return where the round has bets: all, or those of one player."""
        rows = "select spot from bets where round_id = ? and who = coalesce(?, who)"
        return {row[0] for row in self._db.execute(rows, (round_id, who))}

    def bets(self) -> list[tuple[str, str, str, int, int | None]]:
        """Return every bet: round, who, spot, stake, and what was paid, None where it is open."""
        return list(self._db.execute("select * from bets order by rowid"))

    def finished(self) -> int:
        """Return how many rounds are over."""
        over = "select count(*) from rounds where outcome is not null"
        count: int = self._db.execute(over).fetchone()[0]
        return count

    # --- commands ----------------------------------------------------------------------------

    def ask(self, order: Command) -> None:
        """Keep a command that is about to be sent. From `bets.close` on, no bet is taken."""
        with self._transaction():
            row = (order.id, order.name, order.payload)
            self._db.execute("insert into unanswered values (?, ?, ?)", row)
            if order.name == "round.open":
                new = (_round_of(order),)
                self._db.execute("insert into rounds values (?, false, null)", new)
            elif order.name == "bets.close":
                closing = "update rounds set closing = true where round_id = ?"
                self._db.execute(closing, (_round_of(order),))

    def answered(self, order: Command, answer: Answer) -> None:
        """Forget a command that was answered, and the round that it did not open."""
        with self._transaction():
            self._db.execute("delete from unanswered where id = ?", (order.id,))
            if order.name == "round.open" and answer.reason is not None:
                gone = "delete from rounds where round_id = ? and round_id not in"
                bets = "(select round_id from bets)"
                self._db.execute(f"{gone} {bets}", (_round_of(order),))

    def unanswered(self) -> list[Command]:
        """Return the commands of which nobody knows what became, in order."""
        rows = self._db.execute("select name, id, payload from unanswered order by rowid")
        return [Command(*row) for row in rows]

    # --- inside a transaction ----------------------------------------------------------------

    def _unfinished(self) -> list[str]:
        rows = self._db.execute("select round_id from rounds where outcome is null")
        return [row[0] for row in rows]

    def _is_closing(self, round_id: str) -> bool:
        closing = "select closing from rounds where round_id = ?"
        asked: int = self._db.execute(closing, (round_id,)).fetchone()[0]
        return bool(asked) or self.play["round"]["phase"] != "betting"

    def _end(self, round_id: str, outcome: Json | None) -> None:
        """Pay the bets of a round that are not paid yet. None: it is void, and stakes go back."""
        over = "update rounds set outcome = ? where round_id = ?"
        self._db.execute(over, (json.dumps(outcome), round_id))
        rows = "select rowid, spot, stake from bets where round_id = ? and paid is null"
        for row, spot, stake in self._db.execute(rows, (round_id,)).fetchall():
            paid = stake if outcome is None else self._bets.back(spot, stake, outcome)
            self._db.execute("update bets set paid = ? where rowid = ?", (paid, row))

    def _raise(self, now: Json) -> None:
        round_id = now["round_id"]
        rows = "select who, stake from bets where round_id = ? and spot = ?"
        for spot, (follows, share) in self._bets.raised(now).items():
            for who, stake in self._db.execute(rows, (round_id, follows)).fetchall():
                if spot not in self.spots(round_id, who):
                    self._insert(round_id, who, spot, int(stake * share))

    def _insert(self, round_id: str, who: str, spot: str, stake: int) -> None:
        bet = (round_id, who, spot, stake)
        self._db.execute("insert into bets values (?, ?, ?, ?, null)", bet)

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        self._db.execute("begin immediate")
        try:
            yield
        except BaseException:
            self._db.execute("rollback")
            raise
        self._db.execute("commit")


def _round_of(order: Command) -> str:
    round_id: str = json.loads(order.payload)["round_id"]
    return round_id
