"""A simulated label scanner: no clock, no chance; the dealer decides, it only scans."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from protocols.cardcodes import labels
from protocols.instant import Instant
from protocols.shoes.barcode_lines.layout import BarcodeLinesSettings, line
from protocols.simulatedline import HURTS, SimulatedLine
from protocols.simulator import (
    Cue,
    DrawCard,
    DrawCutCard,
    Fault,
    PowerOn,
    SpinBall,
    StateResult,
    ThrowDice,
)

BAUD: Final = 9600
AGAIN_S: Final = 0.03
"""How soon a trembling hand scans the same label again."""
EAN: Final = b"]E04006381333931"
_TOGGLE: Final = "other_suffix"


class BarcodeLinesSimulator:
    """See `protocols.simulator.Simulator`. Deaf.

    `double_scan` scans the next card twice; `no_read`, `unknown_code`, `foreign_symbol` and
    `empty_line` are scanned at once; `other_suffix` stays until cued again: the scanner has read a
    label of its maker's that changed its terminator.
    """

    faults: Sequence[str] = (
        "double_scan",
        "no_read",
        "unknown_code",
        "foreign_symbol",
        "empty_line",
        _TOGGLE,
        *HURTS,
    )

    def __init__(self, settings: BarcodeLinesSettings) -> None:
        self.wake_at: Instant | None = None
        self._settings = settings
        self._labels = labels(
            settings.scheme, settings.card_map, settings.no_read, settings.cut_card
        )
        self._line = SimulatedLine(BAUD)
        self._twice = False
        self._other_suffix = False

    def cue(self, at: Instant, cue: Cue) -> None:
        """Make something happen. Raises ValueError for a cue this device cannot play."""
        match cue:
            case PowerOn():
                self._twice = self._other_suffix = False
            case DrawCard(card):
                label = self._labels.codes.spell(card)
                self._scan(at, label)
                if self._twice:
                    self._scan(at.after(AGAIN_S), label)
                self._twice = False
            case DrawCutCard():
                if not self._labels.cut_card:
                    raise ValueError("no label of the cut card is configured")
                self._scan(at, self._labels.cut_card[0])
            case Fault(name):
                self._go_wrong(at, name)
            case StateResult() | SpinBall() | ThrowDice():
                raise ValueError("a scanner reads labels and nothing else")
        self.wake_at = self._line.wake_at

    def hear(self, at: Instant, data: bytes) -> None:
        """Ignore what the host sent."""

    def speak(self, at: Instant) -> Sequence[bytes]:
        """Return what has gone out by `at`, one item per label."""
        sent = self._line.speak(at)
        self.wake_at = self._line.wake_at
        return sent

    def _go_wrong(self, at: Instant, name: str) -> None:
        if name in HURTS:
            self._line.hurt(name)
        elif name == "double_scan":
            self._twice = True
        elif name == "no_read" and self._labels.no_read:
            self._scan(at, self._labels.no_read[0])
        elif name == "unknown_code":
            self._scan(at, "0X0")
        elif name == "foreign_symbol":
            how = self._settings.delimiting()
            self._line.say(at, how.start + EAN + how.end)
        elif name == "empty_line":
            self._scan(at, "")
        elif name == _TOGGLE:
            self._other_suffix = not self._other_suffix
        else:
            raise ValueError(f"no fault is called {name}; there are {', '.join(self.faults)}")

    def _scan(self, at: Instant, label: str) -> None:
        sent = line(self._settings, label)
        end = self._settings.delimiting().end
        if self._other_suffix and end:
            sent = sent.removesuffix(end) + b"\t"
        self._line.say(at, sent)
