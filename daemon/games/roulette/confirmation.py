"""From statements to an outcome: two statements of one spin that agree make its result sure.

Statements are the number alone and the status lines in 'winning number' of the same spin. What a
sure result may still wait for is in `Pending`.
"""

from __future__ import annotations

from typing import Final

from daemon.games.roulette import drift, faults, spin_counter
from daemon.games.roulette.outcome import outcome_of
from daemon.games.roulette.state import BallRun, Pending
from daemon.games.roulette.transition import RouletteTransition
from protocols.commands import AnnounceResult
from protocols.events import SpinLanded, SpinRecovered
from protocols.readings import Reading, WheelNumber, WheelPhase, WheelStatus
from protocols.refusals import Refusal
from protocols.replace import replace

_BALL_FALLS: Final[frozenset[WheelPhase | None]] = frozenset(
    ("no_more_bets", "ball_off_track", "winning_number")
)


def take_number(transition: RouletteTransition, reading: WheelNumber) -> None:
    """Take the number alone as a statement about the running spin."""
    run = transition.state.run
    if run is None or "sensor_or_motor" in transition.state.conditions:
        return
    if run.end is not None:
        _watch_afterwards(transition, run, reading.pocket)
        return
    if run.counted and (transition.state.missed or transition.state.phase not in _BALL_FALLS):
        return  # it is of another spin
    if run.bare is None:
        transition.set_run(bare=reading.pocket, early=run.was_early or transition.betting)
    if run.stated is not None:
        _weigh(transition, run, reading.pocket, reading, is_number_alone=True)


def take_winning_line(transition: RouletteTransition, reading: WheelStatus) -> None:
    """Take a status line in 'winning number' as a statement about its spin."""
    run = transition.state.run
    if run is None:
        return
    if run.end is not None and transition.state.done != run.number:
        transition.set(done=run.number)
    if reading.pocket is None or reading.flags & faults.SPOILS_RESULT:
        return
    if run.end is not None:
        _watch_afterwards(transition, run, reading.pocket)
    elif run.stated is not None:
        _weigh(transition, run, reading.pocket, reading, is_number_alone=False)
    else:
        transition.set_run(field=reading.pocket, early=run.was_early or transition.betting)


def _weigh(
    transition: RouletteTransition,
    run: BallRun,
    pocket: str,
    reading: Reading,
    *,
    is_number_alone: bool,
) -> None:
    """Compare a statement with the one before it; the number alone, repeated, is one statement."""
    repeated = is_number_alone and run.field is None
    if run.stated != pocket:
        detail = f"spin {run.number}: {run.stated}, then {pocket}"
        raise_conflict(transition, detail, reading, stated=(run.stated, pocket))
    elif not repeated:
        _judge_sure(transition, run, pocket, reading)


def _judge_sure(
    transition: RouletteTransition, run: BallRun, pocket: str, reading: Reading
) -> None:
    """Two statements agree: decide what the result is worth."""
    round_id = transition.bound_round
    spin = f"spin {run.number}"
    transition.set(done=run.number)
    transition.set_run(field=pocket)
    if round_id is None or transition.round is None:
        transition.set_run(end="late")
        transition.violate(
            "late_result", f"{spin}: {pocket}, and no round", read=pocket, reading=reading
        )
    elif pocket not in transition.profile.wheel:
        transition.note_early(round_id)
        transition.set_run(end="lost")
        transition.violate("pocket_unknown", f"{spin}: {pocket}", read=pocket, reading=reading)
    elif run.laps_most is not None and run.laps_most < transition.profile.min_revolutions:
        required = transition.profile.min_revolutions
        faults.invalid(transition, f"at most {run.laps_most:g} laps, {required:g} required")
    elif run.again:
        detail = f"{spin} has had a result before; now it says {pocket}"
        _keep_doubtful(transition, round_id, run, pocket, detail, reading)
    elif run.counted and not spin_counter.was_heard_whole(
        transition.state.run or run, transition.at
    ):
        detail = f"{spin}: {pocket}, and its whole course was not heard"
        _keep_doubtful(transition, round_id, run, pocket, detail, reading)
    else:
        _land_or_wait(transition, round_id, run, pocket, reading)


def _land_or_wait(
    transition: RouletteTransition, round_id: str, run: BallRun, pocket: str, reading: Reading
) -> None:
    """Land a sure and valid result, unless open bets, a hold or a missing proof keep it back."""
    transition.set_run(end="landed")
    pending = Pending(
        round_id, run.number, pocket, run.direction, run.laps, "resume", laps_most=run.laps_most
    )
    spin = f"spin {run.number}: {pocket}"
    doubt = _not_proven(transition, run)
    if transition.betting or run.early:
        transition.set(pending=replace(pending, waits_for="accept"))
        closed = (
            "are not closed" if transition.betting else "were not closed when it was first stated"
        )
        detail = f"{spin}, and the bets {closed}"
        transition.violate("ball_before_no_more_bets", detail, read=pocket, reading=reading)
    elif doubt is not None and transition.profile.unproven == "announced":
        until = transition.at.after(transition.profile.announce_wait_s)
        transition.set(pending=replace(pending, waits_for="announce", until=until))
        return
    elif doubt is None and transition.held:
        transition.set(pending=pending)
    elif doubt is None:
        land(transition, pending)
    if doubt is not None:
        transition.set(pending=replace(pending, waits_for="accept"))
        transition.violate("spin_unproven", f"{spin}, {doubt}", read=pocket, reading=reading)


def _not_proven(transition: RouletteTransition, run: BallRun) -> str | None:
    """Return what of a valid spin the wheel did not prove, None where it proved all of it."""
    required = transition.profile.min_revolutions
    if required == 0:
        return None
    missing = []
    if run.laps is None or run.laps < required:
        least = f"{run.laps or 0:g}"
        most = "" if run.laps_most is None else f", at most {run.laps_most:g}"
        missing.append(f"at least {least}{most} laps proven of {required:g}")
    if "direction" not in transition.context.proves:
        missing.append("this wheel does not tell which way the ball runs")
    return "; ".join(missing) or None


def take_announcement(transition: RouletteTransition, command: AnnounceResult) -> Refusal | None:
    """Land a spin that the wheel did not prove where the dealer announces the wheel's pocket."""
    pending = transition.state.pending
    if transition.round is None or transition.round.round_id != command.round_id:
        return Refusal.WRONG_ROUND
    if pending is None or pending.waits_for != "announce":
        return Refusal.WRONG_PHASE
    if command.pocket not in transition.profile.wheel:
        return Refusal.VALUE_MISSING
    if command.pocket == pending.pocket:
        land(transition, pending)
        return None
    transition.set(pending=replace(pending, waits_for="accept", until=None, sure=False))
    detail = f"the wheel states {pending.pocket}; the dealer announces {command.pocket}"
    transition.violate("pocket_conflict", detail, expected=pending.pocket, read=command.pocket)
    return None


def end_announcement_wait(transition: RouletteTransition) -> None:
    """Hold the table where the dealer's announcement did not come in time."""
    pending = transition.state.pending
    if pending is None or pending.until is None or not transition.at.reached(pending.until):
        return
    transition.set(pending=replace(pending, waits_for="accept", until=None))
    waited = transition.profile.announce_wait_s
    detail = f"spin {pending.spin}: {pending.pocket} was not announced within {waited:g} s"
    transition.violate("spin_unproven", detail, read=pending.pocket)


def _keep_doubtful(
    transition: RouletteTransition,
    round_id: str,
    run: BallRun,
    pocket: str,
    detail: str,
    reading: Reading,
) -> None:
    keep(transition, round_id, run, pocket)
    transition.note_early(round_id)
    transition.set_run(end="lost")
    transition.violate("spin_lost", detail, read=pocket, reading=reading)


def keep(transition: RouletteTransition, round_id: str, run: BallRun, pocket: str) -> None:
    """Keep a doubtful result for a supervisor to accept."""
    kept = Pending(
        round_id,
        run.number,
        pocket,
        run.direction,
        run.laps,
        "accept",
        sure=False,
        laps_most=run.laps_most,
    )
    transition.set(pending=kept)


def land(transition: RouletteTransition, result: Pending) -> None:
    """Publish a sure result and the outcome of its round."""
    if result.pocket not in transition.profile.wheel:  # the rules were changed while it waited
        transition.set(pending=None)
        transition.violate(
            "pocket_unknown", f"spin {result.spin}: {result.pocket}", read=result.pocket
        )
        return
    transition.emit(
        SpinLanded(
            result.round_id,
            result.spin,
            result.pocket,
            result.direction,
            result.laps,
            result.laps_most,
        )
    )
    transition.complete_round(outcome_of(result.pocket, transition.profile))
    _watch_drift(transition, result)


def _watch_drift(transition: RouletteTransition, result: Pending) -> None:
    rules = transition.profile
    counts, alarm = drift.watch(
        transition.state.drift,
        result.pocket,
        result.direction,
        rules.wheel,
        rules.drift_alarms_per_decade,
    )
    transition.set(drift=counts)
    if alarm is not None:
        transition.emit(alarm)


def resume(transition: RouletteTransition) -> None:
    """Let a sure result leave that waited only for the hold."""
    pending = transition.state.pending
    if pending is None or pending.waits_for != "resume" or transition.held:
        return
    transition.set(pending=None)
    if transition.round is not None and transition.round.round_id == pending.round_id:
        land(transition, pending)


def raise_conflict(
    transition: RouletteTransition, detail: str, reading: Reading, stated: tuple[str | None, ...]
) -> None:
    """Two statements differ: the result of this spin is not known."""
    round_id = transition.bound_round
    transition.note_early(round_id)
    if transition.state.run is not None:
        transition.set(done=transition.state.run.number)
    transition.set_run(end="lost")
    if round_id is None:
        transition.violate("late_result", f"{detail}, and no round", reading=reading)
    else:
        transition.set(waits=None)
        transition.violate("pocket_conflict", detail, reading=reading, stated=stated)


def lose_spin(
    transition: RouletteTransition,
    round_id: str | None,
    pocket: str | None,
    reason: str,
    reading: Reading,
) -> None:
    """A spin ended and its result is not sure; `pocket` is what a single statement names."""
    run = transition.state.run
    known = pocket if pocket in transition.profile.wheel else None
    transition.note_early(round_id)
    if run is not None and known is not None:
        transition.emit(SpinRecovered(run.number, known, reason))
    transition.set_run(end="lost")
    if round_id is None:
        return
    transition.set(waits=None)
    if run is not None and known is not None:
        keep(transition, round_id, run, known)
    transition.violate("spin_lost", reason, read=known, reading=reading)


def _watch_afterwards(transition: RouletteTransition, run: BallRun, pocket: str) -> None:
    """Watch the statements after the result: a single odd one is noise, two alike a conflict."""
    if run.end != "landed":
        return
    if pocket == run.field:
        if run.disputed is not None:
            transition.set_run(disputed=None)
    elif run.disputed != pocket:
        transition.set_run(disputed=pocket)
    else:
        transition.set_run(end="late")
        detail = f"spin {run.number} landed in {run.field}; now the wheel says {pocket}"
        transition.violate("result_conflict", detail, expected=run.field, read=pocket)
