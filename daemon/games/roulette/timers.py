"""How long a phase may take. One clock per phase, read at the Tick that `wake_at` asked for."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

from daemon.games.roulette import confirmation, faults
from daemon.games.roulette.state import RouletteState
from daemon.games.roulette.transition import RouletteTransition
from protocols.events import RoundVoidRequired
from protocols.instant import Instant, earliest
from protocols.readings import WheelPhase
from protocols.replace import replace


@dataclass(frozen=True, slots=True)
class Timer:
    """After `limit` (a field of the profile) the wheel is at fault; `then` is what it does."""

    limit: str
    condition: str
    then: Literal["tell", "hold_if_closed", "hold", "void"] = "tell"


_BEFORE = (Timer("state1_max_s", "start_slow"),)
_LAUNCH = (
    Timer("state2_warn_s", "launch_slow"),
    # While bets are open a relaunch costs nobody anything: the round stays open.
    Timer("state2_escalate_s", "launch_stuck", "hold_if_closed"),
)
_RIM = (Timer("state3_max_s", "ball_stays_in_rim", "hold"),)
_FALL = (
    Timer("state4_warn_s", "result_slow"),
    Timer("state4_void_s", "result_missing", "void"),
)
_RESULT = (Timer("state5_max_s", "result_stays"),)
TIMERS: Final[dict[WheelPhase, tuple[Timer, ...]]] = {
    "before_game": _BEFORE,
    "place_bets": _LAUNCH,
    "ball_in_rim": _RIM,
    "no_more_bets": _FALL,
    "ball_off_track": _FALL,
    "winning_number": _RESULT,
    "closed": (),
}
_ALL: Final = tuple({timer.condition for row in TIMERS.values() for timer in row})


def wake_at(state: RouletteState) -> Instant | None:
    """Return when the next limit is reached."""
    announce_by = state.pending.until if state.pending is not None else None
    return earliest(state.alarm_at, state.ball_missing_at, announce_by)


def enter_phase(transition: RouletteTransition, phase: WheelPhase) -> None:
    """Start the clock of a phase that was just entered; place_bets waits for the launch."""
    before = transition.state.phase
    if before is not None and TIMERS[before] is TIMERS[phase] and TIMERS[phase]:
        return  # off the track is a late 'no more bets': one clock for both
    transition.recover(*sorted(_ALL))
    transition.set(since=transition.at, rung=0, alarm_at=None)
    if phase != "place_bets":
        _set_alarm(transition, phase)


def start_launch_clock(transition: RouletteTransition) -> None:
    """Start the clock of the launch."""
    transition.set(since=transition.at, rung=0)
    _set_alarm(transition, "place_bets")


def restart_after_boot(transition: RouletteTransition) -> None:
    """Restart running clocks after a reboot of the machine, whose own clock began at zero."""
    since = transition.state.since
    if since is not None and since.boot != transition.at.boot:
        restart_clocks(transition)


def restart_clocks(transition: RouletteTransition) -> None:
    """Restart running clocks: how long they ran while the daemon was away is not known."""
    state = transition.state
    if state.since is None:
        return
    transition.set(since=transition.at)
    transition.set_run(timed=False)
    if state.phase is not None and state.alarm_at is not None:
        _set_alarm(transition, state.phase)
    if state.ball_missing_at is not None:
        transition.set(ball_missing_at=transition.at.after(transition.profile.flag1_debounce_s))
    if state.pending is not None and state.pending.until is not None:
        until = transition.at.after(transition.profile.announce_wait_s)
        transition.set(pending=replace(state.pending, until=until))


def tick(transition: RouletteTransition) -> None:
    """Raise the alarms that are due."""
    faults.ball_still_missing(transition)
    confirmation.end_announcement_wait(transition)
    state = transition.state
    if state.phase is None or state.alarm_at is None or not transition.at.reached(state.alarm_at):
        return
    row = TIMERS[state.phase]
    transition.set(rung=state.rung + 1, alarm_at=None)
    if state.rung < len(row):
        _raise_alarm(transition, row[state.rung], state.phase)
        _set_alarm(transition, state.phase)


def _set_alarm(transition: RouletteTransition, phase: WheelPhase) -> None:
    row, state = TIMERS[phase], transition.state
    if state.since is not None and state.rung < len(row):
        limit: float = getattr(transition.profile, row[state.rung].limit)
        transition.set(alarm_at=state.since.after(limit))


def _raise_alarm(transition: RouletteTransition, timer: Timer, phase: WheelPhase) -> None:
    limit: float = getattr(transition.profile, timer.limit)
    detail = f"{phase} for more than {limit:g} s"
    transition.fault(timer.condition, detail)
    round_id = transition.bound_round
    if round_id is None or timer.then == "tell":
        return
    if timer.then == "hold_if_closed" and transition.betting:
        return
    transition.violate("spin_timeout", detail)
    if timer.then == "void":
        transition.emit(RoundVoidRequired(round_id, detail))
