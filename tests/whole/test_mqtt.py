"""The process on MQTT: a round over crashes of daemon and broker; one daemon for a table."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.mosquitto import needs_mosquitto
from support.mqtt_rig import MqttRig
from support.whole_rig import BACCARAT, derived, unbroken, until

pytestmark = [needs_mosquitto, pytest.mark.slow]
BAC = BACCARAT.table


async def deal(rig: MqttRig, *texts: str) -> None:
    for text in texts:
        rig.draw(text)
        await rig.heard(BAC, "card.dealt", slot=text.partition(">")[2])


async def test_a_round_outlives_the_daemon_and_the_broker(tmp_path: Path) -> None:
    async with MqttRig(tmp_path, seats=[BACCARAT]) as rig:
        await rig.dealing("R-1")
        await deal(rig, "KS>player.1")
        await rig.restart_daemon()
        assert (await rig.heard(BAC, "table.recovered"))["data"]["open_round"] == "R-1"
        await rig.connected(BAC)
        await deal(rig, "5H>banker.1")
        rig.kill_nats()
        rig.draw("9D>player.2")  # it waits in the journal
        await rig.start_nats()
        await rig.heard(BAC, "card.dealt", slot="player.2")
        await deal(rig, "2C>banker.2")
        done = await rig.heard(BAC, "round.completed", round_id="R-1")
        # K + 9 is a natural nine, 5 + 2 is seven: player, without a third card
        assert done["data"]["outcome"]["winner"] == "player"
        assert await rig.stop_daemon() == 0
        await rig.heard(BAC, "table.stopped")
        assert {one["epoch"] for one in rig.events(BAC)} == {done["epoch"]}
        assert not rig.consumer.faults
    assert await unbroken(rig.journal) > 0
    await derived(rig)


async def test_b13_a_second_daemon_on_a_broker_stays_away(tmp_path: Path) -> None:
    second = tmp_path / "second"
    second.mkdir()
    async with MqttRig(tmp_path, seats=[BACCARAT]) as first:
        await first.connected(BAC)
        epoch = (await first.command(BAC, "table.status"))["epoch"]
        async with MqttRig(second, seats=[BACCARAT], bus=False) as other:
            await other.stop_daemon()
            other._url = first._url
            await other.start_daemon()
            log = second / "daemon.log"
            await until(lambda: "another daemon is table" in log.read_text(), "it is told")
            await first.obeyed(BAC, "shoe.load", shoe_id="S-1", decks=8)
            await first.heard(BAC, "shoe.loaded")
        assert {one["epoch"] for one in first.events(BAC)} == {epoch}
        assert not first.consumer.faults
