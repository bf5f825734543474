"""A wheel with a second sensor on it, and a round whose ball is about to land."""

from __future__ import annotations

from dataclasses import replace

from support.roulette_bench import RouletteBench, line
from support.table_bench import found

from daemon.table.inputs import DeviceSaid, LinkUp
from daemon.table.witness import NO_STATEMENT
from protocols.events import DeviceFaulted, Event, RoundCompleted, SpinLanded
from protocols.readings import Reading, WheelFlag, WheelPhase
from protocols.table_terms import RoundControl
from protocols.wheels.napsa import DEVICE as SECOND

WAIT_S = 3.0


class Watched(RouletteBench):
    """A wheel with a witness that is connected, and a round whose ball is about to land."""

    def __init__(self, wait_s: float = WAIT_S, control: RoundControl = "server") -> None:
        super().__init__(control=control)
        devices = {**self.setup.devices, "witness": SECOND}
        self.setup = replace(self.setup, devices=devices, witness_wait_s=wait_s)
        self.put(LinkUp("witness", "second", "bench"))

    def says(self, reading: Reading) -> list[Event]:
        """Let the witness say something."""
        return self.put(DeviceSaid("witness", "second", reading, None, ""))

    def sees(
        self, phase: WheelPhase, pocket: str | None = "34", flags: tuple[WheelFlag, ...] = ()
    ) -> list[Event]:
        """Let the witness say a status line; it counts spins of its own."""
        return self.says(line(phase, 203, pocket, flags=flags))

    def until_it_falls(self, round_id: str = "R1", spin: int = 11) -> None:
        """Open a round and spin up to the first of the two lines that decide it."""
        self.open(round_id)
        for phase in ("place_bets", "ball_in_rim"):
            self.say(phase, spin, "34", after=4.0)  # type: ignore[arg-type] # a tuple of literals widens to str
            self.sees(phase)  # type: ignore[arg-type] # as above
        self.close(round_id)
        self.say("no_more_bets", spin, "34", after=4.0)
        self.sees("no_more_bets")
        assert self.say("winning_number", spin, "27", after=26.0) == []

    def lands(self, spin: int = 11) -> list[Event]:
        """Let the wheel say its number for the second time: 27 is sure."""
        return self.say("winning_number", spin, "27")

    @property
    def results(self) -> list[Event]:
        return [one for one in self.events if isinstance(one, SpinLanded | RoundCompleted)]


def falling(wait_s: float = WAIT_S) -> Watched:
    bench = Watched(wait_s)
    bench.until_it_falls()
    return bench


def missing(events: list[Event]) -> str | None:
    """Return what is told of a statement that is missing."""
    told = [one for one in found(events, DeviceFaulted) if one.condition == NO_STATEMENT]
    return told[0].detail if told else None
