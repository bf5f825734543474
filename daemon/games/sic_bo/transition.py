"""One application of an input in progress: the state on its way, and the effects so far."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Literal

from daemon.gamekit.spec import Context, Decision, Round, Violation
from daemon.gamekit.violations import VIOLATIONS
from daemon.games.sic_bo.outcome import outcome_of
from daemon.games.sic_bo.profile import SicBoProfile
from daemon.games.sic_bo.state import SicBoState, Throw
from protocols.commands import Refusal
from protocols.events import DiceLanded, Event, RoundBetsClosed, RoundCompleted, RoundOpened
from protocols.faces import Face, Faces, spelled


class SicBoTransition:
    """Folds what happens into state, round and hold, as the table will do after it."""

    def __init__(self, state: SicBoState, context: Context) -> None:
        self.state = state
        self.context = context
        self.profile: SicBoProfile = context.profile
        self.round = context.round
        self.held = context.held
        self.effects: list[Event | Violation] = []

    def decision(self, refusal: Refusal | None = None) -> Decision:
        """Return what came of it, or the refusal."""
        return Decision(self.state, tuple(self.effects), refusal)

    def set(self, **changes: Any) -> None:
        """Change fields of the state."""
        self.state = replace(self.state, **changes)

    @property
    def throw(self) -> Throw:
        """Return the throw as it stands."""
        return self.state.throw

    def set_throw(self, **changes: Any) -> None:
        """Change fields of the throw."""
        self.set(throw=replace(self.state.throw, **changes))

    def violate(
        self,
        code: str,
        detail: str,
        read: tuple[Face | None, ...],
        expected: Faces | None = None,
    ) -> None:
        """Raise a violation; a holding one holds what follows in this very input."""
        due = None if expected is None else spelled(expected)
        self.effects.append(Violation(code, detail, "dice", due, spelled(read)))
        self.held = self.held or VIOLATIONS[code].holds

    # --- the round -----------------------------------------------------------------------

    @property
    def betting(self) -> bool:
        """Return whether a round takes bets."""
        return self.round is not None and self.round.phase == "betting"

    @property
    def dealing(self) -> bool:
        """Return whether a round waits for its dice."""
        return self.round is not None and self.round.phase == "dealing"

    def open_round(self, round_id: str) -> None:
        """Open a round for bets."""
        self.effects.append(RoundOpened(round_id, self.context.digest))
        self.round = Round(round_id, "betting")

    def close_bets(self, by: Literal["command", "device"]) -> None:
        """No more bets, if they are open."""
        if self.round is not None and self.betting:
            self.effects.append(RoundBetsClosed(self.round.round_id, by))
            self.round = replace(self.round, phase="dealing")

    def land(self, faces: Faces) -> None:
        """Publish a sure result of the open round, and its outcome."""
        if self.round is not None:
            self.effects.append(DiceLanded(self.round.round_id, faces))
            self.complete(faces)

    def complete(self, faces: Faces) -> None:
        """End the open round with its outcome."""
        if self.round is None:
            raise AssertionError("no round is open")
        outcome = outcome_of(faces)
        self.effects.append(RoundCompleted(self.round.round_id, self.context.digest, outcome))
        self.round = None
        self.set(pending=None)
