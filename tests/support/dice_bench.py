"""A Sic Bo table on a bench: the real table and game, fed throw by throw."""

from __future__ import annotations

from typing import Any

from support.table_bench import ROUND, TableBench, rules_of

from daemon.gamekit.spec import DueDice
from daemon.games.sic_bo import GAME
from daemon.games.sic_bo.profile import SicBoProfile
from daemon.games.sic_bo.state import SicBoState
from protocols.dice.pitwire_shaker import DEVICE
from protocols.events import Event
from protocols.faces import FACES, Faces, find_faces
from protocols.readings import DiceRead, DiceShaken, DiceUnread
from protocols.table_terms import RoundControl


def profile(**changes: Any) -> SicBoProfile:
    """Return the rules, as their file states them, with some of them changed."""
    return rules_of(GAME, "sic-bo", changes)


def dice(text: str) -> Faces:
    """Return the faces of three digits."""
    faces = find_faces(text)
    assert faces is not None, text
    return faces


class SicBoBench(TableBench[SicBoState, SicBoProfile]):
    """One table with one shaker."""

    PAUSE_S = 1.0

    def __init__(self, control: RoundControl = "server", **rules: Any) -> None:
        super().__init__(GAME, profile(**rules), {"primary": DEVICE}, control)

    @property
    def results(self) -> list[Faces]:
        """Return the dice of every completed round so far."""
        return [outcome.faces for outcome in self.outcomes]

    def dice_are_due(self) -> bool:
        return self.due == DueDice()

    def shake(self, number: str | None = None) -> list[Event]:
        return self.hear(DiceShaken(), number=number)

    def show(self, text: str, number: str | None = None, *, checked: bool = True) -> list[Event]:
        """Let the dice be read; `-` is a die that is not recognised."""
        if "-" in text:
            first, second, third = (FACES.get(digit) for digit in text)
            return self.hear(DiceUnread((first, second, third)), number=number)
        return self.hear(DiceRead(dice(text), checked), number=number)

    def throw(self, text: str) -> list[Event]:
        """Let the dice be shaken and read."""
        return self.shake() + self.show(text)

    def deal(self, round_id: str = ROUND) -> None:
        """Open a round and close its bets: the dice are due."""
        self.open(round_id)
        self.close(round_id)

    def named(self, text: str) -> dict[str, Any]:
        """Return the field of a decision that names three dice."""
        return {"dice": dice(text)}
