"""A simulated USB scanner: no clock, no chance; the dealer decides, it only scans.

Timing: one report each time that the host polls it, every 8 ms.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from protocols.cardcodes import labels
from protocols.instant import Instant, earliest
from protocols.shoes.hid_pos.commands import COMMAND
from protocols.shoes.hid_pos.layout import (
    ANSWER_END,
    ANSWER_TEXT,
    DATA_MAX,
    ENABLE,
    OUTPUT,
    SYMBOLOGIES,
    HidPosSettings,
    aim_packet,
    plain_packet,
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
MODEL: Final = (
    b"Product Name: simulated\r\nSoftware Revision: none, it has no software of its own\r\n"
)

_MENU: Final = bytes([OUTPUT, COMMAND]) + b"\x0f\x16M\x0d"
_IDENTIFY: Final = b"REVINF."
_SCANS: Final = ("no_read", "foreign_symbol", "unknown_code", "long_symbol")
_ONCE: Final = ("stale_bytes", "torn_symbol")
_EAN: Final = b"4006381333931"
_LONG: Final = b"https://example.org/" + b"0123456789" * 12


class HidPosSimulator:
    """See `protocols.simulator.Simulator`.

    `stale_bytes` leaves what is left of an older scan behind the next one's data, `torn_symbol`
    scans a long symbol whose end never comes. The rest is scanned at once.
    """

    faults: Sequence[str] = (*_SCANS, *_ONCE)

    def __init__(self, settings: HidPosSettings) -> None:
        self.wake_at: Instant | None = None
        self._labels = labels(
            settings.scheme, settings.card_map, settings.no_read, settings.cut_card
        )
        self._has_aim = settings.layout == "aim"
        self._aim = SYMBOLOGIES[settings.symbologies[0]] + b"0"
        self._waits_for_enable = self._enabled_by_report = settings.enable
        self._stale = False
        self._line: list[tuple[Instant, bytes]] = []
        self._free_at: Instant | None = None

    def cue(self, at: Instant, cue: Cue) -> None:
        """Make something happen. Raises ValueError for a cue this device cannot play."""
        match cue:
            case PowerOn():
                self._waits_for_enable = self._enabled_by_report
            case DrawCard(card):
                self._scan(at, self._aim, self._labels.codes.spell(card).encode("latin-1"))
            case DrawCutCard():
                if not self._labels.cut_card:
                    raise ValueError("no label of the cut card is configured")
                self._scan(at, self._aim, self._labels.cut_card[0].encode("latin-1"))
            case Fault(name):
                self._go_wrong(at, name)
            case StateResult() | SpinBall() | ThrowDice():
                raise ValueError("a scanner reads labels and nothing else")

    def hear(self, at: Instant, data: bytes) -> None:
        """Take a report that the host sent; a menu command is answered."""
        if data == ENABLE:
            self._waits_for_enable = False
        elif data.startswith(_MENU):
            command = data.removeprefix(_MENU)
            known = command == _IDENTIFY
            if known:
                self._put(at, ANSWER_TEXT, MODEL)
            status = b"\x06." if known else b"\x05."
            self._put(at, ANSWER_END, command.removesuffix(b".") + status)

    def speak(self, at: Instant) -> Sequence[bytes]:
        """Return the reports that were polled by `at`, one item each."""
        sent = [packet for due, packet in self._line if at.reached(due)]
        self._line = [entry for entry in self._line if not at.reached(entry[0])]
        self._sleep()
        return sent

    def _go_wrong(self, at: Instant, name: str) -> None:
        if name == "no_read" and self._labels.no_read:
            self._scan(at, self._aim, self._labels.no_read[0].encode("latin-1"))
        elif name == "foreign_symbol" and self._has_aim:
            self._scan(at, SYMBOLOGIES["ean_upc"] + b"0", _EAN)
        elif name == "unknown_code":
            self._scan(at, self._aim, b"0X0")
        elif name == "long_symbol" and self._has_aim:
            self._scan(at, self._aim, _LONG)
        elif name == "torn_symbol" and self._has_aim:
            self._scan(at, self._aim, _LONG)
            self._line.pop()
            self._sleep()
        elif name == "stale_bytes":
            self._stale = True
        else:
            raise ValueError(f"no fault is called {name}; there are {', '.join(self.faults)}")

    def _scan(self, at: Instant, aim: bytes, label: bytes) -> None:
        if not self._waits_for_enable:
            self._put(at, aim, label)

    def _put(self, at: Instant, aim: bytes, data: bytes) -> None:
        parts = [data[start : start + DATA_MAX] for start in range(0, len(data), DATA_MAX)]
        for number, part in enumerate(parts, 1):
            if self._has_aim:
                packet = aim_packet(aim, part, more=number < len(parts))
            else:
                packet = plain_packet(part)
            if self._stale:
                end = len(packet) - 3 - DATA_MAX + len(part)
                packet = packet[:end] + b"8S5D"[: DATA_MAX - len(part)] + packet[end + 4 :]
                self._stale = False
            self._line.append((self._next_poll(at), packet))
        self._sleep()

    def _next_poll(self, at: Instant) -> Instant:
        start = at
        if self._free_at is not None and self._free_at.boot == at.boot:
            start = max(at, self._free_at, key=lambda instant: instant.ns)
        self._free_at = start.after(POLL_S)
        return self._free_at

    def _sleep(self) -> None:
        self.wake_at = earliest(*(due for due, _ in self._line))
