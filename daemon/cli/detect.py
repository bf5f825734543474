"""`pitwire detect`: listens on a serial port and says which device it looks like."""

from __future__ import annotations

import asyncio
import dataclasses
from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Any

import typer

from daemon.cli.options import DEFAULT_SOCKET, JsonFlag, SocketOption
from daemon.cli.output import answer, fail, note
from daemon.exits import Exit

if TYPE_CHECKING:
    from daemon.devices.detection import Guess, ListeningStep
    from drivers.link import OpenLink
    from protocols.device import DeviceSpec
    from protocols.instant import Instant
    from protocols.wiring import SerialWiring


def command(
    port: Annotated[
        str, typer.Argument(help="A serial port: a path, or usb:0403:6001 for an adapter.")
    ],
    seconds: Annotated[
        float, typer.Option(min=0.1, max=600, help="How long to listen at each wiring.")
    ] = 4.0,
    ask: Annotated[
        bool,
        typer.Option(
            "--ask", help="Also send the questions of devices that speak only when asked."
        ),
    ] = False,
    socket: SocketOption = DEFAULT_SOCKET,
    as_json: JsonFlag = False,
) -> None:
    """Listen at every plausible wiring and say which device it looks like, and how sure that is.

    Let the device speak meanwhile: spin the wheel, draw a card, scan a label. Nothing is written
    to the port without --ask. It decides nothing: the configuration says what a table's device is.
    Exit 1: nothing that was said looks like a device that pitwire knows.
    """
    from daemon.cli.ports_in_use import table_of, tables_by_link
    from daemon.devices.detection import best, verdict
    from drivers.errors import LinkError

    table = table_of(tables_by_link(socket), port)
    if table is not None:
        sentence = f"table {table} reads {port}: `pitwire watch {table}` shows it live"
        fail(Exit.FAILED, sentence, as_json=as_json)
    try:
        heard, guesses = asyncio.run(_listen(port, seconds, ask=ask))
    except LinkError as error:
        fail(Exit.UNAVAILABLE, f"{error}; {error.action}", as_json=as_json)
    except ValueError as error:
        fail(Exit.USAGE, str(error), as_json=as_json)
    ranked = best(guesses)
    found = verdict(ranked)
    if as_json:
        answer(
            {
                "port": port,
                "heard": heard,
                "looks_like": None if found is None else found[0].device,
                "confidence": None if found is None else found[1],
                "guesses": [_as_json(one) for one in ranked],
            }
        )
    else:
        for one in ranked:
            print(_line(one))
        print(_conclusion(port, heard, found, ask=ask))
    raise SystemExit(int(Exit.OK if found else Exit.FAILED))


def _as_json(one: Guess) -> dict[str, Any]:
    return {**dataclasses.asdict(one), "confidence": one.confidence}


def _line(one: Guess) -> str:
    counts = f"{one.readings} readings, {one.rejects} rejects, {one.share:.0%} of what was heard"
    return f"{one.device:18} {_words(one.wiring):11} {one.confidence:9} {counts}"


def _words(wiring: SerialWiring) -> str:
    return f"{wiring.baud} {wiring.bits}{wiring.parity}{wiring.stop}"


def _conclusion(port: str, heard: int, found: tuple[Guess, str] | None, *, ask: bool) -> str:
    if found is not None:
        one, confidence = found
        return f"{port} looks like {one.device} at {_words(one.wiring)}: {confidence}"
    if heard:
        return f"{port}: {heard} bytes, and no device that pitwire knows speaks so"
    more = "" if ask else "; one that speaks only when asked is found with --ask"
    return f"{port}: nothing was said. Is the device on, and did it have something to say{more}?"


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
                bytes_heard, found = await _try(port, step, seconds, ask=ask)
            except LinkRefused as error:
                note(f"left out: {error}")
                refused = error
                continue
            heard += bytes_heard
            guesses += found
            if (one := verdict(best(guesses))) and one[1] == "sure":
                return heard, guesses
        if verdict(best(guesses)):
            break
    if refused is not None and not guesses:
        raise refused
    return heard, guesses


async def _try(
    port: str, step: ListeningStep, seconds: float, *, ask: bool
) -> tuple[int, list[Guess]]:
    from daemon.devices.detection import judge
    from protocols.catalog import devices

    specs = [devices()[key] for key in step.devices]
    note(f"listening at {_words(step.wiring)} for {seconds:g} s")
    said = await _hear(port, step.wiring, seconds, None)
    heard, guesses = _size(said), [judge(spec, step.wiring, said) for spec in specs]
    for spec in specs if ask else ():
        if spec.writes == "poll":
            note(f"asking as {spec.key} does at {_words(step.wiring)}")
            said = await _hear(port, step.wiring, seconds, spec)
            heard += _size(said)
            guesses.append(judge(spec, step.wiring, said))
    return heard, guesses


def _size(said: Sequence[tuple[Instant, bytes]]) -> int:
    return sum(len(data) for _, data in said)


async def _hear(
    port: str, wiring: SerialWiring, seconds: float, asked: DeviceSpec | None
) -> list[tuple[Instant, bytes]]:
    """Listen for a while; where a device is asked, its decoder puts the questions."""
    from drivers.clock import BootClock
    from drivers.links.serial_port import LINK, SerialPortSettings

    clock = BootClock()
    link = await LINK.open(SerialPortSettings(port, wiring.baud), wiring, clock)
    try:
        return await _collect(link, clock.now().after(seconds), asked)
    finally:
        await link.close()


async def _collect(
    link: OpenLink, until: Instant, asked: DeviceSpec | None
) -> list[tuple[Instant, bytes]]:
    from drivers.clock import BootClock
    from drivers.clock_wait import real_seconds_until
    from protocols.instant import earliest

    clock, said = BootClock(), list[tuple["Instant", bytes]]()
    decoder = None if asked is None else asked.decoder(asked.settings())
    decoded = list(decoder.tick(clock.now())) if decoder else []
    while True:
        for one in decoded:
            if one.reply is not None:
                link.write(one.reply)
        due = earliest(until, decoder.wake_at if decoder else None)
        chunk = await link.read(real_seconds_until(clock, due))
        now = clock.now()
        decoded = []
        if decoder and decoder.wake_at and now.reached(decoder.wake_at):
            decoded += decoder.tick(now)
        if chunk is not None and not chunk.stale:  # nobody knows at which wiring that was said
            said.append((chunk.at, chunk.data))
            decoded += decoder.feed(chunk.at, chunk.data) if decoder else []
        if now.reached(until):
            return said
