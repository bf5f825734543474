"""The Saturn: its published questions, what an answer says, how it is asked, what damage does."""

from __future__ import annotations

import re
from collections.abc import Sequence

import pytest
from support.recordings import BOTH, Source, recording

from protocols.device import Decoded
from protocols.instant import Instant, earliest
from protocols.readings import Reading, WheelErrorFlag, WheelFault
from protocols.rejects import RejectReason
from protocols.simulator import Cue, DrawCutCard, Fault, PowerOn, SpinBall
from protocols.wheels.saturn import DEVICE, SaturnSettings
from protocols.wheels.saturn.layout import frame

START = Instant("boot", 1_000_000_000)
STATUS = bytes.fromhex("01 30 32 02 53 52 32 03 7F 04")
ERROR = bytes.fromhex("01 30 34 02 53 52 33 03 42 04")
UP, DOWN = WheelErrorFlag(raised=True), WheelErrorFlag(raised=False)


def bodies(*chunks: bytes) -> list[Reading | RejectReason]:
    decoder = DEVICE.decoder(SaturnSettings(poll=False))
    decoded = [one for chunk in chunks for one in decoder.feed(START, chunk)]
    assert b"".join(one.raw for one in decoded) + decoder.pending == b"".join(chunks)
    return [one.body for one in decoded]


def status(flag: str = "0", *, length: int = 49, address: bytes = b"02") -> bytes:
    """Return a status of so many bytes before its end mark, the flag at byte 48."""
    text = (b"X" * 44 + flag.encode()).ljust(length - 4, b"Y")[: length - 4]
    answer = frame(address, text)
    assert length < 49 or answer[48:49] == flag.encode()
    return answer


# --- the published frames ----------------------------------------------------------------------


@BOTH
def test_the_frames_have_the_check_bytes_that_their_notes_say(source: Source) -> None:
    text = recording(source, "wheel", "21_saturn_frames_hex.txt").read_text()
    rows = re.findall(r"(?m)^(\S+)@.*?((?:[0-9A-F]{2} )+) +(ok|BAD)", text)
    assert len(rows) == 6
    for name, digits, verdict in rows:
        whole = bytes.fromhex(digits)
        found = bodies(whole)
        if verdict == "ok":
            assert (found, whole) == ([RejectReason.UNSUPPORTED], frame(whole[1:3], name.encode()))
        else:
            assert found != [RejectReason.UNSUPPORTED]


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("query", "01 30 32 02 53 52 31 03 7E 04"),
        ("status", "01 30 32 02 53 52 32 03 7F 04"),
        ("error", "01 30 34 02 53 52 33 03 42 04"),
        ("fire", "01 30 34 02 52 43 30 33 03 62 04"),
    ],
)
def test_a_command_is_the_published_one(name: str, data: str) -> None:
    (command,) = (one for one in DEVICE.commands if one.name == name)
    assert command.data == bytes.fromhex(data)
    assert command.changes_device == (name == "fire")


# --- what an answer says -----------------------------------------------------------------------


@pytest.mark.parametrize(("flag", "said"), [("0", DOWN), ("1", UP)])
@pytest.mark.parametrize("length", [49, 50, 80])
@pytest.mark.parametrize("address", [b"02", b"04", b"99"])
def test_byte_48_of_a_status_is_the_error_flag(
    flag: str, said: WheelErrorFlag, length: int, address: bytes
) -> None:
    assert bodies(status(flag, length=length, address=address)) == [said]


def test_a_flag_that_is_neither_is_no_flag() -> None:
    assert bodies(status("2")) == [RejectReason.VALUE]


def test_bytes_5_to_11_are_the_error_text() -> None:
    assert bodies(frame(b"04", b"?BALL 12")) == [WheelFault(1, "the wheel says 'BALL 12'")]


@pytest.mark.parametrize("length", [4, 11, 13, 20, 48])
def test_46_a_short_answer_says_nothing(length: int) -> None:
    assert bodies(status(length=length)) == [RejectReason.LENGTH]


def test_46_an_answer_with_a_wrong_check_byte_says_nothing() -> None:
    hurt = bytearray(status("1"))
    hurt[-2] ^= 0x01
    assert bodies(bytes(hurt)) == [RejectReason.CHECKSUM]


def test_46_a_line_error_says_nothing() -> None:
    hurt = bytearray(status("1"))
    hurt[10] ^= 0x80  # the check byte is blind to it
    assert bodies(bytes(hurt)) == [RejectReason.MALFORMED]


def test_no_flipped_bit_of_an_answer_says_anything() -> None:
    for answer in (status("0"), status("1"), frame(b"04", b"?BALL 12")):
        for bit in range(8 * len(answer)):
            hurt = bytearray(answer)
            hurt[bit // 8] ^= 1 << bit % 8
            found = bodies(bytes(hurt))
            assert all(isinstance(one, RejectReason) for one in found), (bit, found)


def test_what_is_torn_costs_only_itself() -> None:
    assert bodies(status()[:20], status("1")) == [RejectReason.LENGTH, UP]
    assert bodies(b"\x00\xff\x80" + status("1")) == [RejectReason.NOISE, UP]
    assert bodies(b"\x01\x02garbage\x04" + status("1")) == [RejectReason.MALFORMED, UP]


def test_a_frame_without_end_is_given_up() -> None:
    first, rest = bodies(b"\x0102\x02" + b"A" * 300, b"A" + status())[:2]
    assert (first, rest) == (RejectReason.LENGTH, RejectReason.NOISE)


# --- how it is asked ---------------------------------------------------------------------------


def asked(decoded: Sequence[Decoded]) -> list[tuple[Reading | RejectReason, bytes | None]]:
    return [(one.body, one.reply) for one in decoded]


def test_it_asks_when_its_link_opens_and_every_200_ms() -> None:
    decoder = DEVICE.decoder(SaturnSettings())
    assert asked(decoder.tick(START)) == [(RejectReason.SILENCE, STATUS)]
    assert decoder.wake_at == START.after(0.2)
    assert asked(decoder.feed(START.after(0.1), status())) == [(DOWN, None)]
    assert decoder.tick(START.after(0.15)) == []
    assert asked(decoder.tick(START.after(0.2))) == [(RejectReason.ASKED, STATUS)]


def test_46_a_question_without_an_answer_is_asked_again() -> None:
    decoder = DEVICE.decoder(SaturnSettings())
    decoder.tick(START)
    assert asked(decoder.feed(START.after(0.1), status(length=20))) == [(RejectReason.LENGTH, None)]
    assert asked(decoder.tick(START.after(0.2))) == [(RejectReason.SILENCE, STATUS)]


def test_46_three_questions_without_an_answer_are_a_silence() -> None:
    assert DEVICE.silence_s is not None
    assert 3 * 0.2 < DEVICE.silence_s <= 4 * 0.2


def test_an_error_flag_is_asked_about_at_once() -> None:
    decoder = DEVICE.decoder(SaturnSettings())
    decoder.tick(START)
    assert asked(decoder.feed(START.after(0.1), status("1"))) == [(UP, ERROR)]


def test_where_another_host_asks_it_only_listens() -> None:
    decoder = DEVICE.decoder(SaturnSettings(poll=False))
    assert (decoder.tick(START), decoder.wake_at) == ([], None)
    assert asked(decoder.feed(START, STATUS + status("1"))) == [
        (RejectReason.UNSUPPORTED, None),
        (UP, None),
    ]


def test_a_reboot_in_between_is_no_reason_to_wait() -> None:
    decoder = DEVICE.decoder(SaturnSettings())
    decoder.tick(START)
    assert len(decoder.tick(Instant("another boot", 1))) == 1


# --- the simulated wheel -----------------------------------------------------------------------


def heard(*cues: Cue, seconds: float = 1.5) -> list[Reading | RejectReason]:
    """Return what a host hears that asks as the decoder does; what is said again is left out."""
    wheel, decoder = DEVICE.simulator(SaturnSettings()), DEVICE.decoder(SaturnSettings())
    now, until, said = START, START.after(seconds), list[Reading | RejectReason]()
    for one in cues:
        wheel.cue(now, one)
    decoded = list(decoder.tick(now))
    while True:
        for one in decoded:
            if one.raw and one.body not in said[-1:]:
                said.append(one.body)
            if one.reply is not None:
                wheel.hear(now, one.reply)
        due = earliest(wheel.wake_at, decoder.wake_at)
        if due is None or not until.reached(due):
            return said
        now = due
        decoded = [answer for data in wheel.speak(now) for answer in decoder.feed(now, data)]
        decoded += decoder.tick(now)


FAULTS: dict[str, list[Reading | RejectReason]] = {
    "error": [UP, WheelFault(1, "the wheel says 'BALL'")],
    "echo": [RejectReason.UNSUPPORTED, DOWN],
    "silent": [],
    "drop_next": [DOWN],
    "bad_check": [RejectReason.CHECKSUM, DOWN],
    "short": [RejectReason.LENGTH, DOWN],
    "torn": [RejectReason.LENGTH, DOWN],
}


def test_every_fault_is_told_here() -> None:
    assert set(DEVICE.simulator(SaturnSettings()).faults) == set(FAULTS)


@pytest.mark.parametrize("name", FAULTS)
def test_a_fault_shows_as_what_it_is(name: str) -> None:
    assert list(dict.fromkeys(heard(PowerOn(), Fault(name)))) == FAULTS[name]


def test_a_whole_game_says_no_number_because_nobody_knows_where_it_stands() -> None:
    assert heard(PowerOn(), SpinBall("17"), SpinBall("0"), seconds=80) == [DOWN]


def test_the_simulated_wheel_shows_its_game_to_people() -> None:
    wheel = DEVICE.simulator(SaturnSettings())
    wheel.cue(START, PowerOn())
    wheel.cue(START, SpinBall("17"))
    shown = []
    for second in (1, 13, 19, 29, 40):
        wheel.hear(START.after(second), STATUS)
        (answer,) = wheel.speak(START.after(second + 1))
        shown.append(answer[4:9])
    assert shown == [b"S2N--", b"S3N--", b"S4N--", b"S5N17", b"S1N17"]


def test_fire_starts_a_game() -> None:
    wheel = DEVICE.simulator(SaturnSettings())
    wheel.cue(START, PowerOn())
    fire = next(one.data for one in DEVICE.commands if one.name == "fire")
    wheel.hear(START, fire + fire)  # sent twice, as the public host does: one game
    wheel.hear(START.after(1), STATUS)
    (answer,) = wheel.speak(START.after(2))
    assert answer[4:6] == b"S2"
    wheel.hear(START.after(33), STATUS)
    (answer,) = wheel.speak(START.after(34))
    assert answer[4:9] == b"S1N00"


@pytest.mark.parametrize("cue", [SpinBall("17"), SpinBall("37"), Fault("fire"), DrawCutCard()])
def test_what_it_cannot_play_is_said(cue: Cue) -> None:
    with pytest.raises(ValueError, match=r"off|no pocket|no fault|cannot play"):
        DEVICE.simulator(SaturnSettings()).cue(START, cue)
