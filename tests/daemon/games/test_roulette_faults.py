"""Roulette when the wheel is not well: flags, speed and time."""

from __future__ import annotations

from typing import get_args

import pytest
from support.roulette_bench import RouletteBench, line, profile
from support.table_bench import found, kinds

from protocols.device import DeviceSpec
from protocols.events import (
    DeviceFaulted,
    DeviceRecovered,
    RoundVoidRequired,
    SpinInvalid,
    SpinLanded,
    ViolationRaised,
)
from protocols.readings import (
    WheelFault,
    WheelFlag,
    WheelPhase,
)
from protocols.wheels.napsa import DEVICE as NAPSA
from protocols.wheels.saturn import DEVICE as SATURN

FLAGS: tuple[WheelFlag, ...] = get_args(WheelFlag)
PHASES: tuple[WheelPhase, ...] = get_args(WheelPhase)


def _faulted(bench: RouletteBench) -> list[str]:
    return [one.condition for one in found(bench.events, DeviceFaulted)]


def _recovered(bench: RouletteBench) -> list[str]:
    return [one.condition for one in found(bench.events, DeviceRecovered)]


# --- flags ------------------------------------------------------------------------------------


@pytest.mark.parametrize("flag", ["launch_failed", "ball_wrong_way"])
def test_19_21_a_failed_launch_is_told_once_and_the_round_goes_on(flag: WheelFlag) -> None:
    bench = RouletteBench()
    bench.say("place_bets", 11)
    for _ in range(3):
        bench.say("place_bets", 11, flags=[flag])
    assert _faulted(bench) == [flag]
    bench.spin_to("winning_number")
    bench.say("winning_number", 11, "27")
    assert _recovered(bench) == [flag]
    assert bench.codes == []
    assert bench.pockets == ["27"]


def test_each_flag_of_a_combination_is_a_condition_of_its_own() -> None:
    """B02: digit A is 8 + 2; digit 5 is 4 + 1."""
    bench = RouletteBench()
    bench.say("place_bets", 41, "19", flags=["launch_failed", "ball_wrong_way"])
    assert sorted(_faulted(bench)) == ["ball_wrong_way", "launch_failed"]
    bench = RouletteBench()
    for _ in range(12):
        bench.say("ball_in_rim", 41, "19", flags=["ball_not_detected", "sensor_or_motor"])
    assert sorted(_faulted(bench)) == ["ball_not_detected", "sensor_or_motor"]


def test_a_launch_flag_may_linger_for_three_seconds_in_the_rim() -> None:
    bench = RouletteBench()
    bench.spin_to("ball_in_rim")
    for _ in range(5):
        bench.say("ball_in_rim", 11, flags=["launch_failed"])
    assert _faulted(bench) == []
    bench.say("ball_in_rim", 11, flags=["launch_failed"])
    assert _faulted(bench) == ["launch_failed"]


@pytest.mark.parametrize("flagged", ["ball_in_rim", "no_more_bets", "winning_number"])
def test_r3_a_run_that_had_the_flag_in_one_line_is_invalid(flagged: WheelPhase) -> None:
    bench = RouletteBench()
    for phase in ("place_bets", "ball_in_rim", "no_more_bets", "winning_number"):
        pocket = "27" if phase == "winning_number" else "34"
        bench.say(phase, 11, pocket, flags=["ball_wrong_way"] if phase == flagged else [])
        bench.say(phase, 11, pocket)
    bench.number("27")
    bench.say("winning_number", 11, "27")
    assert [one.spin for one in found(bench.events, SpinInvalid)] == [11]
    assert (bench.codes, bench.pockets) == (["invalid_spin"], [])


@pytest.mark.parametrize("wheel", [NAPSA, SATURN])
def test_r3_a_wheel_without_the_flag_lands_no_spin_without_a_person(wheel: DeviceSpec) -> None:
    assert "direction" not in wheel.proves
    bench = RouletteBench(profile(), wheel=wheel)
    bench.spin_to("winning_number")
    bench.number("27")
    assert (bench.codes, bench.pockets) == (["spin_unproven"], [])
    (told,) = found(bench.events, ViolationRaised)
    assert "this wheel does not tell which way the ball runs" in told.detail


@pytest.mark.parametrize("phase", ["ball_in_rim", "no_more_bets"])
def test_21_a_ball_that_runs_with_the_rotor_is_no_spin(phase: WheelPhase) -> None:
    bench = RouletteBench()
    bench.spin_to(phase)
    bench.say(phase, 11, "34", flags=["ball_wrong_way"])
    bench.say(phase, 11, "34", flags=["ball_wrong_way"])
    assert [one.spin for one in found(bench.events, SpinInvalid)] == [11]
    assert bench.codes == ["invalid_spin"]
    bench.number("27")
    bench.say("winning_number", 11, "27")
    assert bench.pockets == []
    bench.void()
    bench.say("place_bets", 12, "27")
    bench.spin_to("winning_number", 12, "3")
    bench.say("winning_number", 12, "27")
    assert bench.pockets == ["27"]


def test_22_ball_not_detected_counts_only_after_five_seconds() -> None:
    bench = RouletteBench()
    bench.spin_to("no_more_bets")
    for flag in ("ball_not_detected", None) * 20:
        bench.say("no_more_bets", 11, "34", flags=[flag] if flag else [])
    assert _faulted(bench) == []
    bench.say("no_more_bets", 11, "34", flags=["ball_not_detected"])
    bench.wait(4.9)
    assert _faulted(bench) == []
    bench.wait(0.1)
    assert _faulted(bench) == ["ball_not_detected"]
    assert bench.codes == ["sensor_fault"]


def test_23_a_sensor_fault_holds_at_once_and_closed_bets_must_be_voided() -> None:
    bench = RouletteBench()
    bench.spin_to("no_more_bets")
    for _ in range(3):
        bench.say("no_more_bets", 11, "34", flags=["sensor_or_motor"])
    assert bench.codes == ["sensor_fault"]
    assert len(found(bench.events, RoundVoidRequired)) == 1
    bench.number("27")
    bench.say("winning_number", 11, "27", flags=["sensor_or_motor"])
    bench.say("winning_number", 11, "27", flags=["sensor_or_motor"])
    bench.number("27")
    bench.say("winning_number", 11, "27")
    bench.resolve("sensor_fault", "accept")
    assert bench.pockets == [], "statements under this flag do not count"
    bench.say("winning_number", 11, "27")
    assert bench.pockets == ["27"]


def test_27_a_closed_table_without_flags_is_normal_at_any_time() -> None:
    """B03."""
    bench = RouletteBench()
    bench.say("closed", 0, None, rpm=0, after=2)
    bench.say("closed", 0, None, rpm=0, after=118)
    assert _faulted(bench) == []
    bench.say("closed", 41, "19", rpm=0, flags=["sensor_or_motor"])
    assert _faulted(bench) == ["sensor_or_motor"]
    assert bench.codes == []


def test_a_wheel_that_closes_before_the_ball_runs_leaves_the_round_open() -> None:
    bench = RouletteBench()
    bench.say("place_bets", 11)
    bench.say("closed", 11, rpm=0)
    assert bench.codes == []
    bench.spin_to("winning_number")
    bench.say("winning_number", 11, "27")
    assert bench.pockets == ["27"]


@pytest.mark.parametrize("phase", ["ball_in_rim", "no_more_bets"])
def test_a_wheel_that_closes_under_a_running_ball_must_be_voided(phase: WheelPhase) -> None:
    bench = RouletteBench()
    bench.spin_to(phase)
    assert bench.say("closed", 11, "34", rpm=0) == []
    bench.say("closed", 11, "34", rpm=0)
    assert bench.codes == ["wheel_closed"]
    assert len(found(bench.events, RoundVoidRequired)) == 1


def test_a_fault_code_is_told_until_the_wheel_takes_it_back() -> None:
    bench = RouletteBench()
    bench.hear(WheelFault(13, "sensor 3 stuck on"))
    bench.hear(WheelFault(13, "sensor 3 stuck on"))
    bench.hear(WheelFault(0, "none"))
    assert _faulted(bench) == ["wheel_fault_13"]
    assert _recovered(bench) == ["wheel_fault_13"]


# --- speed and time ---------------------------------------------------------------------------


@pytest.mark.parametrize("house", ["roulette-dk", "roulette-lv", "roulette-00"])
def test_r18_a_band_that_is_ours_is_told_once_a_spin_and_holds_nothing(house: str) -> None:
    bench = RouletteBench(profile(house, min_revolutions=0.0))
    bench.spin_to("no_more_bets")
    bench.say("no_more_bets", 11, "34", rpm=20.1)
    bench.say("no_more_bets", 11, "34", rpm=9.9)
    (told,) = found(bench.events, ViolationRaised)
    assert (told.code, told.expected, told.holds) == ("rotor_speed_unusual", "10-20 rpm", False)
    bench.number("27")
    bench.say("winning_number", 11, "27", after=26)
    assert bench.pockets == ["27"]


def test_r18_a_band_that_the_houses_book_states_holds_once_a_spin() -> None:
    bench = RouletteBench(profile(min_revolutions=0.0, off_speed="held"))
    bench.spin_to("no_more_bets")
    bench.say("no_more_bets", 11, "34", rpm=20.1)
    bench.say("no_more_bets", 11, "34", rpm=9.9)
    assert bench.codes == ["rotor_out_of_range"]
    assert bench.state.held


@pytest.mark.parametrize("before", [9.9, 15.0], ids=["told before", "in the band before"])
def test_r18_a_rotor_that_races_holds_closed_bets(before: float) -> None:
    bench = RouletteBench()
    bench.spin_to("no_more_bets")
    bench.say("no_more_bets", 11, "34", rpm=before)
    bench.say("no_more_bets", 11, "34", rpm=25.1)
    bench.say("no_more_bets", 11, "34", rpm=95.3)
    assert [code for code in bench.codes if code != "rotor_speed_unusual"] == ["rotor_out_of_range"]
    assert found(bench.events, ViolationRaised)[-1].expected == "at most 25 rpm"
    assert bench.state.held


def test_25_a_runaway_rotor_is_a_fault_in_any_phase_and_000_does_not_end_it() -> None:
    bench = RouletteBench(control="server")
    bench.say("before_game", 11, rpm=25.1)
    bench.say("place_bets", 11, rpm=95.3)
    bench.say("place_bets", 11, rpm=0)
    assert _faulted(bench) == ["rotor_runaway"]
    assert _recovered(bench) == []
    bench.say("place_bets", 11, rpm=25)
    assert _recovered(bench) == ["rotor_runaway"]
    assert bench.codes == []


def test_000_while_the_rotor_races_is_no_standstill_to_launch_from() -> None:
    bench = RouletteBench(control="server")
    bench.say("place_bets", 11, rpm=95.3)
    assert bench.say("place_bets", 11, rpm=0) == []
    bench.say("place_bets", 11, rpm=16)
    assert kinds(bench.say("place_bets", 11, rpm=0)) == ["spin.started"]


def test_a_hold_that_the_line_of_the_result_itself_raises_keeps_the_result_back() -> None:
    bench = RouletteBench()
    bench.spin_to("no_more_bets")
    bench.number("27")
    bench.say("winning_number", 11, "27", after=26, rpm=26)
    assert bench.codes == ["rotor_out_of_range"]
    assert bench.pockets == []
    bench.resolve("rotor_out_of_range", "accept")
    assert bench.pockets == ["27"]


@pytest.mark.parametrize(
    ("phase", "seconds", "condition", "codes"),
    [
        ("before_game", 15.0, "start_slow", []),
        ("ball_in_rim", 20.0, "ball_stays_in_rim", ["spin_timeout"]),
        ("no_more_bets", 35.0, "result_slow", []),
        ("winning_number", 10.0, "result_stays", []),
    ],
)
def test_a_phase_that_lasts_too_long_is_told(
    phase: WheelPhase, seconds: float, condition: str, codes: list[str]
) -> None:
    bench = RouletteBench()
    if phase == "before_game":
        bench.say("before_game", 11)
    else:
        bench.spin_to(phase)
    bench.wait(seconds - 0.1)
    assert _faulted(bench) == []
    bench.wait(0.1)
    assert _faulted(bench) == [condition]
    assert bench.codes == codes
    bench.say("closed", 11, rpm=0)
    assert condition in _recovered(bench)


def test_a_ball_without_a_result_for_a_minute_must_be_voided() -> None:
    bench = RouletteBench()
    bench.spin_to("no_more_bets")
    bench.wait(30)
    bench.say("ball_off_track", 11, "34", after=0)
    bench.wait(30)
    assert _faulted(bench) == ["result_slow", "result_missing"]
    assert bench.codes == ["spin_timeout"]
    assert len(found(bench.events, RoundVoidRequired)) == 1


@pytest.mark.parametrize(("closed", "codes"), [(False, []), (True, ["spin_timeout"])])
def test_20_a_stuck_launch_holds_only_closed_bets(*, closed: bool, codes: list[str]) -> None:
    bench = RouletteBench()
    bench.say("place_bets", 11)
    bench.wait(500)
    assert _faulted(bench) == [], "a wheel that waits for its start command is not slow"
    bench.say("place_bets", 11, rpm=0)
    if closed:
        bench.close("T-1-1")
    bench.wait(60)
    assert _faulted(bench) == ["launch_slow", "launch_stuck"]
    assert bench.codes == codes


def test_a_reboot_starts_the_clocks_anew() -> None:
    bench = RouletteBench()
    bench.spin_to("no_more_bets")
    bench.reboot()
    bench.wait(100)
    assert _faulted(bench) == []
    bench.say("no_more_bets", 11, "34")
    bench.wait(34.9)
    assert _faulted(bench) == []
    bench.wait(0.1)
    assert _faulted(bench) == ["result_slow"]


def test_a_restart_of_the_daemon_starts_the_clocks_anew() -> None:
    bench = RouletteBench()
    bench.spin_to("no_more_bets")
    bench.wait(34)
    bench.restart()
    bench.say("no_more_bets", 11, "34")
    bench.wait(34)
    assert _faulted(bench) == []
    bench.wait(1)
    assert _faulted(bench) == ["result_slow"]


def test_two_edges_at_one_instant_are_two_events_and_tell_no_time() -> None:
    """B71: 150 pairs on a clock that stands still."""
    bench = RouletteBench()
    for _ in range(150):
        bench.hear(line("ball_in_rim", 41, "19"))
        bench.hear(line("no_more_bets", 41, "19"))
    told = [kind for kind in kinds(bench.events) if kind.startswith("spin.")]
    assert told == ["spin.ball_in_rim", "spin.no_more_bets"] * 150
    bench.number("27")
    bench.hear(line("winning_number", 41, "27"))
    assert [one.laps for one in found(bench.events, SpinLanded)] == [None]
