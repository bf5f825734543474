"""Two daemons that are one table on one bus."""

from __future__ import annotations

import json
from pathlib import Path

from support.whole_rig import BACCARAT, Rig, command, needs_nats, pitwire, until

BAC = BACCARAT.table


@needs_nats
async def test_b13_a_second_daemon_does_not_open_a_table_that_another_one_is(
    tmp_path: Path,
) -> None:
    second = tmp_path / "second"
    second.mkdir()
    async with Rig(tmp_path, seats=[BACCARAT]) as first:
        await first.connected(BAC)
        status = await first.command(BAC, "table.status")
        async with Rig(second, seats=[BACCARAT], bus=False) as other:
            await other.stop_daemon()
            other._url = first._url
            await other.start_daemon()
            log = second / "daemon.log"
            await until(lambda: "table_refused" in log.read_text(), "the table is refused")
            (told,) = (
                json.loads(line) for line in log.read_text().splitlines() if "table_refused" in line
            )
            assert (told["table"], told["level"]) == (BAC, "error")
            assert status["epoch"] in told["error"]
            code, out, _ = await pitwire("status", "--socket", other.socket)
            assert (code, "NOT delivered: another daemon is table" in out) == (0, True), out
            # the first one goes on, and answers alone
            await first.obeyed(BAC, "shoe.load", shoe_id="S-1", decks=8)
            await first.heard(BAC, "shoe.loaded")
            assert {one["epoch"] for one in first.events(BAC)} == {status["epoch"]}
            # who was refused does not take its place behind its back
            await first.restart_daemon()
            await first.heard(BAC, "device.connected")
            again = await first.send(BAC, command("table.status"))
            assert again["epoch"] == status["epoch"]
        assert not first.consumer.faults


@needs_nats
async def test_b13_a_daemon_that_was_killed_is_no_rival_of_the_next(tmp_path: Path) -> None:
    async with Rig(tmp_path, seats=[BACCARAT]) as rig:
        await rig.connected(BAC)
        for _ in range(3):
            await rig.restart_daemon()
            await rig.heard(BAC, "device.connected")
        assert "table_refused" not in (tmp_path / "daemon.log").read_text()
