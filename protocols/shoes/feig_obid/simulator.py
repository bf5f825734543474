"""A simulated OBID reader: no clock, no chance; cards pass over it, and it answers what is asked.

Timing: an answer takes the time of an inventory; a drawn card lies on the reader for a second.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from protocols.cards import DECK, Card
from protocols.instant import Instant, earliest
from protocols.shoes.feig_obid.layout import (
    ADVANCED,
    ANY_READER,
    CHECK,
    CONTROLS,
    INVENTORY,
    ISO15693,
    MORE_DATA,
    NO_TAG,
    RF_WARNING,
    VERSION,
    WELL,
    FeigObidSettings,
    advanced,
    head_of,
    is_whole,
    standard,
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

ANSWER_S: Final = 0.2
LIES_S: Final = 1.0
ADDRESS: Final = 0x00
FIRMWARE: Final = bytes.fromhex("0300000040050000")
FOREIGN: Final = "E0070000000000FF"

_ONCE: Final = ("bit_flip", "torn", "drop_next", "more_data")
_TOGGLES: Final = ("rf_warning", "silent")
_UNKNOWN_COMMAND: Final = b"\x80"


class FeigObidSimulator:
    """See `protocols.simulator.Simulator`.

    `rf_warning` and `silent` stay until cued again. `bit_flip`, `torn` and `drop_next` hurt the
    next answer, `more_data` ends its list early. `two_cards` and `foreign_tag` are laid down at
    once, for as long as a card.
    """

    faults: Sequence[str] = ("two_cards", "foreign_tag", *_ONCE, *_TOGGLES)

    def __init__(self, settings: FeigObidSettings) -> None:
        self.wake_at: Instant | None = None
        self._uids = _uids(settings)
        self._address = ADDRESS if settings.address == ANY_READER else settings.address
        self._on: set[str] = set()
        self._held = b""
        self._lying: dict[str, Instant] = {}
        self._line: list[tuple[Instant, bytes]] = []

    def cue(self, at: Instant, cue: Cue) -> None:
        """Make something happen. Raises ValueError for a cue this device cannot play."""
        match cue:
            case PowerOn():
                self._held = b""
            case DrawCard(card):
                self._lay(at, self._uids[card])
            case Fault(name):
                self._go_wrong(at, name)
            case DrawCutCard() | StateResult() | SpinBall() | ThrowDice():
                raise ValueError("a reader sees the tags of cards and nothing else")

    def hear(self, at: Instant, data: bytes) -> None:
        """Take bytes that the host sent. What is damaged or for another reader is not answered."""
        self._held += data
        while len(self._held) >= 3:
            head = 3 if self._held[0] == ADVANCED else 1
            length = int.from_bytes(self._held[head // 2 : head], "big")
            if len(self._held) < length:
                break
            raw, self._held = self._held[: max(length, 1)], self._held[max(length, 1) :]
            if length > head + 3 and is_whole(raw) and raw[head] in (self._address, ANY_READER):
                self._answer(at, raw)
        self._set_wake()

    def speak(self, at: Instant) -> Sequence[bytes]:
        """Return what has gone out by `at`, one item per write."""
        sent = [data for due, data in self._line if at.reached(due)]
        self._line = [entry for entry in self._line if not at.reached(entry[0])]
        self._set_wake()
        return sent

    def _lay(self, at: Instant, *uids: str) -> None:
        self._lying |= dict.fromkeys(uids, at.after(LIES_S))

    def _go_wrong(self, at: Instant, name: str) -> None:
        if name == "two_cards":
            self._lay(at, self._uids[DECK[0]], self._uids[DECK[-1]])
        elif name == "foreign_tag":
            self._lay(at, FOREIGN)
        elif name in _TOGGLES:
            self._on ^= {name}
        elif name in _ONCE:
            self._on.add(name)
        else:
            raise ValueError(f"no fault is called {name}; there are {', '.join(self.faults)}")

    def _answer(self, at: Instant, raw: bytes) -> None:
        head = head_of(raw)
        control, data = raw[head + 1], raw[head + 2 : -CHECK]
        due = at.after(ANSWER_S)
        payload = self._say(due, control, data)
        build = standard if head == 1 and len(payload) <= 0xFF - 5 else advanced
        answer = build(control, payload, address=self._address)
        if self._used("bit_flip"):
            answer = answer[:-3] + bytes([answer[-3] ^ 0x01]) + answer[-2:]
        if self._used("torn"):
            answer = answer[: len(answer) // 2]
        if "silent" not in self._on and not self._used("drop_next"):
            self._line.append((due, answer))

    def _say(self, due: Instant, control: int, data: bytes) -> bytes:
        """Return status and data of the answer that leaves at `due`."""
        if control == INVENTORY and data[:1] == b"\x01":
            return self._inventory(due)
        if control == VERSION:
            return bytes([WELL]) + FIRMWARE
        return bytes([WELL]) if control in CONTROLS else _UNKNOWN_COMMAND

    def _inventory(self, due: Instant) -> bytes:
        self._lying = {uid: until for uid, until in self._lying.items() if not due.reached(until)}
        if "rf_warning" in self._on:
            return bytes([RF_WARNING])
        uids = list(self._lying)
        more = len(uids) > 1 and self._used("more_data")
        shown = uids[:-1] if more else uids
        if not shown:
            return bytes([NO_TAG])
        sets = b"".join(bytes([ISO15693, 0x00]) + bytes.fromhex(uid) for uid in shown)
        return bytes([MORE_DATA if more else WELL, len(shown)]) + sets

    def _used(self, name: str) -> bool:
        if name not in self._on:
            return False
        self._on.remove(name)
        return True

    def _set_wake(self) -> None:
        self.wake_at = earliest(*(due for due, _ in self._line))


def _uids(settings: FeigObidSettings) -> Mapping[Card, str]:
    """Return one tag for each card: as enrolled, else numbered by its place in the deck."""
    own = {name: uid for uid, name in reversed(settings.enrolment)}
    return {
        card: own.get(str(card), f"E0040150000000{number:02X}") for number, card in enumerate(DECK)
    }
