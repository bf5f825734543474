"""The examples of clients/python, run in this process at a table of the whole rig."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Generic, TypeVar

import nats
from game_server import Game, GameServer
from ledger import Bets, Ledger
from nats.aio.client import Client
from pitwire_nats import TableClient
from pitwire_table import Event, Table
from support.whole_rig import SITE, USER, Rig, until

from daemon.demo.demo import DemoTable
from daemon.runtime.tasks import end_tasks

ServerT = TypeVar("ServerT", bound=GameServer)


async def _silent(_error: Exception) -> None:
    """What connections suffer is part of these tests."""


@asynccontextmanager
async def connected(rig: Rig) -> AsyncIterator[Client]:
    bus = await nats.connect(
        rig._url, max_reconnect_attempts=-1, reconnect_time_wait=0.05, error_cb=_silent
    )
    try:
        yield bus
    finally:  # closed while it connects again, nats-py leaves that socket open
        await until(lambda: bus.is_connected, "the bus is there again")
        await bus.close()


@asynccontextmanager
async def running(one: TableClient | GameServer) -> AsyncIterator[None]:
    """Let it run; at the end it is cut off in the middle of whatever it does."""
    task = asyncio.create_task(one.run())
    try:
        yield
    finally:
        ended = task.done()
        await end_tasks([task])
        assert not ended, "it ended by itself"


def table_of(seat: DemoTable) -> Table:
    return Table(SITE, seat.table, USER, live=False)


class Kept(Ledger):
    """A ledger that also tells what was applied to it, by whichever process."""

    def __init__(self, path: Path, bets: Bets, applied: list[str]) -> None:
        super().__init__(path, bets)
        self.applied = applied

    def apply(self, event: Event) -> None:
        super().apply(event)
        self.applied.append(f"{event.position.epoch}.{event.position.seq}")


@dataclass
class Example(Generic[ServerT]):
    """An example at its table, whose processes come and go; its file stays."""

    rig: Rig
    seat: DemoTable
    game: Game
    new: Callable[[Client, Table, Game, Ledger], ServerT]
    applied: list[str] = field(default_factory=list)

    def ledger(self) -> Kept:
        return Kept(self.rig.folder / "ledger.db", self.game, self.applied)

    @asynccontextmanager
    async def serving(self) -> AsyncIterator[ServerT]:
        """Start a table server on what the one before has left; it dies at the end."""
        ledger = self.ledger()
        try:
            async with connected(self.rig) as bus:
                server = self.new(bus, table_of(self.seat), self.game, ledger)
                async with running(server):
                    yield server
        finally:
            ledger.close()

    async def reads_the_rest(self) -> list[tuple[str, str, int, int | None]]:
        """Let it read all that the table has said, without a move; return every bet.

        Whatever died: it has applied what the rig heard, each event once and in order.
        """
        table = self.seat.table
        told = await self.rig.command(table, "table.status")
        last = f"{told['epoch']}.{told['seq']}"
        ledger = self.ledger()

        def has_all() -> bool:
            heard = [one["id"] for one in self.rig.events(table)]
            return last in heard and self.applied == heard

        async with connected(self.rig) as bus:
            rest = self.new(bus, table_of(self.seat), self.game, ledger)
            async with running(rest.client):
                await until(has_all, "the rest")
        bets = [bet[1:] for bet in ledger.bets()]
        ledger.close()
        return bets


async def took_a_bet(server: GameServer, who: str, spot: str, stake: int = 1000) -> str:
    """Let it take a bet in whichever round is open; return the round."""
    took = partial(server.bet, who=who, spot=spot, stake=stake)
    rounds: list[str] = []

    def taken() -> bool:
        round_id = server.ledger.open_round()
        if round_id is not None and took(round_id):
            rounds.append(round_id)
        return bool(rounds)

    await until(taken, f"a bet on {spot}")
    return rounds[0]
