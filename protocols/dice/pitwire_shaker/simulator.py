"""A simulated shaker: no clock, no chance; the dealer decides, it only speaks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Final

from protocols.dice.pitwire_shaker.layout import (
    DIGITS,
    IDENTITY,
    LIE,
    RESENT_AFTER_S,
    SHAKEN,
    UNREAD,
    PitwireShakerSettings,
    line,
)
from protocols.faces import Face, Faces
from protocols.instant import Instant, earliest
from protocols.simulator import Cue, Fault, PowerOn, ThrowDice

FAULTS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "die_unread": "the first die of the next throw is not recognised",
        "second_look": "the next throw is said again after 1 s, under the next line number",
        "second_thought": "the next throw is said again after 1 s, with another first die",
        "unseen_throw": "the next throw is not said to be shaken",
        "no_result": "the next throw is shaken and its dice are not said",
        "line_lost": "the next line is lost, both times",
        "bit_flip": "a bit of the next line flips, the first time",
        "torn": "the next line loses its end, the first time",
        "noise": "garbage stands before the next line, the first time",
        "said_once": "lines are sent once only; again, twice",
        "mains_cycle": "mains lost and back: it says who it is; a throw under way is not said",
    }
)
WHO: Final = "simulated shaker 1"
LANDS_S: Final = 3.0
"""How long the dice are shaken and run: our assumption."""
LOOKS_AGAIN_S: Final = 1.0
_FLIPPED_BYTE: Final = 2


class PitwireShakerSimulator:
    """See `protocols.simulator.Simulator`. Deaf: nothing can be sent to it."""

    faults: Sequence[str] = tuple(FAULTS)

    def __init__(self, _settings: PitwireShakerSettings) -> None:
        self.wake_at: Instant | None = None
        self._on: set[str] = set()
        self._to_say: list[tuple[Instant, str, str]] = []
        self._copies: list[tuple[Instant, bytes]] = []
        self._lines = 0

    def cue(self, at: Instant, cue: Cue) -> None:
        """Make something happen. Raises ValueError for a cue this device cannot play."""
        match cue:
            case PowerOn():
                self._to_say.append((at, IDENTITY, WHO))
            case ThrowDice(faces):
                self._throw(at, faces)
            case Fault("mains_cycle"):
                self._to_say = [(at, IDENTITY, WHO)]
                self._copies.clear()
            case Fault(name):
                if name not in FAULTS:
                    raise ValueError(f"no fault is called {name}; there are {', '.join(FAULTS)}")
                self._on ^= {name}
            case _:
                raise ValueError(f"a dice shaker cannot play {cue.kind}")
        self._set_alarm()

    def hear(self, at: Instant, data: bytes) -> None:
        """Ignore what the host sent: the shaker takes no command."""

    def speak(self, at: Instant) -> Sequence[bytes]:
        """Return what has gone out by `at`, one item per line."""
        for due, kind, text in sorted(
            (entry for entry in self._to_say if at.reached(entry[0])), key=lambda entry: entry[0].ns
        ):
            self._say(due, kind, text)
        self._to_say = [entry for entry in self._to_say if not at.reached(entry[0])]
        gone = [entry for entry in self._copies if at.reached(entry[0])]
        self._copies = [entry for entry in self._copies if not at.reached(entry[0])]
        self._set_alarm()
        return [data for _, data in sorted(gone, key=lambda entry: entry[0].ns)]

    def _set_alarm(self) -> None:
        self.wake_at = earliest(
            *(due for due, _, _ in self._to_say), *(due for due, _ in self._copies)
        )

    def _throw(self, at: Instant, faces: Faces) -> None:
        lands = at.after(LANDS_S)
        if not self._used("unseen_throw"):
            self._to_say.append((at, SHAKEN, ""))
        if self._used("no_result"):
            return
        first, *others = map(str, faces)
        if self._used("die_unread"):
            first = UNREAD
        dice = "".join((first, *others))
        self._to_say.append((lands, LIE, dice))
        if self._used("second_look"):
            self._to_say.append((lands.after(LOOKS_AGAIN_S), LIE, dice))
        if self._used("second_thought"):
            other = "".join((str(_next(faces[0])), *others))
            self._to_say.append((lands.after(LOOKS_AGAIN_S), LIE, other))

    def _say(self, at: Instant, kind: str, text: str) -> None:
        """Put both copies of a line on their way; only the first is hurt as cued."""
        data = line(DIGITS[self._lines % len(DIGITS)], kind, text)
        self._lines += kind != IDENTITY
        if self._used("line_lost"):
            return
        hurt = data
        if self._used("bit_flip"):
            flipped = bytes([data[_FLIPPED_BYTE] ^ 1])
            hurt = data[:_FLIPPED_BYTE] + flipped + data[_FLIPPED_BYTE + 1 :]
        if self._used("torn"):
            hurt = hurt[:-3]
        if self._used("noise"):
            hurt = b"\x00\xfe" + hurt
        self._copies.append((at, hurt))
        if "said_once" not in self._on:
            self._copies.append((at.after(RESENT_AFTER_S), data))

    def _used(self, name: str) -> bool:
        was_armed = name in self._on
        self._on.discard(name)
        return was_armed


def _next(face: Face) -> int:
    return face % 6 + 1
