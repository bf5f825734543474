"""What a simulator is: it speaks one device's bytes and timing, and decides nothing.

It is told what happens (a cue) and never decides: the dealer does. It has no clock; whoever
drives it passes the time, writes `speak()`'s bytes to a link at `wake_at`, and feeds it what the
host sends.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, Protocol, TypeAlias

from protocols.cards import Card
from protocols.faces import Faces
from protocols.instant import Instant
from protocols.readings import CardTarget


@dataclass(frozen=True, slots=True)
class PowerOn:
    """Mains on, or the device's own start."""

    kind: Literal["power_on"] = "power_on"


@dataclass(frozen=True, slots=True)
class DrawCard:
    """The dealer draws this card. `target`/`index` for shoes that state them."""

    card: Card
    target: CardTarget | None = None
    index: int | None = None
    kind: Literal["draw_card"] = "draw_card"


@dataclass(frozen=True, slots=True)
class DrawCutCard:
    """The cutting card comes out."""

    kind: Literal["draw_cut_card"] = "draw_cut_card"


@dataclass(frozen=True, slots=True)
class StateResult:
    """The shoe shows its own verdict."""

    winner: Literal["player", "banker", "tie", "aborted"]
    player_pair: bool = False
    banker_pair: bool = False
    kind: Literal["state_result"] = "state_result"


@dataclass(frozen=True, slots=True)
class SpinBall:
    """Start a game that will end in this pocket."""

    pocket: str
    kind: Literal["spin_ball"] = "spin_ball"


@dataclass(frozen=True, slots=True)
class ThrowDice:
    """Shake the dice so that they show these faces."""

    faces: Faces
    kind: Literal["throw_dice"] = "throw_dice"


@dataclass(frozen=True, slots=True)
class Fault:
    """Something goes wrong: `name` is one of the simulator's `faults`."""

    name: str
    kind: Literal["fault"] = "fault"


Cue: TypeAlias = PowerOn | DrawCard | DrawCutCard | StateResult | SpinBall | ThrowDice | Fault


class Simulator(Protocol):
    """A device made of bytes and timing. Same cues, same times, same seed: same bytes."""

    wake_at: Instant | None
    """When `speak` has something to say next, if ever."""
    faults: Sequence[str]
    """The names that `Fault` accepts here."""

    def cue(self, at: Instant, cue: Cue) -> None:
        """Make something happen. Raises ValueError for a cue this device cannot play."""

    def hear(self, at: Instant, data: bytes) -> None:
        """Take bytes that the host sent."""

    def speak(self, at: Instant) -> Sequence[bytes]:
        """Return what the device has sent by `at`, one item per frame as written to the line."""
