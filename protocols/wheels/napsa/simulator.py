"""A NAPSA wheel made of bytes and timing: a status line every 500 ms, and each number once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Final

from protocols.instant import Instant, earliest
from protocols.simulator import Cue, Fault, PowerOn, SpinBall
from protocols.wheels.napsa.layout import END, NapsaSettings, pocket_fields
from protocols.wheels.napsa.motion import CLOSED, UNDEFINED, Script, Wheel, closed, run, start_up

FAULTS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "launch_failure": "the next launch fails once: error 6 for 12 s, then a relaunch",
        "multiple_detection": "error 7 through the whole next state 3",
        "encoder": "error 1 in the next state 4, then the wheel stops and closes",
        "extraction": "error 8 in the first second of the next state 5",
        "result_unread": "error 4 through the whole next state 5",
        "repeat_number": "the next number line is sent twice, 1 s apart",
        "no_number": "the next number line is not sent",
        "conflict": "the next number line differs from the status lines",
        "unknown_direction": "the direction is said as 2; again, as it is",
        "garble": "the next three status lines are damaged",
        "silence": "every line of the next 10 s is lost",
        "mains_cycle": "mains lost and back: silent for 3 s, undefined, then closed, no number",
    }
)
_MS: Final = 1_000_000
_TICK: Final = 500 * _MS
_NUMBER: Final = 250 * _MS
_REPEAT: Final = 1_000 * _MS
_OUTAGE: Final = 10_000 * _MS
_START_UP: Final = 3_000 * _MS
_GARBLED_LINES: Final = 3


class NapsaSimulator:
    """A simulated wheel. A spin asked for before state 2 waits for it, as a dealer would."""

    faults: Sequence[str] = tuple(FAULTS)

    def __init__(self, settings: NapsaSettings) -> None:
        self.wake_at: Instant | None = None
        self._fields = {pocket: field for field, pocket in pocket_fields(settings).items()}
        self._wheel = Wheel()
        self._script: Script = closed(self._wheel)
        self._boot = ""
        self._tick_at: int | None = None
        self._outbox: list[tuple[int, bytes]] = []
        self._silent_until = 0
        self._garbled = 0
        self._hides_direction = False

    def cue(self, at: Instant, cue: Cue) -> None:
        """Make something happen. ValueError: a wheel that is off, a pocket or fault unknown."""
        self._boot = at.boot
        match cue:
            case PowerOn():
                self._power_on(at.ns)
            case SpinBall(pocket):
                self._spin(pocket)
            case Fault(name):
                self._fail(at.ns, name)
            case _:
                raise ValueError(f"a wheel cannot play {cue.kind}")
        self._set_alarm()

    def hear(self, at: Instant, data: bytes) -> None:
        """Ignore what the host sent: the wheel takes no command."""

    def speak(self, at: Instant) -> Sequence[bytes]:
        """Return the lines sent by `at`."""
        while self._tick_at is not None and self._tick_at <= at.ns:
            self._tick(self._tick_at)
        due = sorted(
            (entry for entry in self._outbox if entry[0] <= at.ns), key=lambda entry: entry[0]
        )
        self._outbox = [entry for entry in self._outbox if entry[0] > at.ns]
        self._set_alarm()
        return [line for _, line in due]

    def _set_alarm(self) -> None:
        due = [when for when, _ in self._outbox]
        if self._tick_at is not None:
            due.append(self._tick_at)
        self.wake_at = earliest(*(Instant(self._boot, when) for when in due))

    def _post(self, due: int, line: bytes) -> None:
        if due >= self._silent_until:
            self._outbox.append((due, line))

    # --- the wheel ---------------------------------------------------------------------------

    def _tick(self, now: int) -> None:
        next(self._script)
        self._tick_at = now + _TICK
        self._post(now, self._garble(self._status()))
        if self._wheel.announce is not None:
            self._announce(now + _NUMBER, self._wheel.announce)
            self._wheel.announce = None

    def _status(self) -> bytes:
        wheel = self._wheel
        number = "  " if wheel.pocket is None else self._fields[wheel.pocket]
        direction = 2 if self._hides_direction else wheel.direction
        return f"NS{number}{wheel.state}{wheel.speed:02}{direction}{wheel.error}".encode("ascii")

    def _announce(self, due: int, pocket: str) -> None:
        if self._wheel.disarm("no_number"):
            return
        if self._wheel.disarm("conflict"):
            pockets = list(self._fields)
            pocket = pockets[(pockets.index(pocket) + 1) % len(pockets)]
        line = f"NN{self._fields[pocket]}    N".encode("ascii") + END
        self._post(due, line)
        if self._wheel.disarm("repeat_number"):
            self._post(due + _REPEAT, line)

    def _garble(self, line: bytes) -> bytes:
        if not self._garbled:
            return line + END
        self._garbled -= 1
        if self._garbled:
            return line[self._garbled + 1 :] + END
        return line[:5] + line + END

    def _power_on(self, now: int) -> None:
        if self._tick_at is None:
            self._tick_at = now + _TICK
        if self._wheel.state == CLOSED:
            self._wheel.state = 1
            self._script = run(self._wheel)

    def _spin(self, pocket: str) -> None:
        if pocket not in self._fields:
            raise ValueError(f"this wheel has no pocket {pocket!r}")
        if self._tick_at is None or self._wheel.state in (UNDEFINED, CLOSED):
            raise ValueError("the wheel is off: it needs PowerOn before a spin")
        self._wheel.balls.append(pocket)

    # --- faults ------------------------------------------------------------------------------

    def _fail(self, now: int, name: str) -> None:
        if name not in FAULTS:
            raise ValueError(f"no fault {name!r}: known are {', '.join(FAULTS)}")
        match name:
            case "garble":
                self._garbled = _GARBLED_LINES
            case "unknown_direction":
                self._hides_direction = not self._hides_direction
            case "silence":
                self._silent_until = now + _OUTAGE
                self._outbox.clear()
            case "mains_cycle":
                self._outbox.clear()
                self._wheel.armed.clear()
                self._script = start_up(self._wheel)
                self._tick_at = now + _START_UP
            case _:
                self._wheel.armed.add(name)
