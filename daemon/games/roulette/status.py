"""Follows the status line: which run it belongs to, and which edges it brings.

A transition that the wheel never makes means lost lines, never an error by itself.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final, Literal

from daemon.games.roulette import confirmation, faults, laps, spin_counter, timers
from daemon.games.roulette.state import BALL_OUT, BALL_RUNS, ORDER, Run
from daemon.games.roulette.transition import Work, run_is_live
from protocols.events import RoundVoidRequired, SpinNoMoreBets
from protocols.readings import WheelStatus

_WRAP: Final = 256
_LAUNCH_FLAGS: Final = frozenset(("launch_failed", "ball_wrong_way"))
_RESULT_SEEN: Final = ("landed", "late", "lost", "old")


def follow(work: Work, reading: WheelStatus) -> None:
    """Apply one status line."""
    work.spin = spin_counter.number(work, reading)
    if _is_noise(work, reading):
        return
    timers.another_boot(work)
    if work.context.unproven and work.round is not None:
        _prove(work, reading)
    _find_run(work, reading)
    if reading.phase != work.state.phase:
        timers.enter(work, reading.phase)
        if reading.phase == "closed":
            _closed(work, reading)
    if reading.phase == "place_bets":
        _place_bets(work, reading)
    elif reading.phase in BALL_OUT:
        _ball(work, reading)
    faults.flags(work, reading)
    faults.speed(work, reading)
    if reading.phase == "winning_number":
        confirmation.winning_line(work, reading)
    if (work.state.phase, work.state.spin) != (reading.phase, work.spin):
        work.set(phase=reading.phase, spin=work.spin)


def _is_noise(work: Work, reading: WheelStatus) -> bool:
    """A ball cannot fall again once it lies in its pocket; one flipped bit can say so."""
    run = work.state.run
    return (
        run is not None
        and run.end in _RESULT_SEEN
        and work.state.phase == "winning_number"
        and work.spin == run.number
        and reading.phase in ("no_more_bets", "ball_off_track")
    )


# --- which run is this ---------------------------------------------------------------------


def _prove(work: Work, reading: WheelStatus) -> None:
    """Decide whether anything was missed while nobody listened in an open round."""
    state = work.state
    work.set_run(timed=False)
    if state.phase is None or state.spin is None:
        whole = False
    elif state.spin == work.spin:
        whole = reading.phase == "closed" or ORDER[reading.phase] >= ORDER[state.phase]
    else:
        over = state.run is None or state.run.end is not None
        whole = over and _step(work, state.spin, reading) == "next"
    if not whole:
        before = f"spin {state.spin} in {state.phase}"
        now = f"spin {work.spin} in {reading.phase}"
        work.violate("reading_gap", f"{before}, then unheard, then {now}", reading=reading)


def _step(work: Work, before: int, reading: WheelStatus) -> Literal["next", "mains", "jump"]:
    """Tell the next spin (or the counter's wrap) from a power cycle and from lost spins."""
    if work.spin <= 1 and reading.pocket is None:
        return "mains"
    if work.spin == before + 1 or (before == _WRAP and work.spin in (0, 1)):
        return "next"
    return "jump"


def _find_run(work: Work, reading: WheelStatus) -> None:
    state = work.state
    if state.spin is not None and state.spin != work.spin:
        _another_spin(work, state.spin, reading)
    elif state.run is not None and state.phase is not None:
        _same_spin(work, state.run, reading)
    if work.state.run is None:
        _begin(work, reading)


def _another_spin(work: Work, before: int, reading: WheelStatus) -> None:
    """Close the account of the spin before; without a seen result it is lost."""
    step, run = _step(work, before, reading), work.state.run
    if run is not None and run.end is None:
        _ended_unseen(work, run, step, reading)
    elif step == "next" and work.stake is not None and _never_launched(work, before):
        confirmation.lost(work, work.stake, None, f"spin {before} was not seen to run", reading)
    elif step == "mains" and work.stake is not None:
        confirmation.lost(work, work.stake, None, f"mains: power cut after spin {before}", reading)
    elif step == "jump" and work.stake is not None:
        confirmation.lost(work, work.stake, None, _hole(work, before), reading)
    work.set(run=None)
    if step == "mains":
        work.set(done=None)


def _never_launched(work: Work, before: int) -> bool:
    """Tell a spin that was only seen getting ready: its ball ran while nobody heard it."""
    state = work.state
    return state.run is None and state.phase == "before_game" and state.done != before


def _ended_unseen(
    work: Work, run: Run, step: Literal["next", "mains", "jump"], reading: WheelStatus
) -> None:
    said = run.field if run.field is not None else run.bare
    # Until its own result the next spin still shows this one's; where we count, the ball may only
    # be launched again, and that is the number of the spin before.
    shows = step == "next" and reading.phase != "winning_number" and not run.counted
    later = reading.pocket if shows else None
    if said is not None and later is not None and said != later:
        confirmation.conflict(work, f"spin {run.number}: {said}, then {later} in the next", reading)
        return
    reasons = {
        "next": f"spin {run.number} ended unseen: spin {work.spin} in {reading.phase}",
        "mains": f"mains: power cut in spin {run.number}",
        "jump": _hole(work, run.number),
    }
    stake = work.mine if step == "next" else work.stake
    confirmation.lost(work, stake, said if said is not None else later, reasons[step], reading)


def _hole(work: Work, before: int) -> str:
    if work.state.counts:
        return f"spin {before}, then unheard: the wheel does not number its spins"
    return f"spin {work.spin} after spin {before}"


def _same_spin(work: Work, run: Run, reading: WheelStatus) -> None:
    """Handle a step back within a spin: a relaunch, or lost lines, or a result passed over."""
    was = work.state.phase
    if was is None or reading.phase == "closed" or ORDER[reading.phase] >= ORDER[was]:
        return
    before_launch = reading.phase not in BALL_OUT
    if run.end in _RESULT_SEEN:
        # The wheel may wait for the next game under the old number; a new ball may not.
        if reading.phase == "ball_in_rim":
            work.set(run=None)
    elif run.end is not None:
        if before_launch:
            work.set(run=None)
    elif before_launch and (run.field is not None or run.bare is not None):
        said = run.field if run.field is not None else run.bare
        detail = f"spin {run.number}: one statement only, then {reading.phase}"
        confirmation.lost(work, work.mine, said, detail, reading)
        work.set(run=None, done=run.number)
    else:
        _restart(work, run, reading)


def _restart(work: Work, run: Run, reading: WheelStatus) -> None:
    """Begin the run anew, for the same round."""
    if run.round_id is not None:
        work.set(waits=run.round_id)
    work.set(run=None)
    _begin(work, reading)
    work.set_run(opened=run.opened, bare=run.bare, off_speed=run.off_speed)


def _begin(work: Work, reading: WheelStatus) -> None:
    if reading.phase in ("closed", "before_game"):
        return
    faults.codes_over(work)
    if reading.pocket is None and work.state.done is not None:
        work.set(done=None)  # no result since the power came: the numbers start over
    again = work.spin == work.state.done
    counted = work.state.counts
    run = Run(work.spin, counted, work.at if counted else None, again=again)
    if reading.phase in BALL_OUT:
        run = replace(run, taken_up=True, timed=False)
    # A counted spin that is first heard at its end decides nothing.
    if reading.phase == "winning_number" and (work.state.phase is None or again or counted):
        run = replace(run, again=False, ball=True, end="old")
    work.set(run=run)


# --- edges -----------------------------------------------------------------------------------


def _closed(work: Work, reading: WheelStatus) -> None:
    """A closed table is normal at any time, but not under a running ball or closed bets."""
    run, stake = work.state.run, work.stake
    said = None
    if run is not None and run.end is None:
        said = run.field if run.field is not None else run.bare
    if run is not None and said is not None:
        detail = f"spin {run.number}: one statement only, then closed"
        confirmation.lost(work, work.mine, said, detail, reading)
        work.set(done=run.number)
    elif stake is not None and (not work.bets_open or (run is not None and run.ball)):
        detail = f"the wheel closed in spin {work.spin}, from {work.state.phase}"
        work.set(waits=None)
        work.violate("wheel_closed", detail, reading=reading)
        work.emit(RoundVoidRequired(stake, detail))
    work.set(run=None)


def _place_bets(work: Work, reading: WheelStatus) -> None:
    run = work.state.run
    if run is None or run.end is not None:
        return
    if work.by_device and work.round is None and not work.held and not run.opened:
        work.open_round(work.context.next_round_id)
        work.set_run(opened=True)
    # The rotor stands still to aim and fire; 000 while it races is the field's overflow.
    aims = reading.rotor_tenths_rpm == 0 and "rotor_runaway" not in work.state.conditions
    if not run.launching and (aims or reading.flags & _LAUNCH_FLAGS):
        work.set_run(launching=True)
        timers.launch(work)
        work.say("started")


def _ball(work: Work, reading: WheelStatus) -> None:
    """Take the edges from the rim to the pocket, seen or derived."""
    was = work.state.phase
    run = work.state.run
    if run is not None and not run.ball:
        _launched(work, run, reading)
        if reading.phase == "ball_in_rim":
            if run_is_live(run):
                work.say("ball_in_rim")
            work.set_run(rim_at=work.at)
        else:
            work.set_run(timed=False)
    run = work.state.run
    if run is None or run.end is not None:
        return
    if reading.phase != "ball_in_rim" and not run.no_more_bets:
        _no_more_bets(work, run, reading)
    if reading.phase == "winning_number":
        if was != "winning_number":
            work.set_run(laps=laps.estimate(run, work.at, work.profile))
    elif reading.direction is not None and reading.direction != run.direction:
        work.set_run(direction=reading.direction)


def _launched(work: Work, run: Run, reading: WheelStatus) -> None:
    """Bind the run to the round that waits: from here on its pocket decides it."""
    work.set_run(ball=True)
    if run.end is not None:
        return
    takes_up = work.by_device and work.round is None and not work.held and not run.opened
    if takes_up and reading.phase in BALL_RUNS and not run.again and not run.counted:
        work.open_round(work.context.next_round_id)
        work.set_run(opened=True)
        work.close_bets()
    stake = work.stake
    if stake is not None:
        work.set_run(round_id=stake)
        work.set(waits=None)
    if not run.taken_up and not run.launching:
        work.set_run(launching=True)
        work.say("started")


def _no_more_bets(work: Work, run: Run, reading: WheelStatus) -> None:
    closes = work.by_device or work.profile.bets_end == "device"
    if closes and work.bets_open and run.round_id is not None:
        work.close_bets()
    work.set_run(no_more_bets=True)
    if reading.phase != "winning_number":
        work.set_run(nmb_at=work.at)
        work.emit(SpinNoMoreBets(run.number))
