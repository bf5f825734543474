"""The Slingshot 2 decoder: field cases B01 to B71, its words, and every cut."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocols.device import Decoded
from protocols.instant import Instant
from protocols.readings import (
    BallInPocket,
    BallSeen,
    CommandReply,
    DeviceIdentity,
    Reading,
    WheelBonus,
    WheelFault,
    WheelNumber,
    WheelStatus,
)
from protocols.rejects import RejectReason
from protocols.wheels.cammegh_ss2 import DEVICE
from protocols.wheels.cammegh_ss2.commands import COMMANDS, get_parameter, set_parameter
from protocols.wheels.cammegh_ss2.layout import LINE_MAX, CammeghSs2Settings, Pockets
from protocols.wiring import SerialWiring

AT = Instant("boot", 0)
GAME = (
    b"*X;4;012;27;0;149;0\r\n16\n\r*X;5;012;16;0;154;0\r\n*u OK\r\n 6\r\n*T j 6705 3386 26 1\r\n"
    b"*X;2;013;16;A;000;1\r\n*  NO\r\n*X;6;013;16;4;003;0\r\n"
)


def decode(*chunks: bytes, pockets: Pockets = 37) -> list[Decoded]:
    decoder = DEVICE.decoder(CammeghSs2Settings(pockets))
    decoded = [one for chunk in chunks for one in decoder.feed(AT, chunk)]
    assert b"".join(one.raw for one in decoded) + decoder.pending == b"".join(chunks)
    assert len(decoder.pending) <= DEVICE.framing.pending_max
    return decoded


def bodies(*chunks: bytes, pockets: Pockets = 37) -> list[Reading | RejectReason]:
    return [one.body for one in decode(*chunks, pockets=pockets)]


def readings(*chunks: bytes, pockets: Pockets = 37) -> list[Reading]:
    found = bodies(*chunks, pockets=pockets)
    return [body for body in found if not isinstance(body, RejectReason)]


def line(text: str, pockets: Pockets = 37) -> Reading | RejectReason:
    (body,) = bodies(text.encode() + b"\r\n", pockets=pockets)
    return body


# --- field cases -----------------------------------------------------------------------------


def test_b01_one_bad_byte_spoils_the_line() -> None:
    data = bytes.fromhex("2A583B353B3034313BB2393B303B3030303B310D0A")
    assert bodies(data) == [RejectReason.NOISE]


def test_b02_flags_are_a_hex_bit_set() -> None:
    one = line("*X;2;041;19;A;152;0")
    assert isinstance(one, WheelStatus)
    assert one.flags == {"ball_wrong_way", "launch_failed"}
    two = line("*X;3;041;19;5;150;0")
    assert isinstance(two, WheelStatus)
    assert two.flags == {"ball_not_detected", "sensor_or_motor"}
    assert line("*X;3;041;19;1F;150;0") is RejectReason.VALUE
    assert line("*X;3;041;19;G;150;0") is RejectReason.VALUE


@pytest.mark.parametrize("mask", range(16))
def test_05_06_every_flag_digit_parses(mask: int) -> None:
    one = line(f"*X;2;041;19;{mask:X};152;0")
    assert isinstance(one, WheelStatus)
    assert len(one.flags) == mask.bit_count()


def test_b03_a_closed_table_has_flags_or_none_and_no_direction() -> None:
    normal = line("*X;6;000;00;0;000;0", pockets=38)
    assert normal == WheelStatus("closed", 0, "00", frozenset(), 0, None)
    faulty = line("*X;6;041;19;4;000;0")
    assert isinstance(faulty, WheelStatus)
    assert faulty.flags == {"sensor_or_motor"}


def test_b07_a_glued_line_yields_only_what_stands_after_its_last_star() -> None:
    found = bodies(b"*X;4;041;19;0;150;1*X;5;041;27;0;000;1\r\n")
    assert found[0] is RejectReason.LENGTH
    assert isinstance(found[1], WheelStatus)
    assert (found[1].phase, found[1].pocket) == ("winning_number", "27")
    assert readings(b"*X;4;041;19;0;150;1*X;5;041;07;0;000;1\r\n") == []
    assert line("*X;25;041;19;0;150;1") is RejectReason.VALUE


@pytest.mark.parametrize("one", GAME.splitlines(keepends=True))
def test_b09_b38_a_lost_byte_never_gives_another_result(one: bytes) -> None:
    whole = [r for r in readings(GAME) if isinstance(r, WheelNumber | WheelStatus)]
    start = GAME.index(one)
    for lost in range(start, start + len(one)):
        heard = readings(GAME[:lost] + GAME[lost + 1 :])
        for reading in heard:
            if isinstance(reading, WheelNumber | WheelStatus):
                assert reading in whole, (lost, reading)


def test_b09_a_burst_that_ends_in_mid_line_says_nothing() -> None:
    assert decode(b"*X;4;012;27;0;149") == []


def test_b21_the_tail_of_an_older_line_is_a_reject() -> None:
    found = bodies(b"1;07;0;000;1\r\n*X;5;040;33;0;000;1\r\n")
    assert found[0] is RejectReason.MALFORMED
    assert isinstance(found[1], WheelStatus)
    assert found[1].spin == 40


def test_b22_a_greeting_tells_the_version() -> None:
    assert line("*V 2.17") == DeviceIdentity("2.17")


def test_b23_bytes_that_are_no_text_are_one_reject_between_two_readings() -> None:
    good = b"*X;3;041;19;0;150;1\r\n"
    found = bodies(good + bytes.fromhex("FFFE00C2B20D0A") + good)
    assert found[1] is RejectReason.NOISE
    assert found[0] == found[2]
    assert len(found) == 3


def test_b26_a_modem_prober_makes_no_reading() -> None:
    assert bodies(b"AT\r\nAT\r\r\n") == [RejectReason.MALFORMED] * 2


def test_b71_two_lines_in_one_write_are_two_readings_in_order() -> None:
    found = readings(b"*X;3;041;19;0;150;1\r\n*X;4;041;19;0;149;1\r\n" * 150)
    assert [r.phase for r in found if isinstance(r, WheelStatus)] == [
        "ball_in_rim",
        "no_more_bets",
    ] * 150


# --- the words -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "reading"),
    [
        (" 6", WheelNumber("6")),
        (" 0", WheelNumber("0")),
        ("17", WheelNumber("17")),
        ("00", WheelNumber("00")),
        ("39", WheelNumber("39")),
        ("*F 22", WheelFault(22, "sensor 2 cannot see the ball")),
        ("*Y;3;017", WheelBonus(3, 17, None)),
        ("*Y;1;010;12", WheelBonus(1, 10, 12)),
        ("*Y;1;999;00", WheelBonus(1, 999, 0)),
        ("*bs 2", BallSeen(2)),
        ("*bn 17", BallInPocket("17")),
        ("*I 4", CommandReply("value", "I", "4")),
        ("*P OK", CommandReply("ok", "P")),
        ("*P NO", CommandReply("refused", "P")),
        ("*u OK", CommandReply("ok", "u")),
        ("*o 1158", CommandReply("value", "o", "1158")),
        ("*o BUSY", CommandReply("busy", "o")),
        ("*F BUSY", CommandReply("busy", "F")),
        ("*  NO", CommandReply("refused", None)),
        ("*) NO", CommandReply("refused", ")")),
        ("*T OK", CommandReply("ok", "T")),
        ("T OK", CommandReply("ok", "T")),
        ("*Z OK", CommandReply("ok", "Z")),
        ("*T d 15", CommandReply("value", "T", "d 15")),
        ("*T s 14.0 17.50000", CommandReply("value", "T", "s 14.0 17.50000")),
        ("*O 6 1 60 1158", CommandReply("value", "O", "6 1 60 1158")),
        ("*A 12", CommandReply("value", "A", "12")),
        ("*q OK", CommandReply("ok", "q")),
        ("*K CAM", CommandReply("value", "K", "CAM")),
        ("*S V2.50", DeviceIdentity("V2.50")),
        ("*C BALL : OK Clockwise", CommandReply("value", "C", "OK Clockwise")),
        ("*C FAIL : Sensor(s) 1 Broken", CommandReply("refused", "C", "Sensor(s) 1 Broken")),
    ],
)
def test_a_line_says_what_the_guide_says(text: str, reading: Reading) -> None:
    assert line(text, pockets=40) == reading


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("6", RejectReason.MALFORMED),
        ("6 ", RejectReason.MALFORMED),
        ("06", RejectReason.MALFORMED),
        ("  6", RejectReason.MALFORMED),
        ("117", RejectReason.MALFORMED),
        ("00", RejectReason.VALUE),
        ("37", RejectReason.VALUE),
        ("99", RejectReason.VALUE),
        ("*X;5;041;37;0;150;1", RejectReason.VALUE),
        ("*X;0;041;17;0;150;1", RejectReason.VALUE),
        ("*X;8;041;17;0;150;1", RejectReason.VALUE),
        ("*X;5;041;17;0;150;2", RejectReason.VALUE),
        ("*X;5;041;17;0;150", RejectReason.MALFORMED),
        ("*X;5;041;17;0;150;1 ", RejectReason.MALFORMED),
        ("*X;5;041;17;0;150;1;1", RejectReason.MALFORMED),
        (" *X;5;041;17;0;150;", RejectReason.LENGTH),
        ("*F 14", RejectReason.VALUE),
        ("*Y;7;001", RejectReason.MALFORMED),
        ("*Y;2;256", RejectReason.VALUE),
        ("*bn 37", RejectReason.VALUE),
        ("*", RejectReason.MALFORMED),
        ("*g something", RejectReason.UNSUPPORTED),
        ("*s r 1 ~~~~ FF", RejectReason.UNSUPPORTED),
    ],
)
def test_a_line_outside_the_grammar_is_a_reject_with_its_reason(
    text: str, reason: RejectReason
) -> None:
    assert bodies(text.encode() + b"\r\n")[0] is reason
    assert readings(text.encode() + b"\r\n") == []


def test_03_no_result_yet_is_none_and_never_zero() -> None:
    one = line("*X;2;001;  ;0;162;0")
    assert isinstance(one, WheelStatus)
    assert one.pocket is None


def test_04_zero_and_double_zero_are_two_pockets() -> None:
    fields = [line(f"*X;5;001;{field};0;162;0", pockets=38) for field in (" 0", "00")]
    assert [one.pocket for one in fields if isinstance(one, WheelStatus)] == ["0", "00"]


@pytest.mark.parametrize(
    ("pockets", "extra"), [(37, set()), (38, {"00"}), (39, {"00", "38"}), (40, {"00", "38", "39"})]
)
def test_the_legal_pockets_are_those_of_the_wheel(pockets: Pockets, extra: set[str]) -> None:
    texts = [f"{number:>2}" for number in range(100)] + ["00"]
    found = [line(text, pockets) for text in texts]
    legal = {one.pocket for one in found if isinstance(one, WheelNumber)}
    assert legal == {str(number) for number in range(37)} | extra


def test_43_state_seven_is_the_ball_off_the_track() -> None:
    one = line("*X;7;041;19;0;150;1")
    assert isinstance(one, WheelStatus)
    assert (one.phase, one.direction) == ("ball_off_track", "counter_clockwise")


# --- framing ---------------------------------------------------------------------------------


def test_every_cut_gives_the_same_readings() -> None:
    whole = readings(GAME)
    assert len(whole) == 9
    assert readings(*(bytes([byte]) for byte in GAME)) == whole
    for cut in range(1, len(GAME)):
        assert readings(GAME[:cut], GAME[cut:]) == whole


@pytest.mark.parametrize("end", [b"\r\n", b"\n\r", b"\r", b"\n", b"\r\r\n\n"])
def test_01_any_order_of_terminators_ends_a_line(end: bytes) -> None:
    data = end.join((b"*X;4;012;27;0;149;0", b"16", b"*X;5;012;16;0;154;0", b""))
    assert [type(one) for one in bodies(data)] == [WheelStatus, WheelNumber, WheelStatus]


def test_a_late_terminator_waits_for_the_next_line_and_is_no_reject() -> None:
    decoded = decode(b"16\r", b"\n", b"*P OK\r\n")
    assert [one.raw for one in decoded] == [b"16\r", b"\n*P OK\r"]
    assert [one.body for one in decoded] == [WheelNumber("16"), CommandReply("ok", "P")]


def test_a_frame_decodes_the_same_by_itself() -> None:
    for cut in range(1, len(GAME)):
        for one in decode(GAME[:cut], GAME[cut:]):
            assert bodies(one.raw) == [one.body]


@pytest.mark.parametrize("frame", GAME.splitlines(keepends=True))
def test_a_torn_frame_costs_only_itself(frame: bytes) -> None:
    whole = readings(GAME)
    for cut in range(1, len(frame)):
        assert readings(frame[:cut] + GAME)[-len(whole) :] == whole


@given(noise=st.binary(max_size=900), cut=st.integers(0, 900))
def test_noise_never_raises_never_deafens_and_is_conserved(noise: bytes, cut: int) -> None:
    whole = readings(GAME)
    assert readings(noise + GAME)[-len(whole) :] == whole
    assert readings(noise[:cut], noise[cut:], GAME)[-len(whole) :] == whole


@given(
    data=st.lists(st.sampled_from([b"*", b"X;", b"\r", b"\n", b"17", b" 6", b"a" * 200, b"*P OK"])),
    cuts=st.lists(st.integers(0, 2000), max_size=4),
)
def test_cuts_change_no_reading_even_in_endless_lines(data: list[bytes], cuts: list[int]) -> None:
    joined = b"".join(data)
    edges = [0, *sorted(cuts), len(joined) + 2000]
    pieces = [joined[a:b] for a, b in pairwise(edges)]
    assert readings(*pieces) == readings(joined)


def test_the_end_of_an_endless_line_cannot_pass_for_a_number() -> None:
    assert readings(b"x" * 5000, b"17\r\n") == []
    assert readings(b"*" + b"x" * LINE_MAX, b"17\r\n") == []


@pytest.mark.parametrize("noise", [bytes(50_000), b"\r" * 50_000, b"\xff" * 50_000, b"a" * 50_000])
def test_long_noise_is_one_reject(noise: bytes) -> None:
    assert bodies(noise) == [RejectReason.NOISE]


# --- commands --------------------------------------------------------------------------------


def test_no_command_erases_the_result_log() -> None:
    assert all(command.data.startswith(b"*") for command in COMMANDS)
    assert not any(command.data.startswith(b"*s") for command in COMMANDS)
    assert len({command.name for command in COMMANDS}) == len(COMMANDS)


def test_parameter_commands_carry_the_space_that_the_wheel_needs() -> None:
    assert get_parameter("m").data == b"*T M\r\n"
    assert set_parameter("r", "23000", "23000").data == b"*T r 23000 23000\r\n"


@pytest.mark.parametrize(
    "make",
    [
        lambda: get_parameter("x"),
        lambda: set_parameter("f", "1"),
        lambda: set_parameter("m"),
        lambda: set_parameter("m", "2\r\n*s e"),
    ],
)
def test_a_parameter_command_that_is_none_is_refused(make: Callable[[], object]) -> None:
    with pytest.raises(ValueError, match="parameter"):
        make()


# --- faults of wheels, by number: docs/field-reports.md#wheels -------------------------------


def test_02_a_number_without_its_pad_space_may_be_the_tail_of_a_line() -> None:
    assert bodies(b" 6\r\n") == [WheelNumber("6")]
    assert bodies(b"6\r\n") != [WheelNumber("6")]


def test_28_a_closed_wheel_has_no_direction_though_its_field_says_0() -> None:
    (closed,) = bodies(b"*X;6;012;16;0;005;0\r\n")
    assert isinstance(closed, WheelStatus)
    assert (closed.direction, closed.rotor_tenths_rpm) == (None, 5)


def test_31_33_an_answer_between_status_lines_is_told_by_its_tag() -> None:
    data = b"*X;4;012;27;0;149;0\r\n*o BUSY\r\n*X;4;012;27;0;149;0\r\n*P NO\r\n16\r\n"
    assert [one for one in bodies(data) if not isinstance(one, WheelStatus)] == [
        CommandReply("busy", "o"),
        CommandReply("refused", "P"),
        WheelNumber("16"),
    ]


def test_36_37_the_line_is_9600_baud_without_flow_control() -> None:
    assert DEVICE.wiring == SerialWiring(baud=9600, bits=8, parity="N", stop=1)


def test_44_bonus_fault_and_sensor_lines_are_known_and_no_result() -> None:
    found = bodies(b"*Y;3;017\r\n*F 22\r\n*bs 2\r\n*bn 17\r\n")
    assert [type(one) for one in found] == [WheelBonus, WheelFault, BallSeen, BallInPocket]
