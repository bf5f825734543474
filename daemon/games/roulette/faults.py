"""What the wheel reports of its own health: warning flags, rotor speed, fault codes."""

from __future__ import annotations

from typing import Final

from daemon.games.roulette.state import BALL_OUT, BALL_RUNS
from daemon.games.roulette.transition import RouletteTransition, is_live
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


def flags(transition: RouletteTransition, status: WheelStatus) -> None:
    """Judge the warning flags, each by itself."""
    _launch_failed(transition, status)
    _wrong_way(transition, status)
    _not_detected(transition, status)
    _sensor_or_motor(transition, status)


def _launch_failed(transition: RouletteTransition, status: WheelStatus) -> None:
    if "launch_failed" not in status.flags:
        transition.recover("launch_failed")
        return
    if status.phase == "ball_in_rim":
        since = transition.state.since
        passed = None if since is None else transition.at.since(since)
        if passed is None or passed < _LAUNCH_FLAG_SETTLES_S:
            return
    transition.fault("launch_failed", f"launch failed in {status.phase}; the wheel retries")


def _wrong_way(transition: RouletteTransition, status: WheelStatus) -> None:
    if "ball_wrong_way" not in status.flags:
        transition.recover("ball_wrong_way")
    elif status.phase in BALL_OUT and is_live(transition.state.run):
        invalid(transition, "the ball runs the same way as the rotor")
    elif status.phase not in BALL_RUNS:
        transition.fault("ball_wrong_way", f"the ball runs with the rotor in {status.phase}")


def invalid(transition: RouletteTransition, reason: str) -> None:
    """Declare that the running spin does not count; its round is void, or spun again."""
    round_id = transition.bound_round
    transition.set_run(end="invalid")
    respin = round_id is not None and transition.profile.invalid_spin == "respin"
    if transition.state.run is not None:
        transition.emit(SpinInvalid(transition.state.run.number, reason, respin=respin))
    if respin:
        transition.set(waits=round_id)
    elif round_id is not None:
        transition.violate("invalid_spin", reason)


def _not_detected(transition: RouletteTransition, status: WheelStatus) -> None:
    if _MISSING not in status.flags:
        transition.recover(_MISSING)
        if transition.state.ball_missing_at is not None:
            transition.set(ball_missing_at=None)
    elif _MISSING in transition.state.conditions:
        return
    elif transition.state.ball_missing_at is None:
        transition.set(ball_missing_at=transition.at.after(transition.profile.flag1_debounce_s))
    else:
        ball_still_missing(transition)


def ball_still_missing(transition: RouletteTransition) -> None:
    """Report 'ball not detected' once it has stayed for the debounce time."""
    deadline = transition.state.ball_missing_at
    if deadline is None or not transition.at.reached(deadline):
        return
    transition.set(ball_missing_at=None)
    detail = f"ball not detected for {transition.profile.flag1_debounce_s:g} s"
    if transition.fault(_MISSING, detail) and transition.round is not None:
        transition.violate("sensor_fault", detail)


def _sensor_or_motor(transition: RouletteTransition, status: WheelStatus) -> None:
    if "sensor_or_motor" not in status.flags:
        transition.recover("sensor_or_motor")
        return
    detail = f"sensor stuck, or motor or encoder at fault, in {status.phase}"
    if not transition.fault("sensor_or_motor", detail) or transition.round is None:
        return
    transition.violate("sensor_fault", detail)
    if not transition.betting:
        transition.emit(RoundVoidRequired(transition.round.round_id, detail))


def speed(transition: RouletteTransition, status: WheelStatus) -> None:
    """Judge the rotor's speed; of its history only the conditions remain."""
    rpm = status.rotor_tenths_rpm / 10
    profile, run = transition.profile, transition.state.run
    round_id = transition.bound_round
    if rpm > profile.rotor_runaway_rpm:
        detail = f"rotor at {rpm:.1f} rpm in {status.phase}"
        transition.fault("rotor_runaway", detail)
        if round_id is not None and not transition.betting:
            _runaway(transition, detail)
        return
    # The field reads 000 above 99.9 rpm: after a runaway it proves a standstill only where the
    # rotor is off anyway.
    if rpm > 0 or status.phase in ("closed", "before_game"):
        transition.recover("rotor_runaway")
    if round_id is None or status.phase not in BALL_OUT or run is None or run.end is not None:
        return
    if not profile.rotor_min_rpm <= rpm <= profile.rotor_max_rpm:
        _off_speed(transition, f"rotor at {rpm:.1f} rpm in {status.phase}")


def _runaway(transition: RouletteTransition, detail: str) -> None:
    """Hold the round of a rotor that races: the wheel's own control has failed."""
    run = transition.state.run
    if run is not None and not run.raced:
        transition.set_run(raced=True, off_speed=True)
        limit = f"at most {transition.profile.rotor_runaway_rpm:g} rpm"
        transition.violate("rotor_out_of_range", detail, expected=limit)


def _off_speed(transition: RouletteTransition, detail: str) -> None:
    """Tell a speed outside the band, once a spin; hold only where the house's book states it."""
    run, profile = transition.state.run, transition.profile
    if run is not None and not run.off_speed:
        transition.set_run(off_speed=True)
        code = "rotor_out_of_range" if profile.off_speed == "held" else "rotor_speed_unusual"
        band = f"{profile.rotor_min_rpm:g}-{profile.rotor_max_rpm:g} rpm"
        transition.violate(code, detail, expected=band)


def take_report(
    transition: RouletteTransition,
    reading: WheelFault | WheelErrorFlag | RotorPosition | DeviceError,
) -> None:
    """Take what a wheel reports of itself, and of nothing that is played."""
    match reading:
        case WheelFault():
            _fault_code(transition, reading)
        case WheelErrorFlag():
            _error_flag(transition, reading)
        case RotorPosition():
            _rotor_alone(transition)
        case DeviceError():
            _device_error(transition, reading)


def _fault_code(transition: RouletteTransition, fault: WheelFault) -> None:
    """Report the wheel's own fault code; 0 says that there is none.

    A self-test runs only while the wheel is closed, and nothing is played then: a code is its
    answer there. Elsewhere a code is a fault of play, unless it is 0: no play reports that.
    """
    if fault.code == 0 or transition.state.phase == "closed":
        transition.emit(WheelSelfTested(fault.code, fault.meaning, passed=fault.code == 0))
    if fault.code == 0:
        codes_over(transition)
    else:
        transition.fault(f"{_CODE}{fault.code}", fault.meaning)


def _error_flag(transition: RouletteTransition, flag: WheelErrorFlag) -> None:
    """Report the error flag of a wheel of which nothing else is understood, and that, once."""
    detail = "where this wheel says number and state is not known: its results are not taken"
    transition.fault("results_not_understood", detail)
    if flag.raised:
        transition.fault(_FLAG, "the wheel's own error flag is up")
    else:
        transition.recover(_FLAG)
        codes_over(transition)


def _rotor_alone(transition: RouletteTransition) -> None:
    """Report once that an encoder is all there is: it sees no ball, and rounds stay open."""
    transition.fault(
        "results_not_seen", "an encoder sees the rotor and no ball: no result is taken"
    )


def _device_error(transition: RouletteTransition, error: DeviceError) -> None:
    """Report an error of the device's own, or that it has none any more."""
    if error.code:
        transition.fault(f"{_DEVICE}{error.code}", error.meaning)
    else:
        transition.recover(*_known(transition, _DEVICE))


def codes_over(transition: RouletteTransition) -> None:
    """Take back the fault codes: the wheel says 'none', or has begun another spin."""
    transition.recover(*_known(transition, _CODE))


def _known(transition: RouletteTransition, prefix: str) -> tuple[str, ...]:
    """Return the reported conditions whose name begins so."""
    return tuple(known for known in transition.state.conditions if known.startswith(prefix))
