"""A simulated SSI scanner: no clock, no chance; the dealer decides, it only scans.

Timing: a packet takes its bytes' time at 9600 baud; it waits for the host's answer to one packet
before it sends the next, and sends again what is not answered in time.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from protocols.cardcodes import labels
from protocols.instant import Instant, earliest
from protocols.shoes.zebra_ssi.host import HostEar
from protocols.shoes.zebra_ssi.layout import (
    BAD_CONTEXT,
    CAPABILITIES_REPLY,
    CAPABILITIES_REQUEST,
    CHECK,
    CMD_ACK,
    CMD_NAK,
    CONTINUED,
    DECODE_DATA,
    DECODE_EVENT,
    DENIED,
    EVENT,
    HEAD,
    LENGTH_MAX,
    PARAM_REQUEST,
    PARAM_SEND,
    RESEND,
    RESENDS,
    RESPONSE_S,
    REVISION_REPLY,
    REVISION_REQUEST,
    SCAN_DISABLE,
    SCAN_ENABLE,
    SYMBOLOGIES,
    ZebraSsiSettings,
    packet,
    sent_again,
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

BYTE_S: Final = 10 / 9600
FIRMWARE: Final = b"PAASAM00-000-R00 simulated"

_OBEYED: Final = frozenset(range(0xC4, 0xC9)) | frozenset(range(0xD2, 0xD3)) | frozenset(
    range(0xE4, 0xEC)
)  # fmt: skip
_ONCE: Final = ("bit_flip", "torn", "drop_next", "ack_lost")
_TOGGLES: Final = ("decode_events", "plain_ascii")
_SCANS: Final = ("no_read", "foreign_symbol", "unknown_code", "long_symbol")
_EAN: Final = b"4006381333931"
_LONG: Final = b"https://example.org/" + b"0123456789" * 26 + b"KD"


@dataclass(slots=True)
class _Waiting:
    """A packet whose answer is awaited until `until`, and how often it may be sent again."""

    raw: bytes
    until: Instant
    resends: int = RESENDS


class ZebraSsiSimulator:
    """See `protocols.simulator.Simulator`.

    `decode_events` and `plain_ascii` stay until cued again. `bit_flip`, `torn` and `drop_next`
    hurt the next packet, `ack_lost` the host's next answer. The rest is scanned at once.
    """

    faults: Sequence[str] = (*_SCANS, *_ONCE, *_TOGGLES)

    def __init__(self, settings: ZebraSsiSettings) -> None:
        self.wake_at: Instant | None = None
        self._labels = labels(
            settings.scheme, settings.card_map, settings.no_read, settings.cut_card
        )
        self._symbology = bytes([SYMBOLOGIES[settings.symbologies[0]]])
        self._asks = settings.acknowledge
        self._ear = HostEar()
        self._on: set[str] = set()
        self._enabled = True
        self._queue: deque[bytes] = deque()
        self._waiting: _Waiting | None = None
        self._line: list[tuple[Instant, bytes]] = []
        self._free_at: Instant | None = None

    def cue(self, at: Instant, cue: Cue) -> None:
        """Make something happen. Raises ValueError for a cue this device cannot play."""
        match cue:
            case PowerOn():
                self._enabled, self._waiting = True, None
                self._queue.clear()
            case DrawCard(card):
                self._scan(self._symbology, self._labels.codes.spell(card).encode("latin-1"))
            case DrawCutCard():
                if not self._labels.cut_card:
                    raise ValueError("no label of the cut card is configured")
                self._scan(self._symbology, self._labels.cut_card[0].encode("latin-1"))
            case Fault(name):
                self._go_wrong(name)
            case StateResult() | SpinBall() | ThrowDice():
                raise ValueError("a scanner reads labels and nothing else")
        self._live(at)

    def hear(self, at: Instant, data: bytes) -> None:
        """Take bytes that the host sent; every command is answered."""
        self._live(at)
        for raw in self._ear.take(data):
            if raw is None:
                self._put(at, packet(CMD_NAK, bytes([RESEND])))
            elif raw[1] in (CMD_ACK, CMD_NAK):
                self._answered(at, raw)
            else:
                self._obey(at, raw)
        self._live(at)

    def speak(self, at: Instant) -> Sequence[bytes]:
        """Return what has gone out by `at`, one item per write."""
        self._live(at)
        sent = [data for due, data in self._line if at.reached(due)]
        self._line = [entry for entry in self._line if not at.reached(entry[0])]
        self._live(at)
        return sent

    def _go_wrong(self, name: str) -> None:
        if name in _ONCE:
            self._on.add(name)
        elif name in _TOGGLES:
            self._on ^= {name}
        elif name == "no_read" and self._labels.no_read:
            self._scan(self._symbology, self._labels.no_read[0].encode("latin-1"))
        elif name == "foreign_symbol":
            self._scan(bytes([SYMBOLOGIES["ean_13"]]), _EAN)
        elif name == "unknown_code":
            self._scan(self._symbology, b"0X0")
        elif name == "long_symbol":
            self._scan(self._symbology, _LONG)
        else:
            raise ValueError(f"no fault is called {name}; there are {', '.join(self.faults)}")

    def _scan(self, symbology: bytes, label: bytes) -> None:
        if not self._enabled:
            return
        if "decode_events" in self._on:
            self._queue.append(packet(EVENT, bytes([DECODE_EVENT])))
        most = LENGTH_MAX - HEAD - 1
        parts = [label[start : start + most] for start in range(0, len(label), most)]
        for number, part in enumerate(parts, 1):
            status = CONTINUED if number < len(parts) else 0
            self._queue.append(packet(DECODE_DATA, symbology + part, status=status))

    def _answered(self, at: Instant, raw: bytes) -> None:
        if self._used("ack_lost") or self._waiting is None:
            return
        if raw[1] == CMD_NAK and raw[HEAD] == RESEND and self._waiting.resends:
            self._send_again(at, self._waiting)
        else:
            self._waiting = None

    def _obey(self, at: Instant, raw: bytes) -> None:
        opcode, data = raw[1], raw[HEAD:-CHECK]
        if opcode == REVISION_REQUEST:
            answer = packet(REVISION_REPLY, FIRMWARE)
        elif opcode == CAPABILITIES_REQUEST:
            answer = packet(CAPABILITIES_REPLY, b"\x01\x00")
        elif opcode == PARAM_REQUEST:
            asked = (bytes([number, 0x01]) for number in data)
            answer = packet(PARAM_SEND, b"\xff" + b"".join(asked)[: LENGTH_MAX - HEAD - 1])
        elif opcode not in _OBEYED:
            answer = packet(CMD_NAK, bytes([BAD_CONTEXT]))
        elif opcode == PARAM_SEND and len(data) < 3:
            answer = packet(CMD_NAK, bytes([DENIED]))
        else:
            answer = packet(CMD_ACK)
            self._enabled = {SCAN_ENABLE: True, SCAN_DISABLE: False}.get(opcode, self._enabled)
        self._put(at, answer)

    def _live(self, at: Instant) -> None:
        """Send what may be sent by `at`: what is not answered again, then what waits in line."""
        while (waiting := self._waiting) is not None and at.reached(waiting.until):
            if waiting.resends:
                self._send_again(waiting.until, waiting)
            else:
                self._waiting = None  # it beeps and gives up
        while self._queue and self._waiting is None:
            raw = self._queue.popleft()
            until = self._send(at, raw).after(RESPONSE_S)
            self._waiting = _Waiting(raw, until) if self._asks else None
        waited = self._waiting.until if self._waiting is not None else None
        self.wake_at = earliest(*(due for due, _ in self._line), waited)

    def _send_again(self, at: Instant, waiting: _Waiting) -> None:
        waiting.resends -= 1
        waiting.until = self._send(at, sent_again(waiting.raw)).after(RESPONSE_S)

    def _send(self, at: Instant, raw: bytes) -> Instant:
        """Put a packet on the line, hurt as cued, and return when its last byte has left."""
        if "plain_ascii" in self._on:
            raw = raw[HEAD + 1 : -CHECK] + b"\r\n"
        if self._used("bit_flip"):
            raw = raw[:-3] + bytes([raw[-3] ^ 0x01]) + raw[-2:]
        if self._used("torn"):
            raw = raw[: len(raw) // 2]
        if self._used("drop_next"):
            return at.after(len(raw) * BYTE_S)
        return self._put(at, raw)

    def _put(self, at: Instant, raw: bytes) -> Instant:
        start = at
        if self._free_at is not None and self._free_at.boot == at.boot:
            start = max(at, self._free_at, key=lambda instant: instant.ns)
        self._free_at = start.after(len(raw) * BYTE_S)
        self._line.append((self._free_at, raw))
        return self._free_at

    def _used(self, name: str) -> bool:
        if name not in self._on:
            return False
        self._on.remove(name)
        return True
