"""From statements to an outcome. A line of the wheel has no checksum: only two that agree count.

Statements are the number alone and the status lines in 'winning number' of the same spin.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from daemon.games.roulette import drift, faults, spin_counter
from daemon.games.roulette.outcome import outcome_of
from daemon.games.roulette.state import Pending, Run
from daemon.games.roulette.transition import Work
from protocols.events import RoundCompleted, SpinLanded, SpinRecovered
from protocols.readings import Reading, WheelNumber, WheelPhase, WheelStatus

_BALL_FALLS: Final[frozenset[WheelPhase | None]] = frozenset(
    ("no_more_bets", "ball_off_track", "winning_number")
)


def bare_number(work: Work, reading: WheelNumber) -> None:
    """Take the number alone as a statement about the running spin."""
    run = work.state.run
    if run is None or "sensor_or_motor" in work.state.conditions:
        return
    if run.end is not None:
        _afterwards(work, run, reading.pocket)
        return
    if run.counted and (work.state.missed or work.state.phase not in _BALL_FALLS):
        return  # of another spin
    if run.bare is None:
        work.set_run(bare=reading.pocket)
    if run.field is not None or run.bare is not None:
        _weigh(work, run, reading.pocket, reading, is_bare=True)


def winning_line(work: Work, reading: WheelStatus) -> None:
    """Take a status line in 'winning number' as a statement about its spin."""
    run = work.state.run
    if run is None:
        return
    if run.end is not None and work.state.done != run.number:
        work.set(done=run.number)
    if reading.pocket is None or reading.flags & faults.SPOILS_RESULT:
        return
    if run.end is not None:
        _afterwards(work, run, reading.pocket)
    elif run.field is not None or run.bare is not None:
        _weigh(work, run, reading.pocket, reading, is_bare=False)
    else:
        work.set_run(field=reading.pocket)


def _weigh(work: Work, run: Run, pocket: str, reading: Reading, *, is_bare: bool) -> None:
    """Compare a statement with the earlier one."""
    earlier = run.field if run.field is not None else run.bare
    if earlier != pocket:
        conflict(work, f"spin {run.number}: {earlier}, then {pocket}", reading)
    elif not is_bare or run.field is not None:  # the number alone, said twice, is one statement
        _sure(work, run, pocket, reading)


def _sure(work: Work, run: Run, pocket: str, reading: Reading) -> None:
    """Two statements agree: decide what the result is worth."""
    stake = work.mine
    spin = f"spin {run.number}"
    work.set(done=run.number)
    work.set_run(field=pocket)
    if stake is None or work.round is None:
        work.set_run(end="late")
        work.violate("late_result", f"{spin}: {pocket}, and no round", read=pocket, reading=reading)
    elif pocket not in work.profile.wheel:
        work.set_run(end="lost")
        work.violate("pocket_unknown", f"{spin}: {pocket}", read=pocket, reading=reading)
    elif run.laps is not None and run.laps < work.profile.min_revolutions:
        faults.invalid(work, f"{run.laps:g} laps, {work.profile.min_revolutions:g} required")
    elif run.again:
        detail = f"{spin} has had a result before; now it says {pocket}"
        _doubtful(work, stake, run, pocket, detail, reading)
    elif run.counted and not spin_counter.is_whole(work.state.run or run, work.at):
        detail = f"{spin}: {pocket}, and its whole course was not heard"
        _doubtful(work, stake, run, pocket, detail, reading)
    else:
        _sure_and_valid(work, stake, run, pocket, reading)


def _sure_and_valid(work: Work, stake: str, run: Run, pocket: str, reading: Reading) -> None:
    """Land the result, unless the hold or open bets keep it back."""
    work.set_run(end="landed")
    pending = Pending(stake, run.number, pocket, run.direction, run.laps, "resume")
    if work.bets_open:
        work.set(pending=replace(pending, waits_for="accept"))
        detail = f"spin {run.number}: {pocket}, and the bets are not closed"
        work.violate("ball_before_no_more_bets", detail, read=pocket, reading=reading)
    elif work.held:
        work.set(pending=pending)
    else:
        land(work, pending)


def _doubtful(work: Work, stake: str, run: Run, pocket: str, detail: str, reading: Reading) -> None:
    keep(work, stake, run, pocket)
    work.set_run(end="lost")
    work.violate("spin_lost", detail, read=pocket, reading=reading)


def keep(work: Work, round_id: str, run: Run, pocket: str) -> None:
    """Keep a doubtful result for a supervisor to accept."""
    kept = Pending(round_id, run.number, pocket, run.direction, run.laps, "accept", sure=False)
    work.set(pending=kept)


def land(work: Work, result: Pending) -> None:
    """Publish a sure result and the outcome of its round."""
    if result.pocket not in work.profile.wheel:  # the rules were changed while it waited
        work.set(pending=None)
        work.violate("pocket_unknown", f"spin {result.spin}: {result.pocket}", read=result.pocket)
        return
    work.emit(
        SpinLanded(result.round_id, result.spin, result.pocket, result.direction, result.laps)
    )
    complete(work, result.round_id, result.pocket)
    _watch_drift(work, result)


def _watch_drift(work: Work, result: Pending) -> None:
    rules = work.profile
    counts, alarm = drift.watch(
        work.state.drift,
        result.pocket,
        result.direction,
        rules.wheel,
        rules.drift_alarms_per_decade,
    )
    work.set(drift=counts)
    if alarm is not None:
        work.emit(alarm)


def complete(work: Work, round_id: str, pocket: str) -> None:
    """Publish the outcome of a round."""
    outcome = outcome_of(pocket, work.profile)
    work.completed(RoundCompleted(round_id, work.context.digest, outcome))


def resume(work: Work) -> None:
    """Let a sure result leave that waited only for the hold."""
    pending = work.state.pending
    if pending is None or pending.waits_for != "resume" or work.held:
        return
    work.set(pending=None)
    if work.round is not None and work.round.round_id == pending.round_id:
        land(work, pending)


def conflict(work: Work, detail: str, reading: Reading) -> None:
    """Two statements differ: the result of this spin is not known."""
    stake = work.mine
    if work.state.run is not None:
        work.set(done=work.state.run.number)
    work.set_run(end="lost")
    if stake is None:
        work.violate("late_result", f"{detail}, and no round", reading=reading)
    else:
        work.set(waits=None)
        work.violate("pocket_conflict", detail, reading=reading)


def lost(work: Work, stake: str | None, pocket: str | None, reason: str, reading: Reading) -> None:
    """A spin ended and its result is not sure; `pocket` is what a single statement says."""
    run = work.state.run
    known = pocket if pocket in work.profile.wheel else None
    if run is not None and known is not None:
        work.emit(SpinRecovered(run.number, known, reason))
    work.set_run(end="lost")
    if stake is None:
        return
    work.set(waits=None)
    if run is not None and known is not None:
        keep(work, stake, run, known)
    work.violate("spin_lost", reason, read=known, reading=reading)


def _afterwards(work: Work, run: Run, pocket: str) -> None:
    """Watch what is said after the result: one odd line is noise, two alike are a conflict."""
    if run.end != "landed":
        return
    if pocket == run.field:
        if run.disputed is not None:
            work.set_run(disputed=None)
    elif run.disputed != pocket:
        work.set_run(disputed=pocket)
    else:
        work.set_run(end="late")
        detail = f"spin {run.number} landed in {run.field}; now the wheel says {pocket}"
        work.violate("result_conflict", detail, expected=run.field, read=pocket)
