"""A frame that may hold a hidden card shows nowhere: not in journal, bus, logs, metrics, status."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from typing import Any

import pytest
from support.hidden_bench import EPOCH, KEYS, TABLE, HiddenTable, logged, said_of
from support.oracle_reveal import opens_by_hand

from daemon.cli.event_format import event_line
from daemon.devices.pace import FEW_CARDS
from daemon.gamekit.commitments import Concealed, Nonces, Place, opens
from daemon.journal.cipher import is_sealed
from daemon.table.inputs import HiddenSaid
from protocols.canonical import canonical
from protocols.cards import Card
from protocols.events import Commitments
from protocols.rejects import RejectReason

BURNS = ("KS>burn", "9C>burn", "TD>burn", "2H>burn", "AS>burn", "7D>burn")
COMMITMENT = re.compile(r"[0-9a-f]{64}")
NOISE = b"\x05\xff\xfe\xfd"
SEALED_LENGTH = len('{"key":"","sealed":""}') + 16 + (24 + 1024 + 16 + 2) // 3 * 4
"""Of a body of up to 1023 bytes: the key's name, and base64 of nonce, body and tag."""


def burned(first: str) -> tuple[HiddenTable, list[dict[str, Any]]]:
    """Let six cards be burned, the first of them this one."""
    with logged() as lines:
        one = HiddenTable()
        one.shuffle()
        one.draw(f"{first}>burn", *BURNS[1:])
    return one, lines


def without_commitments(value: Any) -> str:
    return COMMITMENT.sub("#", canonical(value).decode())


@pytest.fixture(scope="module")
def two() -> tuple[HiddenTable, HiddenTable, list[Any], list[Any]]:
    """Two tables that differ in one hidden card."""
    (king, kings), (two, twos) = burned("KS"), burned("2D")
    return king, two, kings, twos


Two = tuple[HiddenTable, HiddenTable, list[Any], list[Any]]


def test_they_do_differ(two: Two) -> None:
    king, other, *_ = two
    first, second = king.found("card.burned")[0], other.found("card.burned")[0]
    assert first["commitments"] != second["commitments"]
    assert (first["rank"], first["suit"]) == (None, None)


def test_fault_19_the_bus_says_the_same_at_the_same_length(two: Two) -> None:
    king, other, *_ = two
    assert [*map(len, king.blobs)] == [*map(len, other.blobs)]
    assert without_commitments(king.events) == without_commitments(other.events)


def test_the_journal_has_the_same_records_at_the_same_length(two: Two) -> None:
    king, other, *_ = two
    columns = [
        [(one.record, one.kind, one.seq, is_sealed(one), len(one.blob)) for one in each.records]
        for each in (king, other)
    ]
    assert columns[0] == columns[1]
    clear = [
        [one.blob for one in each.records if one.kind != "event" and not is_sealed(one)]
        for each in (king, other)
    ]
    assert clear[0] == clear[1]


def test_every_hidden_input_and_every_state_is_sealed_and_opens(two: Two) -> None:
    king, *_ = two
    sealed = [one for one in king.records if is_sealed(one)]
    opened = [KEYS.cipher.open(one) for one in sealed]
    said = [json.loads(one.blob)["body"] for one in opened if one.kind == "input"]
    assert [one["said"]["value"]["reading"]["card"]["rank"] for one in said] == list("K9T2A7")
    states = [one for one in king.records if one.kind == "state"]
    assert states
    assert all(is_sealed(one) for one in states)


def test_fault_19_logs_metrics_status_and_tail_say_the_same(two: Two) -> None:
    king, other, kings, twos = two
    assert kings == twos
    assert king.counted() == other.counted()
    assert without_commitments(king.status()) == without_commitments(other.status())
    assert [event_line(one)[:-9] for one in king.events if "burned" not in one["type"]] == [
        event_line(one)[:-9] for one in other.events if "burned" not in one["type"]
    ]
    for one in king.events:
        assert "KS" not in event_line(one)


def test_a_hidden_frame_is_counted_and_nothing_is_said_of_it(two: Two) -> None:
    king, *_ = two
    frames = f'pitwire_concealed_frames_total{{device="angel_eye_ii_ex",table="{TABLE}"}} 6.0'
    assert frames in king.counted()
    assert "pitwire_readings_total{" not in king.counted()


def test_each_frame_of_one_chunk_is_asked_about_when_the_one_before_it_was_applied() -> None:
    one = HiddenTable()
    one.shuffle()
    one.hear(b"".join(one.telegram(text) for text in (*BURNS, "8S>player.1")))
    assert "pitwire_concealed_frames_total{" in one.counted()
    counts = dict(line.rsplit(" ", 1) for line in one.counted().splitlines() if line[0] != "#")
    labels = f'{{device="angel_eye_ii_ex",table="{TABLE}"}}'
    assert counts["pitwire_concealed_frames_total" + labels] == "6.0"
    assert counts["pitwire_readings_total" + labels] == "1.0"


def counts(one: HiddenTable) -> dict[str, str]:
    """Return how many frames were seen, by what was seen of them."""
    found = re.findall(
        r"pitwire_(concealed_frames|readings|rejects)_total\{.*\} (\d+)", one.counted()
    )
    return dict(found)


def test_a_hidden_card_that_is_said_again_stays_hidden_when_the_game_has_gone_on() -> None:
    """The shoe did not hear us and sends it again; the next card would lie face up."""
    one = HiddenTable()
    one.shuffle()
    one.draw(*BURNS[:5])
    last = one.telegram(BURNS[5])
    one.hear(last)
    written, published = len(one.records), len(one.blobs)
    one.hear(last)
    assert counts(one) == {"concealed_frames": "7"}
    assert (len(one.records), len(one.blobs)) == (written, published)
    with logged() as lines:
        one.hear(last[:-1] + b"\x00")  # the copy of it that the line tore
    assert counts(one) == {"concealed_frames": "8"}
    assert lines == []
    one.draw("8S>player.1")
    assert counts(one) == {"concealed_frames": "8", "readings": "1"}
    one.hear(b"\xff\xff")
    assert counts(one)["rejects"] == "1"


def test_a_label_that_is_read_again_names_no_hidden_card() -> None:
    """A scanner sees the hole card for as long as it lies there."""
    one = HiddenTable()
    spec = replace(one.setup.devices["primary"], sequence=None, reread_within_s=5.0)
    one.inbox.setup = replace(one.inbox.setup, devices={"primary": spec})
    one.shuffle()
    one.draw(*BURNS[:5])
    last = one.telegram(BURNS[5])
    for _ in range(3):
        one.hear(last)
    assert counts(one) == {"concealed_frames": "8"}
    assert one.found("card.duplicate_suppressed") == []
    assert not [record for record in one.records if b"device_said" in record.blob]
    one.draw("8S>player.1")
    assert counts(one)["readings"] == "1"


def test_no_repr_shows_the_card(two: Two) -> None:
    king, *_ = two
    shown = repr(king.inbox.state) + repr(king.inbox.setup)
    assert king.inbox.state.game.sealed[0].card.value == Card("K", "S")
    assert "=Card(" not in shown
    assert "rank" not in shown


@pytest.mark.parametrize("noise", [b"\xff", NOISE * 100])
def test_a_hidden_reject_is_kept_sealed_as_long_as_any_other(noise: bytes) -> None:
    one = HiddenTable()
    one.shuffle()
    one.draw(*BURNS)
    one.obey("round.open", round_id="R1")
    one.inbox.reject("angel_eye_ii_ex", RejectReason.NOISE, noise, one.clock.at, hidden=True)
    note = one.records[-1]
    assert (note.kind, len(note.blob)) == ("note", SEALED_LENGTH)
    kept = json.loads(KEYS.cipher.open(note).blob)
    assert (kept["raw"], kept["bytes"]) == (noise[:256].hex(), len(noise))


def test_a_frame_before_the_cards_are_hidden_is_shown_as_ever() -> None:
    with logged() as lines:
        one = HiddenTable()
        one.hear(NOISE + b"\x03")
        one.hear(b"\xff" * 8)
    assert "pitwire_rejects_total{" in one.counted()
    assert [line["event"] for line in lines if line["event"] == "frame_rejected"]


def test_rejects_among_hidden_cards_name_no_reason_and_no_length() -> None:
    with logged() as lines:
        one = HiddenTable()
        one.shuffle()
        for _ in range(FEW_CARDS):
            one.hear(b"\xff" * 3 + one.telegram("KS>burn")[:-1] + b"\x00")
    assert not [line for line in lines if line["event"] == "frame_rejected"]
    assert "pitwire_rejects_total{" not in one.counted()
    (fault,) = one.found("device.faulted")
    assert fault["detail"] == "6 of the last 6 frames were not understood: check baud and wiring"


def test_a_reveal_is_what_was_sealed_and_the_status_shows_no_more_before() -> None:
    one = HiddenTable()
    one.shuffle()
    one.draw(*BURNS)
    assert one.obey("card.reveal", slot="burn.1")["answer"] == "accepted"
    (told,) = one.found("card.revealed")
    assert (told["rank"], told["suit"]) == ("K", "S")
    sealed = one.found("card.burned")[0]
    place = Place(TABLE, EPOCH, "S1", "", "burn.1", one.setup.digest)
    nonces = Nonces(told["card_nonce"], told["ten_nonce"], told["ace_nonce"])
    burned = one.inbox.state.game
    assert [lies.slot for lies in burned.sealed] == [f"burn.{number}" for number in range(2, 7)]
    assert opens(Commitments(**sealed["commitments"]), place, Card("K", "S"), nonces)
    assert opens_by_hand(place, "card", "KS", told["card_nonce"]) == sealed["commitments"]["card"]


def test_without_a_key_a_rehearsal_encrypts_nothing_and_no_face_is_shown_all_the_same() -> None:
    one = HiddenTable(keys=None)
    one.shuffle()
    one.draw(*BURNS)
    assert [told["rank"] for told in one.found("card.burned")] == [None] * len(BURNS)
    assert "pitwire_readings_total{" not in one.counted()
    assert not [record for record in one.records if is_sealed(record)]


def test_what_the_journal_holds_of_a_frame_is_padded_to_one_length() -> None:
    one, _ = burned("KS")
    hidden = [record for record in one.records if is_sealed(record) and record.kind == "input"]
    assert {len(record.blob) for record in hidden} == {SEALED_LENGTH}


def test_a_frame_that_says_it_is_sent_again_is_known_by_what_it_repeats() -> None:
    """Its own bytes differ from the first copy's: a flag says that they are sent again (SSI)."""
    one = HiddenTable()
    spec = replace(one.setup.devices["primary"], sequence=None, resent_within_s=5.0)
    one.inbox.setup = replace(one.inbox.setup, devices={"primary": spec})
    one.shuffle()
    one.draw(*BURNS)
    first = one.telegram("KS>player.1")
    (frame,) = one.decoder.feed(one.clock.at, first)
    one.inbox.put(HiddenSaid(Concealed(said_of(frame, "shoe"))))
    again = replace(frame, raw=first + b"\x00", repeats=first)
    assert one.may_be_hidden(again)
    assert not one.may_be_hidden(replace(again, repeats=None))


@pytest.mark.parametrize("place", ["burn", "burn_indicator"])
def test_a_burn_that_only_the_shoe_knows_of_is_hidden_as_one_that_is_due(place: str) -> None:
    """It comes when none is due, or says how many will be: nobody saw its face all the same."""
    one = HiddenTable()
    one.shuffle()
    one.draw(*BURNS)
    one.draw(f"8D>{place}")
    assert counts(one) == {"concealed_frames": "7"}
    assert not [record for record in one.records if b"device_said" in record.blob]
    assert one.found("violation.raised") or one.found("card.burned")[6]["rank"] is None
