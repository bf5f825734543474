"""Faults of serial scanners and line shoes, by their numbers in the catalogue of faults.

What a decoder can do about each: say nothing, or say that a card was there which nobody knows; and
be ready for the next one. What a table does about them: tests/daemon/gamekit/test_shoe_faults.py.
"""

from __future__ import annotations

import pytest
from laws.described import ASTERISK, BINARY, POLLED, UNCHECKED

from protocols.cards import Card
from protocols.catalog import devices
from protocols.device import Decoded, Decoder
from protocols.instant import Instant
from protocols.readings import CardDrawn, CardUnread, Reading
from protocols.rejects import RejectReason
from protocols.shoes import barcode_lines, beetek, feig_obid, line_profile
from protocols.shoes.barcode_lines import BarcodeLinesSettings
from protocols.shoes.feig_obid import layout as feig_layout
from protocols.shoes.line_profile import LineProfileSettings
from protocols.shoes.line_profile.example import EXAMPLE
from protocols.shoes.line_profile.layout import FrameFormat
from protocols.shoes.line_profile.profile import LineProfile

AT = Instant("boot", 0)
KING, EIGHT = CardDrawn(Card("K", "D")), CardDrawn(Card("8", "S"))
GOOD = b"KD\r\n"
FRAMES: dict[str, tuple[LineProfile, bytes, CardDrawn]] = {
    "xor": (EXAMPLE, b"C2P1KD", CardDrawn(Card("K", "D"), "player", 1)),
    "crc16": (BINARY, b"\x01\xb3\x00", CardDrawn(Card("K", "C"))),
    "sum": (ASTERISK, b"007,KD", KING),
    "lrc": (POLLED, b"CKD", KING),
}
each_checked = pytest.mark.parametrize(("profile", "line", "card"), FRAMES.values(), ids=FRAMES)


def scanner(**settings: object) -> Decoder:
    chosen = BarcodeLinesSettings(**settings)  # type: ignore[arg-type] # as a table of settings
    return barcode_lines.DEVICE.decoder(chosen)


def described(profile: LineProfile) -> Decoder:
    return line_profile.DEVICE.decoder(LineProfileSettings(profile))


def bodies(decoded: list[Decoded]) -> list[Reading | RejectReason]:
    return [one.body for one in decoded]


def hear(decoder: Decoder, *chunks: bytes, at: Instant = AT) -> list[Reading | RejectReason]:
    return [one.body for chunk in chunks for one in decoder.feed(at, chunk)]


def cards(said: list[Reading | RejectReason]) -> list[CardDrawn]:
    return [one for one in said if isinstance(one, CardDrawn)]


def test_fault_06_a_card_turned_round_is_no_read_and_no_guess() -> None:
    assert hear(scanner(), b"NR\r\n", b"DK\r\n") == [
        CardUnread("no read"),
        CardUnread("no card has the code 'DK'"),
    ]


def test_fault_26_a_product_a_badge_and_a_setup_label_are_no_cards() -> None:
    said = hear(scanner(aim="required"), b"]E04006381333931\r\n", b"]A0KD\r\n", b"]C3%%SETUP\r\n")
    assert said == [
        RejectReason.UNSUPPORTED,
        RejectReason.UNSUPPORTED,
        CardUnread("no card has the code '%%SETUP'"),
    ]


def test_fault_26_a_scanner_that_changed_its_suffix_is_not_understood() -> None:
    decoder = scanner()
    said: list[Reading | RejectReason] = []
    for second in range(30):
        said += bodies(list(decoder.feed(AT.after(second), b"KD\t")))
    assert said == [RejectReason.LENGTH] * 29  # the daemon calls a device garbled after 20


def test_fault_29_two_streams_on_one_line_are_no_card() -> None:
    assert cards(hear(scanner(), b"K8DS\r\r\n\n")) == []


def test_fault_29_a_label_that_pauses_in_the_middle_is_discarded() -> None:
    decoder = scanner()
    assert hear(decoder, b"K") == []
    said = hear(decoder, b"D\r\n", at=AT.after(0.6))
    assert said == [RejectReason.LENGTH, CardUnread("no card has the code 'D'")]


def test_fault_31_a_missing_terminator_costs_two_labels_and_makes_none() -> None:
    assert cards(hear(scanner(), b"KD8S\r\n", GOOD)) == [KING]


def test_fault_31_a_lost_character_shifts_counted_labels_no_further_than_the_next_quiet() -> None:
    decoder = scanner(terminator="", length=4, scheme="filler_suit_rank", no_read=(), cut_card=())
    assert cards(hear(decoder, b"1DK")) == []
    assert cards(hear(decoder, b"01DK", at=AT.after(1))) == [KING]


def test_fault_32_doubled_characters_are_never_made_single() -> None:
    assert cards(hear(scanner(), b"KKDD\r\r\n\n")) == []
    assert hear(scanner(), b"KKDD\r\n") == [CardUnread("no card has the code 'KKDD'")]


@pytest.mark.parametrize("garbage", [b"\x00\xff\xff", b"Scanner 1.04 ready\r\n", b"\r\n\r\n"])
def test_fault_33_a_banner_or_noise_at_power_up_is_no_card_and_costs_none(garbage: bytes) -> None:
    for decoder, frame, card in (
        (scanner(), GOOD, KING),
        (described(UNCHECKED), b"CARD;D13;1\r\n", KING),
        (described(EXAMPLE), FrameFormat(EXAMPLE).build(b"C2P1KD"), FRAMES["xor"][2]),
    ):
        assert cards(hear(decoder, garbage)) == []
        assert cards(hear(decoder, frame, at=AT.after(1))) == [card]


def test_fault_34_a_nul_spoils_its_label_and_a_break_is_rejected_in_one_piece() -> None:
    assert hear(scanner(), b"K\x00D\r\n", GOOD) == [RejectReason.MALFORMED, KING]
    decoder = scanner()
    assert hear(decoder, bytes(4096)) == [RejectReason.LENGTH]
    assert decoder.pending == b""
    assert cards(hear(decoder, GOOD, at=AT.after(1))) == [KING]


@each_checked
def test_fault_35_no_single_flipped_bit_makes_another_card(
    profile: LineProfile, line: bytes, card: CardDrawn
) -> None:
    whole = FrameFormat(profile).build(line)
    for bit in range(8 * len(whole)):
        hurt = bytearray(whole)
        hurt[bit // 8] ^= 1 << bit % 8
        assert cards(hear(described(profile), bytes(hurt))) in ([], [card])


def test_fault_35_what_an_xor_cannot_see_is_said_beforehand() -> None:
    whole = bytearray(FrameFormat(EXAMPLE).build(b"C2P1KD"))
    whole[5] ^= 0x01  # K to J
    whole[3] ^= 0x01  # P to Q: no hand
    assert cards(hear(described(EXAMPLE), bytes(whole))) == []
    whole[3] ^= 0x01
    whole[4] ^= 0x01  # the first place to the noughth
    assert cards(hear(described(EXAMPLE), bytes(whole))) == []
    whole[4] ^= 0x01
    whole[2] ^= 0x01  # number 2 to 3: this one passes
    assert cards(hear(described(EXAMPLE), bytes(whole))) == [CardDrawn(Card("J", "D"), "player", 1)]
    notes = line_profile.DEVICE.under(LineProfileSettings(EXAMPLE)).notes
    assert any("equal flips in two bytes" in note for note in notes)


@each_checked
def test_fault_36_without_its_check_value_a_frame_is_no_card(
    profile: LineProfile, line: bytes, card: CardDrawn
) -> None:
    how = FrameFormat(profile).delimiting()
    whole = FrameFormat(profile).build(line)
    bare = how.start + line + how.end
    assert cards(hear(described(profile), bare)) == []
    assert cards(hear(described(profile), bare + how.start, at=AT.after(1))) == []
    assert cards(hear(described(profile), whole)) == [card]


def test_b33_garbage_before_each_frame_costs_no_frame() -> None:
    decoder, at = described(BINARY), AT
    whole = FrameFormat(BINARY).build(FRAMES["crc16"][1])
    for _ in range(100):
        assert cards(hear(decoder, b"\x00\x20\x40", at=at)) == []
        at = at.after(0.05)
        assert cards(hear(decoder, whole, at=at)) == [FRAMES["crc16"][2]]


@each_checked
def test_b37_a_byte_of_noise_behind_a_frame_delays_no_card(
    profile: LineProfile, line: bytes, card: CardDrawn
) -> None:
    decoder, whole = described(profile), FrameFormat(profile).build(line)
    noise = 0
    for second in range(10):
        decoded = decoder.feed(AT.after(second), whole + b"\x00")
        said = bodies(list(decoded))
        assert cards(said) == [card]
        noise += sum(len(one.raw) for one in decoded if isinstance(one.body, RejectReason))
    assert noise + len(decoder.pending) == 10


@each_checked
def test_fault_37_a_frame_is_the_same_however_it_is_cut_and_glued(
    profile: LineProfile, line: bytes, card: CardDrawn
) -> None:
    whole = FrameFormat(profile).build(line)
    for cut in range(1, len(whole)):
        assert cards(hear(described(profile), whole[:cut], whole[cut:])) == [card]
    assert cards(hear(described(profile), whole * 3)) == [card] * 3


def test_fault_41_a_frame_sent_again_is_answered_again() -> None:
    decoder, whole = described(EXAMPLE), FrameFormat(EXAMPLE).build(b"C2P1KD")
    assert [one.reply for one in decoder.feed(AT, whole * 2)] == [b"\x06", b"\x06"]


def test_b34_whoever_talks_on_and_on_does_not_put_off_what_is_due() -> None:
    """A reader that answers everything but the question, every 50 ms for a minute."""
    decoder = feig_obid.DEVICE.decoder(feig_obid.FeigObidSettings())
    busy = feig_layout.standard(feig_layout.RF_RESET, b"\x00", address=0)
    (asked,) = decoder.tick(AT)
    at, answers, again = AT, 0, 0
    for _ in range(1200):
        at = at.after(0.05)
        answers += len(decoder.feed(at, busy))
        if decoder.wake_at is not None and at.reached(decoder.wake_at):
            again += sum(one.reply == asked.reply for one in decoder.tick(at))
    assert (answers, again) == (1200, 200)  # every 0.3 s


def test_fault_43_a_question_without_an_answer_is_silence_and_is_asked_again() -> None:
    decoder = described(POLLED)
    asked = [one for step in range(4) for one in decoder.tick(AT.after(step))]
    assert [one.body for one in asked] == [RejectReason.ASKED] + [RejectReason.SILENCE] * 3
    assert {one.reply for one in asked} == {b"\x05"}


def test_fault_42_nothing_is_sent_to_a_shoe_by_itself_that_changes_it() -> None:
    """So nothing is locked and unlocked in a loop, whatever it answers."""
    shoes = [one for one in devices().values() if one.kind == "shoe"]
    assert {one.writes for one in shoes} <= {"none", "handshake", "poll"}
    for spec in shoes:
        changing = {one.data for one in spec.commands if one.changes_device}
        decoder = spec.decoder(spec.settings())
        asked = decoder.tick(AT) if spec.writes == "poll" else []
        assert changing.isdisjoint(one.reply for one in asked)


@pytest.mark.parametrize("key", ["barcode_lines", "line_profile", "beetek"])
def test_fault_45_the_bytes_of_a_wrong_speed_are_rejected_and_nothing_else(key: str) -> None:
    devices = {one.DEVICE.key: one.DEVICE for one in (barcode_lines, line_profile, beetek)}
    decoder = devices[key].decoder(devices[key].settings())
    said = hear(decoder, *[b"\x00\x80\xe0\xf8\xfe\xe0" * 20] * 20)
    assert said
    assert all(isinstance(one, RejectReason) for one in said)
