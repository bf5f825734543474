"""No round opens before the house's inspections of the day have passed (R15)."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest
from support.inboxes import inbox_of
from support.roulette_bench import RouletteBench
from support.table_bench import kinds, written_rules

from daemon.runtime.catalog import games
from daemon.runtime.codec import StateCodec
from daemon.runtime.command_payload import ParsedCommand, parse_command
from daemon.runtime.inbox import Inbox
from daemon.service.assembly import one_table
from daemon.service.offline_replay import OfflineClock
from daemon.table.inputs import LinkUp
from daemon.table.inspections import due
from protocols.canonical import canonical
from protocols.commands import (
    CloseBets,
    Command,
    FinishMaintenance,
    OpenRound,
    RecordInspection,
    StartMaintenance,
)
from protocols.events import InspectionRecorded
from protocols.refusals import Refusal
from protocols.table_terms import Inspected, InspectionResult

OF_A_WHEEL: tuple[Inspected, ...] = ("wheel", "level", "trial_spin", "ball")
OF_A_SHOE: tuple[Inspected, ...] = ("shoe", "discard_rack")
MONDAY, TUESDAY = "2026-11-30", "2026-12-01"


class Day:
    """A roulette table of a house that inspects its wheel each day.

    today  the table's own day, None where nobody tells it
    """

    def __init__(self) -> None:
        self.bench = RouletteBench(control="server")
        self.bench.setup = replace(self.bench.setup, inspects=OF_A_WHEEL)
        self.today: str | None = MONDAY

    def ask(self, command: Command) -> Refusal | None:
        """Let the table server say something today; return why it is refused."""
        self.bench.ask(command, self.today)
        return self.bench.refusal

    def inspect(self, *parts: Inspected, result: InspectionResult = "passed") -> None:
        """Record what was inspected; by default every part."""
        for what in parts or OF_A_WHEEL:
            assert self.ask(RecordInspection("boris", what, result)) is None

    def play(self, round_id: str) -> None:
        """Open a round and void it."""
        assert self.ask(OpenRound(round_id)) is None
        self.bench.void()


# --- the gate -----------------------------------------------------------------------------------


def test_r15_the_first_round_of_a_day_waits_for_every_inspection() -> None:
    day = Day()
    for what in OF_A_WHEEL:
        assert day.ask(OpenRound("R1")) is Refusal.NOT_INSPECTED
        day.inspect(what)
    assert day.ask(OpenRound("R1")) is None
    assert kinds(day.bench.events)[-1] == "round.opened"


def test_r15_the_event_says_who_inspected_what_and_on_which_day() -> None:
    day = Day()
    day.ask(RecordInspection("boris", "ball", "failed", "chipped: replaced"))
    assert day.bench.events[-1] == InspectionRecorded(
        "ball", "failed", "boris", "chipped: replaced", MONDAY
    )


def test_r15_a_failed_inspection_keeps_the_gate_shut_also_in_the_middle_of_a_day() -> None:
    day = Day()
    day.inspect()
    day.play("R1")
    day.inspect("trial_spin", result="failed")
    assert day.ask(OpenRound("R2")) is Refusal.NOT_INSPECTED
    assert due(day.bench.setup, day.bench.state, MONDAY) == ("trial_spin",)
    day.inspect("trial_spin")
    day.play("R2")


def test_r15_a_round_goes_on_when_the_day_changes_and_the_next_waits() -> None:
    day = Day()
    day.inspect()
    assert day.ask(OpenRound("R1")) is None
    day.today = TUESDAY
    assert day.ask(CloseBets("R1")) is None
    day.bench.void()
    assert day.ask(OpenRound("R2")) is Refusal.NOT_INSPECTED
    day.inspect()
    day.play("R2")


@pytest.mark.parametrize("stepped", ["2099-01-01", "1970-01-01"])
def test_r15_a_clock_that_steps_never_opens_the_gate(stepped: str) -> None:
    day = Day()
    day.inspect()
    day.today = stepped
    assert day.ask(OpenRound("R1")) is Refusal.NOT_INSPECTED
    day.inspect("wheel")
    day.today = MONDAY
    assert due(day.bench.setup, day.bench.state, MONDAY) == ("wheel",)
    assert day.ask(OpenRound("R1")) is Refusal.NOT_INSPECTED
    day.today = TUESDAY
    assert day.ask(OpenRound("R1")) is Refusal.NOT_INSPECTED


def test_r15_a_restart_forgets_no_inspection() -> None:
    day = Day()
    day.inspect("wheel", "level", "trial_spin")
    codec = StateCodec(day.bench.setup.game)
    day.bench.state = codec.load(json.loads(canonical(codec.dump(day.bench.state))))
    day.bench.restart()
    assert day.ask(OpenRound("R1")) is Refusal.NOT_INSPECTED
    day.inspect("ball")
    day.play("R1")


def test_r15_a_table_is_inspected_in_maintenance_too() -> None:
    day = Day()
    assert day.ask(StartMaintenance("tom", "trial spin")) is None
    day.inspect()
    assert day.ask(FinishMaintenance("tom", "done")) is None
    day.play("R1")


def test_r15_what_is_no_part_of_the_table_is_refused() -> None:
    day = Day()
    assert day.ask(RecordInspection("boris", "shoe", "passed")) is Refusal.NOT_THIS_GAME
    assert day.bench.state.inspections == {}


def test_r15_a_command_of_before_days_were_written_down_is_taken_as_it_was() -> None:
    day = Day()
    day.today = None
    day.play("R1")


# --- which house, and whose day -----------------------------------------------------------------


@pytest.mark.parametrize(
    ("house", "parts"),
    [
        ("roulette-dk", OF_A_WHEEL),
        ("roulette-lv", OF_A_WHEEL),
        ("roulette-00", ()),
        ("blackjack-dk", OF_A_SHOE),
        ("blackjack-lv", OF_A_SHOE),
        ("blackjack-gr", OF_A_SHOE),
        ("blackjack-ru", ()),
        ("baccarat-dk", ()),
        ("baccarat-lv", ()),
        ("baccarat-gr", ()),
        ("dragon-tiger", ()),
        ("football-studio", ()),
        ("sic-bo", ()),
    ],
)
def test_r15_the_houses_whose_book_states_it_inspect_each_day(
    house: str, parts: tuple[Inspected, ...]
) -> None:
    key = house.replace("-", "_")
    game = games()[key if key in games() else house.partition("-")[0]]
    assert game.inspects(written_rules(game, house)) == parts


def table_at(wall: datetime) -> Inbox:
    """Return a table in Riga whose day begins at six, at this time."""
    config = one_table("roulette", "roulette-lv", "cammegh_ss2", round_control="server")
    config = replace(config, mode="rehearsal", time_zone="Europe/Riga", day_starts="06:00")
    return inbox_of(config, Wall(wall))


class Wall(OfflineClock):
    """A clock whose wall time is told."""

    def __init__(self, told: datetime) -> None:
        super().__init__()
        self.told = told

    def wall(self) -> datetime:
        return self.told


def test_r15_a_command_is_of_the_day_of_the_tables_own_clock() -> None:
    for wall, day in (("05:59:59", "2026-11-29"), ("06:00:00", MONDAY)):
        inbox = table_at(datetime.fromisoformat(f"2026-11-30T{wall}+02:00").astimezone(UTC))
        inbox.put(LinkUp("primary", "cammegh_ss2", "bench"))
        answers = [asked(inbox, "round.open", round_id="R1")]
        for what in OF_A_WHEEL:
            answers += [asked(inbox, "inspection.record", who="boris", what=what, result="passed")]
        assert {one.day for one in inbox.state.inspections.values()} == {day}
        answers += [asked(inbox, "round.open", round_id="R1")]
        assert answers == ["not_inspected", *["accepted"] * 5]


def asked(inbox: Inbox, command: str, **fields: Any) -> str:
    """Return what a table answers to a command."""
    heard: list[Any] = []
    payload = {
        **fields,
        "command": command,
        "id": f"{command}-{len(inbox.state.inspections)}",
        "expires": "2100-01-01T00:00:00Z",
    }
    call = parse_command(json.dumps(payload).encode())
    assert isinstance(call, ParsedCommand)
    inbox.obey(call, lambda blob: heard.append(json.loads(blob)))
    (answer,) = heard
    return str(answer.get("reason", answer["answer"]))
