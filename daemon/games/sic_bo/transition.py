"""One input on its way through a table of Sic Bo: its round and its throw."""

from __future__ import annotations

from typing import Any

from daemon.gamekit.spec import Violation
from daemon.gamekit.transition import GameTransition
from daemon.games.sic_bo.outcome import outcome_of
from daemon.games.sic_bo.profile import SicBoProfile
from daemon.games.sic_bo.state import SicBoState, Throw
from protocols.events import DiceLanded
from protocols.faces import Face, Faces, spelled
from protocols.replace import replace


class SicBoTransition(GameTransition[SicBoState, SicBoProfile]):
    """The state of a Sic Bo table on its way through one input."""

    @property
    def throw(self) -> Throw:
        """Return the throw as it is now."""
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
        """Name what is against the rules, and what the dice show."""
        due = None if expected is None else spelled(expected)
        known = [[face for face in one if face is not None] for one in (read, expected or ())]
        stated = tuple(spelled(sorted(faces)) for faces in known if len(faces) == len(read))
        self.raise_violation(Violation(code, detail, "dice", due, spelled(read), stated=stated))

    def land(self, faces: Faces) -> None:
        """Publish a sure result of the open round, and its outcome."""
        if self.round is not None:
            self.emit(DiceLanded(self.round.round_id, faces))
            self.complete(faces)

    def complete(self, faces: Faces) -> None:
        """End the open round with its outcome."""
        self.complete_round(outcome_of(faces))
        self.set(pending=None)
