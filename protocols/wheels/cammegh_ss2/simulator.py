"""A Slingshot 2 made of bytes and timing: a status line every 500 ms, replies within 40 ms."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from heapq import heapify, heappop, heappush
from types import MappingProxyType
from typing import Final

from protocols.instant import Instant
from protocols.simulator import Cue, Fault, PowerOn, SpinBall
from protocols.wheels.cammegh_ss2.firmware import AUTO_STATUS, NO_BARE_NUMBER, Firmware
from protocols.wheels.cammegh_ss2.layout import (
    CLOSED,
    END,
    SPEED_MAX,
    CammeghSs2Settings,
    pocket_field,
    pocket_texts,
)
from protocols.wheels.cammegh_ss2.motion import (
    Dice,
    Script,
    Wheel,
    closed,
    power_down,
    run,
    stall,
)

FAULTS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "launch_failure": "the next launch fails once: flag 8, then a relaunch",
        "wrong_direction": "the next ball runs with the rotor: flag 2 in state 3",
        "stuck_sensor": "flag 4 in the next state 4, then state 6; in 1 or 6 the rotor stalls",
        "runaway": "the rotor races in the next state 4, then coasts down and closes, or with"
        " stuck_sensor stops and shows flag 4",
        "silence": "every line of the next 10 s is lost",
        "host_stall": "every line of the next 10 s arrives at their end, in one burst",
        "mains_cycle": "mains lost and back: silent for 3 s, then closed, spin 001, no number",
        "garble": "the next three status lines are damaged",
        "conflict": "the next bare number differs from the field",
        "no_bare_number": "the next bare number is not sent",
    }
)
_MS: Final = 1_000_000
_TICK: Final = 500 * _MS
_OUTAGE: Final = 10_000 * _MS
_START_UP: Final = 3_000 * _MS
_COMMAND_MAX: Final = 64
_GARBLED_LINES: Final = 3


class CammeghSs2Simulator:
    """A simulated wheel. A spin asked for before state 2 waits for it, as a dealer would."""

    def __init__(self, settings: CammeghSs2Settings, seed: int = 2) -> None:
        self.wake_at: Instant | None = None
        self.faults: Sequence[str] = tuple(FAULTS)
        self._pockets = pocket_texts(settings)
        self._dice = Dice(seed)
        self._wheel = Wheel()
        self._script: Script = closed(self._wheel)
        self._firmware = Firmware(
            self._wheel,
            settings,
            {
                "launch": self._launch,
                "power_on": self._power_on,
                "power_off": self._power_off,
                "restart": self._restart,
            },
        )
        self._boot = ""
        self._tick_at: int | None = None
        self._outbox: list[tuple[int, int, bytes]] = []
        self._posted = 0
        self._reply_at = 0
        self._heard = b""
        self._silent_until = 0
        self._stalled_until = 0
        self._garbled = 0

    def cue(self, at: Instant, cue: Cue) -> None:
        """Make something happen. ValueError: a wheel that is off, a pocket or fault unknown."""
        self._boot = at.boot
        match cue:
            case PowerOn():
                self._mains_on(at.ns)
            case SpinBall(pocket):
                self._spin(pocket)
            case Fault(name):
                self._fail(at.ns, name)
            case _:
                raise ValueError(f"a wheel cannot play {cue.kind}")
        self._set_alarm()

    def hear(self, at: Instant, data: bytes) -> None:
        """Take what the host sends; a line ends with CR or LF. A wheel without mains is deaf."""
        if self._tick_at is None:
            return
        *lines, rest = (self._heard + data).replace(b"\r", b"\n").split(b"\n")
        self._heard = rest[-_COMMAND_MAX:]
        for line in lines:
            if line.startswith(b"*"):
                self._answer(at.ns, line[1:].decode("ascii", "replace"))
        self._set_alarm()

    def speak(self, at: Instant) -> Sequence[bytes]:
        """Return the lines sent by `at`."""
        frames: list[bytes] = []
        while True:
            posted = self._outbox[0][0] if self._outbox else None
            tick = self._tick_at
            if posted is not None and posted <= at.ns and (tick is None or posted <= tick):
                frames.append(heappop(self._outbox)[2])
            elif tick is not None and tick <= at.ns:
                self._tick(tick)
            else:
                break
        self._set_alarm()
        return frames

    def _set_alarm(self) -> None:
        due = [self._outbox[0][0]] if self._outbox else []
        if self._tick_at is not None:
            due.append(self._tick_at)
        self.wake_at = Instant(self._boot, min(due)) if due else None

    def _post(self, due: int, frame: bytes) -> None:
        if due < self._silent_until:
            return
        self._posted += 1
        heappush(self._outbox, (max(due, self._stalled_until), self._posted, frame))

    # --- the wheel ---------------------------------------------------------------------------

    def _tick(self, now: int) -> None:
        next(self._script)
        wheel = self._wheel
        self._tick_at = now + _TICK
        if self._firmware.talks and self._firmware.mode & AUTO_STATUS:
            self._post(now, self._garble(self._status()))
        if wheel.announce is not None:
            self._announce(now, wheel.announce)
            wheel.announce = None

    def _status(self) -> bytes:
        wheel = self._wheel
        speed = wheel.speed if wheel.speed <= SPEED_MAX else 0
        direction = 0 if wheel.state == CLOSED else wheel.direction
        return b"*X;%d;%03d;%b;%X;%03d;%d" % (
            wheel.state,
            wheel.spin,
            pocket_field(wheel.pocket),
            wheel.flags,
            speed,
            direction,
        )

    def _announce(self, now: int, pocket: str) -> None:
        if self._firmware.mode & NO_BARE_NUMBER or self._wheel.disarm("no_bare_number"):
            return
        if self._wheel.disarm("conflict"):
            pocket = self._pockets[(self._pockets.index(pocket) + 1) % len(self._pockets)]
        self._post(now + self._dice.between(3, 485) * _MS, pocket_field(pocket) + END)

    def _garble(self, line: bytes) -> bytes:
        if not self._garbled:
            return line + END
        self._garbled -= 1
        if self._garbled:
            return line[self._dice.between(1, len(line) - 2) :] + END
        return line[:7] + line[:3] + line + END

    def _mains_on(self, now: int) -> None:
        if self._tick_at is None:
            self._tick_at = now + _TICK
        if self._wheel.state == CLOSED:
            self._power_on()

    def _power_on(self) -> None:
        # The flag clears and the state changes on the first state-1 line, one tick later; a
        # second `*P 1` before it must already be refused.
        self._wheel.state = 1
        self._script = run(self._wheel, self._dice)

    def _power_off(self) -> None:
        self._script = power_down(self._wheel, self._dice)

    def _restart(self) -> None:
        self._wheel.waiting, self._wheel.announce = False, None
        self._script = run(self._wheel, self._dice)

    def _launch(self) -> None:
        self._wheel.balls.append(self._pockets[self._dice.between(0, len(self._pockets) - 1)])

    def _spin(self, pocket: str) -> None:
        if pocket not in self._pockets:
            raise ValueError(f"this wheel has no pocket {pocket!r}")
        if self._tick_at is None or self._wheel.state == CLOSED:
            raise ValueError("the wheel is off: it needs PowerOn before a spin")
        self._wheel.balls.append(pocket)

    # --- faults and commands -----------------------------------------------------------------

    def _fail(self, now: int, name: str) -> None:
        if name not in FAULTS:
            raise ValueError(f"no fault {name!r}: known are {', '.join(FAULTS)}")
        act: Callable[[int], None] | None = {
            "silence": self._fall_silent,
            "host_stall": self._stall_host,
            "mains_cycle": self._cycle_mains,
            "garble": self._start_garbling,
        }.get(name)
        if act is not None:
            act(now)
        elif name == "stuck_sensor" and self._wheel.state == 1:
            self._script = stall(self._wheel, self._dice)
        else:
            self._wheel.armed.add(name)

    def _fall_silent(self, now: int) -> None:
        self._silent_until = now + _OUTAGE
        self._outbox.clear()

    def _stall_host(self, now: int) -> None:
        self._stalled_until = now + _OUTAGE
        self._outbox = [(self._stalled_until, order, frame) for _, order, frame in self._outbox]
        heapify(self._outbox)

    def _start_garbling(self, _now: int) -> None:
        self._garbled = _GARBLED_LINES

    def _cycle_mains(self, now: int) -> None:
        self._outbox.clear()
        self._heard = b""
        self._firmware.mains_cycle()
        wheel = self._wheel
        wheel.spin, wheel.pocket, wheel.flags, wheel.direction = 1, None, 0, 0
        wheel.state, wheel.speed, wheel.waiting, wheel.announce = CLOSED, 0, False, None
        wheel.balls.clear()
        wheel.armed.clear()
        self._script = closed(wheel)
        self._tick_at = now + _START_UP

    def _answer(self, now: int, text: str) -> None:
        due = max(now, self._reply_at) + self._dice.between(10, 40) * _MS
        self._reply_at = due
        if text == "X":
            self._post(due, self._status() + END)
            return
        answer = self._firmware.answer(text)
        if answer is not None:
            self._post(due, b"*" + answer.encode("ascii", "replace") + END)
