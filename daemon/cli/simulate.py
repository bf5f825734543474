"""Simulates a device until Ctrl-C or the end of standard input; prints the port it is on.

A serial device is on a pseudo-terminal, a CAN device behind a slcan adapter on one. A USB device
has no port here: what it sends is printed as a capture, for `decode` and `replay`.

Cues, one per line on standard input:
  draw KD [player 1]     draw a card, with the place where the shoe states one
  cut                    draw the cut card
  result banker          the shoe states a result
  spin 17                the ball lands in this pocket
  throw 442              the dice show these faces
  fault NAME             the device reports a fault
  power                  switch it on anew
  unplug, replug         pull the cable, and put it back

Examples:
  pitwire simulate angel_eye_ii_ex --link /tmp/shoe
  echo 'spin 17' | pitwire simulate cammegh_ss2 --speed 10

Exit codes:
  0   standard input ended
  2   no such device type, or a setting is wrong
  69  the port cannot be made
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from daemon.cli.options import DeviceArgument, SettingOption, find_device, read_settings
from daemon.cli.output import answer, fail, note, why
from daemon.exits import Exit

if TYPE_CHECKING:
    from protocols.simulator import Simulator


def command(
    device: DeviceArgument,
    link: Annotated[
        str | None,
        typer.Option("--link", metavar="PATH", help="Make this symbolic link to the port."),
    ] = None,
    speed: Annotated[
        float,
        typer.Option(min=0.1, max=100, metavar="FACTOR", help="How much faster than real time."),
    ] = 1.0,
    setting: SettingOption = None,
) -> None:
    """Simulate a device on a pseudo-terminal."""
    import asyncio

    from drivers.can.slcan_adapter import SlcanAdapter
    from protocols.wiring import CanWiring

    spec = find_device(device)
    on_can = isinstance(spec.wiring, CanWiring)
    simulator = spec.simulator(read_settings(spec, setting))
    if spec.wiring.unit == "packet" and not on_can:
        if link is not None:
            what = f"a pty carries no packets, and {device} is wired by {spec.wiring.title}"
            fail(Exit.USAGE, f"{what}: without --link they are written out")
        asyncio.run(_write_out(device, simulator, speed))
        return
    try:
        asyncio.run(_play(SlcanAdapter(simulator) if on_can else simulator, link, speed))
    except OSError as error:
        fail(Exit.UNAVAILABLE, f"{link or 'a pty'} cannot be made: {why(error)}")


async def _write_out(device: str, simulator: Simulator, speed: float) -> None:
    import asyncio
    import contextlib
    import sys

    from daemon.cli.cue_parser import parse_cue
    from drivers.capture import format_header, format_line
    from drivers.capture_model import CaptureLine
    from drivers.clock import BootClock
    from drivers.links.simulated import SimulatedLink
    from protocols.simulator import PowerOn

    clock = BootClock(speed)
    link, began = SimulatedLink(device, simulator, clock), clock.now()
    print("".join(format_header({"device": device, "provenance": "synthetic"})), end="", flush=True)

    async def write() -> None:
        while chunk := await link.read(None):
            seconds = chunk.at.since(began) or 0.0
            print(format_line(CaptureLine(seconds, "device", chunk.data)), end="", flush=True)

    writing = asyncio.create_task(write())
    with contextlib.suppress(ValueError):  # a device without a start of its own
        link.cue(PowerOn())
    while line := await asyncio.to_thread(sys.stdin.readline):
        try:
            if words := line.split():
                link.cue(parse_cue(words))
        except ValueError as error:
            note(f"pitwire: {line.strip()!r}: {error}")
    writing.cancel()


async def _play(simulator: Simulator, link: str | None, speed: float) -> None:
    import asyncio
    import sys

    from daemon.cli.cue_parser import parse_cue
    from drivers.clock import BootClock
    from drivers.pty_simulator import SimulatorOnPty
    from protocols.simulator import PowerOn

    async with SimulatorOnPty(simulator, BootClock(speed), link) as port:
        answer({"port": port.path}, port.path)
        port.cue(PowerOn())
        while line := await asyncio.to_thread(sys.stdin.readline):
            words = line.split()
            try:
                match words:
                    case []:
                        continue
                    case ["unplug"]:
                        port.unplug()
                    case ["replug"]:
                        port.replug()
                    case _:
                        port.cue(parse_cue(words))
            except ValueError as error:
                note(f"pitwire: {line.strip()!r}: {error}")
