"""`pitwire replay`: a capture through decoder, tracker, table and rules; events to stdout."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from daemon.cli.options import (
    JsonFlag,
    SettingOption,
    find_device,
    note_another_device,
    read_pairs,
)
from daemon.cli.output import answer, fail, note
from daemon.exits import Exit

if TYPE_CHECKING:
    from daemon.runtime.offline_replay import Tally
    from protocols.instant import Instant


def command(
    file: Annotated[Path, typer.Argument(help="A capture, a scenario, or a studio log.")],
    game: Annotated[str, typer.Option("--game", "-g", help="The game that is dealt.")],
    device: Annotated[str, typer.Option("--device", "-d", help="The device that spoke.")],
    profile: Annotated[
        str | None,
        typer.Option(
            "--profile", "-p", help="The house's rules; by default the game's standard house."
        ),
    ] = None,
    speed: Annotated[
        float,
        typer.Option(min=0, max=1000, help="Seconds of the file in one; 0: as fast as it goes."),
    ] = 0,
    setting: SettingOption = None,
    as_json: JsonFlag = False,
) -> None:
    """Replay a file offline. Without commands in it, the device opens the rounds."""
    from config.errors import ConfigError
    from daemon.runtime.offline_replay import OfflineReplay
    from daemon.service.assembly import one_table, setup_of
    from daemon.service.catalog import games
    from drivers.capture import read_capture
    from drivers.capture_model import CaptureError

    spec = find_device(device, as_json)
    spec_of_game = games().get(game)
    by_server = spec_of_game is not None and "device" not in spec_of_game.controls
    if profile is None:
        profile = spec_of_game.default_profile if spec_of_game is not None else ""
    try:
        capture = read_capture(file)
        commanded = any(one.direction == "command" for one in capture.lines)
        table = one_table(
            game,
            profile,
            device,
            settings=read_pairs(setting, as_json=as_json),
            round_control="server" if commanded or by_server else "device",
        )
    except CaptureError as error:
        fail(Exit.FAILED, str(error), as_json=as_json)
    except ConfigError as error:
        fail(
            Exit.USAGE,
            "; ".join(f"{one.what}; {one.expected}" for one in error.problems),
            as_json=as_json,
        )
    note_another_device(capture.header, device)
    settings = table.devices[0].settings
    shown = partial(_show, as_json=as_json)
    run = OfflineReplay(setup_of(table), spec.under(settings), settings, shown)
    run.clock.pace = _pace(speed) if speed else None
    run.run(capture)
    _sum_up(run.tally)


def _show(blob: bytes, *, as_json: bool) -> None:
    from daemon.cli.event_format import event_line

    envelope = json.loads(blob)
    if as_json:
        answer(envelope)
    else:
        print(event_line(envelope), flush=True)


def _pace(speed: float) -> Callable[[Instant], None]:
    """Return what sleeps until an instant of the file has come."""
    start = time.monotonic()

    def pace(at: Instant) -> None:
        time.sleep(max(at.ns / 1e9 / speed - (time.monotonic() - start), 0.0))

    return pace


def _sum_up(tally: Tally) -> None:
    rejects = ", ".join(f"{count} {reason}" for reason, count in sorted(tally.rejects.items()))
    note(f"{tally.readings} readings; rejects: {rejects or 'none'}")
    if tally.concealed:
        note(f"{tally.concealed} frames came while the next card might be hidden")
    for refusal in tally.refused:
        note(f"refused: {refusal}")
