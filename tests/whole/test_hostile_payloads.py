"""Hostile payloads on every command subject of a real daemon (bench/payloads.py: more of them)."""

from pathlib import Path

import pytest
from support.payload_attack import attack
from support.whole_rig import BACCARAT, Rig, needs_nats


@needs_nats
@pytest.mark.slow
async def test_every_payload_is_answered_and_none_is_obeyed_that_the_contract_refuses(
    tmp_path: Path,
) -> None:
    async with Rig(tmp_path, seats=[BACCARAT]) as rig:
        await rig.connected(BACCARAT.table)
        answers = await attack(rig, seed=1, count=1000)
        await rig.obeyed(BACCARAT.table, "table.status")
        log = (tmp_path / "daemon.log").read_text()
    assert not [what for what in answers if what.startswith("accepted ") and answers[what]]
    assert sum(answers.values()) - answers["slow"] == 1000
    assert "Traceback" not in log
