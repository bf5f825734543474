"""A device described by a profile: what its lines say, and what a description must be."""

from __future__ import annotations

from dataclasses import replace

import pytest
from laws.described import ASTERISK, BINARY, POLLED, UNCHECKED

from protocols.cards import DECK, Card
from protocols.device import Decoded
from protocols.instant import Instant
from protocols.readings import (
    CardDrawn,
    CardUnread,
    CutCardSeen,
    Reading,
    ShoeErrorCleared,
    ShoeErrorRaised,
    ShoeStandby,
    ShoeStarted,
)
from protocols.rejects import RejectReason
from protocols.shoes.line_profile import DEVICE, LineProfileSettings
from protocols.shoes.line_profile.example import EXAMPLE
from protocols.shoes.line_profile.layout import FrameFormat
from protocols.shoes.line_profile.profile import (
    Check,
    Frame,
    LineProfile,
    Message,
)
from protocols.simulator import Cue, DrawCard, DrawCutCard, Fault, PowerOn, SpinBall, StateResult

AT = Instant("boot", 0)
KING = Card("K", "D")
CARD = Message("card", "{card}")


def decode(profile: LineProfile, *chunks: bytes) -> list[Decoded]:
    decoder = DEVICE.decoder(LineProfileSettings(profile))
    decoded = [one for chunk in chunks for one in decoder.feed(AT, chunk)]
    assert b"".join(one.raw for one in decoded) + decoder.pending == b"".join(chunks)
    return decoded


def bodies(profile: LineProfile, *chunks: bytes) -> list[Reading | RejectReason]:
    return [one.body for one in decode(profile, *chunks)]


# --- the made-up shoe, by the bytes of its description -----------------------------------

SAID: list[tuple[bytes, str, Reading]] = [
    # XOR of "C2P1KD" and 03, by hand: 43^32=71, ^50=21, ^31=10, ^4B=5B, ^44=1F, ^03=1C
    (b"\x02C2P1KD\x031C", "2", CardDrawn(KING, "player", 1)),
    (b"\x02C3B2TH\x031F", "3", CardDrawn(Card("T", "H"), "banker", 2)),
    (b"\x02C1X19D\x0365", "1", CardDrawn(Card("9", "D"), "burn", 1)),
    (b"\x02N4\x0379", "4", CardUnread("the device could not read the card")),
    (b"\x02K8\x0370", "8", CutCardSeen()),
    (b"\x02E601\x0371", "6", ShoeErrorRaised(101, "the lid is open", blocking=True)),
    (b"\x02F602\x0371", "6", ShoeErrorCleared(102, "a card is jammed")),
    (b"\x02E699\x0370", "6", ShoeErrorRaised(199, "error 99", blocking=True)),
    (b"\x02S1\x0361", "1", ShoeStarted()),
    (b"\x02A7\x0375", "7", ShoeStandby()),
]


@pytest.mark.parametrize(("data", "number", "body"), SAID, ids=lambda one: str(one)[:24])
def test_a_frame_says_what_its_description_says(data: bytes, number: str, body: Reading) -> None:
    (one,) = decode(EXAMPLE, data)
    assert (one.raw, one.body, one.sequence, one.reply) == (data, body, number, b"\x06")


def frame(line: bytes) -> bytes:
    return FrameFormat(EXAMPLE).build(line)


def test_a_card_that_cannot_be_placed_is_a_card_that_nobody_knows() -> None:
    lines = (b"C2P1XX", b"C2Q1KD", b"C2P0KD", b"C2PaKD")
    found = bodies(EXAMPLE, *map(frame, lines))
    assert [one.reason for one in found if isinstance(one, CardUnread)] == [
        "no card has the code 'XX'",
        "KD went to a hand that is not described: 'Q'",
        "KD went to no place that can be: '0'",
        "KD went to no place that can be: 'a'",
    ]


def test_what_is_whole_and_not_described_is_shown_raw_and_answered() -> None:
    (one,) = decode(EXAMPLE, frame(b"Z5hello"))
    assert (one.body, one.reply) == (RejectReason.UNSUPPORTED, b"\x06")
    (one,) = decode(EXAMPLE, frame(b"K0"))  # the numbers run from 1 to 9
    assert (one.body, one.reply) == (RejectReason.VALUE, b"\x06")
    (one,) = decode(EXAMPLE, frame(b"K1\x80"))
    assert one.body is RejectReason.MALFORMED


def test_a_wrong_check_value_is_answered_with_a_refusal_and_costs_its_frame_alone() -> None:
    found = decode(EXAMPLE, b"\x02C2P1KD\x031D" + SAID[1][0])
    assert [(one.raw, one.body, one.reply) for one in found] == [
        (b"\x02C2P1KD\x031D", RejectReason.CHECKSUM, b"\x15"),
        (SAID[1][0], SAID[1][2], b"\x06"),
    ]


def test_a_frame_that_lost_its_check_value_leaves_the_next_one_whole() -> None:
    found = bodies(EXAMPLE, b"\x02C2P1KD\x03" + SAID[1][0])
    assert found == [RejectReason.CHECKSUM, SAID[1][2]]


def test_a_frame_too_long_is_not_held_for_its_check_value() -> None:
    decoder = DEVICE.decoder(LineProfileSettings(EXAMPLE))
    (one,) = decoder.feed(AT, b"\x02" + b"C" * 20 + b"\x03")
    assert (one.body, decoder.pending) == (RejectReason.LENGTH, b"")


# --- other shapes ------------------------------------------------------------------------


def test_fixed_length_in_bytes() -> None:
    # CRC-16/MODBUS of AA 55 01 8C 00, low byte first.
    whole = b"\xaa\x55\x01\x8c\x00" + bytes.fromhex("18D4")
    assert FrameFormat(BINARY).build(b"\x01\x8c\x00") == whole
    assert bodies(BINARY, whole) == [CardDrawn(DECK[0x0C])]
    assert bodies(BINARY, b"\xaa\x55\x01" + whole) == [RejectReason.CHECKSUM, CardDrawn(DECK[12])]
    assert bodies(BINARY, FrameFormat(BINARY).build(b"\x01\xff\x00")) == [CutCardSeen()]
    assert bodies(BINARY, FrameFormat(BINARY).build(b"\x03\x07\x00")) == [
        ShoeErrorRaised(100, "error \\x07", blocking=True)
    ]


def test_lines_without_a_check_value() -> None:
    data = b"CARD;D12;9\r\nALIVE;1\r\nCARD;??;9\r\nCARD;CUT;9\r\nCARD;D14;9\r\nHELLO\r\n"
    assert bodies(UNCHECKED, data) == [
        CardDrawn(Card("Q", "D")),
        ShoeStandby(),
        CardUnread("no read"),
        CutCardSeen(),
        CardUnread("no card has the code 'D14'"),
        RejectReason.UNSUPPORTED,
    ]


def test_two_lines_glued_together_are_neither() -> None:
    assert bodies(UNCHECKED, b"CARD;A01;CARD;D08;0\r\n") == [RejectReason.UNSUPPORTED]


def test_a_check_value_behind_a_mark_with_a_number_of_three_digits() -> None:
    # The sum of "007,KD": 30+30+37+2C+4B+44 = 152.
    (one,) = decode(ASTERISK, b"$007,KD*52\r\n")
    assert (one.body, one.sequence) == (CardDrawn(KING), "007")
    assert bodies(ASTERISK, b"$007,KD*51\r\n$007,KD52\r\n$007,KD\r\n") == [RejectReason.CHECKSUM]


@pytest.mark.parametrize(
    ("check", "tail"),
    [
        (Check("xor"), b"0F"),  # 4B ^ 44
        (Check("xor", first="start"), b"35"),  # and the 3A of the start mark
        (Check("sum8", encoding="hex_lower"), b"8f"),
        (Check("lrc"), b"71"),
        (Check("crc16_ccitt"), b"C479"),
        (Check("crc16_ccitt", order="low_first"), b"79C4"),
    ],
)
def test_a_check_value_covers_and_is_written_as_described(check: Check, tail: bytes) -> None:
    profile = LineProfile("", "", Frame(start=":"), (CARD,), check=check)
    assert FrameFormat(profile).build(b"KD") == b":KD" + tail + b"\r\n"
    assert bodies(profile, b":KD" + tail + b"\r\n") == [CardDrawn(KING)]


# --- asking ------------------------------------------------------------------------------


def test_a_device_that_is_polled_is_asked_again_and_again_and_silence_is_told() -> None:
    decoder = DEVICE.decoder(LineProfileSettings(POLLED))
    (first,) = decoder.tick(AT)
    assert (first.raw, first.body, first.reply) == (b"", RejectReason.ASKED, b"\x05")
    assert decoder.wake_at == AT.after(0.5)
    assert decoder.tick(AT.after(0.4)) == []
    (card,) = decoder.feed(AT.after(0.1), FrameFormat(POLLED).build(b"CKD"))
    assert (card.body, card.reply) == (CardDrawn(KING), b"\x06")
    assert [one.body for one in decoder.tick(AT.after(0.5))] == [RejectReason.ASKED]
    assert [one.body for one in decoder.tick(AT.after(1.0))] == [RejectReason.SILENCE]
    assert DEVICE.under(LineProfileSettings(POLLED)).writes == "poll"


def test_half_a_frame_of_a_polled_device_ends_by_quiet_too() -> None:
    decoder = DEVICE.decoder(LineProfileSettings(POLLED))
    decoder.tick(AT)
    decoder.feed(AT.after(0.1), b"\x02CK")
    assert decoder.wake_at == AT.after(0.3)
    assert [one.body for one in decoder.tick(AT.after(0.3))] == [RejectReason.LENGTH]
    assert decoder.wake_at == AT.after(0.5)


# --- what the description makes of the device --------------------------------------------


def test_the_facts_of_the_device_are_those_of_its_description() -> None:
    spec = DEVICE.under(LineProfileSettings(EXAMPLE))
    assert (spec.title, spec.writes, spec.silence_s) == (EXAMPLE.title, "handshake", 12.0)
    assert spec.sequence is not None
    assert list(spec.sequence.digits) == list("123456789")
    assert spec.sequence.wraps_to == {"1"}
    assert (spec.framing.self_starting, spec.framing.checksum) == (True, "xor")
    plain = DEVICE.under(LineProfileSettings(UNCHECKED))
    assert (plain.sequence, plain.writes, plain.reread_within_s) == (None, "none", 0.08)
    assert (plain.framing.self_starting, plain.framing.checksum) == (False, "none")
    assert DEVICE.under(LineProfileSettings(BINARY)).framing.checksum == "crc16"
    assert DEVICE.under(LineProfileSettings(POLLED)).framing.checksum == "sum"


def unprotected(profile: LineProfile) -> str:
    return "\n".join(DEVICE.under(LineProfileSettings(profile)).notes)


def test_it_is_said_what_the_description_leaves_unprotected() -> None:
    said = unprotected(LineProfile("", "", Frame(), (CARD,)))
    for words in (
        "No check value",
        "No number",
        "read twice is two cards",
        "No start mark",
        "No sign of life",
        "card that was not read",
        "the cut card",
    ):
        assert words in said
    assert unprotected(EXAMPLE).count("\n") == 1  # the manual may be wrong, and the XOR is blind
    assert "XOR" in unprotected(EXAMPLE)
    assert "sent again" in unprotected(POLLED)
    one_hand = replace(EXAMPLE, hands={"P": "player"})
    assert "No word for the banker's hand" in unprotected(one_hand)
    assert "counted off" in unprotected(
        LineProfile("", "", Frame(end="", length=2), (Message("card", "{card:2}"),))
    )


# --- the simulator -----------------------------------------------------------------------


def said(profile: LineProfile, *cues: Cue) -> list[bytes]:
    device = DEVICE.simulator(LineProfileSettings(profile))
    for one in cues:
        device.cue(AT, one)
    return list(device.speak(AT.after(1)))


def test_the_simulator_speaks_as_described() -> None:
    assert said(EXAMPLE, PowerOn(), DrawCard(KING, "player", 1)) == [SAID[8][0], SAID[0][0]]
    assert said(UNCHECKED, DrawCard(KING), DrawCutCard()) == [b"CARD;D13;0\r\n", b"CARD;CUT;0\r\n"]
    assert said(UNCHECKED, Fault("no_read")) == [b"CARD;??;0\r\n"]
    assert said(ASTERISK, DrawCard(KING)) == [FrameFormat(ASTERISK).build(b"000,KD")]


def test_it_lives_in_half_of_its_longest_silence() -> None:
    device = DEVICE.simulator(LineProfileSettings(EXAMPLE))
    device.cue(AT, PowerOn())
    assert device.speak(AT.after(1)) == [SAID[8][0]]
    assert device.wake_at == AT.after(6)
    device.speak(AT.after(6))
    assert device.speak(AT.after(6.1)) == [frame(b"A2")]


def test_it_says_again_what_was_refused() -> None:
    device = DEVICE.simulator(LineProfileSettings(EXAMPLE))
    device.cue(AT, DrawCard(KING, "player", 1))
    (first,) = device.speak(AT.after(1))
    device.hear(AT.after(1), b"\x06")
    assert device.speak(AT.after(2)) == []
    device.hear(AT.after(2), b"\x15")
    assert device.speak(AT.after(3)) == [first]


def test_polled_it_speaks_when_it_is_asked() -> None:
    device = DEVICE.simulator(LineProfileSettings(POLLED))
    device.cue(AT, DrawCard(KING))
    assert device.speak(AT.after(1)) == []
    device.hear(AT.after(1), b"\x05")
    assert device.speak(AT.after(2)) == [FrameFormat(POLLED).build(b"CKD")]
    device.hear(AT.after(2), b"\x05")
    assert device.speak(AT.after(3)) == [FrameFormat(POLLED).build(b"-")]


@pytest.mark.parametrize(
    ("profile", "cue"),
    [
        (EXAMPLE, StateResult("player")),
        (EXAMPLE, SpinBall("17")),
        (EXAMPLE, DrawCard(KING, "burn_indicator")),
        (EXAMPLE, Fault("no such fault")),
        (EXAMPLE, Fault("warning")),
        (POLLED, DrawCutCard()),
    ],
)
def test_it_refuses_what_it_has_no_words_for(profile: LineProfile, cue: Cue) -> None:
    device = DEVICE.simulator(LineProfileSettings(profile))
    with pytest.raises(ValueError, match=r"cards and nothing else|no word|fault"):
        device.cue(AT, cue)
    assert device.wake_at is None
