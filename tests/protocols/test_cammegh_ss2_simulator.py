"""The simulated Slingshot 2, heard by the decoder: games, replies, and each fault."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby, pairwise

import pytest

from protocols.instant import Instant
from protocols.readings import (
    CommandReply,
    DeviceIdentity,
    Reading,
    WheelFault,
    WheelNumber,
    WheelStatus,
)
from protocols.rejects import RejectReason
from protocols.simulator import Cue, DrawCutCard, Fault, PowerOn, SpinBall
from protocols.wheels.cammegh_ss2 import DEVICE
from protocols.wheels.cammegh_ss2.commands import COMMANDS, get_parameter, set_parameter
from protocols.wheels.cammegh_ss2.layout import CammeghSs2Settings, Pockets

AT = Instant("boot", 0)


class Stage:
    """A simulated wheel on a clock of its own, heard by a decoder."""

    def __init__(self, pockets: Pockets = 37) -> None:
        self.wheel = DEVICE.simulator(CammeghSs2Settings(pockets))
        self.decoder = DEVICE.decoder(CammeghSs2Settings(pockets))
        self.now = AT
        self.said: list[tuple[float, bytes]] = []
        self.heard: list[tuple[float, Reading | RejectReason]] = []

    def play(self, cue: Cue) -> None:
        self.wheel.cue(self.now, cue)

    def run(self, seconds: float) -> None:
        end = self.now.after(seconds)
        while (due := self.wheel.wake_at) is not None and end.reached(due):
            self.now = due
            for frame in self.wheel.speak(due):
                self.said.append((due.ns / 1e9, frame))
                self.heard += [(due.ns / 1e9, one.body) for one in self.decoder.feed(due, frame)]
        self.now = end

    def ask(self, text: str) -> Reading | RejectReason:
        """Send a line and return what is said within 100 ms that is no periodic status."""
        start = len(self.heard)
        self.wheel.hear(self.now, text.encode() + b"\r\n")
        self.run(0.1)
        (answer,) = [one for _, one in self.heard[start:] if not isinstance(one, WheelStatus)]
        return answer

    def until(self, phase: str, limit: float = 200) -> None:
        for _ in range(int(limit * 2)):
            if self.statuses and self.statuses[-1].phase == phase:
                return
            self.run(0.5)
        raise AssertionError(f"never {phase}")

    @property
    def statuses(self) -> list[WheelStatus]:
        return [body for _, body in self.heard if isinstance(body, WheelStatus)]

    @property
    def numbers(self) -> list[str]:
        return [body.pocket for _, body in self.heard if isinstance(body, WheelNumber)]

    @property
    def rejects(self) -> list[RejectReason]:
        return [body for _, body in self.heard if isinstance(body, RejectReason)]


def ready() -> Stage:
    stage = Stage()
    stage.play(PowerOn())
    stage.until("place_bets")
    return stage


def phases(statuses: Sequence[WheelStatus]) -> list[str]:
    return [phase for phase, _ in groupby(one.phase for one in statuses)]


def results(stage: Stage) -> list[tuple[int, str | None]]:
    return [
        (b.spin, b.pocket)
        for a, b in pairwise(stage.statuses)
        if (a.phase, b.phase) == ("no_more_bets", "winning_number")
    ]


def test_spins_land_where_they_were_told_with_rising_spin_numbers() -> None:
    stage = Stage(pockets=38)
    stage.play(PowerOn())
    for pocket in ("17", "17", "0", "00", "6"):
        stage.play(SpinBall(pocket))
    stage.run(320)
    assert stage.numbers == ["17", "17", "0", "00", "6"]
    assert results(stage) == [(1, "17"), (2, "17"), (3, "0"), (4, "00"), (5, "6")]
    assert stage.rejects == []
    game = ["place_bets", "ball_in_rim", "no_more_bets", "winning_number"]
    assert phases(stage.statuses) == ["before_game", *game * 5, "place_bets"]


def test_a_simulated_game_keeps_the_measured_times_and_turns() -> None:
    stage = ready()
    for pocket in ("1", "2", "3", "4"):
        stage.play(SpinBall(pocket))
    stage.run(240)
    times = [(at, one) for at, one in stage.heard if isinstance(one, WheelStatus)]
    for spin in (1, 2, 3, 4):
        ticks = {
            phase: sum(one.spin == spin and one.phase == phase for _, one in times) / 2
            for phase in ("ball_in_rim", "no_more_bets", "winning_number")
        }
        assert 1.0 <= ticks["ball_in_rim"] <= 8.0
        assert 24.0 <= ticks["no_more_bets"] <= 31.5
        assert 1.0 <= ticks["winning_number"] <= 7.5
        played = [one for _, one in times if one.spin == spin and one.phase == "no_more_bets"]
        assert all(141 <= one.rotor_tenths_rpm <= 200 for one in played)
        assert {one.direction for one in played} == {
            "counter_clockwise" if spin % 2 else "clockwise"
        }


def test_the_bare_number_comes_within_half_a_second_before_its_field() -> None:
    stage = ready()
    stage.play(SpinBall("33"))
    stage.until("winning_number")
    number = next(at for at, one in stage.heard if isinstance(one, WheelNumber))
    field = next(at for at, one in stage.heard if getattr(one, "phase", "") == "winning_number")
    assert 0.015 <= field - number <= 0.497


def test_the_spin_number_wraps_from_256_to_1() -> None:
    stage = ready()
    for _ in range(257):
        stage.play(SpinBall("9"))
    stage.run(257 * 60)
    spins = [spin for spin, _ in results(stage)]
    assert spins == [*range(1, 257), 1]


def test_the_same_cues_give_the_same_bytes() -> None:
    stages = [ready(), ready()]
    for stage in stages:
        stage.play(SpinBall("5"))
        stage.run(60)
    assert stages[0].said == stages[1].said


def test_a_wheel_that_is_off_is_silent_and_cannot_spin() -> None:
    stage = Stage()
    assert stage.wheel.wake_at is None
    with pytest.raises(ValueError, match="PowerOn"):
        stage.play(SpinBall("5"))


@pytest.mark.parametrize(
    "cue", [SpinBall("00"), SpinBall("37"), Fault("no such fault"), DrawCutCard()]
)
def test_a_cue_the_wheel_cannot_play_is_refused(cue: Cue) -> None:
    stage = ready()
    with pytest.raises(ValueError, match=r"wheel|fault"):
        stage.play(cue)


def test_15_power_replies_follow_the_state() -> None:
    stage = ready()
    assert stage.ask("*P 1") == CommandReply("refused", "P")
    assert stage.ask("*P 0") == CommandReply("ok", "P")
    stage.until("closed")
    closing = stage.statuses
    assert [one.phase for one in closing[-2:]] == ["place_bets", "closed"]
    assert closing[-1].rotor_tenths_rpm <= 5
    assert stage.ask("*P 0") == CommandReply("refused", "P")
    assert stage.ask("*P 1") == CommandReply("ok", "P")
    stage.until("place_bets")


def test_17_a_start_in_state_one_is_acknowledged_and_lost() -> None:
    stage = Stage()
    stage.play(PowerOn())
    stage.run(2)
    assert stage.ask("*u 1") == CommandReply("ok", "u")
    stage.run(60)
    assert stage.statuses[-1].phase == "place_bets"
    assert stage.ask("*u 1") == CommandReply("ok", "u")
    assert stage.ask("*u 1") == CommandReply("ok", "u")
    stage.run(120)
    assert len(stage.numbers) == 1


def test_the_mode_is_set_only_when_closed_and_can_end_the_bare_number() -> None:
    stage = ready()
    assert stage.ask("*o 1158") == CommandReply("busy", "o")
    stage.ask("*P 0")
    stage.until("closed")
    assert stage.ask("*o 151") == CommandReply("value", "o", "151")
    assert stage.ask("*o") == CommandReply("value", "o", "151")
    stage.play(PowerOn())
    stage.play(SpinBall("8"))
    stage.run(70)
    assert stage.numbers == []
    assert results(stage) == [(1, "8")]


def test_32_a_parameter_set_without_its_space_is_answered_ok_and_ignored() -> None:
    stage = ready()
    assert stage.ask("*Tr 28000 32000") == CommandReply("ok", "T")
    assert stage.ask("*T R") == CommandReply("value", "T", "r 23000 23000")
    assert stage.ask("*T r 28000 32000") == CommandReply("ok", "T")
    assert stage.ask("*T R") == CommandReply("value", "T", "r 28000 32000")


def test_26_parameters_are_lost_with_the_mains_unless_saved() -> None:
    stage = ready()
    stage.ask("*T m 1.5")
    stage.ask("*T f")
    stage.ask("*T m 20000.0")
    stage.play(Fault("mains_cycle"))
    stage.run(4)
    assert stage.ask("*T M") == CommandReply("value", "T", "m 1.5")
    assert stage.ask("*T Z") == CommandReply("value", "T", "z 37")


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("*S", DeviceIdentity("V2.50")),
        ("*F", CommandReply("busy", "F")),
        ("*O", CommandReply("value", "O", "2 1 161 135")),
        ("* u1", CommandReply("refused", None)),
        ("*) ", CommandReply("refused", ")")),
        ("*R", CommandReply("ok", "R")),
    ],
)
def test_the_wheel_answers_as_captured(text: str, answer: Reading) -> None:
    assert ready().ask(text) == answer


@pytest.mark.parametrize(
    "data", [*(c.data for c in COMMANDS), get_parameter("s").data, set_parameter("n", "3600").data]
)
def test_every_host_command_gets_an_answer_that_decodes(data: bytes) -> None:
    stage = ready()
    start = len(stage.heard)
    stage.wheel.hear(stage.now, data[:1])
    stage.wheel.hear(stage.now, data[1:])
    stage.run(0.1)
    assert len(stage.heard) > start
    assert stage.rejects == []


def test_status_lines_can_be_asked_for_and_silenced() -> None:
    stage = ready()
    assert stage.ask("*q 0") == CommandReply("ok", "q")
    count = len(stage.heard)
    stage.run(5)
    assert len(stage.heard) == count
    stage.wheel.hear(stage.now, b"*X\n")
    stage.run(0.1)
    assert len(stage.heard) == count + 1
    assert stage.ask("*q 1") == CommandReply("ok", "q")


# --- faults ----------------------------------------------------------------------------------


def after(fault: str, seconds: float = 130) -> Stage:
    stage = ready()
    stage.play(Fault(fault))
    stage.play(SpinBall("20"))
    stage.run(seconds)
    return stage


def flagged(stage: Stage, flag: str) -> list[str]:
    return [one.phase for one in stage.statuses if flag in one.flags]


def test_a_failed_launch_shows_flag_8_in_state_2_and_then_lands() -> None:
    stage = after("launch_failure")
    assert set(flagged(stage, "launch_failed")) == {"place_bets"}
    assert results(stage) == [(1, "20")]
    first, *_, last = [one for one in stage.statuses if one.spin == 1]
    assert first.direction == last.direction == "clockwise"


def test_a_ball_with_the_rotor_shows_flag_2_in_state_3_and_gives_no_number() -> None:
    stage = after("wrong_direction")
    assert "ball_in_rim" in flagged(stage, "ball_wrong_way")
    assert stage.numbers == []
    assert stage.statuses[-1].phase == "closed"
    assert stage.statuses[-1].flags == frozenset()


def test_a_ball_with_the_rotor_is_voided_by_a_restart() -> None:
    stage = ready()
    stage.play(Fault("wrong_direction"))
    stage.play(SpinBall("20"))
    stage.until("ball_in_rim")
    assert stage.ask("*R") == CommandReply("ok", "R")
    stage.until("before_game")
    stage.until("place_bets")
    assert stage.statuses[-1].flags == frozenset()


def test_a_stuck_sensor_shows_flag_4_for_30_seconds_and_closes_with_it() -> None:
    stage = after("stuck_sensor")
    assert flagged(stage, "sensor_or_motor").count("no_more_bets") == 60
    assert stage.statuses[-1].phase == "closed"
    assert "sensor_or_motor" in stage.statuses[-1].flags
    assert stage.ask("*F") == WheelFault(11, "sensor 1 stuck on")
    assert stage.numbers == []


def test_24_a_rotor_that_stalls_at_start_closes_and_starts_at_the_second_try() -> None:
    stage = Stage()
    stage.play(Fault("stuck_sensor"))
    stage.play(PowerOn())
    stage.until("closed")
    assert flagged(stage, "sensor_or_motor").count("before_game") == 8
    assert stage.ask("*P 1") == CommandReply("ok", "P")
    stage.run(0.5)
    assert (stage.statuses[-1].phase, stage.statuses[-1].flags) == ("before_game", frozenset())
    stage.until("place_bets")


def test_a_racing_rotor_reads_zero_over_its_range_and_closes_without_flags() -> None:
    stage = after("runaway")
    racing = [one.rotor_tenths_rpm for one in stage.statuses if one.phase == "no_more_bets"]
    top = racing.index(953)
    assert 0 in racing[top:]
    assert set(flagged(stage, "ball_not_detected")) == {"no_more_bets"}
    assert stage.statuses[-1].phase == "closed"
    assert stage.statuses[-1].flags == frozenset()
    assert stage.numbers == []


def test_silence_loses_ten_seconds_of_lines() -> None:
    stage = ready()
    stage.run(1)
    stage.play(Fault("silence"))
    start = len(stage.heard)
    stage.run(9.4)
    assert len(stage.heard) == start
    stage.run(2)
    assert len(stage.heard) > start


def test_a_stalled_host_gets_every_line_in_one_burst() -> None:
    stage = after("host_stall")
    times = [at for at, _ in stage.said]
    burst = max(times.count(at) for at in set(times))
    assert burst >= 19
    assert results(stage) == [(1, "20")]


def test_a_mains_cycle_resets_the_spin_number_and_the_last_number() -> None:
    stage = after("no_bare_number", 60)
    assert stage.statuses[-1].spin == 2
    stage.play(Fault("mains_cycle"))
    stage.run(4)
    last = stage.statuses[-1]
    assert (last.phase, last.spin, last.pocket) == ("closed", 1, None)
    stage.play(PowerOn())
    stage.until("place_bets")


def test_garbled_lines_are_rejects_and_the_rest_is_right() -> None:
    stage = after("garble")
    assert RejectReason.MALFORMED in stage.rejects
    assert RejectReason.LENGTH in stage.rejects
    assert len(stage.rejects) == 3
    assert results(stage) == [(1, "20")]


def test_a_conflict_is_a_bare_number_that_differs_from_the_field() -> None:
    stage = after("conflict")
    assert stage.numbers == ["21"]
    assert results(stage) == [(1, "20")]


def test_without_its_bare_number_the_field_still_tells_the_result() -> None:
    stage = after("no_bare_number")
    assert stage.numbers == []
    assert results(stage) == [(1, "20")]


def test_every_fault_has_a_name_that_can_be_cued() -> None:
    names = ready().wheel.faults
    assert len(names) == 10
    for name in names:
        ready().play(Fault(name))
