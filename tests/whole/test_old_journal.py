"""What pitwire 0.1 wrote is taken up today: its journal, its open rounds, its hidden cards."""

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from support.bridge_process import running
from support.old_journal import HERE, OF_THE_RUN, TABLES, goes_on, prepare, reported

from config.load import load
from daemon.journal.reader import JournalReader
from daemon.journal.verify import verify
from daemon.runtime.recovery import Recovered, recover
from daemon.service.assembly import known, setup_of
from daemon.service.sealing_keys import table_keys

OTHER_RULES = ("ROU-1",)
"""Tables whose old rounds go by other rules today: a spin that is not proven does not land."""
HIDDEN = ("BAC-2", "BJ-1")
"""Cards lie face down there: their commitments are bound to the digest of the rules of then."""
EXPECTED = json.loads((HERE / "expected.json").read_text("utf-8"))


def test_its_chain_is_unbroken(tmp_path: Path) -> None:
    prepare(tmp_path)
    report = verify(tmp_path / "journal.db", None)
    assert {found.table: (found.records, found.bad) for found in report.tables} == {
        table: (EXPECTED["reported"][table]["record"], None) for table in TABLES
    }


def replayed(folder: Path, *, whole: bool) -> Iterator[tuple[str, Recovered]]:
    """Replay every table, from its first record or from its last state."""
    prepare(folder)
    config = load((folder / "pitwire.toml").read_text("utf-8"), known(), source="the fixture")
    keys = table_keys(config)
    with JournalReader.open(folder / "journal.db") as journal:
        for table in config.tables:
            state = None if whole else journal.last_state(table.id)
            records = journal.records(table.id, state.record + 1 if state else 1)
            table_key = keys[table.id]
            # Houses have got rules since: the digest of the old ones is in the old events.
            digest = EXPECTED["reported"][table.id]["profile"]
            setup = replace(setup_of(table, table_key), digest=digest)
            yield table.id, recover(setup, state, records, table_key.cipher)


@pytest.mark.parametrize(
    "whole", [True, False], ids=["from its first record", "from its last state"]
)
def test_replay_gives_every_event_again(tmp_path: Path, whole: bool) -> None:
    tables = dict(replayed(tmp_path, whole=whole))
    assert tuple(tables) == TABLES
    for table, recovered in tables.items():
        if whole and table in OTHER_RULES:
            assert recovered.holds
            continue
        assert (recovered.differs, recovered.holds) == (None, False), table
        assert recovered.play.round is not None
        assert recovered.play.round.round_id == EXPECTED["reported"][table]["round"]["round_id"]
        assert recovered.state.round is not None
        assert recovered.state.round.round_id == EXPECTED["reported"][table]["round"]["round_id"]


def test_every_table_is_as_it_was_reported_before_the_crash(tmp_path: Path) -> None:
    prepare(tmp_path)
    with running(tmp_path) as bridge:
        for table in TABLES:
            before: dict[str, Any] = EXPECTED["reported"][table]
            bridge.heard(table, "device.disconnected", after_seq=before["seq"])
            since = [event["type"] for event in bridge.events(table, before["seq"])]
            if table in HIDDEN:
                bridge.heard(
                    table, "violation.raised", after_seq=before["seq"], code="recovery_differs"
                )
                continue
            assert since == ["pitwire.table.recovered.v1", "pitwire.device.disconnected.v1"]
            # each is a record of its own, after the one of its cause
            grown = {"seq": before["seq"] + 2, "record": before["record"] + 4}
            now = reported(bridge.status(table))
            told_then = {**before, **grown, "profile": now["profile"]}
            assert covers(now, told_then)


def covers(now: Any, then: Any) -> bool:
    """Return whether today's version tells all that was told then, and maybe more."""
    if isinstance(then, dict):
        return isinstance(now, dict) and all(
            name in now and covers(now[name], value) for name, value in then.items()
        )
    if isinstance(then, list):
        return len(now) == len(then) and all(map(covers, now, then))
    return bool(now == then)


def without_digest(event: dict[str, Any]) -> dict[str, Any]:
    """Return an event without what depends on the rules of then."""
    data = {key: value for key, value in event["data"].items() if key not in OF_THE_RUN}
    return {**event, "data": data}


def test_every_open_round_goes_on_to_the_same_end(tmp_path: Path) -> None:
    """A spin that the restart cut is not proven any more: a supervisor who saw it accepts."""
    seen = goes_on(
        tmp_path, EXPECTED["reported"], accepted={"ROU-1": "spin_unproven"}, differing=HIDDEN
    )
    assert seen["same_id_again"] == EXPECTED["same_id_again"]
    for table in TABLES:
        ours, theirs = seen["events"][table], EXPECTED["events"][table]
        if table not in (*OTHER_RULES, *HIDDEN):
            assert covers(ours, [without_digest(event) for event in theirs]), table
        assert ours[-1]["data"]["outcome"] == theirs[-1]["data"]["outcome"], table
