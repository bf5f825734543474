"""`pitwire simulate`: a device on a pty, for anyone's tests."""

from __future__ import annotations

from typing import Annotated

import typer

from daemon.cli.say import answer, fail
from daemon.cli.shared import JsonFlag, SettingOption, find_device, read_settings
from daemon.exits import Exit


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

    Cues are lines on standard input: `draw KD player 1`, `cut`, `result banker`, `spin 17`,
    `fault launch_failure`, `power`, `unplug`, `replug`.
    """
    import asyncio

    spec = find_device(device, as_json)
    settings = read_settings(spec, setting, as_json)
    try:
        asyncio.run(_play(spec.simulator(settings), link, speed, as_json))
    except OSError as error:
        fail(Exit.UNAVAILABLE, f"no pty: {error}", as_json=as_json)


async def _play(simulator: object, link: str | None, speed: float, as_json: bool) -> None:
    import asyncio
    import sys
    from typing import Any, cast

    from daemon.cli.cues import parse_cue
    from drivers.clock import BootClock
    from drivers.puppet import SimulatorOnPty
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
