"""Zebra SSI: published traffic, what is rejected and why, what is answered, what comes again."""

import json
import re
from pathlib import Path

import pytest
from support.recordings import BOTH, Source, recording

from daemon.runtime.catalog import games
from daemon.service.assembly import one_table, setup_of
from daemon.service.offline_replay import OfflineReplay
from drivers.capture import read_capture
from protocols.cards import DECK
from protocols.checks import sum16_negated
from protocols.device import Decoded
from protocols.instant import Instant
from protocols.readings import (
    CardDrawn,
    CardUnread,
    CommandReply,
    CutCardSeen,
    DeviceIdentity,
    Reading,
)
from protocols.rejects import RejectReason
from protocols.shoes.zebra_ssi import DEVICE, ZebraSsiSettings
from protocols.shoes.zebra_ssi.layout import HOST, PERMANENT, Symbology, packet

GOLDEN = Path(__file__).parents[1] / "captures" / "zebra_ssi"
START = Instant("boot", 1_000_000_000)
ACK = bytes.fromhex("04 D0 04 00 FF 28")
NAK_RESEND = bytes.fromhex("05 D1 04 00 01 FF 25")
NAK_BAD_CONTEXT = bytes.fromhex("05 D1 04 00 02 FF 24")
SUIT_NUMBER = ZebraSsiSettings(scheme="suit_number")
D12 = bytes.fromhex("08 F3 00 00 03 44 31 32 FE 5B")
D12_AGAIN = bytes.fromhex("08 F3 00 01 03 44 31 32 FE 5A")
QD, KD = (next(card for card in DECK if str(card) == code) for code in ("QD", "KD"))
CODE_128, EAN_13, QR = b"\x03", b"\x0b", b"\x1c"


def label(text: bytes, symbology: bytes = CODE_128, *, status: int = 0) -> bytes:
    return packet(0xF3, symbology + text, status=status)


def decode(*chunks: bytes, settings: ZebraSsiSettings | None = None) -> list[Decoded]:
    one = DEVICE.decoder(settings or ZebraSsiSettings())
    decoded = [said for chunk in chunks for said in one.feed(START, chunk)]
    decoded += one.tick(START.after(DEVICE.framing.silence_s))
    assert b"".join(said.raw for said in decoded) + one.pending == b"".join(chunks)
    return decoded


def bodies(
    *chunks: bytes, settings: ZebraSsiSettings | None = None
) -> list[Reading | RejectReason]:
    return [said.body for said in decode(*chunks, settings=settings)]


# --- the published traffic ----------------------------------------------------------------


def sample(source: Source, direction: str) -> list[bytes]:
    lines = recording(source, "shoe", "zebra_ssi.hex").read_text().splitlines()
    found = (re.match(rf"{direction}> ([0-9A-F ]+?) *\|", line) for line in lines)
    return [bytes.fromhex(match[1]) for match in found if match]


@BOTH
def test_every_published_packet_is_built_to_the_byte(source: Source) -> None:
    every = sample(source, "D") + sample(source, "H")
    assert len(every) == 15
    for raw in every:
        assert packet(raw[1], raw[4:-2], source=raw[2], status=raw[3]) == raw


@pytest.mark.parametrize(("source", "unknown"), [("simulated", "0X0"), ("real", "US")])
def test_the_recorded_scanner_is_understood(source: Source, unknown: str) -> None:
    assert bodies(*sample(source, "D"), settings=SUIT_NUMBER) == [
        CommandReply("ok"),
        CommandReply("ok"),
        CommandReply("ok"),
        CardUnread(f"no card has the code {unknown!r}"),
        RejectReason.UNSUPPORTED,
        CardDrawn(QD),
        CardDrawn(QD),
    ]


@BOTH
def test_the_hosts_own_packets_come_back_as_noise_and_are_not_answered(source: Source) -> None:
    for raw in sample(source, "H"):
        assert {(one.body, one.reply) for one in decode(raw)} == {(RejectReason.NOISE, None)}


@BOTH
@pytest.mark.parametrize(
    ("name", "line"),
    [
        ("flush", "04 D2 04 00 FF 26"),
        ("enable", "04 E9 04 08 FF 07"),
        ("start", "04 E4 04 00 FF 14"),
        ("stop", "04 E5 04 00 FF 13"),
    ],
)
def test_a_command_is_the_one_seen_on_the_line(source: Source, name: str, line: str) -> None:
    assert bytes.fromhex(line) in sample(source, "H")
    assert next(one.data for one in DEVICE.commands if one.name == name) == bytes.fromhex(line)


def test_to_configure_is_what_was_seen_but_for_labels_that_change_settings() -> None:
    seen = bytes.fromhex("FF EE 01 9F 01 EC 01 8A 07 F0 00 00")
    ours = packet(0xC6, seen.replace(b"\xec\x01", b"\xec\x00"), source=HOST, status=PERMANENT)
    assert next(one.data for one in DEVICE.commands if one.name == "configure") == ours


def test_the_check_value_is_the_twos_complement_of_the_sum() -> None:
    assert sum16_negated(b"") == 0
    assert sum16_negated(D12[:-2]) == 0xFE5B


# --- what a label says --------------------------------------------------------------------


@pytest.mark.parametrize("card", DECK, ids=str)
def test_a_card_of_the_deck_is_read(card: object) -> None:
    assert bodies(label(str(card).encode())) == [CardDrawn(card)]  # type: ignore[arg-type] # a card of the deck


def test_the_suffix_and_the_aim_identifier_are_no_part_of_the_label() -> None:
    assert bodies(label(b"KD\r\n"), label(b"]C0KD")) == [CardDrawn(KD)] * 2


def test_a_label_in_a_foreign_symbology_is_never_a_card() -> None:
    assert bodies(label(b"4006381333931", EAN_13), label(b"KD", QR)) == [
        RejectReason.UNSUPPORTED,
        RejectReason.UNSUPPORTED,
    ]


def test_the_site_says_in_which_symbologies_its_cards_are_printed() -> None:
    allowed: tuple[Symbology, ...] = ("code_39", "qr")
    settings = ZebraSsiSettings(symbologies=allowed)
    assert bodies(label(b"KD", QR), label(b"KD", b"\x01"), label(b"KD"), settings=settings) == [
        CardDrawn(KD),
        CardDrawn(KD),
        RejectReason.UNSUPPORTED,
    ]


def test_no_read_and_the_cut_card_are_tokens() -> None:
    assert bodies(label(b"NR"), label(b"NR", b"\x00"), label(b"CUT"), label(b"CUT", QR)) == [
        CardUnread("no read"),
        CardUnread("no read"),
        CutCardSeen(),
        RejectReason.UNSUPPORTED,
    ]


def test_a_code_that_no_card_has_is_a_card_that_nobody_knows() -> None:
    assert bodies(label(b"ZZ"), label(b"")) == [
        CardUnread("no card has the code 'ZZ'"),
        CardUnread("no card has the code ''"),
    ]


def test_a_map_that_lacks_a_card_is_refused_with_the_settings() -> None:
    short = tuple((f"#{card}", str(card)) for card in DECK[:-1])
    with pytest.raises(ValueError, match="no code for KC"):
        ZebraSsiSettings(card_map=short)
    with pytest.raises(ValueError, match="no symbology is allowed"):
        ZebraSsiSettings(symbologies=())


def test_what_the_scanner_answers_is_told_and_an_unknown_packet_is_not_guessed() -> None:
    assert bodies(
        packet(0xD0),
        packet(0xD1, b"\x06"),
        packet(0xA4, b"PAASAM00\x01"),
        packet(0xC6, b"\xff\xee\x01"),
        packet(0xD4, b"\x01"),
        packet(0x99, b"KD"),
        packet(0xF3),
        packet(0xD1),
    ) == [
        CommandReply("ok"),
        CommandReply("refused", value="06"),
        DeviceIdentity("PAASAM00\\x01"),
        CommandReply("value", "parameters", "ffee01"),
        CommandReply("value", "capabilities", "01"),
        RejectReason.UNSUPPORTED,
        RejectReason.LENGTH,
        RejectReason.LENGTH,
    ]


# --- what is answered ---------------------------------------------------------------------


@pytest.mark.parametrize(
    ("raw", "reply"),
    [
        (label(b"KD"), ACK),
        (label(b"KD", QR), ACK),
        (packet(0xF6, b"\x01"), ACK),
        (packet(0xA4, b"R00"), ACK),
        (packet(0x99), NAK_BAD_CONTEXT),
        (label(b"JD").replace(b"JD", b"KD") + b"\0", NAK_RESEND),
        (packet(0xD0), None),
        (packet(0xD1, b"\x01"), None),
        (b"\x00", None),
        (label(b"KD")[:-1], None),
    ],
)
def test_every_packet_but_an_answer_is_answered(raw: bytes, reply: bytes | None) -> None:
    assert [one.reply for one in decode(raw)][:1] == [reply]


def test_a_site_without_the_handshake_answers_nothing() -> None:
    quiet = ZebraSsiSettings(acknowledge=False)
    for raw in (label(b"KD"), label(b"JD").replace(b"JD", b"KD"), packet(0x99)):
        assert {one.reply for one in decode(raw, settings=quiet)} == {None}


def test_a_packet_sent_again_says_which_it_repeats_and_is_answered_again() -> None:
    first, again = decode(D12, D12_AGAIN, settings=SUIT_NUMBER)
    assert (first.repeats, again.repeats) == (None, D12)
    assert first.reply == again.reply == ACK
    assert first.body == again.body


# --- damage -------------------------------------------------------------------------------


def test_a_damaged_packet_costs_only_itself() -> None:
    hurt = label(b"KD").replace(b"KD", b"KC")
    assert bodies(hurt + label(b"KD")) == [RejectReason.CHECKSUM, CardDrawn(KD)]


def test_behind_half_a_packet_the_next_is_found_after_the_gap() -> None:
    decoder = DEVICE.decoder(ZebraSsiSettings())
    torn = b"\xff\xf3\x00\x00\x03"
    assert decoder.feed(START, torn + label(b"KD")) == []
    assert decoder.wake_at == START.after(0.5)
    assert [one.body for one in decoder.tick(START.after(0.5))] == [
        RejectReason.LENGTH,
        CardDrawn(KD),
    ]
    assert decoder.pending == b""
    assert decoder.wake_at is None


def test_a_packet_inside_a_labels_data_is_not_taken_for_one() -> None:
    inside = label(b"see " + label(b"KD") + b" there", QR)
    assert bodies(inside) == [RejectReason.UNSUPPORTED]
    assert bodies(*(bytes([byte]) for byte in inside)) == [RejectReason.UNSUPPORTED]


# --- symbols of several packets -----------------------------------------------------------


MORE = label(b"x" * 250, status=2)


def test_the_last_part_of_a_long_symbol_is_no_card() -> None:
    decoded = decode(MORE, label(b"KD"), label(b"KD", status=1), label(b"KD"))
    assert [one.body for one in decoded] == [*[RejectReason.UNSUPPORTED] * 3, CardDrawn(KD)]
    assert {one.reply for one in decoded} == {ACK}


def test_another_symbology_or_a_long_wait_is_another_scan() -> None:
    assert bodies(label(b"x" * 250, QR, status=2), label(b"KD"))[1] == CardDrawn(KD)
    decoder = DEVICE.decoder(ZebraSsiSettings())
    decoder.feed(START, MORE)
    assert decoder.feed(START.after(5.1), label(b"KD"))[0].body == CardDrawn(KD)


# --- at a table ---------------------------------------------------------------------------


def dealt(name: str) -> list[str]:
    game = games()["baccarat"]
    setup = setup_of(one_table(game.key, game.default_profile, DEVICE.key))
    shown: list[dict[str, dict[str, str]]] = []
    table = OfflineReplay(
        setup, DEVICE, DEVICE.settings(), lambda blob: shown.append(json.loads(blob))
    )
    table.run(read_capture(GOLDEN / f"{name}.capture"))
    return [
        one["data"]["rank"] + one["data"]["suit"]
        for one in shown
        if str(one["type"]) == "pitwire.card.dealt.v1"
    ]


def test_a_card_that_comes_again_is_one_card_and_an_equal_one_after_it_another() -> None:
    assert dealt("acknowledgement_lost") == ["8S", "5D", "5D", "KC"]


def test_a_card_whose_first_copy_was_damaged_counts() -> None:
    assert dealt("damaged_packet") == ["8S", "5D", "KC", "TH"]


def test_foreign_and_long_symbols_deal_nothing() -> None:
    assert dealt("foreign_and_long_symbols") == ["8S", "5D"]
