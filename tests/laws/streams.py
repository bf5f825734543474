"""What the laws are tried on: each device's golden scenarios, and streams of its simulator."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from support.notation import draw_cue

from drivers.capture import CaptureLine, read_capture
from protocols.device import Decoder, DeviceSpec
from protocols.instant import Instant, earliest
from protocols.simulator import (
    Cue,
    DrawCutCard,
    Fault,
    PowerOn,
    Simulator,
    SpinBall,
    StateResult,
    ThrowDice,
)

CAPTURES = Path(__file__).resolve().parents[1] / "captures"
START = Instant("laws", 10**15)
PIECES_MAX = 150
STEP_S = 2.0
SPIN_S = 40.0
WAKES_MAX = 10_000


@dataclass(frozen=True, slots=True)
class Piece:
    at: Instant
    data: bytes


@dataclass(frozen=True, slots=True)
class Stream:
    name: str
    pieces: tuple[Piece, ...]

    @property
    def data(self) -> bytes:
        return b"".join(piece.data for piece in self.pieces)


def goldens(spec: DeviceSpec) -> list[Stream]:
    """Return the stored scenarios: what the device said, when."""
    paths = sorted((CAPTURES / spec.key).glob("*"))
    return [
        Stream(path.stem, tuple(_from_device(read_capture(path).lines)))
        for path in paths
        if path.is_file() and path.suffix != ".expect"
    ]


def _from_device(moments: Iterable[CaptureLine]) -> Iterator[Piece]:
    for moment in moments:
        if moment.direction == "device" and isinstance(moment.data, bytes):
            yield Piece(START.after(moment.seconds), moment.data)


@cache
def streams(spec: DeviceSpec) -> Sequence[Stream]:
    """Return everything there is for this device, each cut to a length that the laws can afford."""
    simulator = spec.simulator(spec.settings())
    played = [
        _played(spec, "healthy", _healthy(spec)),
        _played(spec, "answers", [PowerOn()], [one.data for one in spec.commands]),
        *(
            _played(spec, name, [PowerOn(), Fault(name), *_healthy(spec)[1:]])
            for name in simulator.faults
        ),
    ]
    every = [*goldens(spec), *played]
    return [Stream(one.name, one.pieces[:PIECES_MAX]) for one in every if one.pieces]


def _healthy(spec: DeviceSpec) -> list[Cue]:
    if spec.kind == "wheel":
        return [PowerOn(), SpinBall("17"), SpinBall("0")]
    if spec.kind == "dice":
        return [PowerOn(), ThrowDice((4, 4, 2)), ThrowDice((6, 1, 3))]
    return [
        PowerOn(),
        draw_cue("5D>burn_indicator"),
        draw_cue("8S>player.1"),
        draw_cue("5D>banker.1"),
        draw_cue("8S>player.2"),
        draw_cue("5D>banker.2"),
        StateResult("player"),
        DrawCutCard(),
    ]


def _played(
    spec: DeviceSpec, name: str, cues: Sequence[Cue], commands: Sequence[bytes] = ()
) -> Stream:
    simulator, now = spec.simulator(spec.settings()), START
    host = spec.decoder(spec.settings()) if spec.writes == "poll" else None
    pieces: list[Piece] = []
    for cue in cues:
        with suppress(ValueError):  # not every device can play every cue
            simulator.cue(now, cue)
        until = now.after(SPIN_S if isinstance(cue, SpinBall | ThrowDice) else STEP_S)
        pieces += _said(simulator, until) if host is None else _polled(simulator, host, now, until)
        now = until
    for command in commands:
        simulator.hear(now, command)
        pieces += _said(simulator, now.after(STEP_S))
        now = now.after(STEP_S)
    return Stream(name, tuple(pieces))


def _polled(simulator: Simulator, host: Decoder, now: Instant, until: Instant) -> Iterator[Piece]:
    """Yield what the simulator says to a decoder that asks."""
    heard = list(host.tick(now))
    for _ in range(WAKES_MAX):
        for one in heard:
            if one.reply is not None:
                simulator.hear(now, one.reply)
        due = earliest(simulator.wake_at, host.wake_at)
        if due is None or not until.reached(due):
            return
        now = due
        heard = list(host.tick(now))
        for data in simulator.speak(now):
            yield Piece(now, data)
            heard += host.feed(now, data)
    raise AssertionError("neither the simulator nor its host ever sleeps")


def _said(simulator: Simulator, until: Instant) -> Iterator[Piece]:
    for _ in range(WAKES_MAX):
        wake = simulator.wake_at
        if wake is None or not until.reached(wake):
            return
        for data in simulator.speak(wake):
            yield Piece(wake, data)
    raise AssertionError("the simulator never sleeps")
