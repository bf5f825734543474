"""What happens at a simulated Slingshot 2, and what its host says: a function for each story."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

from protocols.instant import Instant
from protocols.simulator import Cue, Fault, PowerOn, SpinBall
from protocols.wheels.cammegh_ss2.layout import CammeghSs2Settings
from protocols.wheels.cammegh_ss2.simulator import CammeghSs2Simulator


class WheelLog:
    """A simulated wheel, a host that says what the story says, and a logger between them."""

    def __init__(self, seed: int) -> None:
        self.lines: list[tuple[float, str, str]] = []
        self._wheel = CammeghSs2Simulator(CammeghSs2Settings(), seed)
        self._now = 0
        self._attached_at: int | None = None
        self._began = 0

    # --- the logger ----------------------------------------------------------------------

    def attach(self) -> None:
        """Log from here on. The first time is the log's zero."""
        self._attached_at = self._now
        if not self.lines:
            self._began = self._now

    def detach(self) -> None:
        """Log nothing until attached again."""
        self._attached_at = None

    # --- what happens --------------------------------------------------------------------

    def cue(self, *cues: Cue) -> None:
        """Make something happen at the wheel."""
        for cue in cues:
            self._wheel.cue(self._at(), cue)

    def host(self, *commands: str) -> None:
        """Let the host send lines."""
        for command in commands:
            self._note("TX", command)
            self._wheel.hear(self._at(), f"{command}\r\n".encode())

    def wait(self, seconds: float) -> None:
        """Let time pass."""
        until = self._now + round(seconds * 1e9)
        while self._wheel.wake_at is not None and self._wheel.wake_at.ns <= until:
            self._speak()
        self._now = until

    def until(self, pattern: str) -> None:
        """Let time pass until the wheel says a line that matches."""
        while not any(re.fullmatch(pattern, text) for text in self._speak()):
            assert self._now < 1000 * 10**9, f"{pattern} was never said"

    def _at(self) -> Instant:
        return Instant("log", self._now)

    def _speak(self) -> list[str]:
        assert self._wheel.wake_at is not None
        self._now = self._wheel.wake_at.ns
        frames = self._wheel.speak(self._at())
        said = [frame.decode("ascii").removesuffix("\r\n") for frame in frames]
        for text in said:
            self._note("RX", text)
        return said

    def _note(self, direction: str, text: str) -> None:
        if self._attached_at is not None:
            self.lines.append(((self._now - self._began) / 1e9, direction, text))


# --- stories -----------------------------------------------------------------------------------

CLOSED, PLACE_BETS = r"\*X;6;.*", r"\*X;2;.*"
AT_SPEED = r"\*X;1;...;..;0;1\d\d;."


def six_games(log: WheelLog) -> None:
    """Power on, six games, power off. Lines without times."""
    log.cue(PowerOn())
    log.until(r"\*X;2;.*")
    log.host("*P 0")
    log.until(CLOSED)
    log.attach()
    log.host("*P 1")
    for pocket in ("27", "16", "6", "3", "10", "0"):
        log.until(PLACE_BETS)
        log.cue(SpinBall(pocket))
        log.until(r"\*X;5;.*")
    log.until(PLACE_BETS)
    log.wait(20.0)
    log.host("*P 0")
    log.until(CLOSED)
    log.wait(10.0)


def timed_games(log: WheelLog) -> None:
    """Three games; the log begins in the rim."""
    log.cue(PowerOn(), SpinBall("2"))
    log.until(r"\*X;5;.*")
    for pocket in ("18", "17", "16"):
        log.until(PLACE_BETS)
        log.cue(SpinBall(pocket))
        log.until(r"\*X;3;.*")
        log.attach()
        log.until(r"\*X;5;.*")
    log.until(PLACE_BETS)
    log.wait(2.0)


def launch_failure(log: WheelLog) -> None:
    """A result, then a launch that fails once and is tried again by the wheel."""
    log.cue(PowerOn(), SpinBall("2"))
    log.until(r"\*X;4;.*")
    log.wait(22.0)
    log.attach()
    log.until(r"\*X;5;.*")
    log.cue(Fault("launch_failure"))
    log.until(PLACE_BETS)
    log.wait(2.0)
    log.host("*u 1")
    log.until(r"\*X;2;.*;8;.*")
    log.until(r"\*X;4;.*")
    log.wait(10.0)


def launch_never_succeeds(log: WheelLog) -> None:
    """Every launch fails until the host stops the wheel."""
    log.cue(PowerOn())
    log.until(PLACE_BETS)
    log.attach()
    log.host("*u 1")
    log.cue(Fault("launch_failure"))
    log.until(r"\*X;2;.*;8;.*")
    for _ in range(2):
        log.until(r"\*X;2;...;..;8;000;.")
        log.cue(Fault("launch_failure"))
        log.until(r"\*X;2;...;..;8;1\d\d;.")
    log.wait(5.0)
    log.host("*P 0")
    log.until(CLOSED)
    log.wait(8.0)


def runaway(log: WheelLog) -> None:
    """The rotor races in state 4, flag 1 blinks, it coasts down and closes without a flag."""
    log.cue(PowerOn())
    log.until(PLACE_BETS)
    log.cue(Fault("runaway"))
    log.attach()
    log.host("*u 1")
    log.until(r"\*X;4;.*")
    log.until(CLOSED)
    log.wait(3.0)


def stalled_rotor(log: WheelLog) -> None:
    """Power on and no motion: flag 4, closed. The next power-on works."""
    log.cue(PowerOn(), Fault("stuck_sensor"))
    log.until(r"\*X;6;.*;4;.*")
    log.attach()
    log.wait(1.5)
    log.cue(Fault("stuck_sensor"))
    log.host("*P 1")
    log.until(r"\*X;6;.*;4;.*")
    log.wait(15.0)
    log.host("*P 1")
    log.until(PLACE_BETS)


def power_on_refused(log: WheelLog) -> None:
    """Power on while running: NO. Then power off."""
    log.cue(PowerOn(), SpinBall("27"))
    log.until(r"\*X;5;.*")
    log.until(PLACE_BETS)
    log.attach()
    log.wait(2.0)
    log.host("*P 1")
    log.wait(3.0)
    log.host("*P 0")
    log.until(CLOSED)
    log.wait(3.0)


def stopped_twice(log: WheelLog) -> None:
    """Power off in state 2 and in state 4; between them nobody logged."""
    log.cue(PowerOn(), SpinBall("7"))
    log.until(r"\*X;5;.*")
    log.until(PLACE_BETS)
    log.attach()
    log.wait(4.0)
    log.host("*P 0")
    log.until(CLOSED)
    log.wait(3.0)
    log.detach()
    log.host("*P 1")
    log.until(PLACE_BETS)
    log.host("*u 1")
    log.until(r"\*X;3;.*")
    log.attach()
    log.until(r"\*X;4;.*")
    log.wait(0.2)
    log.host("*P 0")
    log.until(CLOSED)
    log.wait(1.5)


def busy_and_no(log: WheelLog) -> None:
    """Commands that the wheel is too busy for, or refuses."""
    log.cue(PowerOn())
    log.until(PLACE_BETS)
    log.attach()
    for _ in range(14):
        log.host("*P 0", "*o 1158")
        log.wait(0.5)
    log.wait(3.0)


def garbled(log: WheelLog) -> None:
    """Two lines without their heads and one made of pieces."""
    log.cue(PowerOn(), SpinBall("9"))
    log.until(r"\*X;5;.*")
    log.until(PLACE_BETS)
    log.host("*u 1")
    log.until(r"\*X;4;.*")
    log.attach()
    log.wait(2.5)
    log.cue(Fault("garble"))
    log.wait(3.5)


def asked_while_idle(log: WheelLog) -> None:
    """Parameters and versions, asked in state 6."""
    log.cue(PowerOn())
    log.until(PLACE_BETS)
    log.host("*P 0")
    log.until(CLOSED)
    log.attach()
    for letter in "DCPQKIJRSTNMHZG":
        log.host(f"*T {letter}")
        log.wait(3.0)
    for command in ("*S", "*V", "*v", "*A", "*O"):
        log.host(command)
        log.wait(0.5)


def asked_while_running(log: WheelLog) -> None:
    """Parameters, asked in state 2."""
    log.cue(PowerOn(), SpinBall("27"))
    log.until(r"\*X;5;.*")
    log.until(PLACE_BETS)
    log.attach()
    for letter in "DPQKIRSTNMH":
        log.host(f"*T {letter}")
        log.wait(0.6)


def bad_command_then_sensor(log: WheelLog) -> None:
    """A malformed command; then a runaway that ends in flag 4."""
    log.cue(PowerOn())
    log.until(PLACE_BETS)
    log.attach()
    log.wait(0.6)
    log.host("* u1")
    log.wait(4.0)
    log.cue(Fault("runaway"), Fault("stuck_sensor"))
    log.host("*u 1")
    log.until(r"\*X;4;...;..;4;.*")


def parameter_without_space(log: WheelLog) -> None:
    """A setting without its space is answered OK and ignored."""
    log.cue(PowerOn(), Fault("stuck_sensor"))
    log.until(r"\*X;6;.*;4;.*")
    log.attach()
    for command in ("*Tr 28000 32000", "*T R", "*T r 28000 32000", "*T R"):
        log.wait(2.0)
        log.host(command)
    log.wait(2.0)


def power_on(log: WheelLog) -> None:
    """Power on, the ramp of state 1, state 2."""
    log.cue(PowerOn(), SpinBall("25"))
    log.until(r"\*X;5;.*")
    log.until(PLACE_BETS)
    log.host("*P 0")
    log.until(CLOSED)
    log.wait(2.0)
    log.attach()
    log.host("*P 1")
    log.until(PLACE_BETS)
    log.wait(5.0)


def start_in_state_one(log: WheelLog) -> None:
    """A start in state 1 is answered OK and lost; a second one works."""
    log.cue(PowerOn())
    log.until(PLACE_BETS)
    log.host("*P 0")
    log.until(CLOSED)
    log.attach()
    log.host("*P 1")
    log.until(AT_SPEED)
    log.host("*u 1")
    log.until(PLACE_BETS)
    log.wait(3.0)
    log.host("*u 1")
    log.until(r"\*X;4;.*")


STORIES: Final[dict[str, Callable[[WheelLog], None]]] = {
    "01_ss2_six_games_untimed": six_games,
    "02_ss2_timed_games": timed_games,
    "03_ss2_launch_failure": launch_failure,
    "05_ss2_launch_never_succeeds": launch_never_succeeds,
    "07_ss2_runaway": runaway,
    "08_ss2_stalled_rotor": stalled_rotor,
    "09_ss2_power_on_refused": power_on_refused,
    "10_ss2_stopped_twice": stopped_twice,
    "11_ss2_busy_and_no": busy_and_no,
    "12_ss2_garbled": garbled,
    "14_ss2_asked_while_idle": asked_while_idle,
    "15_ss2_asked_while_running": asked_while_running,
    "16_ss2_bad_command_then_sensor": bad_command_then_sensor,
    "18_ss2_parameter_without_space": parameter_without_space,
    "19_ss2_power_on": power_on,
    "23_ss2_start_in_state_one": start_in_state_one,
}
"""By the names of their logs; the numbers are those of real logs that show the same."""
