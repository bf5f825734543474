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
from daemon.games.roulette.transition import RouletteTransition
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


def _apply(
    state: RouletteState, given: GameInput, context: Context[RouletteProfile]
) -> Decision[RouletteState]:
    transition = RouletteTransition(state, context, given.at)
    if given.device not in (None, state.device) and isinstance(given.body, _TELLS_FAULTS):
        transition.set(device=given.device)
    match given.body:
        case WheelStatus() as reading:
            status.follow(transition, reading)
        case WheelNumber() as reading:
            confirmation.bare_number(transition, reading)
        case WheelFault() | WheelErrorFlag() | RotorPosition() | DeviceError() as reading:
            faults.said(transition, reading)
        case Tick():
            timers.tick(transition)
        case DeviceGap():
            spin_counter.missed(transition)
            transition.set_run(timed=False)
        case DeviceSilence():
            spin_counter.missed(transition)
        case Unheard():
            spin_counter.missed(transition)
            timers.anew(transition)
        case Resumed():
            confirmation.resume(transition)
        case OpenRound() as command:
            return _open(transition, command)
        case CloseBets() as command:
            return _close(transition, command)
        case command if isinstance(command, CardCommand):
            return transition.decision(Refusal.NOT_THIS_GAME)
        case _:
            pass  # cards, bonus lines, raw sensor events, replies: nothing of a round
    return transition.decision()


def _open(transition: RouletteTransition, command: OpenRound) -> Decision[RouletteState]:
    if transition.by_device:
        return transition.decision(Refusal.ROUNDS_BY_DEVICE)
    if transition.held:
        return transition.decision(Refusal.HELD)
    if transition.round is not None:
        return transition.decision(Refusal.ROUND_OPEN)
    phase, run = transition.state.phase, transition.state.run
    undecided = phase == "winning_number" and run is not None and run.end is None
    if phase in BALL_RUNS or undecided:
        return transition.decision(Refusal.WRONG_PHASE)
    transition.open_round(command.round_id)
    if run is not None and run.end == "void" and not run.ball:
        transition.set_run(end=None)  # its ball has not run yet: it can decide this round
    return transition.decision()


def _close(transition: RouletteTransition, command: CloseBets) -> Decision[RouletteState]:
    if transition.round is None or transition.round.round_id != command.round_id:
        return transition.decision(Refusal.WRONG_ROUND)
    if transition.round.phase != "betting":
        return transition.decision(Refusal.WRONG_PHASE)
    transition.close_bets("command")
    return transition.decision()


def _due(state: RouletteState, context: Context[RouletteProfile]) -> DueSpin | None:
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
