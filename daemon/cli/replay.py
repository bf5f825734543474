"""`pitwire replay`: a capture through decoder, tracker, table and rules; events to stdout."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from daemon.cli.say import answer, fail, note
from daemon.cli.shared import JsonFlag, SettingOption, find_device, read_pairs
from daemon.exits import Exit


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
    setting: SettingOption = None,
    as_json: JsonFlag = False,
) -> None:
    """Replay a file offline. Without commands in it, the device opens the rounds."""
    from config.errors import ConfigError
    from daemon.catalog import games
    from daemon.cli.lines import event_line
    from daemon.known import one_table, setup_of
    from daemon.offline import Replay
    from drivers.capture import read_capture
    from drivers.moments import CaptureError

    spec = find_device(device, as_json)
    spec_of_game = games().get(game)
    by_server = spec_of_game is not None and "device" not in spec_of_game.controls
    if profile is None:
        profile = spec_of_game.default_profile if spec_of_game is not None else ""
    try:
        capture = read_capture(file)
        commanded = any(one.direction == "command" for one in capture.moments)
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

    def show(blob: bytes) -> None:
        envelope = json.loads(blob)
        if as_json:
            answer(envelope)
        else:
            print(event_line(envelope))

    settings = table.devices[0].settings
    run = Replay(setup_of(table), spec.under(settings), settings, show)
    run.run(capture)
    rejects = ", ".join(f"{count} {reason}" for reason, count in sorted(run.tally.rejects.items()))
    note(f"{run.tally.readings} readings; rejects: {rejects or 'none'}")
    if run.tally.concealed:
        note(f"{run.tally.concealed} frames came while the next card might be hidden")
    for refusal in run.tally.refused:
        note(f"refused: {refusal}")
