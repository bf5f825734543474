"""The table servers of clients/python/examples, against the real daemon, bus and simulators.

The truth is the rig's own consumer: what it has heard is what a table server must have applied,
each event once and in order, whatever died on the way; and each bet is paid once.
"""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from baccarat_server import Baccarat
from game_server import Game, GameServer
from roulette_server import Roulette
from support.example_server import Example, took_a_bet
from support.whole_rig import BACCARAT, ROULETTE, Rig, needs_nats, until

from daemon.demo.demo import DemoTable
from protocols.simulator import SpinBall

pytestmark = [needs_nats, pytest.mark.slow]
PLAYER_WINS = ("KS>player.1", "5H>banker.1", "9D>player.2", "2C>banker.2")
BANKER_WINS = ("KS>player.1", "5H>banker.1", "7D>player.2", "4C>banker.2")
TIE = ("KS>player.1", "5H>banker.1", "9D>player.2", "4C>banker.2")


async def test_baccarat_plays_and_pays_each_bet_once(tmp_path: Path) -> None:
    async with Rig(tmp_path, seats=[BACCARAT]) as rig:
        await rig.connected(BACCARAT.table)
        example = Example(rig, BACCARAT, Baccarat(betting_s=1.0), GameServer)
        async with example.serving() as server:
            for cards in (PLAYER_WINS, BANKER_WINS, TIE):
                opened = await rig.heard(BACCARAT.table, "round.opened")
                for spot in ("player", "banker", "tie"):
                    round_id = await took_a_bet(server, "bob", spot)
                    assert round_id == opened["data"]["round_id"]
                await rig.heard(BACCARAT.table, "round.bets_closed", round_id=round_id)
                for card in cards:
                    rig.draw(card)
                await rig.heard(BACCARAT.table, "round.completed", round_id=round_id)
                assert not server.bet(round_id, "bob", "player", 1000)
            await until(lambda: server.ledger.finished() == 3, "three rounds are over")
            paid = [paid for *_, paid in server.ledger.bets()]
        assert paid == [2000, 0, 0, 0, 1950, 0, 1000, 1000, 9000]
        assert not rig.consumer.faults


async def test_roulette_plays_and_pays_each_bet_once(tmp_path: Path) -> None:
    spots = ("pocket.17", "colour.red", "parity.odd", "half.low", "dozen.2", "column.2")
    async with Rig(tmp_path, seats=[ROULETTE]) as rig:
        await rig.connected(ROULETTE.table)
        example = Example(rig, ROULETTE, Roulette(betting_s=1.0), GameServer)
        async with example.serving() as server:
            for pocket in ("17", "0"):
                await rig.heard(ROULETTE.table, "round.opened")
                for spot in spots:
                    round_id = await took_a_bet(server, "bob", spot)
                assert not server.bet(round_id, "bob", "pocket.00", 1000), "the wheel has none"
                await rig.heard(ROULETTE.table, "round.bets_closed", round_id=round_id)
                rig.cue(ROULETTE.table, SpinBall(pocket))
                await rig.heard(ROULETTE.table, "round.completed", round_id=round_id)
            await until(lambda: server.ledger.finished() == 2, "two rounds are over")
            paid = [paid for *_, paid in server.ledger.bets()]
        assert paid == [36000, 0, 2000, 2000, 3000, 3000, 0, 0, 0, 0, 0, 0]
        assert not rig.consumer.faults


async def void_each(rig: Rig, table: str) -> None:
    """End every round whose bets are closed, as a supervisor."""
    while True:
        closed = await rig.heard(table, "round.bets_closed")
        await rig.command(table, "round.void", round_id=closed["data"]["round_id"], reason="a test")


async def plays_on(server: GameServer, spot: str) -> None:
    """Wait until a round is over that has a bet of now."""
    round_id = await took_a_bet(server, "who is there meanwhile", spot)

    def is_settled() -> bool:
        bets = server.ledger.bets()
        return all(paid is not None for of, *_, paid in bets if of == round_id)

    await until(is_settled, "the round is over")


@pytest.mark.parametrize(
    ("seat", "game", "spot"),
    [
        (BACCARAT, Baccarat(betting_s=0.3), "player"),
        (ROULETTE, Roulette(betting_s=0.3), "colour.red"),
    ],
    ids=lambda one: one.game if isinstance(one, DemoTable) else "",
)
async def test_it_goes_on_after_every_death_and_settles_each_bet_once(
    tmp_path: Path, seat: DemoTable, game: Game, spot: str
) -> None:
    table = seat.table
    async with Rig(tmp_path, seats=[seat]) as rig:
        example = Example(rig, seat, game, GameServer)
        await rig.connected(table)
        supervisor = asyncio.create_task(void_each(rig, table))
        async with example.serving() as server:
            await took_a_bet(server, "before the server dies", spot)
        async with example.serving() as server:
            await plays_on(server, spot)
            await took_a_bet(server, "before the daemon dies", spot)
            await rig.restart_daemon()
            await plays_on(server, spot)
        async with example.serving() as server:
            await took_a_bet(server, "before the bus dies", spot)
            rig.kill_nats()
            await rig.start_nats()
            await plays_on(server, spot)
            await plays_on(server, spot)
        supervisor.cancel()
        ledger = example.ledger()
        for round_id in {one[0] for one in ledger.bets() if one[-1] is None}:
            await rig.command(table, "round.void", round_id=round_id, reason="the test is over")
        ledger.close()
        bets = await example.reads_the_rest()
        assert {paid for *_, paid in bets} == {1000}
        assert [who for who, *_ in bets if who.startswith("before")] == [
            "before the server dies",
            "before the daemon dies",
            "before the bus dies",
        ]
        assert not rig.consumer.faults
