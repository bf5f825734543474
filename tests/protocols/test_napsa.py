"""The NAPSA wheel: its two lines, direction, the error digit, and what damage makes of them."""

from __future__ import annotations

from itertools import groupby

import pytest
from support.recordings import Source, recording

from protocols.device import Decoded
from protocols.instant import Instant
from protocols.readings import (
    Direction,
    Reading,
    WheelFault,
    WheelFlag,
    WheelNumber,
    WheelPhase,
    WheelStatus,
)
from protocols.rejects import RejectReason
from protocols.simulator import Cue, DrawCutCard, Fault, PowerOn, SpinBall
from protocols.wheels.napsa import DEVICE, NapsaSettings
from protocols.wheels.napsa.layout import Pockets

AT = Instant("boot", 0)


def decode(*chunks: bytes, pockets: Pockets = 37) -> list[Decoded]:
    decoder = DEVICE.decoder(NapsaSettings(pockets))
    decoded = [one for chunk in chunks for one in decoder.feed(AT, chunk)]
    assert b"".join(one.raw for one in decoded) + decoder.pending == b"".join(chunks)
    assert len(decoder.pending) <= DEVICE.framing.pending_max
    return decoded


def bodies(*chunks: bytes, pockets: Pockets = 37) -> list[Reading | RejectReason]:
    return [one.body for one in decode(*chunks, pockets=pockets)]


def line(text: str, pockets: Pockets = 37) -> Reading | RejectReason:
    (body,) = bodies(text.encode() + b"\r\n", pockets=pockets)
    return body


def status(
    phase: WheelPhase,
    pocket: str | None,
    rpm: int,
    way: Direction | None = "clockwise",
    *flags: WheelFlag,
) -> WheelStatus:
    return WheelStatus(phase, None, pocket, frozenset(flags), rpm * 10, way)


# --- lines -----------------------------------------------------------------------------------


SIMULATED_LINES: list[Reading] = [
    status("before_game", None, 19),
    status("place_bets", None, 18),
    status("ball_in_rim", None, 18),
    status("no_more_bets", None, 17),
    WheelNumber("17"),
    status("winning_number", "17", 18),
    status("before_game", "17", 18, "counter_clockwise"),
    status("place_bets", "17", 18, "counter_clockwise"),
    status("place_bets", "17", 19, "counter_clockwise", "launch_failed"),
    status("place_bets", "17", 18, "counter_clockwise"),
    status("ball_in_rim", "17", 18, "counter_clockwise"),
    status("no_more_bets", "17", 17, "counter_clockwise"),
    WheelNumber("5"),
    status("winning_number", "5", 18, "counter_clockwise"),
    status("before_game", "5", 18),
    status("place_bets", "5", 18),
    status("ball_in_rim", "5", 17),
    status("no_more_bets", "5", 19, "clockwise", "sensor_or_motor"),
    status("closed", "5", 0, "clockwise", "sensor_or_motor"),
    status("closed", "5", 0),
]
LINES_OF_THE_FIELD_RULES: list[Reading] = [
    status("before_game", "17", 12, None),
    status("place_bets", "17", 22),
    status("ball_in_rim", "17", 22),
    status("no_more_bets", "17", 22),
    WheelNumber("5"),
    status("winning_number", "5", 19),
    status("before_game", "5", 22),
    status("no_more_bets", "5", 22, "clockwise", "launch_failed"),
    status("closed", "5", 0, None),
]


@pytest.mark.parametrize(
    ("source", "says"), [("simulated", SIMULATED_LINES), ("real", LINES_OF_THE_FIELD_RULES)]
)
def test_the_lines_say_what_the_field_rules_say(source: Source, says: list[Reading]) -> None:
    text = recording(source, "wheel", "22_napsa_lines.txt").read_text()
    lines = [one for one in text.splitlines() if not one.startswith("#")]
    assert bodies(*(one.removesuffix(r"\r\n").encode() + b"\r\n" for one in lines)) == says


@pytest.mark.parametrize(
    ("digit", "way"), [("0", "counter_clockwise"), ("1", "clockwise"), ("2", None), ("3", None)]
)
def test_45_direction_is_the_reverse_of_a_slingshots_digit(
    digit: str, way: Direction | None
) -> None:
    assert line(f"NS05420{digit}0") == status("no_more_bets", "5", 20, way)


@pytest.mark.parametrize("digit", "456789")
def test_a_direction_that_nobody_defined_is_none(digit: str) -> None:
    assert line(f"NS05420{digit}0") is RejectReason.VALUE


def test_pockets_are_those_of_the_wheel() -> None:
    assert line("NN00    N") == WheelNumber("0")
    assert line("NN36    N") == WheelNumber("36")
    assert line("NN37    N") is RejectReason.VALUE
    assert line("NS3742010") is RejectReason.VALUE
    assert line("NN37    N", pockets=38) == WheelNumber("00")
    assert line("NN38    N", pockets=38) is RejectReason.VALUE


def test_no_number_yet_is_no_zero() -> None:
    assert line("NS  12010") == status("before_game", None, 20)
    assert line("NN      N") is RejectReason.MALFORMED


def test_an_undefined_state_is_shown_raw() -> None:
    assert line("NS0502010") is RejectReason.UNSUPPORTED
    assert line("NS0572010") is RejectReason.VALUE


@pytest.mark.parametrize(
    "text", ["NX0512010", "NS05120 0", "NN05    X", "NN05   N ", "ns0512010", "NSA512010"]
)
def test_nine_characters_of_another_shape_are_malformed(text: str) -> None:
    assert line(text) is RejectReason.MALFORMED


@pytest.mark.parametrize("text", ["NS051201", "NS05120100", "N", "NN05 N"])
def test_a_line_of_another_length_says_nothing(text: str) -> None:
    assert line(text) is RejectReason.LENGTH


# --- the error digit -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("error", "flag"),
    [
        (1, "sensor_or_motor"),
        (2, "sensor_or_motor"),
        (4, "ball_not_detected"),
        (6, "launch_failed"),
    ],
)
def test_an_error_that_a_flag_means_too_leaves_the_status(error: int, flag: WheelFlag) -> None:
    assert line(f"NS054201{error}") == status("no_more_bets", "5", 20, "clockwise", flag)


@pytest.mark.parametrize("error", [3, 5, 7, 8, 9])
@pytest.mark.parametrize("state", range(7))
def test_any_other_error_is_a_fault(error: int, state: int) -> None:
    one = line(f"NS05{state}201{error}")
    assert isinstance(one, WheelFault)
    assert one.code == error


@pytest.mark.parametrize("error", range(1, 10))
def test_a_result_beside_an_error_is_none(error: int) -> None:
    one = line(f"NS055201{error}")
    assert isinstance(one, WheelFault)
    assert one.code == error


@pytest.mark.parametrize("state", range(1, 7))
@pytest.mark.parametrize("error", range(10))
def test_no_status_line_states_a_spin_number(state: int, error: int) -> None:
    one = line(f"NS05{state}201{error}")
    assert isinstance(one, WheelFault) or (isinstance(one, WheelStatus) and one.spin is None)


# --- damage ----------------------------------------------------------------------------------


@pytest.mark.parametrize("end", [b"\r\n", b"\n\r", b"\r", b"\n"])
def test_either_terminator_ends_a_line(end: bytes) -> None:
    assert bodies(b"NS0542010" + end + b"NN17    N" + end) == [
        status("no_more_bets", "5", 20),
        WheelNumber("17"),
    ]


@pytest.mark.parametrize("kept", range(1, 10))
def test_a_torn_line_costs_only_itself(kept: int) -> None:
    found = bodies(b"NS1742010"[:kept] + b"NN05    N\r\n")
    assert found == [RejectReason.LENGTH, WheelNumber("5")]


def test_the_damage_before_a_line_is_named_by_its_bytes() -> None:
    assert bodies(b"\x00\x80NN05    N\r\n") == [RejectReason.NOISE, WheelNumber("5")]


@pytest.mark.parametrize("lost", range(9))
def test_a_lost_character_never_makes_a_line(lost: int) -> None:
    whole = b"NS0552010"
    hurt = whole[:lost] + whole[lost + 1 :]
    assert bodies(hurt + b"\r\n" + b"NN05    N\r\n") == [RejectReason.LENGTH, WheelNumber("5")]


def test_a_bad_byte_spoils_the_line() -> None:
    assert bodies(b"NS05\xb52010\r\n", b"NN05    \xce\r\n") == [RejectReason.NOISE] * 2


def test_an_endless_line_is_given_up_and_its_end_is_heard() -> None:
    found = bodies(b"x" * 500, b"NN05    N\r\n")
    assert found[-1] == WheelNumber("5")
    assert not any(isinstance(one, WheelStatus) for one in found)


# --- the simulator ---------------------------------------------------------------------------


class Stage:
    """A simulated wheel on a clock of its own, heard by a decoder."""

    def __init__(self, *cues: Cue) -> None:
        self.wheel = DEVICE.simulator(NapsaSettings())
        self.decoder = DEVICE.decoder(NapsaSettings())
        self.now = AT
        self.lines: list[bytes] = []
        self.heard: list[Reading | RejectReason] = []
        for one in cues:
            self.wheel.cue(self.now, one)

    def run(self, seconds: float) -> Stage:
        end = self.now.after(seconds)
        while (due := self.wheel.wake_at) is not None and end.reached(due):
            for said in self.wheel.speak(due):
                self.lines.append(said)
                self.heard += [one.body for one in self.decoder.feed(due, said)]
        self.now = end
        return self

    @property
    def phases(self) -> list[str]:
        statuses = [one.phase for one in self.heard if isinstance(one, WheelStatus)]
        return [phase for phase, _ in groupby(statuses)]

    @property
    def numbers(self) -> list[str]:
        return [one.pocket for one in self.heard if isinstance(one, WheelNumber)]


GAME = ["before_game", "place_bets", "ball_in_rim", "no_more_bets", "winning_number"]


def test_a_healthy_game_goes_through_its_states_and_says_its_number_once() -> None:
    stage = Stage(PowerOn(), SpinBall("17")).run(32)
    assert stage.phases == [*GAME, "before_game", "place_bets"]
    assert stage.numbers == ["17"]
    assert not [one for one in stage.heard if isinstance(one, RejectReason)]
    assert all(len(one) == 11 for one in stage.lines)
    results = {one.pocket for one in stage.heard if isinstance(one, WheelStatus)}
    assert results == {None, "17"}


def test_the_wheel_speaks_twice_a_second_and_alternates_its_direction() -> None:
    stage = Stage(PowerOn(), SpinBall("17"), SpinBall("17")).run(60)
    statuses = [one for one in stage.heard if isinstance(one, WheelStatus)]
    assert len(statuses) == 120
    ways = [one.direction for one in statuses if one.phase == "no_more_bets"]
    assert [way for way, _ in groupby(ways)] == ["clockwise", "counter_clockwise"]
    assert stage.numbers == ["17", "17"]


@pytest.mark.parametrize(
    ("fault", "error"), [("multiple_detection", 7), ("extraction", 8), ("result_unread", 4)]
)
def test_an_error_is_heard_as_its_code(fault: str, error: int) -> None:
    stage = Stage(PowerOn(), Fault(fault), SpinBall("17")).run(32)
    assert {one.code for one in stage.heard if isinstance(one, WheelFault)} == {error}


def test_a_result_that_was_never_clean_is_never_a_status() -> None:
    stage = Stage(PowerOn(), Fault("result_unread"), SpinBall("17")).run(32)
    assert "winning_number" not in stage.phases


def test_a_failed_launch_stays_in_place_bets() -> None:
    stage = Stage(PowerOn(), Fault("launch_failure"), SpinBall("17")).run(55)
    flagged = {
        one.phase
        for one in stage.heard
        if isinstance(one, WheelStatus) and "launch_failed" in one.flags
    }
    assert flagged == {"place_bets"}
    assert stage.phases[:5] == GAME


def test_encoder_trouble_closes_the_table() -> None:
    stage = Stage(PowerOn(), Fault("encoder"), SpinBall("17")).run(40)
    assert stage.phases == [*GAME[:4], "closed"]
    assert stage.numbers == []


def test_a_mains_cycle_forgets_the_number() -> None:
    stage = Stage(PowerOn(), SpinBall("17")).run(32)
    stage.wheel.cue(stage.now, Fault("mains_cycle"))
    stage.run(10)
    last = stage.heard[-1]
    assert isinstance(last, WheelStatus)
    assert (last.phase, last.pocket) == ("closed", None)


@pytest.mark.parametrize("cue", [SpinBall("00"), SpinBall("17"), Fault("none"), DrawCutCard()])
def test_the_simulator_refuses_what_the_wheel_cannot_do(cue: Cue) -> None:
    stage = Stage()
    with pytest.raises(ValueError, match=r"pocket|off|fault|play"):
        stage.wheel.cue(AT, cue)
