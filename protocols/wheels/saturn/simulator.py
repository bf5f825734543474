"""A simulated Saturn: it answers what it is asked, and says nothing else.

Its frames, the error flag and the error text are those of the public host. All the rest is assumed,
because no answer of a real wheel is public: how long an answer takes and a game lasts, and the
other characters of a status. It shows state, number and speed there for people to see; the decoder
reads none of them.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Final

from protocols.instant import Instant, earliest
from protocols.simulator import Cue, Fault, PowerOn, SpinBall
from protocols.wheels.saturn.layout import (
    EOT,
    ERROR,
    FIRE,
    FLAG_AT,
    QUERY,
    STATUS,
    SaturnSettings,
    frame,
)

ANSWER_S: Final = 0.08
"""Assumed: the time on the line of a question and of a status."""
ERROR_TEXT: Final = "BALL   "
"""Assumed: seven characters."""
_POCKETS: Final = frozenset(map(str, range(37)))
_CLOSED, _BEFORE, _RESULT = 6, 1, 5
_GAME: Final = ((2, 12.0), (3, 6.0), (4, 10.0), (_RESULT, 4.0))
"""Assumed: each state of a game, as other makers number them, and its seconds."""
_SPEED: Final = 180

FAULTS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "error": "the error flag is up; again, it is down",
        "echo": "the line's adapter echoes every question; again, it does not",
        "silent": "nothing is answered; again, it is",
        "drop_next": "the next question is not answered",
        "bad_check": "the check byte of the next answer is wrong",
        "short": "the next answer ends before its error flag",
        "torn": "the next answer breaks off",
    }
)
_TOGGLES: Final = frozenset({"error", "echo", "silent"})


class SaturnSimulator:
    """See `protocols.simulator.Simulator`. A spin asked for in a game waits for its end."""

    faults: Sequence[str] = tuple(FAULTS)

    def __init__(self, _settings: SaturnSettings) -> None:
        self.wake_at: Instant | None = None
        self._state = _CLOSED
        self._pocket: str | None = None
        self._balls: deque[str] = deque()
        self._steps: deque[tuple[Instant, int]] = deque()
        self._on: set[str] = set()
        self._heard = b""
        self._line: list[tuple[Instant, bytes]] = []

    def cue(self, at: Instant, cue: Cue) -> None:
        """Make something happen. ValueError: a wheel that is off, a pocket or fault unknown."""
        match cue:
            case PowerOn():
                self._state = _BEFORE if self._state == _CLOSED else self._state
            case SpinBall(pocket):
                if pocket not in _POCKETS:
                    raise ValueError(f"this wheel has no pocket {pocket!r}")
                if self._state == _CLOSED:
                    raise ValueError("the wheel is off: it needs PowerOn before a spin")
                self._balls.append(pocket)
                self._move(at)
            case Fault(name) if name in FAULTS:
                self._on = self._on ^ {name} if name in _TOGGLES else self._on | {name}
            case Fault(name):
                raise ValueError(f"no fault {name!r}: known are {', '.join(FAULTS)}")
            case _:
                raise ValueError(f"a wheel cannot play {cue.kind}")

    def hear(self, at: Instant, data: bytes) -> None:
        """Take bytes that the host sent: whole questions are answered, fire starts a game."""
        self._heard += data
        *questions, self._heard = self._heard.split(EOT)
        for question in questions:
            self._asked(at, question + EOT)
        self._set_alarm()

    def speak(self, at: Instant) -> Sequence[bytes]:
        """Return what has gone out by `at`, one item per frame."""
        sent = [data for due, data in self._line if at.reached(due)]
        self._line = [entry for entry in self._line if not at.reached(entry[0])]
        self._set_alarm()
        return sent

    def _set_alarm(self) -> None:
        self.wake_at = earliest(*(due for due, _ in self._line))

    def _move(self, at: Instant) -> None:
        """Let the game go on until `at`."""
        while self._steps and at.reached(self._steps[0][0]):
            began, self._state = self._steps.popleft()
            if self._state == _RESULT:
                self._pocket = self._balls.popleft()
            if not self._steps and self._balls:
                self._launch(began)
        if not self._steps and self._balls:
            self._launch(at)

    def _launch(self, at: Instant) -> None:
        for state, seconds in _GAME:
            self._steps.append((at, state))
            at = at.after(seconds)
        self._steps.append((at, _BEFORE))

    # --- answers -----------------------------------------------------------------------------

    def _asked(self, at: Instant, question: bytes) -> None:
        if "echo" in self._on:
            self._line.append((at, question))
        if "silent" in self._on or self._used("drop_next"):
            return
        self._move(at)
        if question == FIRE and self._state != _CLOSED and not self._steps:
            self._balls.append("0")
            self._move(at)
        answer = self._answer(question)
        if answer is not None:
            self._line.append((at.after(ANSWER_S), self._hurt(answer)))

    def _answer(self, question: bytes) -> bytes | None:
        if question == STATUS:
            return frame(b"02", self._status().encode("ascii"))
        if question == ERROR:
            text = ERROR_TEXT if "error" in self._on else " " * len(ERROR_TEXT)
            return frame(b"04", b"E" + text.encode("ascii"))
        return frame(b"02", b"SATURN") if question == QUERY else None

    def _status(self) -> str:
        number = "--" if self._pocket is None else f"{int(self._pocket):02}"
        speed = 0 if self._state == _CLOSED else _SPEED
        shown = f"S{self._state}N{number}R{speed:03}"
        return shown.ljust(FLAG_AT, ".") + ("1" if "error" in self._on else "0")

    def _hurt(self, answer: bytes) -> bytes:
        if self._used("bad_check"):
            return answer[:-2] + bytes((answer[-2] ^ 0x01,)) + EOT
        if self._used("short"):
            return frame(answer[1:3], answer[4:24])
        return answer[: len(answer) // 2] if self._used("torn") else answer

    def _used(self, name: str) -> bool:
        was_armed = name in self._on
        self._on.discard(name)
        return was_armed
