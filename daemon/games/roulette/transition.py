"""One input on its way through a roulette table: its round and its run of the ball."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from daemon.gamekit.spec import Violation, evidence
from daemon.gamekit.transition import GameTransition
from daemon.games.roulette.profile import RouletteProfile
from daemon.games.roulette.state import BallRun, RouletteState, RunEnd, SpinEventName
from protocols.events import (
    AwaitedCommand,
    BetsClosedBy,
    DeviceFaulted,
    DeviceRecovered,
    Event,
    Outcome,
    RoundCommandsAwaited,
    RunningSpin,
    SpinAbandoned,
    SpinBallInRim,
    SpinStarted,
)
from protocols.play_fold import spin_after
from protocols.readings import Reading
from protocols.replace import replace

_SPIN_EVENTS: Final[dict[SpinEventName, type[SpinStarted | SpinBallInRim]]] = {
    "started": SpinStarted,
    "ball_in_rim": SpinBallInRim,
}

_ABANDONED: Final[Mapping[RunEnd | None, str]] = {
    None: "it ended without a result",
    "lost": "its result is not known",
    "late": "it was for no round",
    "void": "its round was decided without it",
    "invalid": "it does not count",
    "old": "its end was not heard",
    "landed": "its result was not taken",
}


class RouletteTransition(GameTransition[RouletteState, RouletteProfile]):
    """The state of a roulette table on its way through one input.

    spin         the spin number of the status line at hand
    after_noise  the line before it was damaged, and says not when anything was heard
    """

    spin: int = 0
    after_noise: bool = False

    def set_run(self, **changes: Any) -> None:
        """Change fields of the run, if there is one."""
        if self.state.run is not None:
            self.set(run=replace(self.state.run, **changes))

    # --- the round -----------------------------------------------------------------------

    @property
    def by_device(self) -> bool:
        """Return whether the wheel opens the rounds."""
        return self.context.control == "device"

    @property
    def pending_round(self) -> str | None:
        """Return the open round that still waits for a result, of this run or of the next."""
        run = self.state.run
        bound = run.round_id if run is not None and run.end is None else None
        round_id = bound or self.state.waits
        is_open = self.round is not None and self.round.round_id == round_id
        return round_id if is_open else None

    @property
    def bound_round(self) -> str | None:
        """Return the open round that the running spin decides, or will when it is launched."""
        run = self.state.run
        if run is not None and run.ball and run.round_id is None:
            return None
        return self.pending_round

    def open_round(self, round_id: str) -> None:
        """Open a round for bets: it waits for a ball."""
        super().open_round(round_id)
        self.set(waits=round_id)

    def close_bets(self, by: BetsClosedBy) -> None:
        """Close the bets of the open round; the events that waited for that leave.

        Not where the wheel's own end of betting was told meanwhile: they would tell the ball back
        to where it was before.
        """
        super().close_bets(by)
        run = self.state.run
        if run is not None and run.unsent:
            for name in run.unsent if run.nmb_at is None else ():
                self.emit(_SPIN_EVENTS[name](run.number))
            self.set_run(unsent=())

    def complete_round(self, outcome: Outcome) -> None:
        """End the open round with its outcome: it waits for no ball any more."""
        super().complete_round(outcome)
        self.set(waits=None, pending=None, early=None)

    def note_early(self, round_id: str | None) -> None:
        """Remember that this round's ball lay, or may have lain, while its bets were open."""
        run = self.state.run
        if self.betting or (run is not None and run.early):
            self.set(early=round_id)

    # --- what is published ---------------------------------------------------------------

    def emit(self, event: Event) -> None:
        """Append an event, and remember what it tells of the ball."""
        super().emit(event)
        told = spin_after(self.state.told, event)
        if told != self.state.told:
            self.set(told=told)

    def tell_rest(self) -> None:
        """Tell at the end of an input what no event of it has told yet.

        A run that was told and gives no result is abandoned; while bets are open that waits, as all
        does that the ball does. A result that waits for the dealer's word is asked for, or no more.
        """
        told, run = self.state.told, self.state.run
        if told is not None and not self.betting and not self._goes_on(told):
            reason = _ABANDONED[run.end if run is not None and run.number == told.spin else None]
            self.emit(SpinAbandoned(told.spin, reason))
        asks = is_announcement_awaited(self.state)
        if self.round is not None and asks != is_announcement_awaited(self.before):
            commands = (AwaitedCommand("result.announce"),) if asks else ()
            self.emit(RoundCommandsAwaited(self.round.round_id, commands))

    def _goes_on(self, told: RunningSpin) -> bool:
        """Return whether the run that was told may still give the result of its round."""
        run, pending = self.state.run, self.state.pending
        if pending is not None and pending.sure and pending.spin == told.spin:
            return True
        return is_live(run) and run is not None and run.number == told.spin and run.has_begun

    def emit_spin(self, name: SpinEventName) -> None:
        """Publish how far the ball is: now, or when the bets are closed."""
        run = self.state.run
        if run is None:
            return
        if self.betting and self.profile.rim_event == "when_closed":
            self.set_run(unsent=(*run.unsent, name))
        else:
            self.emit(_SPIN_EVENTS[name](run.number))

    def violate(
        self,
        code: str,
        detail: str,
        *,
        expected: str | None = None,
        read: str | None = None,
        reading: Reading | None = None,
        stated: tuple[str | None, ...] = (),
    ) -> None:
        """Name what is against the rules, and the pocket that the wheel states."""
        slot = "pocket" if read is not None else None
        known = tuple(value for value in stated if value is not None)
        self.raise_violation(
            Violation(code, detail, slot, expected, read, evidence(reading), known)
        )

    def fault(self, condition: str, detail: str) -> bool:
        """Report a fault of the wheel once. Return whether it is new."""
        if condition in self.state.conditions:
            return False
        self.set(conditions=tuple(sorted((*self.state.conditions, condition))))
        self.emit(DeviceFaulted(self.state.device, "primary", condition, detail))
        return True

    def recover(self, *conditions: str) -> None:
        """Report that these faults are over, as far as they were reported."""
        for condition in conditions:
            if condition in self.state.conditions:
                left = tuple(known for known in self.state.conditions if known != condition)
                self.set(conditions=left)
                self.emit(DeviceRecovered(self.state.device, "primary", condition))


def is_announcement_awaited(state: RouletteState) -> bool:
    """Return whether a result waits for the dealer to announce it."""
    return state.pending is not None and state.pending.waits_for == "announce"


def is_live(run: BallRun | None) -> bool:
    """Return whether a run can still give a result."""
    return run is not None and run.end is None
