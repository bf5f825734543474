"""The table servers of clients/python/examples, against the real daemon, bus and simulators.

The truth is the rig's own consumer: what it has heard is what a table server must have applied,
each event once and in order, whatever died on the way; and each bet is paid once.
"""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from baccarat_server import Baccarat
from blackjack_server import Blackjack, BlackjackServer
from game_server import Game, GameServer
from roulette_server import Roulette
from support.example_server import Example, took_a_bet
from support.whole_rig import BACCARAT, PATIENCE_S, ROULETTE, Rig, needs_nats, until

from daemon.demo.demo import GAMES, DemoTable
from protocols.simulator import SpinBall

pytestmark = [needs_nats, pytest.mark.slow]
BLACKJACK = GAMES["blackjack"]
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


async def decided(server: BlackjackServer, who: str, box: int, hand: int, action: str) -> None:
    """Let a player decide as soon as the table waits for it."""
    try:
        async with asyncio.timeout(PATIENCE_S):
            while (answer := await server.decide(who, box, hand, action)) is None:
                await server._next_news()
    except TimeoutError:
        play = server.ledger.play
        raise AssertionError(f"never awaited: {box}, {hand}, {action}\n{play}") from None
    assert answer.reason is None, answer


async def accepted(rig: Rig, table: str) -> None:
    """Say as a supervisor that nothing was dealt while the daemon was dead."""
    raised = await rig.heard(table, "violation.raised", holds=True)
    how = {"action": "accept", "who": "pit boss", "why": "no card was dealt"}
    number = raised["data"]["violation_id"]
    await rig.obeyed(table, "violation.resolve", violation_id=number, **how)


async def test_blackjack_pays_each_bet_once_that_decisions_have_made(tmp_path: Path) -> None:
    """Each process of the table server does one thing; the last speaks for a silent player."""
    bj = BLACKJACK.table
    patient = Blackjack(betting_s=1.0, deciding_s=3600.0)
    hasty = Blackjack(betting_s=1.0, deciding_s=0.1)
    async with Rig(tmp_path, seats=[BLACKJACK]) as rig:
        await rig.connected(bj)
        example = Example(rig, BLACKJACK, patient, BlackjackServer)
        async with example.serving() as server:
            round_id = await took_a_bet(server, "bob", "box1")
            assert await took_a_bet(server, "eve", "box2", 500) == round_id
            assert not server.bet(round_id, "eve", "box1", 500), "it is Bob's"
            closed = await rig.heard(bj, "round.bets_closed")
            assert closed["data"]["boxes"] == [1, 2]
            for card in ("5S", "8H", "AD", "6C", "8D", "7H"):
                rig.draw(card, bj)
            await decided(server, "bob", 1, 1, "insurance")
            assert await server.decide("bob", 2, 1, "insurance") is None, "it is Eve's"
            await decided(server, "eve", 2, 1, "insurance")
        async with example.serving() as server:
            await rig.heard(bj, "card.peeked")
            await decided(server, "bob", 1, 1, "double")
        await rig.restart_daemon()
        await accepted(rig, bj)
        rig.draw("9H", bj)
        async with example.serving() as server:
            await decided(server, "eve", 2, 1, "split")
            rig.kill_nats()
            await rig.start_nats()
            rig.draw("TC", bj)
            rig.draw("3S", bj)
        example.game = hasty
        async with example.serving() as server:
            await until(lambda: server.ledger.finished() == 1, "the round is over")
        assert await example.reads_the_rest() == [
            ("bob", "box1", 1000, 2000),  # 5, 6 and 9 against an ace and 7
            ("eve", "box2", 500, 500),  # 8 and 10
            ("bob", "box1.insurance", 500, 0),
            ("eve", "box2.insurance", 250, 0),
            ("bob", "box1.hand1.double", 1000, 2000),
            ("eve", "box2.hand2", 500, 0),  # 8 and 3
        ]
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
        (BLACKJACK, Blackjack(betting_s=0.3), "box1"),
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
