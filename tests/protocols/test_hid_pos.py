"""USB POS scanners: published reports, both layouts, long symbols, and what is a card unread."""

import re
from pathlib import Path
from typing import Any

import pytest
from support.notation import drawn
from support.recordings import BOTH, Source, recording

from daemon.runtime.catalog import games
from daemon.service.assembly import one_table, setup_of
from daemon.service.offline_replay import OfflineReplay
from drivers.capture import read_capture
from protocols.cards import DECK
from protocols.device import Decoded
from protocols.instant import Instant
from protocols.readings import CardDrawn, CardUnread, CommandReply, CutCardSeen, Reading
from protocols.rejects import RejectReason
from protocols.shoes.hid_pos import DEVICE, HidPosSettings
from protocols.shoes.hid_pos.layout import ENABLE, SCAN_GAP_S, aim_packet, plain_packet

GOLDEN = Path(__file__).parents[1] / "captures" / "hid_pos"
START = Instant("boot", 1_000_000_000)
SUIT_NUMBER = HidPosSettings(scheme="suit_number")
LONG = b"https://example.org/" + b"0123456789" * 12
PARTS = [
    aim_packet(b"]C0", LONG[:56], more=True),
    aim_packet(b"]C0", LONG[56:112], more=True),
    aim_packet(b"]C0", LONG[112:]),
]


def label(text: bytes, aim: bytes = b"]C0") -> bytes:
    return aim_packet(aim, text)


def decode(*packets: bytes, settings: HidPosSettings | None = None) -> list[Decoded]:
    one = DEVICE.decoder(settings or HidPosSettings())
    decoded = [said for packet in packets for said in one.feed(START, packet)]
    decoded += one.tick(START.after(SCAN_GAP_S))
    assert b"".join(said.raw for said in decoded) + one.pending == b"".join(packets)
    return decoded


def bodies(*packets: bytes, settings: HidPosSettings | None = None) -> list[Reading | RejectReason]:
    return [said.body for said in decode(*packets, settings=settings)]


# --- the published reports ----------------------------------------------------------------


def sample(source: Source, note: str) -> bytes:
    """Return the report of which the recording says this, from the first endpoint."""
    lines = recording(source, "shoe", "usb_hid_pos.hex").read_text().splitlines()
    (found,) = (line for line in lines if line.startswith("[") and note in line.partition("|")[2])
    match = re.match(r"\[[RG]\] ([0-9A-F ]+)", found)
    assert match is not None
    return b"\x81" + bytes.fromhex(match[1])


@BOTH
def test_a_real_answer_begins_in_parts_and_ends_with_the_command_as_it_was_heard(
    source: Source,
) -> None:
    first, final = sample(source, "part 1 of n"), sample(source, "final")
    assert bodies(first, final) == [RejectReason.LENGTH, CommandReply("ok", "REVINF")]


@BOTH
def test_a_published_code_128_label_is_a_card(source: Source) -> None:
    assert bodies(sample(source, "Code 128"), settings=SUIT_NUMBER) == [drawn("QD")]


@BOTH
def test_a_published_data_matrix_label_with_a_suffix_is_a_card_where_cards_are_printed_so(
    source: Source,
) -> None:
    packet = sample(source, "Data Matrix")
    printed = HidPosSettings(scheme="suit_number", symbologies=("data_matrix",))
    assert bodies(packet, settings=printed) == [drawn("AH")]
    assert bodies(packet, settings=SUIT_NUMBER) == [RejectReason.UNSUPPORTED]


@BOTH
def test_a_published_report_without_symbology_is_read_in_its_own_layout_only(
    source: Source,
) -> None:
    packet = sample(source, "NO AIM id")
    plain = HidPosSettings(scheme="suit_number", layout="plain")
    assert bodies(packet, settings=plain) == [drawn("QD")]
    assert bodies(packet, settings=SUIT_NUMBER) == [CardUnread("a report in another layout")]


@BOTH
def test_reports_are_built_as_published(source: Source) -> None:
    built = bytearray(aim_packet(b"]C0", b"D12"))
    built[62] = {"real": ord("j"), "simulated": 0}[source]  # the maker's letter, not used
    assert bytes(built) == sample(source, "Code 128")
    assert plain_packet(b"D12") == sample(source, "NO AIM id")


# --- what a label says --------------------------------------------------------------------


@pytest.mark.parametrize("card", DECK, ids=str)
def test_a_card_of_the_deck_is_read_in_both_layouts(card: Any) -> None:
    text = str(card).encode()
    assert bodies(label(text)) == [CardDrawn(card)]
    assert bodies(plain_packet(text), settings=HidPosSettings(layout="plain")) == [CardDrawn(card)]


def test_the_scanners_own_suffix_is_no_part_of_the_label() -> None:
    assert bodies(label(b"KD\r\n"), label(b"\tKD")) == [drawn("KD")] * 2


def test_bytes_behind_the_length_are_not_read() -> None:
    (whole,) = decode(label(b"KD"))
    stale = whole.raw[:8] + b"8S5D" + whole.raw[12:]
    assert bodies(stale) == [drawn("KD")]


def test_a_label_in_a_foreign_symbology_is_never_a_card() -> None:
    assert bodies(label(b"KD", b"]E0"), label(b"KD", b"]Q1")) == [RejectReason.UNSUPPORTED] * 2


def test_the_cut_card_and_a_no_read_are_told_apart_from_a_label_that_nobody_knows() -> None:
    assert bodies(label(b"CUT"), label(b"NR"), label(b"NR", b"]X0"), label(b"0X0")) == [
        CutCardSeen(),
        CardUnread("no read"),
        RejectReason.UNSUPPORTED,
        CardUnread("no card has the code '0X0'"),
    ]


@pytest.mark.parametrize(
    ("packet", "reason"),
    [
        (label(b"KD")[:-1], "a report of 63 bytes"),
        (label(b"KD")[:5], "a report of 4 bytes"),
        (b"\x81\x02\x00" + label(b"KD")[3:], "a report with 0 bytes of data"),
        (b"\x81\x02\x39" + label(b"KD")[3:], "a report with 57 bytes of data"),
        (label(b"KD")[:-1] + b"\x02", "a report in another layout"),
        (label(b"KD")[:-2] + b"\x01\x00", "a report in another layout"),
        (b"\x81\x02\x00" + label(b"KD")[2:-1], "a report with 0 bytes of data"),
        (label(b"\r\n"), "an empty label"),
    ],
)
def test_scanned_data_that_cannot_be_read_is_a_card_unread(packet: bytes, reason: str) -> None:
    assert bodies(packet) == [CardUnread(reason)]


def test_a_report_of_another_kind_says_nothing() -> None:
    status = b"\x81\x04" + bytes(63)
    sent = b"\x01" + label(b"KD")[1:]  # from an endpoint that does not send
    assert bodies(status, sent, b"\x81") == [RejectReason.UNSUPPORTED] * 3


# --- symbols of several reports -----------------------------------------------------------


def test_a_long_symbol_is_one_frame_that_says_nothing_nor_does_its_end_sent_twice() -> None:
    (one,) = decode(*PARTS)
    assert (one.raw, one.body) == (b"".join(PARTS), RejectReason.UNSUPPORTED)
    assert bodies(*PARTS, PARTS[-1]) == [RejectReason.UNSUPPORTED] * 2
    assert bodies(PARTS[0], *PARTS) == [RejectReason.UNSUPPORTED]


def test_the_end_of_a_long_symbol_is_no_card_even_where_it_spells_one() -> None:
    assert bodies(PARTS[0], label(b"KD")) == [RejectReason.UNSUPPORTED]


def test_an_answer_in_the_midst_of_a_symbol_is_heard_and_the_symbol_is_torn() -> None:
    answer = label(b"REVINF\x06.", b"]Z6")
    assert bodies(PARTS[0], answer) == [RejectReason.LENGTH, CommandReply("ok", "REVINF")]


def test_a_symbol_without_its_end_costs_no_card_behind_the_gap() -> None:
    decoder = DEVICE.decoder(HidPosSettings())
    assert decoder.feed(START, PARTS[0]) == []
    assert decoder.wake_at == START.after(SCAN_GAP_S)
    torn, card = decoder.feed(START.after(SCAN_GAP_S), label(b"KD"))
    assert (torn.body, torn.at, torn.raw) == (RejectReason.LENGTH, START, PARTS[0])
    assert card.body == drawn("KD")
    assert decoder.wake_at is None


def test_a_symbol_that_never_ends_is_given_up() -> None:
    decoder = DEVICE.decoder(HidPosSettings())
    part = aim_packet(b"]C0", bytes(56), more=True)
    said = [one for _ in range(100) for one in decoder.feed(START, part)]
    assert {one.body for one in said} == {RejectReason.LENGTH}
    assert len(decoder.pending) <= DEVICE.framing.pending_max


def test_an_answer_says_what_became_of_the_command() -> None:
    answers = [label(b"REVINF\x06.", b"]Z6"), label(b"XYZ\x15.", b"]Z6"), label(b"?\x05.", b"]Z6")]
    assert bodies(*answers, label(b"REVINF", b"]Z6")) == [
        CommandReply("ok", "REVINF"),
        CommandReply("refused", "XYZ"),
        CommandReply("refused", "?"),
        RejectReason.UNSUPPORTED,
    ]


# --- the link, the table ------------------------------------------------------------------


def test_it_is_enabled_once_as_its_link_opens_where_the_site_says_so() -> None:
    decoder = DEVICE.decoder(HidPosSettings(enable=True))
    (asked,) = decoder.tick(START)
    assert (asked.body, asked.raw, asked.reply) == (RejectReason.ASKED, b"", ENABLE)
    assert bytes.fromhex("03 FE 01") == ENABLE  # feature report, its number, its data
    assert decoder.tick(START.after(1)) == []
    assert DEVICE.decoder(HidPosSettings()).tick(START) == []


def cards_dealt(path: Path, settings: HidPosSettings) -> list[str]:
    dealt: list[str] = []
    game = next(one for one in games().values() if one.key == "baccarat")
    setup = setup_of(one_table(game.key, game.default_profile, DEVICE.key))
    OfflineReplay(setup, DEVICE, settings, lambda blob: dealt.append(blob.decode())).run(
        read_capture(path)
    )
    return [blob for blob in dealt if '"pitwire.card.dealt.v1"' in blob]


def test_a_label_that_is_scanned_twice_within_the_window_is_one_card() -> None:
    path = GOLDEN / "double_scan_and_stale_bytes.capture"
    assert len(cards_dealt(path, HidPosSettings())) == 3


@pytest.mark.parametrize(
    ("wrong", "complaint"),
    [
        ({"symbologies": ()}, "no symbology is allowed"),
        ({"symbologies": ("ean_14",)}, "no symbology 'ean_14'"),
        ({"reread_s": 0.9}, "two equal cards"),
        ({"cut_card": ("KD",)}, "names no card"),
    ],
)
def test_settings_that_cannot_be_are_refused(wrong: dict[str, Any], complaint: str) -> None:
    with pytest.raises(ValueError, match=complaint):
        HidPosSettings(**wrong)
