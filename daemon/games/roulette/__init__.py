"""Roulette: rounds decided by a wheel with sensors. Source: docs/rules/roulette.md.

What a wheel says. Twice a second a status line: its phase, the spin's number where it numbers them,
a pocket, warning flags, the rotor's speed. Once a spin the number alone. A line has no check value,
and lines are lost, doubled and damaged. So no result is taken of a single line and no spin is lost
by one (`single_lines.py`), a change of phase that no wheel makes means lost lines, and a line that
brings no edge leaves the state as it is.

A run (`BallRun`) is one run of the ball, from the first sign of it until its result or its loss:

    begun         a spin gets ready under a number that has no run, or is first seen later than
                  that (`taken_up`): `status.py`. A wheel without numbers: `spin_counter.py`
    launching     the rotor stands still to aim, or a launch failed: `spin.started`
    ball          the ball is in the rim or further: the run is bound to the round that waits
    no_more_bets  the ball has slowed: `spin.no_more_bets`; where the house wants it, bets close
    field, bare   statements of the pocket: by a status line in 'winning number'; the number alone
    end           the run gives no result any more; None until then:
                  landed   two statements agree, and its round has the result or will have it
                  late     two agree and no round is bound, or later ones name another pocket
                  lost     it ended with one statement or none, or with two that differ
                  invalid  too few laps, or the ball ran with the rotor
                  void     its round was voided, or was decided by a person
                  old      first seen when its result was already there

Which round a run decides. `RouletteState.waits` is the open round for which no ball has run yet.
When a run's ball is first seen, that round becomes the run's (`round_id`) and nothing waits any
more: a pocket decides only a round that was open when its ball began to run. The round goes back to
`waits`, for another run, when the ball is launched again under the same number, when a supervisor
accepts a lost spin, and when a spin is invalid in a house that spins again. `pending_round` is the
open round that this run or the next may decide; `bound_round` is the same, but None for a ball that
was launched while no round waited.

What makes a result sure. Two statements of one spin that name one pocket: the number alone and a
status line, or two status lines. The number alone, repeated, is one statement. Two that differ
make the spin lost (`pocket_conflict`). Where spins have no numbers the whole course must have been
heard as well.

What makes it valid. Its pocket is on the wheel, and the ball may have made its laps: the upper
bound of `laps.py` is enough. What the wheel proves of laps and direction may be less than that.

What keeps a sure and valid result back (`Pending`). A hold: it lands when the table resumes. Open
bets (`ball_before_no_more_bets`): it lands when a supervisor accepts. A missing proof: it lands
when the dealer announces the same pocket, where the house wants that, or when a supervisor accepts
(`spin_unproven`). A doubt (`spin_lost` with a value): accepted, it is entered in a person's name
and never landed. After a result a single odd line is noise; two alike are `result_conflict`.

What is lost. Another spin's number, a closed wheel, a power cut end a run without its result:
`spin_lost` or `wheel_closed` holds the round, and a single statement is published as
`spin.recovered`. A phase that lasts too long is an alarm (`timers.py`). After a restart the first
status line shows whether anything was missed (`status.py`); if so, `reading_gap` holds the round.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from daemon.gamekit.rehearsal import Rehearsal
from daemon.gamekit.sentence import Sentence
from daemon.gamekit.spec import (
    BytesDamaged,
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
from protocols.commands import AnnounceResult, CardCommand, CloseBets, OpenRound, ResolveViolation
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
from protocols.refusals import Refusal

_TELLS_FAULTS: Final = WheelStatus | WheelFault | WheelErrorFlag | RotorPosition | DeviceError


class Roulette(Game[RouletteState, RouletteProfile]):
    """A wheel with sensors decides."""

    def apply(
        self, state: RouletteState, game_input: GameInput, context: Context[RouletteProfile]
    ) -> Decision[RouletteState]:
        """Judge an input."""
        transition = RouletteTransition(self, state, context, game_input)
        device, body = game_input.device, game_input.body
        if device not in (None, state.device) and isinstance(body, _TELLS_FAULTS):
            transition.set(device=device)
        refusal = _play(transition, body)
        if refusal is None:
            transition.tell_rest()
        return transition.decision(refusal)

    def resolve(
        self,
        state: RouletteState,
        violation: Violation,
        command: ResolveViolation,
        context: Context[RouletteProfile],
    ) -> Decision[RouletteState]:
        """Carry out accept or correct; `burn` means nothing here."""
        transition = RouletteTransition(self, state, context)
        transition.resolving = command.violation_id
        refusal = resolve(transition, violation, command)
        if refusal is None:
            transition.tell_rest()
        return transition.decision(refusal)

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
            confirmation.take_number(transition, body)
        case WheelFault() | WheelErrorFlag() | RotorPosition() | DeviceError():
            faults.take_report(transition, body)
        case Tick():
            timers.tick(transition)
        case BytesDamaged():
            status.doubt_bets(transition)
        case DeviceGap():
            status.believe_doubted(transition)
            spin_counter.mark_missed(transition)
            transition.set_run(timed=False, rim=())
        case DeviceSilence():
            status.believe_doubted(transition)
            spin_counter.mark_missed(transition)
            transition.set_run(rim=())
        case Unheard():
            status.believe_doubted(transition)
            spin_counter.mark_missed(transition)
            transition.set_run(rim=())
            timers.restart_clocks(transition)
        case Resumed():
            confirmation.resume(transition)
        case OpenRound():
            return _open(transition, body)
        case CloseBets():
            return _close(transition, body)
        case AnnounceResult():
            return confirmation.take_announcement(transition, body)
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
    inspections=("wheel", "level", "trial_spin", "ball"),
    default_profile="roulette-lv",
    profile_type=RouletteProfile,
    state_type=RouletteState,
    outcome_type=RouletteOutcome,
    violations=VIOLATIONS,
    rehearsal=Rehearsal(
        table="ROU-1",
        device="cammegh_ss2",
        by_default=True,
        # The simulated wheel has the short rim jets of a studio, which prove no three laps.
        rules={"laps_after_call": 3.5},
    ),
)
