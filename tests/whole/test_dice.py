"""Sic Bo in the real process: a shaker on a pty, the journal, the bus, a supervisor's word."""

import asyncio
from pathlib import Path

from support.whole_rig import Rig, needs_nats, pitwire, unbroken

from daemon.demo.demo import DemoTable
from protocols.simulator import Fault, ThrowDice

pytestmark = needs_nats

SEAT = DemoTable("SIC-1", "sic_bo", "sic-bo", "pitwire_shaker")
SIC = SEAT.table


async def dice_under_way(rig: Rig) -> None:
    """Wait until the table has heard that the dice are shaken: no throw is due any more."""
    while (await rig.command(SIC, "table.status"))["status"]["due"] is not None:  # noqa: ASYNC110 - another process
        await asyncio.sleep(0.01)


async def test_a_kill_while_the_dice_are_shaken_loses_no_throw_and_holds_no_round(
    tmp_path: Path,
) -> None:
    async with Rig(tmp_path, seats=[SEAT]) as rig:
        await rig.dealing("R-1", SIC)
        for cue in (Fault("said_once"), Fault("no_result"), ThrowDice((1, 2, 3))):
            rig.cue(SIC, cue)
        await dice_under_way(rig)
        await rig.restart_daemon()
        await rig.connected(SIC)
        rig.cue(SIC, ThrowDice((5, 5, 5)))
        landed = await rig.heard(SIC, "dice.landed", round_id="R-1")
        assert landed["data"]["faces"] == [5, 5, 5]
        done = await rig.heard(SIC, "round.completed", round_id="R-1")
        assert done["data"]["outcome"]["triple"] is True
        assert "violation.raised" not in rig.kinds(SIC)
        assert not rig.consumer.faults
    await unbroken(rig.journal)


async def test_a_supervisor_gives_the_faces_of_a_die_on_its_edge(tmp_path: Path) -> None:
    async with Rig(tmp_path, seats=[SEAT]) as rig:
        await rig.dealing("R-1", SIC)
        rig.cue(SIC, Fault("die_unread"))
        rig.cue(SIC, ThrowDice((4, 5, 2)))
        raised = await rig.heard(SIC, "violation.raised", code="dice_unread")
        assert raised["data"]["read"] == "? 5 2"
        decision = [
            f"violation_id={raised['data']['violation_id']}",
            "action=correct",
            "dice=[4,5,2]",
            "who=anna",
            "why=seen on the felt",
            "second_who=berta",
        ]
        door = ["--socket", rig.socket]
        code, _, err = await pitwire("send", SIC, "violation.resolve", *decision, *door)
        assert code == 0, err
        entered = await rig.heard(SIC, "result.entered_manually", slot="dice")
        assert entered["data"]["value"] == "4 5 2"
        done = await rig.heard(SIC, "round.completed", round_id="R-1")
        assert done["data"]["outcome"]["total"] == 11
        assert rig.count(SIC, "dice.landed") == 0
