"""Follows the status line: which run it is of, and which edges it brings.

A change of phase that no wheel makes means that lines were lost; it is no error by itself.
"""

from __future__ import annotations

from typing import Final

from daemon.games.roulette import (
    confirmation,
    faults,
    laps,
    single_lines,
    spin_counter,
    timers,
)
from daemon.games.roulette.spin_counter import Step
from daemon.games.roulette.state import BALL_OUT, BALL_RUNS, ORDER, BallRun
from daemon.games.roulette.transition import RouletteTransition, is_live
from protocols.events import RoundVoidRequired, SpinNoMoreBets
from protocols.readings import WheelStatus
from protocols.replace import replace

_LAUNCH_FLAGS: Final = frozenset(("launch_failed", "ball_wrong_way"))
_RESULT_SEEN: Final = ("landed", "late", "lost", "old")


def follow(transition: RouletteTransition, reading: WheelStatus) -> None:
    """Apply one status line, unless it has to be said twice and was not."""
    transition.spin = spin_counter.spin_number(transition, reading)
    if not single_lines.is_doubted(transition, reading):
        _apply(transition, reading)


def believe_doubted(transition: RouletteTransition) -> None:
    """Apply the line that waited for the next one: none came."""
    reading = transition.state.doubted
    if reading is not None:
        transition.set(doubted=None)
        transition.spin = spin_counter.spin_number(transition, reading)
        _apply(transition, reading)


def doubt_bets(transition: RouletteTransition) -> None:
    """Bytes said nothing: with bets open they may have been the number, said too early."""
    run = transition.state.run
    if run is not None and run.end is None and transition.betting:
        transition.set_run(damaged=True)


def _apply(transition: RouletteTransition, reading: WheelStatus) -> None:
    if _is_noise(transition, reading):
        return
    run = transition.state.run
    if run is not None and run.damaged and reading.phase != "winning_number":
        transition.set_run(damaged=False)
    timers.restart_after_boot(transition)
    if transition.context.unproven and transition.round is not None:
        _prove(transition, reading)
    _find_run(transition, reading)
    if reading.phase != transition.state.phase:
        timers.enter_phase(transition, reading.phase)
        if reading.phase == "closed":
            _closed(transition, reading)
    if reading.phase == "place_bets":
        _place_bets(transition, reading)
    elif reading.phase in BALL_OUT:
        _ball(transition, reading)
    faults.flags(transition, reading)
    faults.speed(transition, reading)
    if reading.phase == "winning_number":
        confirmation.take_winning_line(transition, reading)
    if (transition.state.phase, transition.state.spin) != (reading.phase, transition.spin):
        transition.set(phase=reading.phase, spin=transition.spin)


def _is_noise(transition: RouletteTransition, reading: WheelStatus) -> bool:
    """A ball cannot fall again once it lies in its pocket; one flipped bit can say so."""
    run = transition.state.run
    return (
        run is not None
        and run.end in _RESULT_SEEN
        and transition.state.phase == "winning_number"
        and transition.spin == run.number
        and reading.phase in ("no_more_bets", "ball_off_track")
    )


# --- which run is this ---------------------------------------------------------------------


def _prove(transition: RouletteTransition, reading: WheelStatus) -> None:
    """Decide whether anything was missed while the link was down in an open round."""
    state = transition.state
    transition.set_run(timed=False)
    if state.phase is None or state.spin is None:
        whole = False
    elif state.spin == transition.spin:
        whole = reading.phase == "closed" or ORDER[reading.phase] >= ORDER[state.phase]
    else:
        over = state.run is None or state.run.end is not None
        whole = over and spin_counter.step(transition.spin, state.spin, reading) == "next"
    if not whole:
        before = f"spin {state.spin} in {state.phase}"
        now = f"spin {transition.spin} in {reading.phase}"
        transition.violate("reading_gap", f"{before}, then unheard, then {now}", reading=reading)


def _find_run(transition: RouletteTransition, reading: WheelStatus) -> None:
    state = transition.state
    if state.spin is not None and state.spin != transition.spin:
        _another_spin(transition, state.spin, reading)
    elif state.run is not None and state.phase is not None:
        _same_spin(transition, state.run, reading)
    if transition.state.run is None:
        _begin(transition, reading)


def _another_spin(transition: RouletteTransition, before: int, reading: WheelStatus) -> None:
    """End the run of the spin before; without a result that was seen it is lost."""
    step, run = spin_counter.step(transition.spin, before, reading), transition.state.run
    if run is not None and run.end is None:
        _ended_unseen(transition, run, step, reading)
    elif (
        step == "next"
        and transition.pending_round is not None
        and _never_launched(transition, before)
    ):
        confirmation.lose_spin(
            transition,
            transition.pending_round,
            None,
            f"spin {before} was not seen to run",
            reading,
        )
    elif step == "mains" and transition.pending_round is not None:
        confirmation.lose_spin(
            transition,
            transition.pending_round,
            None,
            f"mains: power cut after spin {before}",
            reading,
        )
    elif step == "jump" and transition.pending_round is not None:
        confirmation.lose_spin(
            transition, transition.pending_round, None, _hole(transition, before), reading
        )
    transition.set(run=None)
    if step == "mains":
        transition.set(done=None)


def _never_launched(transition: RouletteTransition, before: int) -> bool:
    """Tell a spin that was only seen getting ready: its ball ran unheard."""
    state = transition.state
    return state.run is None and state.phase == "before_game" and state.done != before


def _ended_unseen(
    transition: RouletteTransition,
    run: BallRun,
    step: Step,
    reading: WheelStatus,
) -> None:
    stated = run.stated
    # Until its own result the next spin still shows this one's; where we count, the ball may only
    # be launched again, and that is the number of the spin before.
    shows = step == "next" and reading.phase != "winning_number" and not run.counted
    later = reading.pocket if shows else None
    if stated is not None and later is not None and stated != later:
        detail = f"spin {run.number}: {stated}, then {later} in the next"
        confirmation.raise_conflict(transition, detail, reading, stated=(stated, later))
        return
    reasons = {
        "next": f"spin {run.number} ended unseen: spin {transition.spin} in {reading.phase}",
        "mains": f"mains: power cut in spin {run.number}",
        "jump": _hole(transition, run.number),
    }
    round_id = transition.bound_round if step == "next" else transition.pending_round
    confirmation.lose_spin(
        transition, round_id, stated if stated is not None else later, reasons[step], reading
    )


def _hole(transition: RouletteTransition, before: int) -> str:
    if transition.state.counts:
        return f"spin {before}, then unheard: the wheel does not number its spins"
    return f"spin {transition.spin} after spin {before}"


def _same_spin(transition: RouletteTransition, run: BallRun, reading: WheelStatus) -> None:
    """Handle a step back within a spin: a relaunch, or lost lines, or a result passed over."""
    was = transition.state.phase
    if was is None or reading.phase == "closed" or ORDER[reading.phase] >= ORDER[was]:
        return
    before_launch = reading.phase not in BALL_OUT
    if run.end in _RESULT_SEEN:
        # The wheel may wait for the next game under the old number; a new ball may not.
        if reading.phase == "ball_in_rim":
            transition.set(run=None)
    elif run.end is not None:
        if before_launch:
            transition.set(run=None)
    elif before_launch and run.stated is not None:
        detail = f"spin {run.number}: one statement only, then {reading.phase}"
        confirmation.lose_spin(transition, transition.bound_round, run.stated, detail, reading)
        transition.set(run=None, done=run.number)
    else:
        _restart(transition, run, reading)


def _restart(transition: RouletteTransition, run: BallRun, reading: WheelStatus) -> None:
    """Begin the run anew, for the same round."""
    if run.round_id is not None:
        transition.set(waits=run.round_id)
    transition.set(run=None)
    _begin(transition, reading)
    # A ball that fell cannot be in the rim again without a launch: the step back is a damaged line.
    rim = run.rim if reading.phase in ("no_more_bets", "ball_off_track") else ()
    early = run.early and run.bare is not None  # a number that is kept was said when it was said
    transition.set_run(opened=run.opened, bare=run.bare, early=early, rim=rim)
    transition.set_run(off_speed=run.off_speed, raced=run.raced)


def _begin(transition: RouletteTransition, reading: WheelStatus) -> None:
    if reading.phase in ("closed", "before_game"):
        return
    faults.codes_over(transition)
    if reading.pocket is None and transition.state.done is not None:
        transition.set(done=None)  # no result since the power came: the numbers start over
    again = transition.spin == transition.state.done
    counted = transition.state.counts
    run = BallRun(transition.spin, counted, transition.at if counted else None, again=again)
    if reading.phase in BALL_OUT:
        run = replace(run, taken_up=True, timed=False)
    # A counted spin that is first heard at its end decides nothing.
    if reading.phase == "winning_number" and (transition.state.phase is None or again or counted):
        run = replace(run, again=False, ball=True, end="old")
    transition.set(run=run)


# --- edges -----------------------------------------------------------------------------------


def _closed(transition: RouletteTransition, reading: WheelStatus) -> None:
    """A closed table is normal at any time, but not under a running ball or closed bets."""
    run, round_id = transition.state.run, transition.pending_round
    if run is not None and run.end is None and run.stated is not None:
        detail = f"spin {run.number}: one statement only, then closed"
        confirmation.lose_spin(transition, transition.bound_round, run.stated, detail, reading)
        transition.set(done=run.number)
    elif round_id is not None and (not transition.betting or (run is not None and run.ball)):
        detail = f"the wheel closed in spin {transition.spin}, from {transition.state.phase}"
        transition.set(waits=None)
        transition.violate("wheel_closed", detail, reading=reading)
        transition.emit(RoundVoidRequired(round_id, detail))
    transition.set(run=None)


def _place_bets(transition: RouletteTransition, reading: WheelStatus) -> None:
    run = transition.state.run
    if run is None or run.end is not None:
        return
    if transition.by_device and transition.round is None and not transition.held and not run.opened:
        transition.open_round(transition.context.next_round_id)
        transition.set_run(opened=True)
    # The rotor stands still to aim and fire; 000 while it races is the field's overflow.
    aims = reading.rotor_tenths_rpm == 0 and "rotor_runaway" not in transition.state.conditions
    if not run.launching and (aims or reading.flags & _LAUNCH_FLAGS):
        transition.set_run(launching=True)
        timers.start_launch_clock(transition)
        transition.emit_spin("started")


def _ball(transition: RouletteTransition, reading: WheelStatus) -> None:
    """Take the edges from the rim to the pocket, seen or derived."""
    was = transition.state.phase
    run = transition.state.run
    if run is not None and not run.ball:
        _launched(transition, run, reading)
        if reading.phase == "ball_in_rim":
            if is_live(run):
                transition.emit_spin("ball_in_rim")
            transition.set_run(rim_at=transition.at)
        else:
            transition.set_run(timed=False)
    run = transition.state.run
    if run is None or run.end is not None:
        return
    if reading.phase == "ball_in_rim":
        rim = laps.with_line(run, transition.at, transition.profile)
        if rim is not run.rim:
            transition.set_run(rim=rim)
    if reading.phase != "ball_in_rim" and not run.no_more_bets:
        _no_more_bets(transition, run, reading)
    if reading.phase == "winning_number":
        if was != "winning_number":
            _bound_laps(transition)
    elif reading.direction is not None and reading.direction != run.direction:
        transition.set_run(direction=reading.direction)


def _bound_laps(transition: RouletteTransition) -> None:
    if transition.state.run is not None:
        bounds = laps.bounds(transition.state.run, transition.at, transition.profile)
        transition.set_run(laps=bounds.least, laps_most=bounds.most)


def _launched(transition: RouletteTransition, run: BallRun, reading: WheelStatus) -> None:
    """Bind the run to the round that waits: from here on its pocket decides it."""
    transition.set_run(ball=True)
    if transition.state.phase in ("before_game", "place_bets") and not transition.after_noise:
        transition.set_run(ready_at=transition.input.heard_before)
    if run.end is not None:
        return
    takes_up = (
        transition.by_device and transition.round is None and not transition.held and not run.opened
    )
    if takes_up and reading.phase in BALL_RUNS and not run.again and not run.counted:
        transition.open_round(transition.context.next_round_id)
        transition.set_run(opened=True)
        transition.close_bets("device")
    round_id = transition.pending_round
    if round_id is not None:
        transition.set_run(round_id=round_id)
        transition.set(waits=None)
    if not run.taken_up and not run.launching:
        transition.set_run(launching=True)
        transition.emit_spin("started")


def _no_more_bets(transition: RouletteTransition, run: BallRun, reading: WheelStatus) -> None:
    closes = transition.by_device or transition.profile.bets_end == "device"
    if closes and transition.betting and run.round_id is not None:
        if reading.phase == "winning_number" and not transition.by_device:
            transition.set_run(early=True)  # its call was not heard: bets were open to the end
        transition.close_bets("device")
    transition.set_run(no_more_bets=True)
    if reading.phase != "winning_number":
        transition.set_run(nmb_at=transition.at)
        transition.emit(SpinNoMoreBets(run.number))
