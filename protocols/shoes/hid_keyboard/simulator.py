"""A simulated keyboard scanner: no clock, no chance; the dealer decides, it only types.

Timing: one report each time that the host polls it, every 8 ms: a key down, then all let go.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from protocols.instant import Instant, earliest
from protocols.shoes.hid_keyboard.keys import LAYOUTS
from protocols.shoes.hid_keyboard.layout import (
    ALT_GR,
    LEFT_SHIFT,
    TERMINATORS,
    HidKeyboardSettings,
    report,
)
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

POLL_S: Final = 0.008

_MODIFIERS: Final = {"plain": 0, "shift": LEFT_SHIFT, "alt_gr": ALT_GR}
_F1: Final = 0x3A
_NOTHING: Final = report()
_TOO_MANY: Final = report(*[0x01] * 6)
_ONCE: Final = ("rollover", "foreign_key", "no_terminator", "key_held", "every_key_twice")
_TOGGLES: Final = ("joined_keys",)
_SCANS: Final = ("no_read", "unknown_code", "terminator_alone")


class HidKeyboardSimulator:
    """See `protocols.simulator.Simulator`.

    The next label: `rollover` has an error of the keyboard in it, `foreign_key` a function key,
    `no_terminator` does not end, `key_held` lets a key go one report late, `every_key_twice` is
    typed as some readers read it. With `joined_keys`, until cued again, the next key goes down
    before the last one is let go. The rest is typed at once.
    """

    faults: Sequence[str] = (*_SCANS, *_ONCE, *_TOGGLES)

    def __init__(self, settings: HidKeyboardSettings) -> None:
        self.wake_at: Instant | None = None
        self._labels = settings.labels()
        self._keys = {text: key for key, text in reversed(list(LAYOUTS[settings.layout].items()))}
        self._end = min(TERMINATORS[settings.terminator])
        self._on: set[str] = set()
        self._line: list[tuple[Instant, bytes]] = []
        self._free_at: Instant | None = None

    def cue(self, at: Instant, cue: Cue) -> None:
        """Make something happen. Raises ValueError for a cue this device cannot play."""
        match cue:
            case PowerOn():
                pass  # a keyboard does not say that it is there
            case DrawCard(card):
                self._type(at, self._labels.codes.spell(card))
            case DrawCutCard():
                if not self._labels.cut_card:
                    raise ValueError("no label of the cut card is configured")
                self._type(at, self._labels.cut_card[0])
            case Fault(name):
                self._go_wrong(at, name)
            case StateResult() | SpinBall() | ThrowDice():
                raise ValueError("a scanner reads labels and nothing else")

    def hear(self, at: Instant, data: bytes) -> None:
        """Take a report that the host sent; it lights lamps, at most."""

    def speak(self, at: Instant) -> Sequence[bytes]:
        """Return the reports that were polled by `at`, one item each."""
        sent = [packet for due, packet in self._line if at.reached(due)]
        self._line = [entry for entry in self._line if not at.reached(entry[0])]
        self._sleep()
        return sent

    def _go_wrong(self, at: Instant, name: str) -> None:
        if name in _ONCE:
            self._on.add(name)
        elif name in _TOGGLES:
            self._on ^= {name}
        elif name == "no_read" and self._labels.no_read:
            self._type(at, self._labels.no_read[0])
        elif name == "unknown_code":
            self._type(at, "0X0")
        elif name == "terminator_alone":
            self._type(at, "")
        else:
            raise ValueError(f"no fault is called {name}; there are {', '.join(self.faults)}")

    def _type(self, at: Instant, label: str) -> None:
        if self._used("every_key_twice"):
            label = "".join(letter * 2 for letter in label)
        packets = list(self._joined(label) if "joined_keys" in self._on else self._single(label))
        if self._used("rollover"):
            packets.insert(2, _TOO_MANY)
        if self._used("foreign_key"):
            packets[2:2] = [report(_F1), _NOTHING]
        if self._used("key_held"):
            packets.insert(1, packets[0])
        if self._used("no_terminator"):
            packets = packets[:-2]
        for packet in packets:
            self._line.append((self._next_poll(at), packet))
        self._sleep()

    def _single(self, label: str) -> Iterator[bytes]:
        """Yield each key down, then nothing held."""
        for letter in label:
            usage, level = self._keys[letter]
            yield report(usage, modifiers=_MODIFIERS[level])
            yield _NOTHING
        yield report(self._end)
        yield _NOTHING

    def _joined(self, label: str) -> Iterator[bytes]:
        """Yield each key joining the one before it, then that one let go; equal keys apart."""
        before = 0
        for letter in label:
            usage, level = self._keys[letter]
            held = _MODIFIERS[level]
            if usage == before:
                yield _NOTHING
            elif before:
                yield report(before, usage, modifiers=held)
            yield report(usage, modifiers=held)
            before = usage
        yield report(before, self._end) if before else report(self._end)
        yield report(self._end)
        yield _NOTHING

    def _next_poll(self, at: Instant) -> Instant:
        start = at
        if self._free_at is not None and self._free_at.boot == at.boot:
            start = max(at, self._free_at, key=lambda instant: instant.ns)
        self._free_at = start.after(POLL_S)
        return self._free_at

    def _sleep(self) -> None:
        self.wake_at = earliest(*(due for due, _ in self._line))

    def _used(self, name: str) -> bool:
        if name not in self._on:
            return False
        self._on.remove(name)
        return True
