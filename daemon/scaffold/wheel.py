"""Scaffold of a roulette wheel: replace this line by the maker, the model and what it is.

Each line is `$ K text * SS CR LF`; SS is the sum of all bytes between `$` and `*`, in upper-case
hex.

    S p nnn 17 rrr d  the state, at each change: phase, the wheel's count of its spins, the last
                      winning number (-- before the first), rotor speed in tenths of a revolution
                      a minute, direction (0 clockwise)
    I …               the device was switched on: who it is

Source: none. Name the manual and its section here, and say what is assumed.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from protocols.checks import sum8
from protocols.device import DeviceSpec, FrameMeaning
from protocols.framing import Framing
from protocols.instant import Instant
from protocols.lineframes import Delimiting, LineFrames
from protocols.readings import DeviceIdentity, Reading, WheelPhase, WheelStatus
from protocols.rejects import RejectReason
from protocols.simulatedline import HURTS, SimulatedLine
from protocols.simulator import Cue, Fault, PowerOn, SpinBall
from protocols.wiring import SerialWiring

__all__ = ["DEVICE", "NewWheelSettings"]

WIRING: Final = SerialWiring(baud=9600)
LINES: Final = Delimiting(start=b"$", end=b"\r\n", length=None, longest=24, tail=0, gap_s=0.2)
PHASES: Final[Mapping[str, WheelPhase]] = MappingProxyType(
    {"1": "before_game", "2": "place_bets", "3": "ball_in_rim", "4": "no_more_bets",
     "5": "winning_number", "6": "closed"}
)  # fmt: skip
SPIN: Final = (("2", 0.0), ("3", 5.0), ("4", 15.0), ("5", 25.0), ("1", 30.0))
"""Assumed: each phase of a spin, and when it begins."""
POCKETS: Final = frozenset(map(str, range(37)))
_ROTOR: Final = "180"
_LINE: Final = re.compile(rb"\$(([SI])([ -#%-)+-~]*))\*([0-9A-F]{2})\r\n")
_STATE: Final = re.compile(r"([1-6])([0-9]{3})([0-9]{2}|--)([0-9]{3})([01])")


@dataclass(frozen=True, slots=True)
class NewWheelSettings:
    """What differs between sites: every field with a default. Nothing, so far."""


def line(kind: str, text: str = "") -> bytes:
    """Return a line as the wheel sends it."""
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
    parts = _STATE.fullmatch(text)
    if parts is None:
        return RejectReason.VALUE
    phase, spin, pocket, rotor, direction = parts.groups()
    number = None if pocket == "--" else str(int(pocket))
    if number is not None and number not in POCKETS:
        return RejectReason.VALUE
    return WheelStatus(
        phase=PHASES[phase],
        spin=int(spin),
        pocket=number,
        flags=frozenset(),
        rotor_tenths_rpm=int(rotor),
        direction="clockwise" if direction == "0" else "counter_clockwise",
    )


class NewWheelSimulator:
    """See `protocols.simulator.Simulator`: it speaks as the wheel does, and decides nothing."""

    faults: Sequence[str] = tuple(HURTS)

    def __init__(self, _settings: NewWheelSettings) -> None:
        self.wake_at: Instant | None = None
        self._line = SimulatedLine(WIRING.baud)
        self._spins = 0
        self._pocket = "--"

    def cue(self, at: Instant, cue: Cue) -> None:
        """Make something happen. Raises ValueError for a cue this device cannot play."""
        match cue:
            case PowerOn():
                self._line.say(at, line("I", "simulated"))
                self._state(at, "1")
            case SpinBall(pocket) if pocket in POCKETS:
                self._spins += 1
                for phase, begins_s in SPIN:
                    if phase == "5":
                        self._pocket = f"{int(pocket):02}"
                    self._state(at.after(begins_s), phase)
            case Fault(name) if name in HURTS:
                self._line.hurt(name)
            case _:
                raise ValueError(f"this wheel cannot play {cue}")
        self.wake_at = self._line.wake_at

    def hear(self, at: Instant, data: bytes) -> None:
        """Ignore what the host sent: the wheel takes no command."""

    def speak(self, at: Instant) -> Sequence[bytes]:
        """Return what has gone out by `at`, one item per line."""
        sent = self._line.speak(at)
        self.wake_at = self._line.wake_at
        return sent

    def _state(self, at: Instant, phase: str) -> None:
        text = f"{phase}{self._spins % 1000:03}{self._pocket}{_ROTOR}{self._spins % 2}"
        self._line.say(at, line("S", text))


DEVICE: Final = DeviceSpec(
    key="new_wheel",
    title="New wheel",
    kind="wheel",
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
    settings=NewWheelSettings,
    decoder=lambda _settings: LineFrames(LINES, read, RejectReason.MALFORMED),
    simulator=NewWheelSimulator,
    notes=("A scaffold: no such device is sold.",),
)
