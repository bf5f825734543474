"""Scaffold of a dice shaker: replace this line by the maker, the model and what it is.

Each line is `$ K text * SS CR LF`; SS is the sum of all bytes between `$` and `*`, in upper-case
hex.

    S      the dice are shaken
    L 442  they lie: one digit for each die, - where one was not recognised
    I …    the device was switched on: who it is

Source: none. Name the manual and its section here, and say what is assumed.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from protocols.checks import sum8
from protocols.device import DeviceSpec, FrameMeaning
from protocols.faces import FACES, Faces, find_faces
from protocols.framing import Framing
from protocols.instant import Instant
from protocols.lineframes import Delimiting, LineFrames
from protocols.readings import DeviceIdentity, DiceRead, DiceShaken, DiceUnread, Reading
from protocols.rejects import RejectReason
from protocols.simulatedline import HURTS, SimulatedLine
from protocols.simulator import Cue, Fault, PowerOn, ThrowDice
from protocols.wiring import SerialWiring

__all__ = ["DEVICE", "NewDiceSettings"]

WIRING: Final = SerialWiring(baud=9600)
LINES: Final = Delimiting(start=b"$", end=b"\r\n", length=None, longest=24, tail=0, gap_s=0.2)
LANDS_S: Final = 3.0
"""Assumed: how long the dice are shaken and run."""
_LINE: Final = re.compile(rb"\$(([SLI])([ -#%-)+-~]*))\*([0-9A-F]{2})\r\n")
_DICE: Final = re.compile(r"[1-6-]{3}")


@dataclass(frozen=True, slots=True)
class NewDiceSettings:
    """What differs between sites: every field with a default. Nothing, so far."""


def line(kind: str, text: str = "") -> bytes:
    """Return a line as the shaker sends it."""
    body = f"{kind}{text}".encode("ascii")
    return b"$%b*%02X\r\n" % (body, sum8(body))


def read(raw: bytes) -> FrameMeaning | None:
    """Return what a whole line says, from its bytes alone; None for bytes that are no line."""
    parts = _LINE.fullmatch(raw)
    if parts is None:
        return None
    body, kind, text, check = parts.groups()
    if sum8(body) != int(check, 16):
        return FrameMeaning(RejectReason.CHECKSUM)
    return FrameMeaning(_meaning(kind.decode("ascii"), text.decode("ascii")))


def _meaning(kind: str, text: str) -> Reading | RejectReason:
    if kind == "I":
        return DeviceIdentity(text)
    if kind == "S":
        return RejectReason.VALUE if text else DiceShaken()
    faces = find_faces(text)
    if faces is not None:
        return DiceRead(faces, checked=True)
    if _DICE.fullmatch(text) is None:
        return RejectReason.VALUE
    first, second, third = (FACES.get(die) for die in text)
    return DiceUnread((first, second, third))


class NewDiceSimulator:
    """See `protocols.simulator.Simulator`: it speaks as the shaker does, and decides nothing."""

    faults: Sequence[str] = ("unread", *HURTS)

    def __init__(self, _settings: NewDiceSettings) -> None:
        self.wake_at: Instant | None = None
        self._line = SimulatedLine(WIRING.baud)
        self._unread = False

    def cue(self, at: Instant, cue: Cue) -> None:
        """Make something happen. Raises ValueError for a cue this device cannot play."""
        match cue:
            case PowerOn():
                self._line.say(at, line("I", "simulated"))
            case ThrowDice(faces):
                self._line.say(at, line("S"))
                self._line.say(at.after(LANDS_S), line("L", self._seen(faces)))
            case Fault("unread"):
                self._unread = True
            case Fault(name) if name in HURTS:
                self._line.hurt(name)
            case _:
                raise ValueError(f"this shaker cannot play {cue.kind}")
        self.wake_at = self._line.wake_at

    def hear(self, at: Instant, data: bytes) -> None:
        """Ignore what the host sent: the shaker takes no command."""

    def speak(self, at: Instant) -> Sequence[bytes]:
        """Return what has gone out by `at`, one item per line."""
        sent = self._line.speak(at)
        self.wake_at = self._line.wake_at
        return sent

    def _seen(self, faces: Faces) -> str:
        first, second, third = map(str, faces)
        if self._unread:
            first, self._unread = "-", False
        return first + second + third


DEVICE: Final = DeviceSpec(
    key="new_dice",
    title="New dice shaker",
    kind="dice",
    maturity="experimental",
    source="none: a scaffold",
    wiring=WIRING,
    framing=Framing(
        self_starting=True,
        checksum="sum",
        ends_by="mark",
        silence_s=LINES.gap_s,
        pending_max=LINES.whole_max - 1,
    ),
    settings=NewDiceSettings,
    decoder=lambda _settings: LineFrames(LINES, read, RejectReason.MALFORMED),
    simulator=NewDiceSimulator,
    notes=("A scaffold: no such device is sold.",),
)
