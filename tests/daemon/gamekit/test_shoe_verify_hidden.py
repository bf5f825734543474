"""A shoe's rest is counted while burned cards lie face down: what is missing tells none of them."""

from __future__ import annotations

import json
import re

import pytest
from support.hidden_bench import KEYS, HiddenTable
from support.scanner_line import ScannerLine

from daemon.journal.cipher import is_sealed
from daemon.journal.records import Transaction
from protocols.cards import DECK
from protocols.rejects import RejectReason

BURNS = ("9C>burn", "TD>burn", "2H>burn", "AS>burn", "7D>burn")
REST = [str(one) for one in DECK if str(one) not in ("KS", "2D")]
COMMITMENT = re.compile(rb"[0-9a-f]{64}")


def rest_counted(first: str) -> HiddenTable:
    """Burn six cards, the first of them this one; then some of the rest pass the scanner."""
    table = HiddenTable()
    table.shuffle()
    table.draw(f"{first}>burn", *BURNS)
    assert table.obey("shoe.verify.start", cards="rest")["answer"] == "accepted"
    table.draw(*(f"{code}>player.1" for code in REST))
    table.obey("shoe.verify.finish", names=["anna", "boris"])
    named = {"who": "anna", "why": "counted twice"}
    table.obey("violation.resolve", violation_id="V1", action="accept", **named)
    table.obey("shoe.close")
    return table


Two = tuple[HiddenTable, HiddenTable]


@pytest.fixture(scope="module")
def two() -> Two:
    return rest_counted("KS"), rest_counted("2D")


def test_the_bus_says_the_same_whichever_card_was_burned(two: Two) -> None:
    told = [[COMMITMENT.sub(b"#", blob) for blob in one.blobs] for one in two]
    assert told[0] == told[1]
    (failed,) = two[0].found("shoe.composition_failed")
    assert (failed["cards"], failed["unknown"], failed["missing"]) == (50, 6, {})
    (closed,) = two[0].found("shoe.closed")
    assert (closed["known"], closed["unknown"]) == ({}, 6)


def test_the_journal_keeps_what_passes_sealed(two: Two) -> None:
    """Whoever reads the rest in clear knows what is missing from it."""
    for table in two:
        sealed = [one for one in table.records if is_sealed(one) and one.kind == "input"]
        assert len(sealed) == 6 + len(REST)
        kept = json.loads(KEYS.cipher.open(sealed[-1]).blob)["body"]["said"]["value"]
        assert kept["reading"]["card"] == {"rank": "K", "suit": "C"}
    assert [len(one.blob) for one in two[0].records] == [len(one.blob) for one in two[1].records]


def test_a_shoe_that_is_verified_before_play_hides_nothing_and_its_status_counts() -> None:
    table = HiddenTable()
    assert table.status()["shoe"] is None
    table.shuffle()
    shoe = {"shoe_id": "S1", "decks": 8, "cards_out": 0, "cards_left": 416, "verified": ()}
    shoe |= {"unverified": False, "returned": None, "closing": False}
    shoe |= {"end_check": "not_made", "end_counted": None}
    assert table.status()["shoe"] == {**shoe, "passed": None}
    table.obey("shoe.verify.start")
    table.draw("KS>player.1")
    assert table.status()["shoe"] == {**shoe, "passed": 1}
    assert not [one for one in table.records if is_sealed(one) and one.kind == "input"]


class Notes:
    """An appender that keeps the rejects that are written down."""

    def __init__(self) -> None:
        self.rejects: list[tuple[str, str]] = []

    def append(self, transaction: Transaction, done: object) -> None:
        for one in transaction.records:
            said = json.loads(one.blob)
            if one.kind == "note" and said["note"] == "reject":
                self.rejects.append((said["reason"], said["raw"]))
        assert callable(done)
        done()


def test_bytes_that_say_nothing_are_written_down_while_cards_are_counted() -> None:
    notes = Notes()
    line = ScannerLine(journal=notes)  # type: ignore[arg-type] # it needs no more of a journal
    line.hear(b"\xff\xfe\r\n")
    assert notes.rejects == []
    line.obey("shoe.verify.start")
    line.hear(b"\xff\xfe\r\n")
    assert notes.rejects == [(RejectReason.MALFORMED, "fffe0d0a")]
