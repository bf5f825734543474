"""A NAPSA wheel on a bad line: what it says is lost, doubled, bent and held up.

What landed is held against what the ball really did. A seed makes everything.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from random import Random

from support.roulette_bench import profile

from daemon.devices.feed import DeviceFeed, Heard
from daemon.games.roulette import GAME
from daemon.games.roulette.violations import VIOLATIONS
from daemon.table.apply import apply, start, wake_at
from daemon.table.inputs import (
    Commanded,
    Input,
    InputBody,
    LinkDown,
    LinkUp,
    Restarted,
    TimePassed,
)
from daemon.table.state import TableSetup
from drivers.link import Chunk
from protocols.commands import CloseBets, Command, OpenRound, ResolveViolation, VoidRound
from protocols.events import (
    Event,
    ResultEnteredManually,
    RoundCompleted,
    RoundOpened,
    RoundResumed,
    RoundVoided,
)
from protocols.instant import Instant
from protocols.simulator import Fault, PowerOn, SpinBall
from protocols.table_terms import RoundControl
from protocols.wheels.napsa import DEVICE
from protocols.wheels.napsa.simulator import NapsaSimulator

BUFFER = 4095
"""Bytes that a port keeps for a process that does not read; the rest is lost."""
LATE_S = 2.0
"""A round may be opened while its ball is already in the rim, if no line has said so yet."""
WHEEL_FAULTS = (
    "launch_failure",
    "multiple_detection",
    "encoder",
    "extraction",
    "result_unread",
    "repeat_number",
    "no_number",
    "conflict",
    "unknown_direction",
    "garble",
    "silence",
    "mains_cycle",
)


@dataclass
class Spin:
    """What the ball did: when it came into the rim, and where it fell, if it did."""

    rim_at: float
    pocket: str | None = None
    landed_for: str | None = None


@dataclass
class Score:
    rounds: int = 0
    landed: int = 0
    voided: int = 0
    wrong: list[str] = field(default_factory=list)


class Storm:
    """One wheel, its line, its table; a dealer and a supervisor who see the wheel itself."""

    def __init__(self, seed: int, control: RoundControl, *, calm: bool = False) -> None:
        self.random = Random(seed)
        self.calm = calm
        self.setup = TableSetup(
            "r1",
            GAME,
            profile(min_revolutions=0.0),
            "roulette-dk",
            "b2:00",
            control,
            {"primary": DEVICE},
        )
        self.state = start(self.setup)
        self.score = Score()
        self.spins: list[Spin] = []
        self.now = 0.0
        self._wheel = NapsaSimulator(DEVICE.settings())
        self._feed = DeviceFeed(DEVICE, DEVICE.settings(), "primary", self)
        self._phase = 6
        self._up = True
        self._lost_until = 0.0
        self._held_until = 0.0
        self._held = bytearray()
        self._back_at: float | None = None
        self._basis: dict[str, float] = {}
        self._by_hand: set[str] = set()
        self._again: set[str] = set()
        self._dealer_at = self._supervisor_at = 0.0
        self._open()
        self._wheel.cue(self._at(), PowerOn())

    def run(self, rounds: int) -> Score:
        """Let time pass until so many rounds are over."""
        while self.score.rounds < rounds:
            self._step()
        return self.score

    # --- time --------------------------------------------------------------------------------

    def _at(self) -> Instant:
        return Instant("boot", round(self.now * 1e9))

    def _step(self) -> None:
        """Let the next thing happen: a line, the end of a delay, a timer, somebody's hand."""
        wake = wake_at(self.setup, self.state)
        due = [self._wheel.wake_at.ns / 1e9] if self._wheel.wake_at is not None else []
        if self._back_at is not None:
            due.append(self._back_at)
        if self._stands_still():
            due.append(self._held_until)
        else:
            due += [self._dealer_at, self._supervisor_at]
            if self._up and self._feed.wake_at is not None:
                due.append(self._feed.wake_at.ns / 1e9)
            if wake is not None:
                due.append(wake.ns / 1e9)
        self.now = max(self.now, min(due))
        if wake is not None and self._at().reached(wake) and not self._stands_still():
            self._put(TimePassed())
        if self._back_at is not None and self.now >= self._back_at:
            self._come_back()
        self._listen()
        self._wheel_turns()
        if not self._stands_still():
            self._people()

    def _stands_still(self) -> bool:
        return self.now < self._held_until

    def _listen(self) -> None:
        """Do what the daemon's session does: take what arrived, let time pass."""
        if self._stands_still() or not self._up:
            return
        held, self._held = bytes(self._held), bytearray()
        if held:
            self._hear(self._feed.take(Chunk(self._at(), held)))
        self._hear(self._feed.tick(self._at()))

    def _hear(self, items: Iterable[Heard]) -> None:
        for heard in items:
            for body in heard.inputs:
                self._put(body)

    def _open(self) -> None:
        self._put(LinkUp("primary", "napsa", "storm"))
        self._hear(self._feed.open(self._at()))

    # --- the wheel and its line --------------------------------------------------------------

    def _wheel_turns(self) -> None:
        wake = self._wheel.wake_at
        if wake is None or not self._at().reached(wake):
            return
        for line in self._wheel.speak(self._at()):
            self._look()
            self._send(line)
        wheel = self._wheel._wheel
        if wheel.state == 6 and self.random.random() < 0.05:
            self._wheel.cue(self._at(), PowerOn())
        if wheel.state in (1, 2) and not wheel.balls:
            self._wheel.cue(self._at(), SpinBall(str(self.random.randrange(37))))
            if not self.calm and self.random.random() < 0.2:
                self._wheel.cue(self._at(), Fault(self.random.choice(WHEEL_FAULTS)))

    def _look(self) -> None:
        """See what the ball does."""
        wheel = self._wheel._wheel
        if wheel.state != self._phase:
            if wheel.state == 3:
                self.spins.append(Spin(self.now))
            if wheel.state == 5:
                self.spins[-1].pocket = wheel.pocket
            self._phase = wheel.state

    def _send(self, line: bytes) -> None:
        random = self.random
        if not self.calm:
            self._weather()
            line = self._bend(line)
        if self.now < self._lost_until or not self._up:
            return
        copies = 2 if not self.calm and random.random() < 0.01 else 1
        if self._stands_still():
            self._held += line * copies
            del self._held[BUFFER:]
        else:
            self._hear(self._feed.take(Chunk(self._at(), line * copies)))

    def _weather(self) -> None:
        random = self.random
        roll = random.random()
        length = random.choice((random.uniform(0.2, 2.5), random.uniform(2, 90)))
        if roll < 0.002:
            self._lost_until = self.now + length
        elif roll < 0.003:
            self._held_until = self.now + random.choice((length, random.uniform(90, 300)))
        elif roll < 0.004 and self._up and not self._stands_still():
            self._go_away(length, restart=random.random() < 0.5)

    def _bend(self, line: bytes) -> bytes:
        random = self.random
        roll = random.random()
        bent = bytearray(line)
        if roll < 0.02:
            return b""
        if roll < 0.04:
            bent[random.randrange(len(bent))] ^= 1 << random.randrange(8)
        elif roll < 0.045:
            del bent[random.randrange(len(bent))]
        elif roll < 0.05:
            bent.insert(random.randrange(len(bent)), random.randrange(256))
        return bytes(bent)

    def _go_away(self, seconds: float, *, restart: bool) -> None:
        """Lose the link, or the daemon itself."""
        self._up = False
        self._held.clear()
        self._back_at = self.now + seconds
        self._feed.lost()
        if restart:
            self._put(Restarted("storm", 0))
        else:
            self._put(LinkDown("primary", "napsa", "unplugged"))

    def _come_back(self) -> None:
        self._back_at, self._up = None, True
        self._open()

    # --- people ------------------------------------------------------------------------------

    def _people(self) -> None:
        if self.now >= self._supervisor_at:
            self._supervisor_at = self.now + self.random.uniform(0.5, 6)
            self._supervise()
        if self.now >= self._dealer_at:
            self._dealer_at = self.now + self.random.uniform(0.1, 2)
            self._deal()

    def _deal(self) -> None:
        if self.setup.control == "device":
            return
        now = self.state.round
        if now is None:
            self._obey(OpenRound(f"R{self.score.rounds}-{round(self.now)}"))
        elif now.phase == "betting" and (self._phase in (3, 4) or self.random.random() < 0.02):
            self._obey(CloseBets(now.round_id))

    def _supervise(self) -> None:
        if not self.state.open:
            return
        found = self.state.open[0]
        action = self.random.choice(VIOLATIONS[found.violation.code].resolutions)
        if action == "correct":
            action = "void"
        if found.violation.code == "spin_lost" and action == "accept" and self.state.round:
            self._again.add(self.state.round.round_id)
        done = self._obey(ResolveViolation(found.violation_id, action, "anna", "storm"))
        if not done and self.state.round is not None:
            self._obey(VoidRound(self.state.round.round_id, "storm"))

    # --- the table ---------------------------------------------------------------------------

    def _obey(self, command: Command) -> bool:
        return self._put(Commanded(command, "c"))

    def _put(self, body: InputBody) -> bool:
        step = apply(self.setup, self.state, Input(self._at(), body))
        if step.refusal is not None:
            return False
        self.state = step.state
        for event in step.events:
            self._note(event)
        return True

    def _note(self, event: Event) -> None:
        match event:
            case RoundOpened(round_id=round_id):
                self._basis[round_id] = self.now
            case RoundResumed(round_id=str(round_id)) if round_id in self._again:
                self._basis[round_id] = self.now  # decisions take effect together, at the last
                self._again.remove(round_id)
            case ResultEnteredManually(round_id=round_id):
                self._by_hand.add(round_id)
            case RoundVoided():
                self.score.rounds += 1
                self.score.voided += 1
            case RoundCompleted(round_id=round_id):
                self.score.rounds += 1
                if round_id not in self._by_hand:
                    self.score.landed += 1
                    self._judge(round_id, event.outcome.pocket)
            case _:
                pass

    def _judge(self, round_id: str, pocket: str) -> None:
        """Hold a result against the first ball since the round was opened, or spun again."""
        basis = self._basis[round_id]
        allowed = [
            next((one for one in self.spins if one.rim_at >= since), None)
            for since in (basis - LATE_S, basis)
        ]
        right = [one for one in allowed if one is not None and one.pocket == pocket]
        if not right or right[0].landed_for is not None:
            seen = [(round(one.rim_at, 1), one.pocket, one.landed_for) for one in self.spins[-3:]]
            self.score.wrong.append(f"{self.now:.1f} {round_id} {pocket}: {basis:.1f}, {seen}")
        else:
            right[0].landed_for = round_id
