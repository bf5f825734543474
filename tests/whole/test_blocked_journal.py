"""Somebody holds the journal's file: nothing is told that is not written, and nothing is lost."""

import json
import sqlite3
from pathlib import Path

import pytest
from support.whole_rig import BACCARAT, Rig, command, needs_nats, pitwire, unbroken, until

pytestmark = [needs_nats, pytest.mark.slow]
BAC = BACCARAT.table
CARDS = (("KS", "player.1"), ("5H", "banker.1"), ("9D", "player.2"), ("2C", "banker.2"))


async def test_a_locked_journal_is_told_and_everything_follows_when_it_is_free(
    tmp_path: Path,
) -> None:
    async with Rig(tmp_path, seats=[BACCARAT]) as rig:
        await rig.dealing("R-1")
        lock = sqlite3.connect(rig.journal, isolation_level=None)
        lock.execute("BEGIN IMMEDIATE")
        rig.draw(">".join(CARDS[0]))
        await until(lambda: "journal_blocked" in rig_log(tmp_path), "the lock is noticed")
        told = len(rig.events(BAC))
        for code, slot in CARDS[1:]:
            rig.draw(f"{code}>{slot}")
        answer = await rig.send(BAC, command("round.void", round_id="R-1", reason="a test"))
        assert (answer["answer"], answer["reason"]) == ("refused", "journal")
        code, out, _ = await pitwire("status", "--json", "--socket", rig.socket)
        assert code == 0
        assert json.loads(out)["journal"]
        assert len(rig.events(BAC)) == told, "nothing is told before it is written"
        lock.execute("ROLLBACK")
        lock.close()
        await rig.heard(BAC, "round.completed")
        dealt = [one["data"] for one in rig.events(BAC) if one["type"].endswith("dealt.v1")]
        assert [(one["rank"] + one["suit"], one["slot"]) for one in dealt] == list(CARDS)
        await rig.stop_daemon()
        assert await unbroken(rig.journal) > 0


def rig_log(folder: Path) -> str:
    return "".join(path.read_text("utf-8", "replace") for path in folder.rglob("*.log"))
