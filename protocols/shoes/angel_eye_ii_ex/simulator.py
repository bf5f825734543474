"""A simulated Angel Eye II-EX: no clock, no chance; the dealer decides, it only speaks.

Timing: a telegram takes its bytes' time at 4800 baud, repeats stand 50 ms apart, and one telegram
begins only after the one before it (with its repeats) has ended.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from protocols.cards import Card
from protocols.instant import Instant, earliest
from protocols.readings import CardTarget
from protocols.shoes.angel_eye_ii_ex.host import Heard, HostEar
from protocols.shoes.angel_eye_ii_ex.layout import (
    ACK,
    BURN_COUNT_BITS,
    FACE_BYTES,
    NAK,
    NO_FACE,
    RANKS,
    TARGET_BITS,
    TARGETS,
    WINNER_BITS,
    AngelEyeSettings,
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

TELEGRAM_S: Final = 0.02
REPEAT_S: Final = 0.05
STANDBY_S: Final = 0.1
ERROR_S: Final = 1.0
"""How long the dealer takes to clear an error at the shoe itself."""
OVERDRAW: Final = 2

_ERRORS: Final = {"cannot_read": 1, "reverse_run": 4, "foreign_card": 6, "drawing_timeout": 7}
_REPORTS: Final = {"force_quit": ("G", b"\xf0"), "setting_changed": ("M", b"100030")}
_TOGGLES: Final = ("triple_transmission", "seven_bit_port", "sequence_stuck", "key_turned")
_ONCE: Final = ("drop_next", "bit_flip", "jam", "overdraw", "out_of_game_draw")


class AngelEyeSimulator:
    """See `protocols.simulator.Simulator`.

    `triple_transmission`, `seven_bit_port`, `sequence_stuck` and `key_turned` stay until cued
    again. `drop_next`, `bit_flip` and `jam` hurt the next telegram; `overdraw` and
    `out_of_game_draw` change what the next drawn card is. The rest happen at once.
    """

    faults: Sequence[str] = (*_ERRORS, *_REPORTS, *_TOGGLES, *_ONCE)

    def __init__(self, settings: AngelEyeSettings) -> None:
        self.wake_at: Instant | None = None
        self._after_nine = 0 if settings.seq_wrap == "0-9" else 1
        self._ear = HostEar(includes_start=settings.command_bcc_includes_start)
        self._number = 0
        self._on: set[str] = set()
        self._line: list[tuple[Instant, bytes]] = []
        self._free_at: Instant | None = None
        self._jammed = b""
        self._locked = False
        self._error: int | None = None
        self._clears_at: Instant | None = None
        self._overdrawn: Card | None = None

    def cue(self, at: Instant, cue: Cue) -> None:
        """Make something happen. Raises ValueError for a cue this device cannot play."""
        self._clear_error_due(at)
        match cue:
            case PowerOn():
                self._power_on(at)
            case DrawCard(card, target, index):
                self._draw(at, card, target, index)
            case DrawCutCard():
                self._say(at, "C")
            case StateResult(winner, player_pair, banker_pair):
                pairs = player_pair | banker_pair << 1
                self._say(at, "G", bytes([0x80 | WINNER_BITS[winner] << 4 | pairs]))
            case Fault(name):
                self._go_wrong(at, name)
            case SpinBall() | ThrowDice():
                raise ValueError("a card shoe has no ball and no dice")
        self._set_wake()

    def hear(self, at: Instant, data: bytes) -> None:
        """Take bytes that the host sent; every command is answered with ACK or NAK."""
        self._clear_error_due(at)
        for heard in self._ear.take(data):
            nak = heard.nak if heard.nak is not None else self._refusal(heard)
            self._put(at, bytes([ACK]) if nak is None else bytes([NAK, nak]))
            if nak is None:
                self._obey(at, heard)
        self._set_wake()

    def speak(self, at: Instant) -> Sequence[bytes]:
        """Return what has gone out by `at`, one item per write."""
        self._clear_error_due(at)
        sent = [data for due, data in self._line if at.reached(due)]
        self._line = [entry for entry in self._line if not at.reached(entry[0])]
        self._set_wake()
        return sent

    def _power_on(self, at: Instant) -> None:
        self._number, self._locked, self._overdrawn = 0, False, None
        self._error, self._clears_at = None, None
        self._say(at, "S")
        self._say(at.after(STANDBY_S), "P")

    def _draw(self, at: Instant, card: Card, target: CardTarget | None, index: int | None) -> None:
        face = FACE_BYTES[card]
        if self._error is not None:
            self._say(at, "d", bytes([0x90 | self._error, face]))
        elif self._locked or self._used("out_of_game_draw"):
            self._say(at, "d", bytes([0x80, face]))
        elif self._used("overdraw"):
            self._overdrawn = card
            self._raise_error(at, OVERDRAW)
        else:
            self._say(at, "D", bytes([_place(target, index), face]))
            if target == "burn_indicator":
                value = next(bits for bits, rank in RANKS.items() if rank == card.rank)
                count = min(value, 10)
                self._say(at, "D", bytes([0x80 | BURN_COUNT_BITS << 4 | count, NO_FACE]))

    def _go_wrong(self, at: Instant, name: str) -> None:
        if name in _ERRORS:
            self._raise_error(at, _ERRORS[name])
            self._clears_at = at.after(ERROR_S)
        elif name in _REPORTS:
            self._say(at, *_REPORTS[name])
        elif name in _TOGGLES:
            self._on ^= {name}
            if name == "key_turned":
                self._locked = name in self._on
                self._say(at, "L", bytes([0x80 | self._locked]))
        elif name in _ONCE:
            self._on.add(name)
        else:
            raise ValueError(f"no fault is called {name}; there are {', '.join(self.faults)}")

    def _raise_error(self, at: Instant, code: int) -> None:
        self._error = code
        self._say(at, "E", bytes([0xC0 | code]))

    def _clear_error(self, at: Instant) -> None:
        if self._error is not None:
            self._say(at, "e", bytes([0x80 | self._error]))
        self._error, self._clears_at = None, None

    def _clear_error_due(self, at: Instant) -> None:
        if self._clears_at is not None and at.reached(self._clears_at):
            self._clear_error(self._clears_at)

    def _refusal(self, heard: Heard) -> int | None:
        if heard.kind != "EC":
            return None
        overdrawn = self._error == OVERDRAW
        fits = self._error is not None and overdrawn == (heard.data != "00")
        return None if fits else 0xFF

    def _obey(self, at: Instant, heard: Heard) -> None:
        if heard.kind == "LK":
            self._locked = heard.data == "02"
        elif heard.kind == "EC":
            card, self._overdrawn = self._overdrawn, None
            self._clear_error(at)
            if card is not None and heard.data == "01":
                self._say(at, "R", bytes([_place("player", 1), FACE_BYTES[card]]))

    def _say(self, at: Instant, code: str, data: bytes = b"") -> None:
        """Put a numbered report on the line, hurt as cued."""
        if "sequence_stuck" not in self._on:
            self._number = self._number + 1 if self._number < 9 else self._after_nine
        frame = report(str(self._number), code, data)
        if self._used("drop_next"):
            return
        first = frame
        if self._used("bit_flip"):
            first = frame[:-4] + bytes([frame[-4] ^ 0x01]) + frame[-3:]
        if self._used("jam"):
            self._jammed += first
            return
        first, self._jammed = self._jammed + first, b""
        start = self._put(at, first)
        if "triple_transmission" in self._on:
            for repeat in (1, 2):
                self._put(start.after(repeat * REPEAT_S), frame)

    def _put(self, at: Instant, data: bytes) -> Instant:
        start = at if self._free_at is None or at.reached(self._free_at) else self._free_at
        if start.boot != at.boot:
            start = at
        if "seven_bit_port" in self._on:
            data = bytes(byte & 0x7F for byte in data)
        self._line.append((start, data))
        self._free_at = start.after(TELEGRAM_S * max(1, len(data) // 8))
        return start

    def _used(self, name: str) -> bool:
        if name not in self._on:
            return False
        self._on.remove(name)
        return True

    def _set_wake(self) -> None:
        self.wake_at = earliest(*(due for due, _ in self._line), self._clears_at)


def _place(target: CardTarget | None, index: int | None) -> int:
    if target is None:
        raise ValueError("this shoe states where each card goes: give the cue a target")
    bits = TARGET_BITS[target]
    if (index or 0) not in TARGETS[bits][1]:
        raise ValueError(f"{target} has no card number {index}")
    return 0x80 | bits << 4 | (index or 0)
