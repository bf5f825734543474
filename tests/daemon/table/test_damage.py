"""T1, F1, F2: bytes that say nothing are a card, until the opposite is proven."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest
from support.damaged_shoe import DamagedShoe
from support.memory_journal import MemoryJournal
from support.scanner_line import ScannerLine
from support.shoe_line import Line, dealt, kind

from daemon.table.damage import NUMBER_WITHIN_S
from daemon.table.inputs import FrameDamaged, LinkDown, LinkUp

HAND = ("TS", "5H", "QD", "6C", "KS", "QH")
"""Player T Q K against banker 5 6 Q: 0 against 1. Without the 5H another hand."""


def winners(line: Line) -> list[tuple[str, int, int]]:
    """Return (winner, player's total, banker's total) of every completed round."""
    outcomes = [
        event["data"]["outcome"] for event in line.events if kind(event) == "round.completed"
    ]
    return [(one["winner"], one["player_total"], one["banker_total"]) for one in outcomes]


@pytest.mark.parametrize("label", [b"5\x08\r\n", b"5\x00H\r\n", b"\xb5H\r\n", b"5\r\n", b"\r\n"])
def test_f1_a_damaged_label_is_a_card_that_nobody_knows(label: bytes) -> None:
    line = ScannerLine()
    line.open()
    line.scan("TS")
    line.hear(label, apart=1.0)
    line.scan(*HAND[2:])
    line.drain()
    assert line.held_by in (["reading_damaged"], ["card_unread"])
    assert winners(line) == []
    line.resolve("correct", "5H")
    assert winners(line) == [("banker", 0, 1)]


def test_t1_what_may_be_decided_is_void_go_on_or_name_the_card() -> None:
    line = ScannerLine()
    line.open()
    line.scan("TS")
    (raised, held) = line.hear(b"5\x08\r\n", apart=1.0)
    assert kind(raised) == "violation.raised"
    assert raised["data"]["resolutions"] == ["void", "accept", "correct"]
    assert kind(held) == "round.held"
    assert line.hear(b"?\x08\r\n", apart=1.0) == [], "one question is asked once"
    assert line.refusal("round.open", round_id="R2") == "held"
    line.resolve("accept")
    assert dealt(line.scan("5H")) == ["5H>banker.1"]


def test_t1_two_cards_of_a_seven_bit_line_hold() -> None:
    line = Line()
    line.deal("8S>player.1")
    line.hear(bytes(byte & 0x7F for byte in line.card("5C>banker.1")))
    line.replay.pass_time(line.replay.clock.at.after(NUMBER_WITHIN_S))
    assert line.held_by == ["reading_damaged"]


def test_t1_before_the_bets_of_a_round_are_closed_and_between_rounds() -> None:
    line = ScannerLine()
    assert line.hear(b"5\x08\r\n") == []
    line.obey("round.open", round_id="R1")
    line.hear(b"5\x08\r\n")
    assert line.held_by == ["reading_damaged"]


def test_t1_where_a_card_opens_the_round_a_damaged_one_may_have_been_the_first() -> None:
    line = ScannerLine(control="device")
    line.hear(b"T\x13\r\n")
    line.scan(*HAND[1:])
    assert line.held_by == ["reading_damaged"]
    assert winners(line) == []


# --- what heals --------------------------------------------------------------------------------


def test_the_next_number_proves_that_nothing_was_lost() -> None:
    line = Line()
    line.deal("8S>player.1")
    frame = line.card("5C>banker.1")
    damaged = bytes([*frame[:4], frame[4] ^ 1, *frame[5:]])
    assert line.hear(damaged) == []
    assert line.refusal("violation.resolve", **decision()) == "unknown_violation"
    assert dealt(line.hear(frame)) == ["5C>banker.1"]
    assert not line.replay.inbox.state.doubts
    line.draw("KD>player.2", "2H>banker.2")
    assert line.held_by == []
    assert winners(line) == [("player", 8, 7)]


def decision() -> dict[str, Any]:
    return {"violation_id": "V1", "action": "accept", "who": "anna", "why": "seen"}


def test_no_number_came_before_so_the_next_one_proves_nothing() -> None:
    line = Line()
    line.deal()
    frame = line.card("8S>player.1")
    line.hear(bytes([*frame[:4], frame[4] ^ 1, *frame[5:]]))
    assert line.held_by == ["reading_damaged"]


def test_a_doubt_that_a_restart_interrupts_is_a_hold() -> None:
    line = Line()
    line.deal("8S>player.1")
    line.hear(b"\x05\x31\xff\xff\xff\x03\x00\x00")
    assert line.held_by == []
    assert line.replay.inbox.state.doubts
    line.replay.inbox.put(LinkDown("primary", "angel_eye_ii_ex", "unplugged"))
    line.replay.inbox.put(LinkUp("primary", "angel_eye_ii_ex", "replay"))
    line.replay.pass_time(line.replay.clock.at.after(NUMBER_WITHIN_S))
    assert line.held_by == ["device_lost", "reading_damaged"]


def test_a_packet_that_is_sent_again_heals_and_nothing_is_held() -> None:
    def damaged(frame: bytes, _chance: random.Random) -> bytes:
        return bytes([*frame[:-1], frame[-1] ^ 1])

    played = DamagedShoe("zebra_ssi", random.Random(1), damaged).play()
    assert (played.completed, played.held) == (played.truth, ())


def test_f1_a_packet_that_is_not_sent_again_holds_when_its_time_is_over() -> None:
    line = ScannerLine("zebra_ssi")
    line.open()
    line.hear(b"\x07\xf3\x00\x00\x13\x39\xff\xfe\x55", apart=0.5)
    assert line.held_by == []
    line.drain(5.5)
    assert line.held_by == ["reading_damaged"]


# --- what a link lost --------------------------------------------------------------------------


def test_f2_what_the_link_lost_holds_and_is_in_the_journal() -> None:
    journal = MemoryJournal()
    line = ScannerLine(journal=journal)
    line.open()
    line.scan("TS")
    line.replay.inbox.put(FrameDamaged("primary", "barcode_lines", "a report: EOVERFLOW"))
    line.scan(*HAND[2:])
    assert line.held_by == ["reading_damaged"]
    assert winners(line) == []
    bodies = [json.loads(one.blob) for one in journal.kept if one.kind == "input"]
    assert any("EOVERFLOW" in json.dumps(body) for body in bodies)
