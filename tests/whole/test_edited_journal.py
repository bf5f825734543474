"""Somebody edits the journal of a stopped bridge: it does not play on from it, and says why."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from support.bridge_process import running
from support.old_journal import prepare
from support.tampering import edit, relink

pytestmark = pytest.mark.slow

TABLE = "SIC-1"
LAST_THREE = (
    "DELETE FROM records WHERE table_id='SIC-1'"
    " AND record>=(SELECT max(record)-2 FROM records WHERE table_id='SIC-1')"
)
EDITS = {
    "the state that it resumes from": (
        "UPDATE records SET blob=x'7b7d' WHERE table_id='SIC-1' AND kind='state'"
    ),
    "its end is cut off": LAST_THREE,
    "all of it is deleted": "DELETE FROM records WHERE table_id='SIC-1'",
}


@pytest.mark.parametrize("linked", [False, True], ids=["the chain broken", "the chain linked anew"])
@pytest.mark.parametrize("what", EDITS)
def test_an_edited_table_is_held_in_a_new_epoch_and_its_neighbour_plays_on(
    tmp_path: Path, what: str, linked: bool
) -> None:
    prepare(tmp_path)
    with running(tmp_path) as bridge:
        before = bridge.status(TABLE)
        assert before["state"] == "open"
        bridge.stop()
        edit(tmp_path / "journal.db", EDITS[what])
        if linked:
            relink(tmp_path / "journal.db", TABLE)
        bridge.start()
        after = bridge.status(TABLE)
        assert after["state"] == "held"
        assert after["round"] is None
        assert after["epoch"] > before["epoch"]
        (violation,) = after["violations"]
        assert violation["code"] == "journal_rolled_back"
        assert f"of {TABLE}" in violation["detail"]
        neighbour = bridge.status("BAC-1")
        assert neighbour["state"] == "open"
        assert neighbour["round"]["round_id"] == "R-2"
        log = (tmp_path / "daemon.log").read_text("utf-8")
        assert [json.loads(line)["table"] for line in log.splitlines() if "journal_damaged" in line]
        bridge.stop()
        bridge.start()
        assert bridge.status(TABLE)["state"] == "held", "a restart does not forget it"
        assert bridge.status(TABLE)["epoch"] == after["epoch"]


@pytest.mark.parametrize(
    "statement",
    [
        "CREATE TRIGGER later AFTER INSERT ON records BEGIN DELETE FROM answers; END",
        "CREATE TABLE notes(text)",
        "DROP INDEX events",
    ],
)
def test_a_file_with_tables_that_are_not_ours_is_set_aside(tmp_path: Path, statement: str) -> None:
    prepare(tmp_path)
    with running(tmp_path) as bridge:
        bridge.stop()
        edit(tmp_path / "journal.db", statement)
        bridge.start()
        assert bridge.status(TABLE)["state"] == "held"
        assert (tmp_path / "journal.db.corrupt-1").exists()
