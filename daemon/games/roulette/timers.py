"""How long a phase may take. One clock per phase, read at the Tick that `wake_at` asked for."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

from daemon.games.roulette import faults
from daemon.games.roulette.state import RouletteState
from daemon.games.roulette.transition import Work
from protocols.events import RoundVoidRequired
from protocols.instant import Instant, earliest
from protocols.readings import WheelPhase


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
    return earliest(state.alarm_at, state.ball_missing_at)


def enter(work: Work, phase: WheelPhase) -> None:
    """Start the clock of a phase that was just entered; place_bets waits for the launch."""
    before = work.state.phase
    if before is not None and TIMERS[before] is TIMERS[phase] and TIMERS[phase]:
        return  # off the track is a late 'no more bets': one clock for both
    work.recover(*sorted(_ALL))
    work.set(since=work.at, rung=0, alarm_at=None)
    if phase != "place_bets":
        _wind(work, phase)


def launch(work: Work) -> None:
    """Start the clock of the launch."""
    work.set(since=work.at, rung=0)
    _wind(work, "place_bets")


def another_boot(work: Work) -> None:
    """Start running clocks anew after a reboot of the machine: its own clock began at nought."""
    since = work.state.since
    if since is not None and since.boot != work.at.boot:
        anew(work)


def anew(work: Work) -> None:
    """Start running clocks anew: how long they ran while nobody listened is unknown."""
    state = work.state
    if state.since is None:
        return
    work.set(since=work.at)
    work.set_run(timed=False)
    if state.phase is not None and state.alarm_at is not None:
        _wind(work, state.phase)
    if state.ball_missing_at is not None:
        work.set(ball_missing_at=work.at.after(work.profile.flag1_debounce_s))


def tick(work: Work) -> None:
    """Let go off what is due."""
    faults.ball_still_missing(work)
    state = work.state
    if state.phase is None or state.alarm_at is None or not work.at.reached(state.alarm_at):
        return
    row = TIMERS[state.phase]
    work.set(rung=state.rung + 1, alarm_at=None)
    if state.rung < len(row):
        _go_off(work, row[state.rung], state.phase)
        _wind(work, state.phase)


def _wind(work: Work, phase: WheelPhase) -> None:
    row, state = TIMERS[phase], work.state
    if state.since is not None and state.rung < len(row):
        limit: float = getattr(work.profile, row[state.rung].limit)
        work.set(alarm_at=state.since.after(limit))


def _go_off(work: Work, timer: Timer, phase: WheelPhase) -> None:
    limit: float = getattr(work.profile, timer.limit)
    detail = f"{phase} for more than {limit:g} s"
    work.fault(timer.condition, detail)
    stake = work.mine
    if stake is None or timer.then == "tell":
        return
    if timer.then == "hold_if_closed" and work.bets_open:
        return
    work.violate("spin_timeout", detail)
    if timer.then == "void":
        work.emit(RoundVoidRequired(stake, detail))
