"""A reader's simulator, the line that it speaks on, and a real table behind that.

Time passes only in `CardLine.pass_time`; what goes wrong on the way, only by `CardLine.hurt`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from random import Random

from support.killed_table import KilledTable
from support.line_damage import OF_A_FRAME
from support.true_rounds import Reader

from daemon.devices.feed import Heard
from daemon.table.state import TableSetup
from drivers.capture_model import CaptureLine
from protocols.cards import Card
from protocols.instant import Instant
from protocols.line_damage import has_check, is_misread
from protocols.simulator import DrawCard, PowerOn


@dataclass
class Flips:
    """Cards' frames one bit of which was flipped, and those of them that were another card."""

    flips: int = 0
    flips_misread: int = 0


class CardLine:
    """A reader's simulator, the line, and the table behind it. Time passes only in `pass_time`."""

    def __init__(
        self,
        setup: TableSetup,
        reader: Reader,
        random: Random,
        shown: Callable[[bytes], None],
        story: list[str],
        flips: Flips,
    ) -> None:
        self._random = random
        self._story = story
        self._simulator = setup.devices["primary"].simulator(reader.settings)
        self._reader = reader
        self._flips = flips
        self._now = Instant("replay", 0)
        self._armed: str | None = None
        self._skips = 0
        self._before = b"\0"
        self._down: str | None = None
        self._up_at = self._held_until = self._now
        self._kept: list[bytes] | None = None
        self._held: list[bytes] = []
        self._answers_lost = 0
        self._card: Card | None = None
        self._overtaken = b""
        self.came: list[bytes] = []
        """What reached the table in this round."""
        self.told = False
        """Whether the link itself said in this round that it lost something."""
        self.table = KilledTable(setup, reader.settings, shown, self._heard)
        self._simulator.cue(self._now, PowerOn())

    @property
    def seconds(self) -> float:
        """Return how much time has passed."""
        return self._now.ns / 1e9

    def begin(self) -> None:
        """Begin a round: what was damaged before is no matter of it."""
        self._armed, self.told, self._overtaken = None, False, b""
        self.came.clear()

    def draw(self, cue: DrawCard) -> None:
        """Let the dealer draw a card."""
        self._card = cue.card
        self._simulator.cue(self._now, cue)

    # --- time --------------------------------------------------------------------------------

    def pass_time(self, seconds: float) -> None:
        """Let time pass, and everything that is due in it happen."""
        until = self._now.after(seconds)
        while True:
            due = self._due()
            if due is None or due.ns > until.ns:
                break
            self._step(due)
        self._step(until)

    def _due(self) -> Instant | None:
        moments: list[Instant | None] = [self._simulator.wake_at]
        if self._down != "killed":
            moments.append(self.table.due())
        if self._down is not None:
            moments.append(self._up_at)
        if self._held:
            moments.append(self._held_until)
        return min(
            (one for one in moments if one is not None), key=lambda one: one.ns, default=None
        )

    def _step(self, at: Instant) -> None:
        self._now = Instant(at.boot, max(at.ns, self._now.ns))
        if self._down != "killed":
            self.table.pass_time(self._now)
        if self._down is not None and self._now.reached(self._up_at):
            self.come_back()
        if self._held and self._now.reached(self._held_until):
            held, self._held = self._held, []
            for one in held:
                self._arrive(one)
        wake = self._simulator.wake_at
        if wake is not None and self._now.reached(wake):
            for frame in self._simulator.speak(self._now):
                self._send(frame)

    # --- the line ----------------------------------------------------------------------------

    def hurt(self, kind: str) -> None:
        """Let something go wrong: at once, or with a frame that is sent next."""
        random = self._random
        self._story.append(f"{self.seconds:9.3f} {kind}")
        seconds = random.uniform(*random.choice(((0.05, 0.5), (0.5, 3.0))))
        match kind:
            case "link_lost" | "restarted":
                self._go_down(kind, seconds)
            case "held_up":
                self._held_until = self._now.after(seconds)
            case "noise":
                self._arrive(random.randbytes(random.randint(1, 30)))
            case "answer_lost":
                self._answers_lost = 1
            case _:
                self._armed = kind
                self._skips = random.randrange(self._reader.packets)

    def come_back(self) -> None:
        """Let the link be open again, if it is not."""
        down, self._down = self._down, None
        if down is None:
            return
        if down == "killed":
            self.table.start_again(self.seconds)
        stale, self._kept = b"".join(self._kept or ()), None
        self._story.append(f"{self.seconds:9.3f} open, stale {stale!r}")
        opened = CaptureLine(self.seconds, "link", "open")
        self.table.play(opened, stale_bytes=len(stale))
        if stale:
            self.table.play(CaptureLine(self.seconds, "device", stale, stale=True))

    def _go_down(self, kind: str, seconds: float) -> None:
        self._down = "killed" if kind == "restarted" else "lost"
        self.told = True
        self._up_at = self._now.after(seconds)
        self._kept = [] if self._random.random() < 0.5 and not self._reader.sends_packets else None
        if self._down == "lost":
            self.table.play(CaptureLine(self.seconds, "link", "lost"))

    def _send(self, frame: bytes) -> None:
        """Put a frame of the device on the line, hurt as armed."""
        pieces: tuple[bytes, ...] = (frame,)
        if self._armed is not None:
            if self._skips == 0:
                pieces = self._bend(self._armed, frame)
                self._armed = None
            else:
                self._skips -= 1
        self._before = frame
        if pieces and self._overtaken:
            pieces, self._overtaken = (*pieces, self._overtaken), b""
        for one in pieces:
            if not self._now.reached(self._held_until):
                self._held.append(one)
            else:
                self._arrive(one)

    def _bend(self, kind: str, frame: bytes) -> tuple[bytes, ...]:
        match kind:
            case "loss_told":
                self.told = True
                if self._down is None:
                    loss = "a report, as it says itself"
                    self.table.play(CaptureLine(self.seconds, "loss", loss))
                return ()
            case "overtaken":
                self._overtaken = frame
                return ()
            case "split":
                cut = self._random.randrange(len(frame))
                self._held_until = self._now.after(self._random.uniform(0.001, 1.0))
                self._held.append(frame[cut:])
                self._arrive(frame[:cut])
                return ()
        pieces = OF_A_FRAME[kind](frame, self._before, self._random)
        if kind == "bit" and self._card is not None and not has_check(self._reader.spec):
            one = self._reader
            self._flips.flips += 1
            self._flips.flips_misread += is_misread(one.spec, one.settings, self._card, pieces[0])
        return pieces

    def _arrive(self, data: bytes) -> None:
        self._story.append(f"{self.seconds:9.3f} {'down' if self._down else 'bytes'} {data!r}")
        if not data:
            return
        if self._down is None:
            self.came.append(data)
            self.table.play(CaptureLine(self.seconds, "device", data))
        elif self._kept is not None:
            self._kept.append(data)

    def _heard(self, heard: Heard) -> None:
        """Answer the device."""
        if heard.reply is None:
            return
        if self._answers_lost:
            self._answers_lost -= 1
        else:
            self._simulator.hear(self._now, heard.reply)
