"""Every violation, and every incident that can be replayed, is a scenario with what it comes to.

A scenario is a capture beside its `.expect`: the events that a table publishes of it, a line each.
Its header says the table: `Game`, `Profile`, `Device`, and where they matter `Rules` (JSON that
overrides rules), `Settings` (JSON, of the device), `Control`, `Hole` and `Witness` (the capture
of such a device beside it), `Witness-Wait` (seconds). `Shows` names the violations that it is there
for, `Incident` what happened in the field (docs/field-reports.md#incidents-at-tables).

A change of a rule changes these files: `pitwire` never writes them, a person reviews each line.
"""

import json
from pathlib import Path
from typing import Any

import pytest
from support.scenario import every_scenario, play
from support.vocabulary import VIOLATIONS

from drivers.capture import read_capture

FOLDER = Path(__file__).parent
SCENARIOS = every_scenario()
each_scenario = pytest.mark.parametrize(
    "path", SCENARIOS, ids=lambda path: f"{path.parent.name}/{path.stem}"
)
NOT_OF_A_STREAM = {
    "journal_rolled_back": "test_f7_a7_a_table_with_a_lost_journal_is_held_and_comes_after",
    "foreign_event": "test_c3_an_event_in_the_tables_name_is_found_told_and_holds_it",
    "software_changed": "test_a_program_that_was_changed_holds_every_table_until_it_is_put_back",
    "recovery_differs": "test_without_its_mark_a_replay_would_seal_otherwise_and_be_held",
}
"""Violations that no device can cause, found in the journal or on the bus; and their tests."""


def events_of(path: Path) -> list[dict[str, Any]]:
    """Replay a scenario and return what the table publishes of it, without envelopes."""
    envelopes = [json.loads(blob) for blob in play(path).events]
    return [
        {"event": one["type"].removeprefix("pitwire.").removesuffix(".v1"), **one["data"]}
        for one in envelopes
    ]


@each_scenario
def test_a_scenario_comes_to_what_stands_beside_it(path: Path) -> None:
    expected = [json.loads(line) for line in path.with_suffix(".expect").read_text().splitlines()]
    assert events_of(path) == expected


@each_scenario
def test_it_shows_the_violations_that_it_is_there_for(path: Path) -> None:
    shows = read_capture(path).header["shows"].split()
    raised = [one["code"] for one in events_of(path) if one["event"] == "violation.raised"]
    assert set(shows) - {"none"} == set(raised)


@pytest.mark.parametrize("code", sorted(VIOLATIONS))
def test_every_violation_has_a_scenario(code: str) -> None:
    if code in NOT_OF_A_STREAM:
        tests = FOLDER.parent.rglob("test_*.py")
        assert any(f"def {NOT_OF_A_STREAM[code]}" in one.read_text() for one in tests)
        return
    assert [path for path in SCENARIOS if code in read_capture(path).header["shows"].split()]
