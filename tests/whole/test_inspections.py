"""A table whose house inspects its wheel each day, as a whole."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.whole_rig import ROULETTE, Rig, needs_nats, pitwire

pytestmark = needs_nats
ROU = ROULETTE.table
PARTS = ("wheel", "level", "trial_spin", "ball")


class DailyRig(Rig):
    """Its house inspects each day."""

    def configuration(self) -> str:
        off = 'inspection = "off"'
        text = super().configuration()
        assert off in text
        return text.replace(off, 'inspection = "daily"')


@pytest.mark.parametrize("killed", [False, True])
async def test_r15_no_round_opens_before_the_wheel_is_inspected(
    tmp_path: Path, killed: bool
) -> None:
    # The table's clock runs as the world's does: its day is long enough.
    async with DailyRig(tmp_path, seats=[ROULETTE], speed=1.0) as rig:
        await rig.connected(ROU)
        refused = await rig.command(ROU, "round.open", round_id="R-1")
        assert refused["reason"] == "not_inspected"
        _, told, _ = await pitwire("status", "--socket", rig.socket)
        day = (await rig.command(ROU, "table.status"))["status"]["inspection"]["day"]
        assert f"  NOT inspected on {day}: wheel, level, trial_spin, ball" in told.splitlines()
        assert f"  next: pitwire send {ROU} inspection.record what=wheel" in told
        for what in PARTS:
            found = {"what": what, "result": "passed", "who": "boris"}
            await rig.obeyed(ROU, "inspection.record", **found)
            await rig.heard(ROU, "inspection.recorded", what=what, who="boris", day=day)
        if killed:
            await rig.restart_daemon()
            await rig.connected(ROU)
        status = (await rig.command(ROU, "table.status"))["status"]["inspection"]
        assert status["due"] == []
        assert status["recorded"]["ball"] == {
            "day": day,
            "result": "passed",
            "who": "boris",
            "note": None,
        }
        await rig.obeyed(ROU, "round.open", round_id="R-1")
