"""One application of an input in progress: the state on its way, and the effects so far."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Final

from daemon.gamekit.spec import Context, Decision, Round, Violation, evidence
from daemon.gamekit.violations import VIOLATIONS
from daemon.games.roulette.profile import RouletteProfile
from daemon.games.roulette.state import BallRun, RouletteState, SpinWord
from protocols.commands import Refusal
from protocols.events import (
    DeviceFaulted,
    DeviceRecovered,
    Event,
    RoundBetsClosed,
    RoundCompleted,
    RoundOpened,
    SpinBallInRim,
    SpinStarted,
)
from protocols.instant import Instant
from protocols.readings import Reading

_WORDS: Final[dict[SpinWord, type[SpinStarted | SpinBallInRim]]] = {
    "started": SpinStarted,
    "ball_in_rim": SpinBallInRim,
}


class RouletteTransition:
    """Folds what happens into state, round and hold, as the table will do after it."""

    def __init__(self, state: RouletteState, context: Context, at: Instant) -> None:
        self.state = state
        self.context = context
        self.profile: RouletteProfile = context.profile
        self.at = at
        self.spin = 0
        """The spin number of the status line at hand."""
        self.round = context.round
        self.held = context.held
        self.effects: list[Event | Violation] = []

    def decision(self) -> Decision:
        """Return what came of it."""
        return Decision(self.state, tuple(self.effects))

    def refuse(self, refusal: Refusal) -> Decision:
        """Return a refusal: nothing happened."""
        return Decision(self.state, refusal=refusal)

    def set(self, **changes: Any) -> None:
        """Change fields of the state."""
        self.state = replace(self.state, **changes)

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
    def bets_open(self) -> bool:
        """Return whether a round takes bets."""
        return self.round is not None and self.round.phase == "betting"

    @property
    def stake(self) -> str | None:
        """Return the open round that still waits for a result, of this run or of the next."""
        run = self.state.run
        bound = run.round_id if run is not None and run.end is None else None
        round_id = bound or self.state.waits
        is_open = self.round is not None and self.round.round_id == round_id
        return round_id if is_open else None

    @property
    def mine(self) -> str | None:
        """Return the open round that the running spin decides, or will when it is launched."""
        run = self.state.run
        if run is not None and run.ball and run.round_id is None:
            return None
        return self.stake

    def open_round(self, round_id: str) -> None:
        """Open a round for bets."""
        self.effects.append(RoundOpened(round_id, self.context.digest))
        self.round = Round(round_id, "betting")
        self.set(waits=round_id)

    def close_bets(self, *, by_command: bool = False) -> None:
        """Close the bets of the open round; what waited for that leaves."""
        if self.round is None:
            return
        round_id = self.round.round_id
        self.effects.append(RoundBetsClosed(round_id, "command" if by_command else "device"))
        self.round = Round(round_id, "dealing")
        run = self.state.run
        if run is not None and run.unsent:
            self.effects.extend(_WORDS[word](run.number) for word in run.unsent)
            self.set_run(unsent=())

    def completed(self, event: RoundCompleted) -> None:
        """End the round with its outcome."""
        self.effects.append(event)
        self.round = None
        self.set(waits=None, pending=None)

    # --- what is told --------------------------------------------------------------------

    def emit(self, event: Event) -> None:
        """Let something have happened that changes neither round nor hold."""
        self.effects.append(event)

    def say(self, word: SpinWord) -> None:
        """Tell how far the ball is, now or when the bets are closed."""
        run = self.state.run
        if run is None:
            return
        if self.bets_open and self.profile.rim_event == "when_closed":
            self.set_run(unsent=(*run.unsent, word))
        else:
            self.emit(_WORDS[word](run.number))

    def violate(
        self,
        code: str,
        detail: str,
        *,
        expected: str | None = None,
        read: str | None = None,
        reading: Reading | None = None,
    ) -> None:
        """Raise a violation; a holding one holds what follows in this very input."""
        slot = "pocket" if read is not None else None
        self.effects.append(Violation(code, detail, slot, expected, read, evidence(reading)))
        self.held = self.held or VIOLATIONS[code].holds

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
                left = tuple(one for one in self.state.conditions if one != condition)
                self.set(conditions=left)
                self.emit(DeviceRecovered(self.state.device, "primary", condition))


def is_live(run: BallRun | None) -> bool:
    """Return whether a run can still give a result."""
    return run is not None and run.end is None
