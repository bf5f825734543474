"""`pitwire simulate`: a device on a pty, for anyone's tests."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from daemon.cli.options import JsonFlag, SettingOption, find_device, read_settings
from daemon.cli.output import answer, fail, why
from daemon.exits import Exit

if TYPE_CHECKING:
    from protocols.simulator import Simulator


def command(
    device: Annotated[str, typer.Argument(help="The device to play: a key from the catalog.")],
    link: Annotated[
        str | None, typer.Option("--link", help="A stable name for the port: a symlink here.")
    ] = None,
    speed: Annotated[float, typer.Option(min=0.1, max=100, help="Times real time.")] = 1.0,
    setting: SettingOption = None,
    as_json: JsonFlag = False,
) -> None:
    """Play a device on a pty until Ctrl-C or the end of standard input.

    A device on a CAN bus is played behind a slcan adapter. What a USB device says is written out
    as a capture, for `decode` and `replay`: a pty carries no packets.

    Cues are lines on standard input: `draw KD player 1`, `cut`, `result banker`, `spin 17`,
    `throw 442`, `fault launch_failure`, `power`, `unplug`, `replug`.
    """
    import asyncio

    from drivers.can.slcan_adapter import SlcanAdapter
    from protocols.wiring import CanWiring

    spec = find_device(device, as_json)
    on_can = isinstance(spec.wiring, CanWiring)
    simulator = spec.simulator(read_settings(spec, setting, as_json))
    if spec.wiring.unit == "packet" and not on_can:
        if link is not None:
            what = f"a pty carries no packets, and {device} is wired by {spec.wiring.title}"
            fail(Exit.USAGE, f"{what}: without --link they are written out", as_json=as_json)
        asyncio.run(_write_out(device, simulator, speed))
        return
    player = SlcanAdapter(simulator) if on_can else simulator
    try:
        asyncio.run(_play(player, link, speed, as_json))
    except OSError as error:
        fail(Exit.UNAVAILABLE, f"{link or 'a pty'} cannot be made: {why(error)}", as_json=as_json)


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
            print(f"pitwire: {line.strip()!r}: {error}", file=sys.stderr)
    writing.cancel()


async def _play(simulator: object, link: str | None, speed: float, as_json: bool) -> None:
    import asyncio
    import sys
    from typing import Any, cast

    from daemon.cli.cue_parser import parse_cue
    from drivers.clock import BootClock
    from drivers.pty_simulator import SimulatorOnPty
    from protocols.simulator import PowerOn

    async with SimulatorOnPty(cast("Any", simulator), BootClock(speed), link) as port:
        if as_json:
            answer({"port": port.path})
        else:
            print(f"{port.path}", flush=True)
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
                print(f"pitwire: {line.strip()!r}: {error}", file=sys.stderr)
