"""The daemon and the bus die without a word, and nothing is lost, doubled or guessed."""

import asyncio
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

import pytest
from support.whole_rig import BACCARAT, ROULETTE, Rig, derived, needs_nats, unbroken, until

from daemon.demo.demo import TableServer
from protocols.simulator import SpinBall

pytestmark = [needs_nats, pytest.mark.slow]
BAC, ROU = BACCARAT.table, ROULETTE.table


async def test_fault_46_a_shoe_that_was_silent_meanwhile_lets_the_round_go_on(
    tmp_path: Path,
) -> None:
    async with Rig(tmp_path, seats=[BACCARAT]) as rig:
        await rig.dealing("R-1")
        for code, slot in (("KS", "player.1"), ("5H", "banker.1")):
            rig.draw(f"{code}>{slot}")
            await rig.heard(BAC, "card.dealt", slot=slot)
        await rig.restart_daemon()
        back = await rig.heard(BAC, "table.recovered")
        assert back["data"]["open_round"] == "R-1"
        assert back["data"]["differs"] is None
        await rig.connected(BAC)
        for code, slot in (("9D", "player.2"), ("2C", "banker.2")):
            rig.draw(f"{code}>{slot}")
            await rig.heard(BAC, "card.dealt", slot=slot)
        done = await rig.heard(BAC, "round.completed", round_id="R-1")
        # K + 9 is a natural nine, 5 + 2 is seven: player, without a third card
        assert done["data"]["outcome"]["winner"] == "player"
        assert "round.held" not in rig.kinds(BAC)
        assert not rig.consumer.faults
    await unbroken(rig.journal)


async def test_fault_46_a_card_drawn_while_nobody_listened_holds_the_round(tmp_path: Path) -> None:
    async with Rig(tmp_path, seats=[BACCARAT]) as rig:
        await rig.dealing("R-1")
        rig.draw("KS>player.1")
        await rig.heard(BAC, "card.dealt", slot="player.1")
        await rig.kill_daemon()
        rig.draw("5H>banker.1")
        await until(lambda: rig.ports[BAC].simulator.wake_at is None, "the shoe said it")
        await rig.start_daemon()
        up = await rig.heard(BAC, "device.connected")
        assert up["data"]["stale_bytes"] > 0
        rig.draw("9D>player.2")
        raised = await rig.heard(BAC, "violation.raised")
        assert raised["data"]["code"] == "reading_gap"
        held = await rig.heard(BAC, "round.held", round_id="R-1")
        assert held["data"]["violations"] == [raised["data"]["violation_id"]]
        assert rig.count(BAC, "card.dealt") == 1
        await rig.obeyed(
            BAC,
            "violation.resolve",
            violation_id=raised["data"]["violation_id"],
            action="void",
            who="pit boss",
            why="a card was not seen",
        )
        await rig.heard(BAC, "round.voided", round_id="R-1")
        assert "round.completed" not in rig.kinds(BAC)
        assert not rig.consumer.faults
    await unbroken(rig.journal)


async def test_a_ball_in_flight_lands_under_its_spin_number(tmp_path: Path) -> None:
    # slow enough that the ball still runs when the daemon is back
    async with Rig(tmp_path, seats=[ROULETTE], speed=7) as rig:
        await rig.connected(ROU)
        await rig.obeyed(ROU, "round.open", round_id="R-1")
        rig.cue(ROU, SpinBall("17"))
        await rig.obeyed(ROU, "bets.close", round_id="R-1")
        spin = (await rig.heard(ROU, "spin.started"))["data"]["spin"]
        await rig.restart_daemon()
        await rig.heard(ROU, "table.recovered", open_round="R-1")
        landed = await rig.heard(ROU, "spin.landed")
        assert (landed["data"]["spin"], landed["data"]["pocket"]) == (spin, "17")
        assert landed["subject"] == "R-1"
        done = await rig.heard(ROU, "round.completed", round_id="R-1")
        assert done["data"]["outcome"]["pocket"] == "17"
        assert "round.held" not in rig.kinds(ROU)
        assert not rig.consumer.faults
    await unbroken(rig.journal)


def players(rig: Rig, seed: int) -> list[TableServer]:
    """A table server for each seat, fed by the rig's consumer."""
    servers = {}
    for number, seat in enumerate(rig.seats):
        servers[seat.table] = one = TableServer(
            seat, rig.ports[seat.table], rig.speed, seed + number, patience_s=4
        )
        one.bus = rig.consumer.bus

    def tell(envelope: dict[str, Any]) -> None:
        servers[envelope["source"].rsplit("/", 1)[-1]].take(envelope)

    rig.consumer.told.append(tell)
    return list(servers.values())


def is_back(rig: Rig, times: int) -> bool:
    return rig.count(BAC, "table.recovered") >= times


async def killed_while_playing(rig: Rig, seed: int, victims: list[str]) -> None:
    """Play for ever while the victims die at random moments; then two rounds in peace."""
    lot = Random(seed)
    servers = players(rig, seed)
    games = [asyncio.create_task(one.play(None)) for one in servers]
    try:
        for one in servers:
            await rig.connected(one.seat.table)
        for number, victim in enumerate(victims):
            if victim != "starting":
                back = victims[:number].count("daemon")
                await until(partial(is_back, rig, back), "the daemon is back")
            await asyncio.sleep(lot.uniform(0.1, 0.9))  # the moment of death is the test's subject
            if victim != "nats":
                await rig.restart_daemon()
            else:
                rig.kill_nats()
                await asyncio.sleep(lot.uniform(0.0, 0.5))
                await rig.start_nats()
        wanted = [one.completed + 2 for one in servers]
        await until(
            lambda: (
                all(one.completed >= count for one, count in zip(servers, wanted, strict=True))
                or any(game.done() for game in games)
            ),
            "two more rounds at each table",
        )
    finally:
        for game in games:
            game.cancel()
    for game in games:
        if game.done() and not game.cancelled():
            game.result()


@pytest.mark.parametrize(
    ("seed", "victims"),
    [
        (1, ["daemon", "daemon", "starting", "daemon"]),
        (2, ["nats", "nats"]),
        (3, ["daemon", "nats", "daemon"]),
    ],
    ids=["daemon", "nats", "both"],
)
async def test_a_consumer_sees_each_event_once_and_in_order(
    tmp_path: Path, seed: int, victims: list[str]
) -> None:
    async with Rig(tmp_path) as rig:
        await killed_while_playing(rig, seed, victims)
        for table in (BAC, ROU):
            assert rig.count(table, "table.recovered") >= victims.count("daemon")
        assert await rig.stop_daemon() == 0
        for table in (BAC, ROU):
            await rig.heard(table, "table.stopped")
            epochs = {one["epoch"] for one in rig.events(table)}
            assert len(epochs) == 1, "a crash is no new epoch"
            seqs = [int(one["sequence"]) for one in rig.events(table)]
            assert seqs == list(range(1, len(seqs) + 1))
        assert not rig.consumer.faults
    assert await unbroken(rig.journal) > 0
    await derived(rig)
