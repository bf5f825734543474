"""Scaffold of a card shoe: replace this line by the maker, the model and what it is.

Each line is `$ K text * SS CR LF`; SS is the sum of all bytes between `$` and `*`, in upper-case
hex.

    C KD  a card was drawn: rank, then suit; ?? where it was not recognised
    X     the cut card came out
    I …   the device was switched on: who it is

Source: none. Name the manual and its section here, and say what is assumed.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from protocols.cards import find_card
from protocols.checks import sum8
from protocols.device import DeviceSpec, FrameMeaning
from protocols.framing import Framing
from protocols.instant import Instant
from protocols.lineframes import Delimiting, LineFrames
from protocols.readings import CardDrawn, CardUnread, CutCardSeen, DeviceIdentity, Reading
from protocols.rejects import RejectReason
from protocols.simulatedline import HURTS, SimulatedLine
from protocols.simulator import Cue, DrawCard, DrawCutCard, Fault, PowerOn
from protocols.wiring import SerialWiring

__all__ = ["DEVICE", "NewShoeSettings"]

WIRING: Final = SerialWiring(baud=9600)
LINES: Final = Delimiting(start=b"$", end=b"\r\n", length=None, longest=24, tail=0, gap_s=0.2)
UNREAD: Final = "??"
_LINE: Final = re.compile(rb"\$(([CXI])([ -#%-)+-~]*))\*([0-9A-F]{2})\r\n")


@dataclass(frozen=True, slots=True)
class NewShoeSettings:
    """What differs between sites: every field with a default. Nothing, so far."""


def line(kind: str, text: str = "") -> bytes:
    """Return a line as the shoe sends it."""
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
    if kind == "X":
        return RejectReason.VALUE if text else CutCardSeen()
    card = find_card(text)
    if card is not None:
        return CardDrawn(card)
    return CardUnread("not recognised") if text == UNREAD else RejectReason.VALUE


class NewShoeSimulator:
    """See `protocols.simulator.Simulator`: it speaks as the shoe does, and decides nothing."""

    faults: Sequence[str] = ("unread", *HURTS)

    def __init__(self, _settings: NewShoeSettings) -> None:
        self.wake_at: Instant | None = None
        self._line = SimulatedLine(WIRING.baud)
        self._unread = False

    def cue(self, at: Instant, cue: Cue) -> None:
        """Make something happen. Raises ValueError for a cue this device cannot play."""
        match cue:
            case PowerOn():
                self._line.say(at, line("I", "simulated"))
            case DrawCard(card):
                self._line.say(at, line("C", UNREAD if self._unread else str(card)))
                self._unread = False
            case DrawCutCard():
                self._line.say(at, line("X"))
            case Fault("unread"):
                self._unread = True
            case Fault(name) if name in HURTS:
                self._line.hurt(name)
            case _:
                raise ValueError(f"this shoe cannot play {cue.kind}")
        self.wake_at = self._line.wake_at

    def hear(self, at: Instant, data: bytes) -> None:
        """Ignore what the host sent: the shoe takes no command."""

    def speak(self, at: Instant) -> Sequence[bytes]:
        """Return what has gone out by `at`, one item per line."""
        sent = self._line.speak(at)
        self.wake_at = self._line.wake_at
        return sent


DEVICE: Final = DeviceSpec(
    key="new_shoe",
    title="New shoe",
    kind="shoe",
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
    settings=NewShoeSettings,
    decoder=lambda _settings: LineFrames(LINES, read, RejectReason.MALFORMED),
    simulator=NewShoeSimulator,
    notes=("A scaffold: no such device is sold.",),
)
