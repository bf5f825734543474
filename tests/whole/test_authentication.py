"""Program and configuration are compared with those at the start; what differs stops the tables."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from support.tree_copy import copy_of_the_tree
from support.whole_rig import BACCARAT, ROULETTE, Rig, needs_nats, pitwire

pytestmark = [pytest.mark.slow, needs_nats]

TABLES = (BACCARAT.table, ROULETTE.table)


async def authenticated(rig: Rig) -> tuple[int, dict[str, Any]]:
    code, out, err = await pitwire("authenticate", "--socket", rig.socket, "--json")
    assert err == ""
    return code, json.loads(out)


async def status(rig: Rig) -> dict[str, Any]:
    code, out, err = await pitwire("status", "--socket", rig.socket, "--json")
    assert code == 0, err
    said: dict[str, Any] = json.loads(out)
    return said


async def test_a_program_that_was_changed_holds_every_table_until_it_is_put_back(
    tmp_path: Path,
) -> None:
    tree = copy_of_the_tree(tmp_path)
    rules = tree / "daemon" / "games" / "baccarat" / "__init__.py"
    before = rules.read_bytes()
    async with Rig(tmp_path, environment={"PYTHONPATH": str(tree)}) as rig:
        await rig.open("R-1")
        code, found = await authenticated(rig)
        assert (code, found["changed"]) == (0, None)
        assert (await status(rig))["software"] is None

        rules.write_bytes(before + b"# a banker that always draws\n")
        code, changed = await authenticated(rig)
        assert code == 1
        assert "daemon/games/baccarat/__init__.py is not what" in changed["changed"]
        assert changed["program"] != found["program"]
        assert changed["configuration"] == found["configuration"]
        for table in TABLES:
            raised = await rig.heard(table, "violation.raised", code="software_changed")
            assert raised["data"]["holds"] is True
        refused = await rig.command(ROULETTE.table, "round.open", round_id="W-0")
        assert refused["reason"] == "held"
        assert (await status(rig))["software"] == changed["changed"]

        decided = {"action": "accept", "who": "ann", "why": "I looked"}
        first = raised["data"]["violation_id"]
        await rig.obeyed(ROULETTE.table, "violation.resolve", violation_id=first, **decided)
        again = await rig.heard(ROULETTE.table, "violation.raised", code="software_changed")
        assert again["data"]["violation_id"] != first, "a word does not put the program back"

        rules.write_bytes(before)
        code, found = await authenticated(rig)
        assert (code, found["changed"]) == (0, None)
        again_id = again["data"]["violation_id"]
        await rig.obeyed(ROULETTE.table, "violation.resolve", violation_id=again_id, **decided)
        await rig.obeyed(ROULETTE.table, "round.open", round_id="W-1")
        log = (tmp_path / "daemon.log").read_text("utf-8")
        assert log.count('"event": "software_changed"') == 1


async def test_a_configuration_that_was_changed_holds_them_too(tmp_path: Path) -> None:
    async with Rig(tmp_path) as rig:
        await rig.connected(BACCARAT.table)
        path = Path(rig.config)
        written = path.read_text("utf-8")
        path.write_text(written + "# only a remark\n", "utf-8")
        code, found = await authenticated(rig)
        assert (code, found["changed"]) == (0, None), "what it comes to is the same"
        path.write_text(written.replace("min_revolutions = 0.0", "min_revolutions = 3.0"), "utf-8")
        code, found = await authenticated(rig)
        assert code == 1
        assert found["changed"] == (f"what {path} comes to is not what the daemon was started with")
        await rig.heard(BACCARAT.table, "violation.raised", code="software_changed")
        path.unlink()
        code, found = await authenticated(rig)
        assert (code, found["configuration"]) == (1, None)
        assert found["changed"] == f"{path} does not pass `pitwire check` any more"


async def test_only_an_approved_program_is_started(tmp_path: Path) -> None:
    code, out, _err = await pitwire("--version", "--json")
    assert code == 0
    ours = json.loads(out)["program"]
    other = "b2:" + "0" * 64
    async with Rig(tmp_path) as rig:
        path = Path(rig.config)
        written = path.read_text("utf-8")
        for approved, accepted in (([ours, other], True), ([other], False)):
            path.write_text(f"{written}\n[program]\napproved = {json.dumps(approved)}\n", "utf-8")
            code, out, err = await pitwire("check", str(path))
            assert code == (0 if accepted else 78), err
            if not accepted:
                assert ours in err
                assert "is not approved" in err
                code, out, err = await pitwire("run", "--config", str(path))
                assert (code, out) == (78, "")
                assert "is not approved" in err
