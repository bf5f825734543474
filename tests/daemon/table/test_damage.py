"""T1, F1, F2: bytes that say nothing are a card, until the opposite is proven."""

from __future__ import annotations

import json
from typing import Any

import pytest
from support.scanner_line import Kept, ScannerLine
from support.shoe_line import Line, dealt, kind

from daemon.table.damage import NUMBER_WITHIN_S
from daemon.table.inputs import FrameDamaged, LinkDown, LinkUp
from protocols.cards import DECK
from protocols.shoes.zebra_ssi import DEVICE as ZEBRA
from protocols.simulator import DrawCard, Fault, PowerOn

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
    assert dealt(line.scan("5H")) == ["5H b1"]


def test_t1_two_cards_of_a_seven_bit_line_hold() -> None:
    line = Line()
    line.deal("8S p1")
    line.hear(bytes(byte & 0x7F for byte in line.card("5C b1")))
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
    line.deal("8S p1")
    frame = line.card("5C b1")
    damaged = bytes([*frame[:4], frame[4] ^ 1, *frame[5:]])
    assert line.hear(damaged) == []
    assert line.refusal("violation.resolve", **decision()) == "unknown_violation"
    assert dealt(line.hear(frame)) == ["5C b1"]
    assert not line.replay.inbox.state.doubts
    line.draw("KD p2", "2H b2")
    assert line.held_by == []
    assert winners(line) == [("player", 8, 7)]


def decision() -> dict[str, Any]:
    return {"violation_id": "V1", "action": "accept", "who": "anna", "why": "seen"}


def test_no_number_came_before_so_the_next_one_proves_nothing() -> None:
    line = Line()
    line.deal()
    frame = line.card("8S p1")
    line.hear(bytes([*frame[:4], frame[4] ^ 1, *frame[5:]]))
    assert line.held_by == ["reading_damaged"]


def test_a_doubt_that_a_restart_interrupts_is_a_hold() -> None:
    line = Line()
    line.deal("8S p1")
    line.hear(b"\x05\x31\xff\xff\xff\x03\x00\x00")
    assert line.held_by == []
    assert line.replay.inbox.state.doubts
    line.replay.inbox.put(LinkDown("primary", "angel_eye_ii_ex", "unplugged"))
    line.replay.inbox.put(LinkUp("primary", "angel_eye_ii_ex", "replay"))
    line.replay.pass_time(line.replay.clock.at.after(NUMBER_WITHIN_S))
    assert line.held_by == ["device_lost", "reading_damaged"]


def zebra(*cues: Any) -> ScannerLine:
    """Return a table at whose scanner's line this was played, its NAKs heard by the scanner."""
    line = ScannerLine("zebra_ssi")
    simulator = ZEBRA.simulator(ZEBRA.settings())
    line.open()
    now = line.replay.clock.at
    decoder = ZEBRA.decoder(ZEBRA.settings())
    for cue in cues:
        now = now.after(1.5)
        simulator.cue(now, cue)
        while (wake := simulator.wake_at) is not None and not now.after(1.4).ns < wake.ns:
            for chunk in simulator.speak(wake):
                line.seconds = wake.ns / 1e9
                line.hear(chunk, apart=0.0)
                for frame in decoder.feed(wake, chunk):
                    if frame.reply is not None:
                        simulator.hear(wake, frame.reply)
            if simulator.wake_at == wake:
                break
    return line


def test_a_packet_that_is_sent_again_heals_and_nothing_is_held() -> None:
    cards = [DrawCard(card) for card in DECK[:2]]
    line = zebra(PowerOn(), cards[0], Fault("damaged_packet"), cards[1])
    assert line.held_by == []
    assert [one.split()[0] for one in dealt(line.events)] == [str(card) for card in DECK[:2]]


def test_f1_a_packet_that_is_not_sent_again_holds_when_its_time_is_over() -> None:
    line = zebra(PowerOn(), DrawCard(DECK[0]))
    line.hear(b"\x07\xf3\x00\x00\x13\x39\xff\xfe\x55", apart=0.5)
    assert line.held_by == []
    line.drain(5.5)
    assert line.held_by == ["reading_damaged"]


# --- what a link lost --------------------------------------------------------------------------


def test_f2_what_the_link_lost_holds_and_is_in_the_journal() -> None:
    journal = Kept()
    line = ScannerLine(journal=journal)
    line.open()
    line.scan("TS")
    line.replay.inbox.put(FrameDamaged("primary", "barcode_lines", "a report: EOVERFLOW"))
    line.scan(*HAND[2:])
    assert line.held_by == ["reading_damaged"]
    assert winners(line) == []
    bodies = [json.loads(one.blob) for one in journal.records if one.kind == "input"]
    assert any("EOVERFLOW" in json.dumps(body) for body in bodies)
