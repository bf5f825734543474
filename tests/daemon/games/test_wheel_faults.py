"""Faults of wheels (docs/field-reports.md#wheels) that no other test here is about."""

from __future__ import annotations

import pytest
from support.roulette_bench import RouletteBench
from support.table_bench import found, kinds

from daemon.games.roulette.profile import RouletteProfile
from protocols.device import DeviceSpec
from protocols.events import DeviceFaulted, DeviceRecovered, RoundCompleted, SpinLanded
from protocols.readings import CommandReply, WheelErrorFlag, WheelFault
from protocols.wheels.cammegh_ss2 import DEVICE
from protocols.wheels.napsa import DEVICE as NAPSA


def test_02_a_number_alone_is_no_result_however_it_is_padded() -> None:
    bench = RouletteBench()
    bench.spin_to("no_more_bets")
    bench.number("6")
    assert not {"spin.landed", "round.completed"} & set(kinds(bench.events))
    bench.say("winning_number", 11, "6")
    assert bench.pockets == ["6"]


def test_10_14_a_number_that_wraps_from_256_is_the_next_and_no_jump() -> None:
    bench = RouletteBench()
    for spin in (255, 256, 1, 2):
        bench.spin_to("winning_number", spin)
        bench.say("winning_number", spin, "27")
    assert [one.spin for one in found(bench.events, SpinLanded)] == [255, 256, 1, 2]
    assert bench.codes == []


@pytest.mark.parametrize("verdict", ["refused", "busy", "ok"])
@pytest.mark.parametrize("command", ["P", "u", "o", "F", "W"])
def test_15_16_18_31_an_answer_to_a_command_is_no_fault_and_moves_no_round(
    command: str, verdict: str
) -> None:
    bench = RouletteBench()
    bench.spin_to("no_more_bets")
    before = bench.state
    assert bench.hear(CommandReply(verdict, command)) == []  # type: ignore[arg-type] # three of four
    assert bench.state == before


@pytest.mark.parametrize("wheel", [DEVICE, NAPSA], ids=lambda wheel: wheel.key)
def test_16_17_18_26_42_nothing_is_sent_to_a_wheel_whose_results_are_taken(
    wheel: DeviceSpec,
) -> None:
    assert wheel.writes == "none"


def test_28_the_residue_of_speed_and_direction_of_a_closing_wheel_is_no_change() -> None:
    bench = RouletteBench()
    bench.spin_to("winning_number")
    bench.say("winning_number", 11, "27")
    before = len(bench.events)
    bench.say("closed", 11, "27", rpm=0.5, way=None)
    bench.say("closed", 11, "27", rpm=0.0, way=None)
    assert bench.events[before:] == []


def test_29_a_rotor_that_turns_back_before_the_launch_gives_the_spin_its_new_way() -> None:
    bench = RouletteBench()
    bench.say("place_bets", 11, "34", way="clockwise")
    bench.say("place_bets", 11, "34", rpm=0.0, way="clockwise")
    bench.say("place_bets", 11, "34", way="counter_clockwise")
    bench.say("ball_in_rim", 11, "34", after=4, way="counter_clockwise")
    bench.say("no_more_bets", 11, "34", after=4, way="counter_clockwise")
    bench.say("winning_number", 11, "27", after=26, way="counter_clockwise")
    bench.say("winning_number", 11, "27", way="counter_clockwise")
    (landed,) = found(bench.events, SpinLanded)
    assert (landed.direction, bench.codes) == ("counter_clockwise", [])


@pytest.mark.parametrize("step", [-2.2, 2.2])
def test_30_a_step_of_the_rotors_speed_at_no_more_bets_is_no_fault(step: float) -> None:
    bench = RouletteBench()
    bench.spin_to("ball_in_rim")
    for _ in range(6):
        bench.say("no_more_bets", 11, "34", rpm=15.0 + step)
    assert found(bench.events, DeviceFaulted) == []
    assert bench.codes == []


def test_34_a_wheel_that_speaks_twice_a_second_is_silent_after_two() -> None:
    assert DEVICE.silence_s == 2.0


def test_39_a_result_leaves_with_the_line_that_makes_it_sure() -> None:
    bench = RouletteBench()
    bench.spin_to("no_more_bets")
    bench.number("27")
    assert "round.completed" in kinds(bench.say("winning_number", 11, "27"))


def test_44_fault_codes_in_play_are_told_and_are_no_result() -> None:
    bench = RouletteBench()
    bench.spin_to("no_more_bets")
    bench.hear(WheelFault(3, "no ball position"))
    assert [one.condition for one in found(bench.events, DeviceFaulted)] == ["wheel_fault_3"]
    assert found(bench.events, RoundCompleted) == []


def test_46_a_wheel_whose_answers_are_not_understood_says_so_once_and_gives_no_result() -> None:
    bench = RouletteBench(control="server")
    bench.open()
    bench.close()
    for _ in range(5):
        bench.hear(WheelErrorFlag(raised=False))
    conditions = [one.condition for one in found(bench.events, DeviceFaulted)]
    assert conditions == ["results_not_understood"]
    bench.hear(WheelErrorFlag(raised=True))
    bench.hear(WheelFault(1, "the wheel says 'BALL'"))
    bench.hear(WheelErrorFlag(raised=True))
    conditions = [one.condition for one in found(bench.events, DeviceFaulted)]
    assert conditions == ["results_not_understood", "wheel_error", "wheel_fault_1"]
    bench.hear(WheelErrorFlag(raised=False))
    over = [one.condition for one in found(bench.events, DeviceRecovered)]
    assert over == ["wheel_error", "wheel_fault_1"]
    assert found(bench.events, RoundCompleted) == []


def test_25_the_speeds_of_a_runaway_are_the_profiles() -> None:
    assert RouletteProfile(wheel=("0",), red=()).rotor_runaway_rpm == 25.0
