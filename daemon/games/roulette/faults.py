"""What the wheel says of its own health: warning flags, rotor speed, fault codes."""

from __future__ import annotations

from typing import Final

from daemon.games.roulette.state import BALL_OUT, BALL_RUNS
from daemon.games.roulette.transition import Work, run_is_live
from protocols.events import RoundVoidRequired, SpinInvalid, WheelSelfTested
from protocols.readings import (
    DeviceError,
    RotorPosition,
    WheelErrorFlag,
    WheelFault,
    WheelFlag,
    WheelStatus,
)

_LAUNCH_FLAG_SETTLES_S: Final = 3.0
"""The wheel's own advice: 'launch failed' may linger this long after the ball is in the rim."""
_MISSING = "ball_not_detected"
_CODE = "wheel_fault_"
_FLAG: Final = "wheel_error"
_DEVICE: Final = "device_error_"
SPOILS_RESULT: Final[frozenset[WheelFlag]] = frozenset(("sensor_or_motor", "ball_wrong_way"))


def flags(work: Work, status: WheelStatus) -> None:
    """Judge the warning flags, each by itself."""
    _launch_failed(work, status)
    _wrong_way(work, status)
    _not_detected(work, status)
    _sensor_or_motor(work, status)


def _launch_failed(work: Work, status: WheelStatus) -> None:
    if "launch_failed" not in status.flags:
        work.recover("launch_failed")
        return
    if status.phase == "ball_in_rim":
        since = work.state.since
        passed = None if since is None else work.at.since(since)
        if passed is None or passed < _LAUNCH_FLAG_SETTLES_S:
            return
    work.fault("launch_failed", f"launch failed in {status.phase}; the wheel retries")


def _wrong_way(work: Work, status: WheelStatus) -> None:
    if "ball_wrong_way" not in status.flags:
        work.recover("ball_wrong_way")
    elif status.phase not in BALL_RUNS:
        work.fault("ball_wrong_way", f"the ball runs with the rotor in {status.phase}")
    elif run_is_live(work.state.run):
        invalid(work, "the ball runs the same way as the rotor")


def invalid(work: Work, reason: str) -> None:
    """Declare that the running spin does not count."""
    stake = work.mine
    work.set_run(end="invalid")
    if work.state.run is not None:
        work.emit(SpinInvalid(work.state.run.number, reason))
    if stake is not None:
        work.violate("invalid_spin", reason)


def _not_detected(work: Work, status: WheelStatus) -> None:
    if _MISSING not in status.flags:
        work.recover(_MISSING)
        if work.state.ball_missing_at is not None:
            work.set(ball_missing_at=None)
    elif _MISSING in work.state.conditions:
        return
    elif work.state.ball_missing_at is None:
        work.set(ball_missing_at=work.at.after(work.profile.flag1_debounce_s))
    else:
        ball_still_missing(work)


def ball_still_missing(work: Work) -> None:
    """Report 'ball not detected' once it has stayed for the debounce time."""
    deadline = work.state.ball_missing_at
    if deadline is None or not work.at.reached(deadline):
        return
    work.set(ball_missing_at=None)
    detail = f"ball not detected for {work.profile.flag1_debounce_s:g} s"
    if work.fault(_MISSING, detail) and work.round is not None:
        work.violate("sensor_fault", detail)


def _sensor_or_motor(work: Work, status: WheelStatus) -> None:
    if "sensor_or_motor" not in status.flags:
        work.recover("sensor_or_motor")
        return
    detail = f"sensor stuck, or motor or encoder at fault, in {status.phase}"
    if not work.fault("sensor_or_motor", detail) or work.round is None:
        return
    work.violate("sensor_fault", detail)
    if not work.bets_open:
        work.emit(RoundVoidRequired(work.round.round_id, detail))


def speed(work: Work, status: WheelStatus) -> None:
    """Judge the rotor's speed; of its history only the conditions remain."""
    rpm = status.rotor_tenths_rpm / 10
    profile, run = work.profile, work.state.run
    stake = work.mine
    if rpm > profile.rotor_runaway_rpm:
        detail = f"rotor at {rpm:.1f} rpm in {status.phase}"
        work.fault("rotor_runaway", detail)
        if stake is not None and not work.bets_open:
            _out_of_range(work, detail)
        return
    # The field reads 000 above 99.9 rpm: after a runaway it proves a standstill only where the
    # rotor is off anyway.
    if rpm > 0 or status.phase in ("closed", "before_game"):
        work.recover("rotor_runaway")
    if stake is None or status.phase not in BALL_OUT or run is None or run.end is not None:
        return
    if not profile.rotor_min_rpm <= rpm <= profile.rotor_max_rpm:
        _out_of_range(work, f"rotor at {rpm:.1f} rpm in {status.phase}")


def _out_of_range(work: Work, detail: str) -> None:
    run = work.state.run
    if run is None or run.off_speed:
        return
    work.set_run(off_speed=True)
    band = f"{work.profile.rotor_min_rpm:g}-{work.profile.rotor_max_rpm:g} rpm"
    work.violate("rotor_out_of_range", detail, expected=band)


def said(work: Work, reading: WheelFault | WheelErrorFlag | RotorPosition | DeviceError) -> None:
    """Take what a wheel says of itself, and of nothing that is played."""
    match reading:
        case WheelFault():
            code(work, reading)
        case WheelErrorFlag():
            error_flag(work, reading)
        case RotorPosition():
            rotor_alone(work)
        case DeviceError():
            device_error(work, reading)


def code(work: Work, fault: WheelFault) -> None:
    """Report the wheel's own fault code; 0 says that there is none.

    A self-test runs only while the wheel is closed, and nothing is played then: a code is its
    answer there. Elsewhere a code is a fault of play, unless it is 0: no play reports that.
    """
    if fault.code == 0 or work.state.phase == "closed":
        work.emit(WheelSelfTested(fault.code, fault.meaning, passed=fault.code == 0))
    if fault.code == 0:
        codes_over(work)
    else:
        work.fault(f"{_CODE}{fault.code}", fault.meaning)


def error_flag(work: Work, flag: WheelErrorFlag) -> None:
    """Report the error flag of a wheel of which nothing else is understood, and say so once."""
    detail = "where this wheel says number and state is not known: its results are not taken"
    work.fault("results_not_understood", detail)
    if flag.raised:
        work.fault(_FLAG, "the wheel's own error flag is up")
    else:
        work.recover(_FLAG)
        codes_over(work)


def rotor_alone(work: Work) -> None:
    """Say once that an encoder is all there is: it sees no ball, and rounds stay open."""
    work.fault("results_not_seen", "an encoder sees the rotor and no ball: no result is taken")


def device_error(work: Work, error: DeviceError) -> None:
    """Report an error of the device's own, or that it has none any more."""
    if error.code:
        work.fault(f"{_DEVICE}{error.code}", error.meaning)
    else:
        work.recover(*(one for one in work.state.conditions if one.startswith(_DEVICE)))


def codes_over(work: Work) -> None:
    """Take back the fault codes: the wheel says 'none', or has begun another spin."""
    work.recover(*(one for one in work.state.conditions if one.startswith(_CODE)))
