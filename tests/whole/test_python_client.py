"""clients/python and its table server, against the real daemon, bus and a simulated shoe.

The truth is the rig's own consumer: what it has heard is what the table server must have applied,
each event once and in order, whatever died on the way.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from functools import partial
from pathlib import Path

import nats
import pytest
from baccarat_server import BaccaratServer, Ledger
from nats.aio.client import Client
from pitwire_nats import TableClient
from pitwire_table import Event, Notice, Position, Resend, Table, command
from support.whole_rig import BACCARAT, SITE, USER, Rig, needs_nats, until

pytestmark = [needs_nats, pytest.mark.slow]
BAC = BACCARAT.table
TABLE = Table(SITE, BAC, USER, live=False)
PLAYER_WINS = ("KS>player.1", "5H>banker.1", "9D>player.2", "2C>banker.2")
BANKER_WINS = ("KS>player.1", "5H>banker.1", "7D>player.2", "4C>banker.2")
TIE = ("KS>player.1", "5H>banker.1", "9D>player.2", "4C>banker.2")


class Listener:
    """Applies into a list; its position is the last of it."""

    def __init__(self) -> None:
        self.applied: list[str] = []
        self.told: list[Notice] = []

    async def apply(self, event: Event) -> None:
        self.applied.append(f"{event.position.epoch}.{event.position.seq}")

    async def tell(self, notice: Notice) -> None:
        self.told.append(notice)


async def _silent(_error: Exception) -> None:
    """What connections suffer is part of these tests."""


@asynccontextmanager
async def connected(rig: Rig) -> AsyncIterator[Client]:
    bus = await nats.connect(
        rig._url, max_reconnect_attempts=-1, reconnect_time_wait=0.05, error_cb=_silent
    )
    try:
        yield bus
    finally:
        await bus.close()


@asynccontextmanager
async def running(one: TableClient | BaccaratServer) -> AsyncIterator[None]:
    """Let it run; at the end it is cut off in the middle of whatever it does."""
    task = asyncio.create_task(one.run())
    try:
        yield
    finally:
        ended = task.done()
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task
        assert not ended, "it ended by itself"


def heard(rig: Rig) -> list[str]:
    return [one["id"] for one in rig.events(BAC)]


async def deal(rig: Rig, cards: tuple[str, ...]) -> None:
    for card in cards:
        rig.draw(card)
        await rig.heard(BAC, "card.dealt", slot=card.partition(">")[2])


async def test_the_example_plays_and_pays_each_bet_once(tmp_path: Path) -> None:
    ledger = Ledger(tmp_path / "ledger.db")
    async with Rig(tmp_path, seats=[BACCARAT]) as rig, connected(rig) as bus:
        await rig.connected(BAC)
        server = BaccaratServer(bus, TABLE, ledger, betting_s=0.2)
        async with running(server):
            for cards in (PLAYER_WINS, BANKER_WINS, TIE):
                opened = await rig.heard(BAC, "round.opened")
                round_id = opened["data"]["round_id"]
                for spot in ("player", "banker", "tie"):
                    await until(partial(server.bet, round_id, "ann", spot, 1000), "a bet")
                await rig.heard(BAC, "round.bets_closed", round_id=round_id)
                await deal(rig, cards)
                await rig.heard(BAC, "round.completed", round_id=round_id)
                assert not server.bet(round_id, "ann", "player", 1000)
            await until(lambda: ledger.finished() == 3, "three rounds are over")
        assert [paid for *_, paid in ledger.bets()] == [2000, 0, 0, 0, 1950, 0, 1000, 1000, 9000]
        assert not rig.consumer.faults
    ledger.close()


async def test_events_that_the_stream_lost_come_again_the_last_one_too(tmp_path: Path) -> None:
    async with Rig(tmp_path, seats=[BACCARAT]) as rig, connected(rig) as bus:
        await rig.dealing("R-1")
        await deal(rig, PLAYER_WINS)
        await rig.heard(BAC, "round.completed")
        whole = heard(rig)
        stream = bus.jetstream()
        last = (await stream.stream_info(TABLE.stream)).state.last_seq
        deleted = 0
        for number in range(1, last + 1):
            with suppress(nats.js.errors.APIError):
                subject = (await stream.get_msg(TABLE.stream, number)).subject
                if ".event." in (subject or "") and number % 3 == last % 3:
                    deleted += await stream.delete_msg(TABLE.stream, number)
        assert deleted > 3
        listener = Listener()
        client = TableClient(bus, TABLE, listener, None, "late")
        async with running(client):
            await until(lambda: len(listener.applied) >= len(whole), "all is applied")
        assert listener.applied == whole
        asked = [one for one in listener.told if isinstance(one, Resend)]
        assert asked[-1].to_seq == int(whole[-1].rpartition(".")[2]), "the tail"


class Kept(Ledger):
    """A ledger that also tells what was applied to it, by whichever process."""

    def __init__(self, path: Path, applied: list[str]) -> None:
        super().__init__(path)
        self.applied = applied

    def apply(self, event: Event) -> None:
        super().apply(event)
        self.applied.append(f"{event.position.epoch}.{event.position.seq}")


@asynccontextmanager
async def serving(rig: Rig, path: Path, applied: list[str]) -> AsyncIterator[BaccaratServer]:
    """Start a table server on what the one before has left; it dies at the end."""
    ledger = Kept(path, applied)
    try:
        async with connected(rig) as bus:
            server = BaccaratServer(bus, TABLE, ledger, betting_s=0.3)
            async with running(server):
                yield server
    finally:
        ledger.close()


async def void_each(rig: Rig) -> None:
    """End every round whose bets are closed, as a supervisor."""
    while True:
        closed = await rig.heard(BAC, "round.bets_closed")
        await rig.command(BAC, "round.void", round_id=closed["data"]["round_id"], reason="a test")


async def took_a_bet(server: BaccaratServer, who: str) -> None:
    await until(lambda: server.bet(server.ledger.open_round() or "", who, "player", 100), "a bet")


async def plays_on(server: BaccaratServer) -> None:
    over = server.ledger.finished()
    await until(lambda: server.ledger.finished() > over, "another round is over")


async def test_the_example_goes_on_after_every_death_and_settles_each_bet_once(
    tmp_path: Path,
) -> None:
    path, applied = tmp_path / "ledger.db", list[str]()
    async with Rig(tmp_path, seats=[BACCARAT]) as rig:
        await rig.connected(BAC)
        supervisor = asyncio.create_task(void_each(rig))
        async with serving(rig, path, applied) as server:
            await took_a_bet(server, "before the server dies")
        async with serving(rig, path, applied) as server:
            await plays_on(server)
            await took_a_bet(server, "before the daemon dies")
            await rig.restart_daemon()
            await plays_on(server)
        async with serving(rig, path, applied) as server:
            await took_a_bet(server, "before the bus dies")
            rig.kill_nats()
            await rig.start_nats()
            await plays_on(server)
            await plays_on(server)
        supervisor.cancel()
        ledger = Kept(path, applied)
        for round_id in {one[0] for one in ledger.bets() if one[-1] is None}:
            await rig.command(BAC, "round.void", round_id=round_id, reason="the test is over")
        async with connected(rig) as bus:
            rest = BaccaratServer(bus, TABLE, ledger)
            async with running(rest.client):
                await until(lambda: applied[-1] == heard(rig)[-1], "the rest")
        assert applied == heard(rig)
        assert [(bet[1], bet[-1]) for bet in ledger.bets()] == [
            ("before the server dies", 100),
            ("before the daemon dies", 100),
            ("before the bus dies", 100),
        ]
        ledger.close()
        assert not rig.consumer.faults


async def test_without_a_daemon_nothing_is_known_and_a_command_waits_for_its_answer(
    tmp_path: Path,
) -> None:
    async with Rig(tmp_path, seats=[BACCARAT]) as rig, connected(rig) as bus:
        await rig.connected(BAC)
        client = TableClient(bus, TABLE, Listener(), None, "life")
        async with running(client):
            await until(client.is_known, "a status")
            await rig.kill_daemon()
            await until(lambda: not client.is_known(), "three seconds of silence")
            load = command("shoe.load", valid_s=60, shoe_id="S-1", decks=8)
            asking = asyncio.create_task(client.send(load))
            await rig.start_daemon()
            first = await asking
            assert first.reason in (None, "device_down")
            assert await client.send(load) == first, "the same bytes, the same answer"
            refused = await client.send(command("bets.close", round_id="none"))
            assert (refused.reason, refused.remedy) == ("wrong_round", "look again")
            at = Position(first.position.epoch, first.position.seq)
            await until(lambda: (client.order.position or at).seq >= at.seq, "its events")
