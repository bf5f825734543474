"""Listens at every plausible speed and framing, and says which device type fits, and how surely.

Let the device send meanwhile: spin the wheel, draw a card, scan a label. Nothing is written to the
port without --ask. It changes nothing: the configuration says what a table's device is.

Examples:
  pitwire detect /dev/ttyUSB0
  pitwire detect usb:0403:6001 --seconds 10 --ask

Exit codes:
  0   it looks like a device type that pitwire can read
  1   it does not, or a table reads this port
  69  the port cannot be opened
"""

from __future__ import annotations

import asyncio
import contextlib
import dataclasses
from typing import TYPE_CHECKING, Annotated, Any

import typer

from daemon.cli.options import DEFAULT_SOCKET, SocketOption
from daemon.cli.output import answer, fail, note
from daemon.exits import Exit

if TYPE_CHECKING:
    from daemon.devices.detection import Guess, ListeningStep
    from drivers.clock import Clock
    from drivers.link import Chunk, OpenLink
    from protocols.device import Decoded, DeviceSpec
    from protocols.wiring import SerialWiring


def command(
    port: Annotated[
        str,
        typer.Argument(
            metavar="PORT", help="A serial port: a path, or usb:0403:6001 for an adapter."
        ),
    ],
    seconds: Annotated[
        float,
        typer.Option(
            min=0.1,
            max=600,
            metavar="SECONDS",
            help="How long to listen at each speed and framing.",
        ),
    ] = 4.0,
    ask: Annotated[
        bool,
        typer.Option("--ask", help="Also send the polls of devices that answer only when polled."),
    ] = False,
    socket: SocketOption = DEFAULT_SOCKET,
) -> None:
    """Find out which device is on a serial port."""
    from daemon.cli.ports_in_use import table_of, tables_by_link
    from daemon.devices.detection import best, verdict
    from drivers.errors import LinkError

    table = table_of(tables_by_link(socket), port)
    if table is not None:
        sentence = f"table {table} reads {port}: `pitwire watch {table}` shows it live"
        fail(Exit.FAILED, sentence)
    try:
        heard, guesses = asyncio.run(_listen(port, seconds, ask=ask))
    except LinkError as error:
        fail(Exit.UNAVAILABLE, f"{error}; {error.action}")
    except ValueError as error:
        fail(Exit.USAGE, str(error))
    ranked = best(guesses)
    likeliest = verdict(ranked)
    answer(
        {
            "port": port,
            "heard": heard,
            "looks_like": None if likeliest is None else likeliest[0].device,
            "confidence": None if likeliest is None else likeliest[1],
            "guesses": [_as_json(guess) for guess in ranked],
        },
        *map(_line, ranked),
        _conclusion(port, heard, likeliest, ask=ask),
    )
    raise SystemExit(int(Exit.OK if likeliest else Exit.FAILED))


def _as_json(guess: Guess) -> dict[str, Any]:
    return {**dataclasses.asdict(guess), "confidence": guess.confidence}


def _line(guess: Guess) -> str:
    share = f"{guess.share:.0%} of what was heard"
    counts = f"{guess.readings} readings, {guess.rejects} rejects, {share}"
    return f"{guess.device:18} {_words(guess.wiring):11} {guess.confidence:9} {counts}"


def _words(wiring: SerialWiring) -> str:
    return f"{wiring.baud} {wiring.bits}{wiring.parity}{wiring.stop}"


def _conclusion(port: str, heard: int, likeliest: tuple[Guess, str] | None, *, ask: bool) -> str:
    if likeliest is not None:
        guess, confidence = likeliest
        return f"{port} looks like {guess.device} at {_words(guess.wiring)}: {confidence}"
    if heard:
        return f"{port}: {heard} bytes, and they fit no device type that pitwire can read"
    polling = "" if ask else " --ask finds those that answer only when polled."
    asked = "Is the device on, and did it have anything to send?"
    return f"{port}: nothing was received. {asked}{polling}"


async def _listen(port: str, seconds: float, *, ask: bool) -> tuple[int, list[Guess]]:
    """Return how many bytes were heard, and the guesses; stops as soon as one is sure.

    Raises LinkError, also where the port can be set to no wiring at all.
    """
    from daemon.devices.detection import best, other_steps, own_steps, verdict
    from drivers.errors import LinkRefused
    from protocols.catalog import devices

    heard, guesses = 0, list["Guess"]()
    refused: LinkRefused | None = None
    for steps in (own_steps(devices()), other_steps(devices())):
        for step in steps:
            try:
                bytes_heard, judged = await _try(port, step, seconds, ask=ask)
            except LinkRefused as error:
                note(f"left out: {error}")
                refused = error
                continue
            heard += bytes_heard
            guesses += judged
            likeliest = verdict(best(guesses))
            if likeliest is not None and likeliest[1] == "sure":
                return heard, guesses
        if verdict(best(guesses)):
            break
    if refused is not None and not guesses:
        raise refused
    return heard, guesses


async def _try(
    port: str, step: ListeningStep, seconds: float, *, ask: bool
) -> tuple[int, list[Guess]]:
    from daemon.devices.detection import frames_of, judge
    from protocols.catalog import devices

    specs = [devices()[key] for key in step.devices]
    note(f"listening at {_words(step.wiring)} for {seconds:g} s")
    chunks = await _listen_to(port, step.wiring, seconds)
    heard = sum(len(chunk.data) for chunk in chunks)
    guesses = [judge(spec, step.wiring, frames_of(spec, chunks)) for spec in specs]
    for spec in specs if ask else ():
        if spec.writes == "poll":
            note(f"polling as {spec.key} does at {_words(step.wiring)}")
            frames = await _ask(port, step.wiring, seconds, spec)
            heard += sum(len(frame.raw) for frame in frames)
            guesses.append(judge(spec, step.wiring, frames))
    return heard, guesses


async def _open(port: str, wiring: SerialWiring, clock: Clock) -> OpenLink:
    from drivers.links.serial_port import LINK, SerialPortSettings

    return await LINK.open(SerialPortSettings(port, wiring.baud), wiring, clock)


async def _listen_to(port: str, wiring: SerialWiring, seconds: float) -> list[Chunk]:
    """Return the chunks of a while; not the stale ones: nobody knows at which speed they came."""
    from drivers.clock import BootClock
    from drivers.clock_wait import real_seconds_until

    clock, chunks = BootClock(), list["Chunk"]()
    link = await _open(port, wiring, clock)
    until = clock.now().after(seconds)
    async with contextlib.aclosing(link):
        while not clock.now().reached(until):
            chunk = await link.read(real_seconds_until(clock, until))
            if chunk is not None and not chunk.stale:
                chunks.append(chunk)
    return chunks


async def _ask(port: str, wiring: SerialWiring, seconds: float, spec: DeviceSpec) -> list[Decoded]:
    """Ask as the daemon would for a while; return the frames that came."""
    from daemon.cli.direct_link import hear
    from daemon.devices.feed import DeviceFeed
    from drivers.clock import BootClock

    clock, frames = BootClock(), list["Decoded"]()
    link = await _open(port, wiring, clock)
    feed, until = DeviceFeed(spec, spec.settings()), clock.now().after(seconds)
    async with contextlib.aclosing(link):
        async for heard in hear(link, feed, clock, answer=True, until=until):
            if heard.frame is not None and not heard.stale:
                frames.append(heard.frame)
    return frames
