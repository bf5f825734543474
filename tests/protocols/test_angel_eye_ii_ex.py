"""The Angel Eye II-EX: the sample telegrams, what is rejected and why, and the check rules."""

import re
from collections.abc import Iterator

import pytest
from support.notation import drawn
from support.recordings import BOTH, Source, recording

from protocols.cards import DECK
from protocols.device import Decoded
from protocols.instant import Instant
from protocols.readings import (
    BurnCountStated,
    CardDrawn,
    CardOutOfGame,
    CardReassigned,
    CommandReply,
    CutCardSeen,
    Reading,
    SettingChanged,
    ShoeErrorCleared,
    ShoeErrorRaised,
    ShoeLock,
    ShoeResult,
    ShoeStandby,
    ShoeStarted,
)
from protocols.rejects import RejectReason
from protocols.shoes.angel_eye_ii_ex import DEVICE
from protocols.shoes.angel_eye_ii_ex.commands import host_commands
from protocols.shoes.angel_eye_ii_ex.decoder import AngelEyeDecoder
from protocols.shoes.angel_eye_ii_ex.layout import (
    AngelEyeSettings,
    bcc,
    command,
    report,
    sequence_rule,
)

START = Instant("boot", 1_000_000_000)
P1_8S = report("1", "D", b"\x81\xb8")
EVERY_KIND = (
    report("1", "S"),
    report("2", "P"),
    report("3", "D", b"\xc0\xc7"),
    report("4", "D", b"\xd7\x80"),
    report("5", "d", b"\x91\xb4"),
    report("6", "R", b"\x81\x99"),
    report("7", "G", b"\xc0"),
    report("8", "C"),
    report("9", "E", b"\xc1"),
    report("1", "e", b"\x81"),
    report("2", "L", b"\x81"),
    report("3", "M", b"100030"),
    b"\x06",
    b"\x15\x02",
    b"\x15\xff",
    b"\x020030\x03" + bcc(b"0030\x03"),
)


def decoder(settings: AngelEyeSettings | None = None) -> AngelEyeDecoder:
    return AngelEyeDecoder(acknowledge=(settings or AngelEyeSettings()).acknowledge)


def decode(*chunks: bytes) -> list[Decoded]:
    one = decoder()
    decoded = [said for chunk in chunks for said in one.feed(START, chunk)]
    decoded += one.tick(START.after(DEVICE.framing.silence_s))
    assert b"".join(said.raw for said in decoded) + one.pending == b"".join(chunks)
    return decoded


def bodies(*chunks: bytes) -> list[Reading | RejectReason]:
    return [said.body for said in decode(*chunks)]


def card_of(code: str) -> CardDrawn:
    return drawn(f"{code}>player.1")


def error(code: int, *, blocking: bool = True) -> ShoeErrorRaised:
    meanings = {
        1: "cannot read the card",
        2: "overdraw: too many cards",
        3: "button mishandled",
        4: "reverse run at the exit",
        5: "reverse run midway",
        6: "card code error",
        7: "drawing time-out",
    }
    return ShoeErrorRaised(code, meanings[code], blocking)


NINE_D, FOUR_S = card_of("9D").card, card_of("4S").card
EXPECTED: list[list[Reading | RejectReason]] = [
    [ShoeStarted()],
    [ShoeStandby()],
    [drawn("7H>burn_indicator")],
    [BurnCountStated(7)],
    [drawn("3C>burn.1")],
    [drawn("8S>player.1")],
    [drawn("5C>banker.1")],
    [drawn("KD>player.2")],
    [drawn("2H>banker.2")],
    [drawn("TS>player.3")],
    [drawn("AC>banker.3")],
    [ShoeResult("player", player_pair=True, banker_pair=False)],
    [ShoeResult("tie", player_pair=False, banker_pair=True)],
    [ShoeResult("banker", player_pair=False, banker_pair=False)],
    [ShoeResult("aborted", player_pair=False, banker_pair=False)],
    [CutCardSeen()],
    [error(1)],
    [error(2)],
    [error(3)],
    [error(4)],
    [error(5)],
    [error(6)],
    [error(7)],
    [error(1, blocking=False)],
    [ShoeErrorCleared(2, "overdraw: too many cards")],
    [CardReassigned(NINE_D, "player", 1)],
    [ShoeLock(locked=True)],
    [ShoeLock(locked=False)],
    [CardOutOfGame(FOUR_S, "locked")],
    [CardOutOfGame(FOUR_S, "error")],
    [SettingChanged("10", "0030")],
    [CommandReply("ok")],
    [CommandReply("refused", value="01")],
    [CommandReply("refused", value="02")],
    [CommandReply("refused", value="03")],
    [CommandReply("refused", value="11")],
    [CommandReply("refused", value="12")],
    [CommandReply("refused", value="13")],
    [CommandReply("refused", value="14")],
    [CommandReply("busy", value="21")],
    [CommandReply("busy", value="22")],
    [CommandReply("refused", value="FF")],
    [RejectReason.CHECKSUM],
    [RejectReason.CHECKSUM],
    [RejectReason.VALUE],
    [RejectReason.MALFORMED],
    [RejectReason.MALFORMED],
    [RejectReason.LENGTH],
    [RejectReason.NOISE, ShoeStandby()],
    [RejectReason.MALFORMED],
]
"""What the sample telegrams of the shoe say, in their order; simulated and published alike."""


def sample_lines(source: Source) -> Iterator[tuple[str, str]]:
    for line in recording(source, "shoe", "angel_eye_ii_ex.hex").read_text().splitlines():
        if line and not line.startswith("#"):
            sample, _, note = line.partition("|")
            yield sample.strip(), note.strip()


@BOTH
def test_every_sample_line_says_what_its_note_says(source: Source) -> None:
    from_host = {one.data for rule in (True, False) for one in host_commands(includes_start=rule)}
    expected = iter(EXPECTED)
    for sample, note in sample_lines(source):
        data = bytes.fromhex(sample)
        if data.startswith(b"\x02"):
            assert data in from_host, note
            assert bodies(data) == [RejectReason.UNSUPPORTED], note
        else:
            assert bodies(data) == next(expected), note
    assert not list(expected)


@BOTH
def test_a_triple_round_is_each_telegram_three_times_with_one_number(source: Source) -> None:
    one, decoded = decoder(), list[Decoded]()
    for line in recording(source, "shoe", "*_triple_tx.txt").read_text().splitlines():
        if match := re.match(r" *(\d+) \| ([0-9A-F ]+) \|", line):
            at = START.after(int(match[1]) / 1000)
            decoded += one.feed(at, bytes.fromhex(match[2]))
            assert decoded[-1].at == at
    expected = [
        drawn("8S>player.1"),
        drawn("5C>banker.1"),
        drawn("KD>player.2"),
        drawn("2H>banker.2"),
        ShoeResult("player", player_pair=False, banker_pair=False),
    ]
    assert [said.body for said in decoded] == [body for body in expected for _ in range(3)]
    assert [said.sequence for said in decoded] == [digit for digit in "12345" for _ in range(3)]


def test_every_cut_of_every_kind_of_frame_gives_the_same_readings() -> None:
    data = b"".join(EVERY_KIND)
    assert bodies(data) == bodies(*(bytes([byte]) for byte in data))
    whole = [body for body in bodies(data) if not isinstance(body, RejectReason)]
    assert len(whole) == len(EVERY_KIND)
    for cut in range(1, len(data)):
        assert bodies(data[:cut], data[cut:]) == whole, cut


def test_all_fifty_two_faces_are_told_apart() -> None:
    faces = {
        said.body.card
        for byte in range(0x80, 0x100)
        for said in decode(report("1", "D", bytes([0x81, byte])))
        if isinstance(said.body, CardDrawn)
    }
    assert faces == set(DECK)


@pytest.mark.parametrize(
    ("code", "data"),
    [
        ("D", "80 B8"), ("D", "84 B8"), ("D", "90 B8"), ("D", "94 B8"),  # player, banker are 1..3
        ("D", "AB B8"), ("D", "B1 B8"), ("D", "E1 B8"),  # burn is up to 10; no targets 3, 6
        ("D", "81 80"), ("D", "81 88"), ("D", "81 D8"), ("D", "81 BE"),  # no suit 0, 5; no rank 14
        ("D", "D0 80"), ("D", "DB 80"), ("R", "A1 B8"), ("R", "D7 80"), ("d", "B0 B8"),
        ("G", "80"), ("G", "94"), ("G", "B0"), ("E", "C0"), ("e", "80"), ("L", "82"),
    ],
)  # fmt: skip
def test_a_field_out_of_range_is_rejected_as_a_value(code: str, data: str) -> None:
    assert bodies(report("1", code, bytes.fromhex(data))) == [RejectReason.VALUE]


@pytest.mark.parametrize(
    ("code", "data"), [("S", "80"), ("D", "81"), ("D", "81 B8 80"), ("G", ""), ("M", "31 30")]
)
def test_every_report_has_one_length(code: str, data: str) -> None:
    assert bodies(report("1", code, bytes.fromhex(data))) == [RejectReason.LENGTH]


def test_an_unknown_code_is_unsupported_and_keeps_its_bytes() -> None:
    (said,) = decode(report("4", "X", b"\x81"))
    assert (said.body, said.raw) == (RejectReason.UNSUPPORTED, report("4", "X", b"\x81"))


@pytest.mark.parametrize("includes_start", [True, False])
def test_a_reply_is_believed_under_either_check_rule(includes_start: bool) -> None:
    covered = b"0030\x03"
    frame = b"\x02" + covered + bcc(b"\x02" + covered if includes_start else covered)
    assert bodies(frame) == [CommandReply("value", value="0030")]


def test_a_report_is_believed_under_one_check_rule_only() -> None:
    assert bodies(P1_8S[:-2] + bcc(P1_8S[:-2])) == [RejectReason.CHECKSUM]


def test_a_start_byte_in_garbage_does_not_swallow_a_frame() -> None:
    garbage = b"\x05\x41\x42\x02\x43"
    assert bodies(garbage + P1_8S) == [RejectReason.LENGTH, drawn("8S>player.1")]
    assert bodies(P1_8S[:-1] + P1_8S) == [RejectReason.LENGTH, drawn("8S>player.1")]


def test_noise_in_one_chunk_is_one_reject() -> None:
    assert bodies(b"\x00\xff\x05\x02\x15\x41\x06\x15\x01" * 1000 + P1_8S) == [
        RejectReason.NOISE,
        drawn("8S>player.1"),
    ]


def test_a_flipped_bit_in_a_card_does_not_become_an_answer() -> None:
    five_of_diamonds = report("1", "D", b"\x81\x95")
    hurt = five_of_diamonds.replace(b"\x95", b"\x15")
    assert hurt[4:6] == b"\x15\x03"  # looks like NAK 03
    assert bodies(hurt) == [RejectReason.LENGTH]


def test_an_answer_after_quiet_is_believed_again() -> None:
    one = decoder()
    assert [said.body for said in one.feed(START, b"\x00\x06")] == [RejectReason.NOISE]
    assert [said.body for said in one.feed(START.after(1.0), b"\x06")] == [CommandReply("ok")]


def test_a_torn_nak_does_not_take_its_code_from_the_next_reply() -> None:
    reply = b"\x02" + b"0030\x03" + bcc(b"0030\x03")
    assert bodies(b"\x15" + reply) == [RejectReason.NOISE, CommandReply("value", value="0030")]
    assert bodies(b"\x15\x02" + P1_8S)[0] == CommandReply("refused", value="02")


def test_a_half_frame_is_given_up_after_the_gap_even_without_a_tick() -> None:
    one = decoder()
    assert one.feed(START, P1_8S[:5]) == []
    assert one.wake_at == START.after(1.0)
    torn, *rest = one.feed(START.after(1.0), P1_8S[5:])
    assert (torn.at, torn.raw, torn.body) == (START, P1_8S[:5], RejectReason.LENGTH)
    assert [said.body for said in rest] == [RejectReason.NOISE]


def test_a_reboot_ends_a_half_frame() -> None:
    one = decoder()
    one.feed(START, P1_8S[:5])
    assert [said.body for said in one.feed(Instant("next", 5), P1_8S)] == [
        RejectReason.LENGTH,
        drawn("8S>player.1"),
    ]


def test_good_reports_are_acknowledged_only_where_the_site_says_so() -> None:
    assert [said.reply for said in decode(P1_8S)] == [None]
    one = decoder(AngelEyeSettings(acknowledge=True))
    hurt = P1_8S[:-1] + b"0"
    said = one.feed(START, P1_8S + hurt + report("2", "X") + b"\x06")
    assert [answer.reply for answer in said] == [b"\x06", None, b"\x06", None]


def test_commands_exist_under_both_check_rules() -> None:
    lock = {rule: command("LK", "02", includes_start=rule)[-2:] for rule in (True, False)}
    assert lock == {True: b"1B", False: b"19"}
    assert [one.data for one in DEVICE.commands] == [
        one.data for one in host_commands(includes_start=True)
    ]
    assert {one.name for one in DEVICE.commands if not one.changes_device} == {"confirm_game"}


def test_the_number_after_nine_is_the_sites_to_say() -> None:
    assert DEVICE.sequence == sequence_rule(AngelEyeSettings())
    assert sequence_rule(AngelEyeSettings()).wraps_to == {"0", "1"}
    assert sequence_rule(AngelEyeSettings(seq_wrap="0-9")).wraps_to == {"0"}
    assert sequence_rule(AngelEyeSettings(seq_wrap="1-9")).digits == "123456789"
