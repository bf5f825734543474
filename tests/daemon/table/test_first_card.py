"""Where a card opens the round, the one that nobody heard may have been its first."""

from __future__ import annotations

import pytest
from support.scanner_line import ScannerLine
from support.shoe_line import Line, dealt, kinds

from daemon.table.inputs import LinkDown, LinkUp, PortShared, Restarted


def table(control: str = "device") -> ScannerLine:
    return ScannerLine(control=control)


def put(line: Line, body: object) -> None:
    line.replay.inbox.put(body)  # type: ignore[arg-type]


def lose(line: Line, device: str = "barcode_lines") -> None:
    put(line, LinkDown("primary", device, "unplugged"))


def find(line: Line, device: str = "barcode_lines", stale: int = 0) -> None:
    put(line, LinkUp("primary", device, "replay", stale))


def test_f1_a_link_that_was_away_between_rounds_holds_before_the_next_card() -> None:
    line = table()
    lose(line)
    assert line.held_by == []
    find(line)
    assert line.held_by == ["reading_gap"]
    assert dealt(line.scan("5H", "QD")) == []


def test_f1_so_does_a_restart() -> None:
    line = table()
    put(line, Restarted("restart", 0))
    find(line)
    assert line.held_by == ["reading_gap"]


def test_f1_so_do_bytes_from_before_the_link_was_opened() -> None:
    line = table()
    find(line, stale=4)
    assert line.held_by == ["reading_gap"]


def test_f1_so_does_another_process_that_reads_the_port() -> None:
    line = table()
    put(line, PortShared("primary", "barcode_lines", "cat, pid 7"))
    assert line.held_by == ["reading_gap"]


def test_where_the_server_opens_the_rounds_nothing_is_at_stake_between_them() -> None:
    line = table("server")
    lose(line)
    find(line, stale=4)
    put(line, PortShared("primary", "barcode_lines", "cat, pid 7"))
    assert line.held_by == []


def test_in_maintenance_nothing_is_at_stake() -> None:
    line = table()
    line.obey("maintenance.start", who="anna", why="cleaning")
    lose(line)
    find(line)
    assert line.held_by == []


def test_after_the_decision_the_next_card_opens_a_round() -> None:
    line = table()
    lose(line)
    find(line)
    line.resolve("void")
    assert dealt(line.scan("TS")) == ["TS>player.1"]


@pytest.mark.parametrize(("lost", "held"), [(False, []), (True, ["reading_gap"])])
def test_numbers_prove_that_the_first_card_is_the_first(lost: bool, held: list[str]) -> None:
    line = Line(control="device")
    line.draw("8S>player.1", "5C>banker.1", "KD>player.2", "2H>banker.2")
    assert "round.completed" in kinds(line.events)
    lose(line, "angel_eye_ii_ex")
    if lost:
        line.lose()
    find(line, "angel_eye_ii_ex", stale=8 if lost else 0)
    assert line.held_by == []
    line.draw("8S>player.1")
    assert line.held_by == held
