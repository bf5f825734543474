"""A label scanned twice: time decides whether it is one card or two, never the value alone."""

from __future__ import annotations

import pytest
from support.memory_journal import MemoryJournal
from support.scanner_line import ScannerLine
from support.shoe_line import dealt, kinds

from daemon.runtime.recovery import recover
from daemon.table.frame_tracking import FRESH, REPEAT, Track, mark_of, track_reread
from protocols.cards import Card
from protocols.instant import Instant
from protocols.readings import CardDrawn, CommandReply, Reading, ShoeStandby
from protocols.shoes.zebra_ssi.layout import DECODE_DATA, packet, sent_again

AT = Instant("boot", 0)
KING = CardDrawn(Card("K", "D"))
SEEN = Track("", mark_of("aa"), AT)


# --- the tracker -------------------------------------------------------------------------


@pytest.mark.parametrize("seconds", [0.005, 0.015, 0.08])
def test_an_equal_frame_sooner_than_a_card_can_follow_is_the_same_card(seconds: float) -> None:
    now, verdict = track_reread(0.08, SEEN, AT.after(seconds), "aa", KING)
    assert (now, verdict) == (Track("", mark_of("aa"), AT.after(seconds), again=True), REPEAT)


def test_an_equal_frame_later_is_another_card() -> None:
    assert track_reread(0.08, SEEN, AT.after(0.081), "aa", KING) == (
        Track("", mark_of("aa"), AT.after(0.081)),
        FRESH,
    )


def test_another_frame_is_another_card_however_soon() -> None:
    assert track_reread(0.08, SEEN, AT.after(0.001), "bb", KING)[1] == FRESH


def test_between_two_equal_frames_another_makes_them_two_cards() -> None:
    between, _ = track_reread(0.08, SEEN, AT.after(0.02), "bb", KING)
    assert track_reread(0.08, between, AT.after(0.04), "aa", KING)[1] == FRESH


@pytest.mark.parametrize("said", [ShoeStandby(), CommandReply("ok")], ids=lambda one: one.kind)
def test_what_tells_of_no_card_may_come_in_between(said: Reading) -> None:
    assert track_reread(0.08, SEEN, AT.after(0.01), "cc", said) == (SEEN, FRESH)


def test_a_card_that_lies_there_is_one_card_however_long_it_is_read() -> None:
    last: Track | None = None
    verdicts = []
    for step in range(40):
        last, verdict = track_reread(0.08, last, AT.after(step * 0.05), "aa", KING)
        verdicts.append(verdict)
    assert verdicts == [FRESH] + [REPEAT] * 39


@pytest.mark.parametrize("seconds", [0.0, 0.004])
def test_two_equal_frames_at_once_have_waited_and_nobody_knows(seconds: float) -> None:
    now, verdict = track_reread(0.08, SEEN, AT.after(seconds), "aa", KING)
    assert (now, verdict.kind) == (Track("", mark_of("aa"), AT.after(seconds)), "gap")


def test_across_a_reboot_nothing_is_known_to_be_the_same_card() -> None:
    assert track_reread(0.08, SEEN, Instant("another", 1), "aa", KING)[1] == FRESH


# --- the table ---------------------------------------------------------------------------


def test_fault_02_b05_equal_cards_of_several_decks_are_all_dealt() -> None:
    """Case B05: `KD`, 900 ms, `KD`, 900 ms, `5C`, 900 ms, `JS` is four cards."""
    line = ScannerLine()
    line.open()
    assert dealt(line.scan("KD", "KD", "5C", "JS", apart=0.9)) == [
        "KD>player.1",
        "KD>banker.1",
        "5C>player.2",
        "JS>banker.2",
    ]


def test_fault_01_b05_a_trembling_hand_deals_one_card_and_it_is_said_once() -> None:
    """Case B05: `KD`, 15 ms, `KD` from a scanner with a window of 80 ms is one card."""
    line = ScannerLine()
    line.open()
    line.scan("8S")
    first = line.scan("KD")
    again = line.scan("KD", "KD", "KD", apart=0.015)
    assert dealt(first + again) == ["KD>banker.1"]
    assert kinds(again) == ["card.duplicate_suppressed"]
    assert again[0]["data"] == {
        "rank": "K",
        "suit": "D",
        "reason": "barcode_lines read one label again, sooner than another card can follow",
    }
    assert dealt(line.scan("KD")) == ["KD>player.2"]


def test_a_label_that_was_twice_not_read_is_one_card() -> None:
    line = ScannerLine()
    line.open()
    line.scan("NR")
    assert line.scan("NR", apart=0.02) == []
    assert line.held_by == ["card_unread"]


def test_without_a_window_every_scan_is_a_card() -> None:
    line = ScannerLine(settings={"reread_s": 0.0})
    line.open()
    assert dealt(line.scan("KD", "KD", apart=0.015)) == ["KD>player.1", "KD>banker.1"]


def test_equal_labels_that_come_in_one_piece_hold_the_round() -> None:
    """After a halt of this program, or of the network, cards a second apart arrive at once."""
    line = ScannerLine()
    line.open()
    assert dealt(line.hear(b"KD\r\nKD\r\n5C\r\n")) == ["KD>player.1"]
    assert line.held_by == ["reading_gap"]


def test_f1_two_equal_cards_at_once_of_a_shoe_without_numbers_hold_and_later_ones_do_not() -> None:
    """A frame that came twice was two cards: 5D against 5D, and tiger's own card was not due."""
    line = ScannerLine("beetek")
    line.open()
    token = b" [Game]<Card:5D> "
    assert dealt(line.hear(token)) == ["5D>player.1"]
    assert dealt(line.hear(token, apart=0.9)) == ["5D>banker.1"]
    assert line.held_by == []
    line.hear(token, apart=0.0)
    assert line.held_by == ["reading_gap"]
    assert line.resolve("void")


def test_a_scanner_that_says_what_it_sends_again_may_scan_twice_all_the_same() -> None:
    line = ScannerLine("zebra_ssi")
    line.open()
    king = packet(DECODE_DATA, b"\x03KD")
    assert dealt(line.hear(king)) == ["KD>player.1"]
    assert kinds(line.hear(king, apart=0.015)) == ["card.duplicate_suppressed"]
    assert line.hear(sent_again(king), apart=2.0) == []  # its acknowledgement was lost
    assert dealt(line.hear(king, apart=0.9)) == ["KD>banker.1"]


def test_f1_what_waited_behind_a_packet_that_was_sent_again_may_be_an_equal_card() -> None:
    """The 5C of the player was damaged; the banker's 5C came ten milliseconds behind its repeat."""
    line = ScannerLine("zebra_ssi")
    line.open()
    five = packet(DECODE_DATA, b"\x035C")
    line.hear(bytes([*five[:-1], five[-1] ^ 0x01]), apart=0.9)
    assert dealt(line.hear(sent_again(five), apart=2.0)) == ["5C>player.1"]
    line.hear(five, apart=0.01)
    assert line.held_by == ["reading_gap"]
    line.resolve("accept")
    assert dealt(line.hear(five, apart=0.9)) == ["5C>player.2"]
    assert line.held_by == []


def test_f1_so_may_the_second_of_two_that_waited() -> None:
    line = ScannerLine("zebra_ssi")
    line.open()
    king, five = (packet(DECODE_DATA, label) for label in (b"\x03KD", b"\x035C"))
    assert dealt(line.hear(king)) == ["KD>player.1"]
    assert line.hear(sent_again(king), apart=2.0) == []  # its acknowledgement was lost
    assert dealt(line.hear(five, apart=0.01)) == ["5C>banker.1"]
    line.hear(five, apart=0.01)
    assert line.held_by == ["reading_gap"]


def test_an_equal_card_whose_first_copy_was_damaged_is_not_taken_for_the_last_one() -> None:
    line = ScannerLine("zebra_ssi")
    line.open()
    king = packet(DECODE_DATA, b"\x03KD")
    damaged = bytes([*king[:-1], king[-1] ^ 0x01])
    assert dealt(line.hear(king)) == ["KD>player.1"]
    line.hear(damaged, apart=0.9)
    assert dealt(line.hear(sent_again(king), apart=2.0)) == []
    assert line.held_by == ["reading_gap"]
    assert line.hear(sent_again(king), apart=0.9) == []  # its acknowledgement was lost
    assert dealt(line.resolve("accept")) == ["KD>banker.1"]


def test_in_maintenance_nothing_is_said_of_it() -> None:
    line = ScannerLine()
    line.obey("maintenance.start", who="anna", why="cleaning")
    assert line.scan("KD", "KD", apart=0.015) == []


def test_a_replay_of_the_journal_suppresses_the_same() -> None:
    kept = MemoryJournal()
    line = ScannerLine(journal=kept)
    line.open()
    line.scan("8S")
    line.scan("8S", "8S", "KD", apart=0.015)
    again = recover(line.setup, None, kept.kept)
    assert again.differs is None
    assert again.state == line.replay.inbox.state
