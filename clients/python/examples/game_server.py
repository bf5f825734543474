"""A whole table server but for its game: it opens rounds, closes bets, takes and settles them.

A game is its bets, and what the table server says in the middle of a round: `Game`. Each example
(`baccarat_server.py`, `roulette_server.py`, `blackjack_server.py`) is one, and a program. They need
`pitwire_table.py`, `pitwire_nats.py` and `pitwire_play.py` beside them, or on PYTHONPATH.

What the server knows is in the `Ledger` alone, and a command is written there before it is sent,
and taken out behind its answer. So the process may die at any moment: the next one goes on where
it was. What may be sent now it takes from the events, so it knows no rule of any game.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections.abc import Callable, Collection, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path
from typing import Any, Final

import nats
from ledger import Bets, Json, Ledger
from nats.aio.client import Client
from pitwire_nats import TableClient
from pitwire_table import Answer, Command, Event, Known, Notice, Position, Table, command

log = logging.getLogger(__name__)
LOOK_S: Final = 0.5
"""How long an event is waited for before the server looks again by itself."""


@dataclass(frozen=True, slots=True)
class Move:
    """A command of the open round that the server sends.

    after_s  how long the players have before; where the round goes on meanwhile, nothing is sent
    """

    name: str
    fields: Mapping[str, Any] = field(default_factory=dict)
    after_s: float = 0.0


class Game(Bets):
    """What a table server does as its game asks; here as in a game without decisions.

    betting_s  how long bets are taken
    decks      of a shoe, where the game has one
    """

    def __init__(self, betting_s: float = 15.0, decks: int | None = None) -> None:
        self.betting_s, self.decks = betting_s, decks

    def raised(self, now: Json) -> Mapping[str, tuple[str, Fraction]]:
        """Return no further bets: nobody decides anything."""
        return {}

    def move(self, now: Json, spots: Collection[str]) -> Move | None:
        """Return what is to be sent now; None: something else has its turn.

        now    the round, as `table.status` says it
        spots  where it has bets
        """
        betting = now["phase"] == "betting"
        return Move("bets.close", after_s=self.betting_s) if betting else None


class GameServer:
    """Plays rounds one after the other. `run` ends when it is cancelled, or by an exception."""

    def __init__(self, bus: Client, table: Table, game: Game, ledger: Ledger) -> None:
        self.game, self.ledger = game, ledger
        self.client = TableClient(bus, table, self, ledger.position, f"{table.user}-{table.table}")
        self._news = asyncio.Event()

    async def run(self) -> None:
        """Read the table, and play, from what the ledger knows."""
        async with asyncio.TaskGroup() as group:
            group.create_task(self.client.run())
            group.create_task(self._play())

    def bet(self, round_id: str, who: str, spot: str, stake: int) -> bool:
        """Take a bet; return whether it was taken. None is while the table may have said more."""
        return self.client.is_level() and self.ledger.bet(round_id, who, spot, stake)

    async def obey(self, name: str, **fields: Any) -> Answer:
        """Send a command until it is answered, and wait for what the table had said by then."""
        order = command(name, **fields)
        self.ledger.ask(order)
        return await self._answer_to(order)

    # --- what the client calls ---------------------------------------------------------------

    async def apply(self, event: Event) -> None:
        """Take an event of the table."""
        if event.kind == "event.withheld":
            log.warning("an event never comes, a person looks: %s", event.data)
        self.ledger.apply(event)
        if not event.more:  # what happened at once is seen at once
            self._news.set()

    async def tell(self, notice: Notice) -> None:
        """Take what the client found; all but signs of life is for a person."""
        level = logging.INFO if notice == Known(known=True) else logging.WARNING
        log.log(level, "%s", notice)

    # --- what it does by itself --------------------------------------------------------------

    async def _play(self) -> None:
        while True:
            for kept in self.ledger.unanswered():  # of another process, or of who gave up
                await self._answer_to(kept)
            if self._may_open():
                await self._open()
            elif (move := await self._ripe()) is not None:
                answer = await self.obey(
                    move.name, round_id=self.ledger.open_round(), **move.fields
                )
                if answer.reason is not None:
                    log.warning("%s: %s, %s", move, answer.reason, answer.remedy)
                    await self._next_news()
            else:
                await self._next_news()

    def _may_open(self) -> bool:
        return self._has_its_turn() and self.ledger.play["round"] is None

    def _has_its_turn(self) -> bool:
        """Return whether we know all that the table said, and it waits for nobody else."""
        held = self.ledger.play["violations"]
        return self.client.is_level() and not held and not self.ledger.unanswered()

    def _due(self) -> Move | None:
        round_id = self.ledger.open_round()
        if round_id is None or not self._has_its_turn():
            return None
        return self.game.move(self.ledger.play["round"], self.ledger.spots(round_id))

    async def _ripe(self) -> Move | None:
        """Return what is to be sent, once the players have had their time."""
        due, now = self._due(), self.ledger.play["round"]
        if due is None or not due.after_s:
            return due
        with suppress(TimeoutError):
            async with asyncio.timeout(due.after_s):
                while self.ledger.play["round"] == now:
                    await self._next_news()
        if self.ledger.play["round"] != now:
            return None
        return self._due()  # with the bets that came meanwhile; `ask` ends them at once

    async def _open(self) -> None:
        answer = await self.obey("round.open", round_id=f"R-{secrets.token_hex(6)}")
        match answer.reason:
            case None:
                pass
            case "last_round_played":
                await self.obey("shoe.close")
            case "no_shoe" if self.game.decks is not None:
                shoe_id = f"S-{secrets.token_hex(6)}"
                await self.obey("shoe.load", shoe_id=shoe_id, decks=self.game.decks)
            case reason:
                log.warning("no round: %s, %s", reason, answer.remedy)
                await self._next_news()

    async def _answer_to(self, order: Command) -> Answer:
        answer = await self.client.send(order)
        self.ledger.answered(order, answer)
        while self._is_before(answer.position):
            await self._next_news()
        return answer

    def _is_before(self, at: Position) -> bool:
        here = self.ledger.position
        return here is not None and here.epoch == at.epoch and here.seq < at.seq

    async def _next_news(self) -> None:
        """Wait for an event, LOOK_S at the most."""
        self._news.clear()
        with suppress(TimeoutError):
            async with asyncio.timeout(LOOK_S):
                await self._news.wait()


async def serve(
    game: Game,
    words: Collection[str],
    server: Callable[[Client, Table, Game, Ledger], GameServer] = GameServer,
) -> None:
    """Serve a live table until the process ends. words: url, site, table, user, ledger's path."""
    url, site, table, user, path = words
    bus = await nats.connect(url, user=user, max_reconnect_attempts=-1)
    try:
        await server(bus, Table(site, table, user), game, Ledger(Path(path), game)).run()
    finally:
        await bus.close()
