"""Roulette: rounds decided by a wheel with sensors. Source: docs/rules/roulette.md."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from daemon.gamekit.rehearsal import Rehearsal
from daemon.gamekit.sentence import Sentence
from daemon.gamekit.spec import (
    Context,
    Decision,
    DeviceGap,
    DeviceSilence,
    DueSpin,
    Game,
    GameInput,
    GameInputBody,
    Resumed,
    Tick,
    Unheard,
    Violation,
)
from daemon.games.roulette import confirmation, faults, spin_counter, status, timers
from daemon.games.roulette.outcome import RouletteOutcome
from daemon.games.roulette.profile import RouletteProfile
from daemon.games.roulette.resolve import resolve, void
from daemon.games.roulette.sentences import not_proven, sentences
from daemon.games.roulette.state import BALL_RUNS, RouletteState
from daemon.games.roulette.transition import RouletteTransition
from daemon.games.roulette.violations import VIOLATIONS
from protocols.commands import (
    AnnounceResult,
    CardCommand,
    CloseBets,
    OpenRound,
    Refusal,
    ResolveViolation,
)
from protocols.device import DeviceSpec
from protocols.instant import Instant
from protocols.readings import (
    DeviceError,
    RotorPosition,
    WheelErrorFlag,
    WheelFault,
    WheelNumber,
    WheelStatus,
)

_TELLS_FAULTS: Final = WheelStatus | WheelFault | WheelErrorFlag | RotorPosition | DeviceError


class Roulette(Game[RouletteState, RouletteProfile]):
    """A wheel with sensors decides."""

    def apply(
        self, state: RouletteState, game_input: GameInput, context: Context[RouletteProfile]
    ) -> Decision[RouletteState]:
        """Judge an input."""
        transition = RouletteTransition(self, state, context, game_input.at)
        transition.heard_before = game_input.heard_before
        device, body = game_input.device, game_input.body
        if device not in (None, state.device) and isinstance(body, _TELLS_FAULTS):
            transition.set(device=device)
        return transition.decision(_play(transition, body))

    def resolve(
        self,
        state: RouletteState,
        violation: Violation,
        command: ResolveViolation,
        context: Context[RouletteProfile],
    ) -> Decision[RouletteState]:
        """Carry out accept or correct; `burn` means nothing here."""
        transition = RouletteTransition(self, state, context)
        return transition.decision(resolve(transition, violation, command))

    def void(
        self, state: RouletteState, context: Context[RouletteProfile]
    ) -> Decision[RouletteState]:
        """Return a state without the round: a ball that runs for it will count for nobody."""
        return Decision(void(state))

    def due(self, state: RouletteState, context: Context[RouletteProfile]) -> DueSpin | None:
        """Return a spin while the open round waits for its ball."""
        if context.held or context.round is None or context.round.round_id != state.waits:
            return None
        return DueSpin(context.profile.wheel)

    def wake_at(self, state: RouletteState) -> Instant | None:
        """Return when the next limit is reached."""
        return timers.wake_at(state)

    def sentences(self, profile: RouletteProfile) -> Iterable[Sentence]:
        """Return what these rules enforce, in plain English."""
        return sentences(profile)

    def not_proven(self, profile: RouletteProfile, device: DeviceSpec) -> Iterable[str]:
        """Return what of a valid spin this wheel cannot prove."""
        return not_proven(profile, device)


def _play(transition: RouletteTransition, body: GameInputBody) -> Refusal | None:
    match body:
        case WheelStatus():
            status.follow(transition, body)
        case WheelNumber():
            confirmation.bare_number(transition, body)
        case WheelFault() | WheelErrorFlag() | RotorPosition() | DeviceError():
            faults.said(transition, body)
        case Tick():
            timers.tick(transition)
        case DeviceGap():
            spin_counter.missed(transition)
            transition.set_run(timed=False, rim=())
        case DeviceSilence():
            spin_counter.missed(transition)
            transition.set_run(rim=())
        case Unheard():
            spin_counter.missed(transition)
            transition.set_run(rim=())
            timers.anew(transition)
        case Resumed():
            confirmation.resume(transition)
        case OpenRound():
            return _open(transition, body)
        case CloseBets():
            return _close(transition, body)
        case AnnounceResult():
            return confirmation.announced(transition, body)
        case command if isinstance(command, CardCommand):
            return Refusal.NOT_THIS_GAME
        case _:
            pass  # cards, bonus lines, raw sensor events, replies: nothing of a round
    return None


def _open(transition: RouletteTransition, command: OpenRound) -> Refusal | None:
    if transition.by_device:
        return Refusal.ROUNDS_BY_DEVICE
    if transition.held:
        return Refusal.HELD
    if transition.round is not None:
        return Refusal.ROUND_OPEN
    phase, run = transition.state.phase, transition.state.run
    undecided = phase == "winning_number" and run is not None and run.end is None
    if phase in BALL_RUNS or undecided:
        return Refusal.WRONG_PHASE
    transition.open_round(command.round_id)
    if run is not None and run.end == "void" and not run.ball:
        transition.set_run(end=None)  # its ball has not run yet: it can decide this round
    return None


def _close(transition: RouletteTransition, command: CloseBets) -> Refusal | None:
    if transition.round is None or transition.round.round_id != command.round_id:
        return Refusal.WRONG_ROUND
    if not transition.betting:
        return Refusal.WRONG_PHASE
    transition.close_bets("command")
    return None


GAME: Final = Roulette(
    key="roulette",
    title="Roulette",
    source="rulebooks",
    device_kind="wheel",
    default_profile="roulette-lv",
    profile_type=RouletteProfile,
    state_type=RouletteState,
    outcome_type=RouletteOutcome,
    violations=VIOLATIONS,
    rehearsal=Rehearsal(table="ROU-1", device="cammegh_ss2", by_default=True),
)
