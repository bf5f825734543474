"""Roulette: rounds decided by a wheel with sensors. Sources: rules.md section 3, wheels.md."""

from __future__ import annotations

from typing import Final

from daemon.gamekit.spec import (
    Context,
    Decision,
    DeviceGap,
    DeviceSilence,
    DueSpin,
    GameInput,
    GameSpec,
    Resumed,
    Tick,
    Unheard,
)
from daemon.games.roulette import confirmation, faults, spin_counter, status, timers
from daemon.games.roulette.profile import RouletteProfile
from daemon.games.roulette.resolve import resolve, void
from daemon.games.roulette.sentences import sentences
from daemon.games.roulette.state import BALL_RUNS, RouletteState
from daemon.games.roulette.transition import Work
from protocols.commands import CardCommand, CloseBets, OpenRound, Refusal
from protocols.events import RouletteOutcome
from protocols.readings import (
    DeviceError,
    RotorPosition,
    WheelErrorFlag,
    WheelFault,
    WheelNumber,
    WheelStatus,
)

_TELLS_FAULTS: Final = WheelStatus | WheelFault | WheelErrorFlag | RotorPosition | DeviceError


def _start(_profile: RouletteProfile) -> RouletteState:
    return RouletteState()


def _apply(state: RouletteState, given: GameInput, context: Context) -> Decision:
    work = Work(state, context, given.at)
    if given.device not in (None, state.device) and isinstance(given.body, _TELLS_FAULTS):
        work.set(device=given.device)
    match given.body:
        case WheelStatus() as reading:
            status.follow(work, reading)
        case WheelNumber() as reading:
            confirmation.bare_number(work, reading)
        case WheelFault() | WheelErrorFlag() | RotorPosition() | DeviceError() as reading:
            faults.said(work, reading)
        case Tick():
            timers.tick(work)
        case DeviceGap():
            spin_counter.missed(work)
            work.set_run(timed=False)
        case DeviceSilence():
            spin_counter.missed(work)
        case Unheard():
            spin_counter.missed(work)
            timers.anew(work)
        case Resumed():
            confirmation.resume(work)
        case OpenRound() as command:
            return _open(work, command)
        case CloseBets() as command:
            return _close(work, command)
        case command if isinstance(command, CardCommand):
            return work.refuse(Refusal.NOT_THIS_GAME)
        case _:
            pass  # cards, bonus lines, raw sensor events, replies: nothing of a round
    return work.decision()


def _open(work: Work, command: OpenRound) -> Decision:
    if work.by_device:
        return work.refuse(Refusal.ROUNDS_BY_DEVICE)
    if work.held:
        return work.refuse(Refusal.HELD)
    if work.round is not None:
        return work.refuse(Refusal.ROUND_OPEN)
    phase, run = work.state.phase, work.state.run
    undecided = phase == "winning_number" and run is not None and run.end is None
    if phase in BALL_RUNS or undecided:
        return work.refuse(Refusal.WRONG_PHASE)
    work.open_round(command.round_id)
    if run is not None and run.end == "void" and not run.ball:
        work.set_run(end=None)  # its ball has not run yet: it can decide this round
    return work.decision()


def _close(work: Work, command: CloseBets) -> Decision:
    if work.round is None or work.round.round_id != command.round_id:
        return work.refuse(Refusal.WRONG_ROUND)
    if work.round.phase != "betting":
        return work.refuse(Refusal.WRONG_PHASE)
    work.close_bets(by_command=True)
    return work.decision()


def _due(state: RouletteState, context: Context) -> DueSpin | None:
    """Return a spin while the open round waits for its ball."""
    if context.held or context.round is None or context.round.round_id != state.waits:
        return None
    return DueSpin()


GAME: Final = GameSpec(
    key="roulette",
    title="Roulette",
    device_kind="wheel",
    default_profile="roulette-lv",
    profile=RouletteProfile,
    state=RouletteState,
    outcome=RouletteOutcome,
    start=_start,
    apply=_apply,
    resolve=resolve,
    void=void,
    due=_due,
    wake_at=timers.wake_at,
    sentences=sentences,
)
