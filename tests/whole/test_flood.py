"""A client floods a table with commands: others at it, and its neighbours, are served (A10)."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest
from support.whole_rig import BACCARAT, ROULETTE, Rig, command, needs_nats, unbroken

from daemon.demo.demo import SITE
from daemon.runtime.command_pace import MOST_WAITING

pytestmark = [pytest.mark.slow, needs_nats]

FLOOD = 3000
BAC, ROU = BACCARAT.table, ROULETTE.table


async def test_a10_whoever_floods_a_table_takes_nothing_from_others(tmp_path: Path) -> None:
    async with Rig(tmp_path, speed=1.0) as rig:
        await rig.open("R-1")
        await rig.connected(ROU)
        before = await unbroken(rig.journal)
        bus, answers = rig.consumer.bus, Counter[str]()
        inbox = bus.new_inbox()

        async def heard(message: object) -> None:
            data: bytes = message.data  # type: ignore[attr-defined]
            answers[json.loads(data)["reason"] if data else "nobody listens"] += 1

        subscription = await bus.subscribe(inbox, cb=heard)
        subject = f"pit-rehearsal.command.{SITE}.{ROU}.play.mallory"
        for number in range(FLOOD):
            flood = command("bets.close", round_id=f"none-{number}")
            await bus.publish(subject, flood, reply=inbox)
        # ann, at that table and at its neighbour:
        await rig.obeyed(ROU, "round.open", round_id="W-1")
        await rig.obeyed(BAC, "bets.close", round_id="R-1")
        rig.draw("KS>player.1")
        await rig.heard(BAC, "card.dealt", slot="player.1")
        await rig.obeyed(ROU, "table.status")
        await subscription.unsubscribe()
        # What came while the table stopped listening has no answer: who means it asks again.
        assert {"too_many", "wrong_round"} <= answers.keys()
        assert answers.keys() <= {"too_many", "wrong_round", "nobody listens"}
        assert answers["wrong_round"] >= MOST_WAITING // 2
        assert await unbroken(rig.journal) - before <= answers["wrong_round"] + 20
