"""Puts a capture through decoder, table and rules, offline, and prints the events.

Commands in the file open and close the rounds. Where there are none the device opens them, if the
game allows that. The same file, profile, rules and settings give the same events.

Examples:
  pitwire replay shoe.capture -g baccarat -d angel_eye_ii_ex
  pitwire replay wheel.capture -g roulette -d cammegh_ss2 --speed 1
  pitwire replay shoe.capture -g blackjack -d zebra_ssi -p blackjack-lv --json
  pitwire replay spin.capture -g roulette -d cammegh_ss2 --rule unproven=hold

Exit codes:
  0  the file was played, whatever its events say
  1  the file cannot be read
  2  game, device, profile, rule or setting is wrong
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from daemon.cli.options import (
    GameOption,
    ProfileOption,
    RecordedDeviceOption,
    RuleOption,
    SettingOption,
    find_device,
    note_another_device,
    read_pairs,
)
from daemon.cli.output import answer, fail, note
from daemon.exits import Exit

if TYPE_CHECKING:
    from daemon.service.offline_replay import Tally
    from protocols.instant import Instant


def command(
    file: Annotated[
        Path, typer.Argument(metavar="FILE", help="A capture, a scenario, or a studio log.")
    ],
    game: GameOption,
    device: RecordedDeviceOption,
    profile: ProfileOption = None,
    speed: Annotated[
        float,
        typer.Option(
            min=0, max=1000, metavar="FACTOR", help="1: as recorded; 2: twice as fast; 0: no waits."
        ),
    ] = 0,
    setting: SettingOption = None,
    rule: RuleOption = None,
) -> None:
    """Play a capture through a table's rules, offline."""
    from config.errors import ConfigError
    from daemon.runtime.catalog import games
    from daemon.service.assembly import one_table, setup_of
    from daemon.service.offline_replay import OfflineReplay
    from drivers.capture import read_capture
    from drivers.capture_model import CaptureError

    spec = find_device(device)
    spec_of_game = games().get(game)
    by_server = spec_of_game is not None and "device" not in spec_of_game.controls
    if profile is None:
        profile = spec_of_game.default_profile if spec_of_game is not None else ""
    try:
        capture = read_capture(file)
        commanded = any(line.direction == "command" for line in capture.lines)
        table = one_table(
            game,
            profile,
            device,
            settings=read_pairs(setting),
            rules=read_pairs(rule),
            round_control="server" if commanded or by_server else "device",
        )
    except CaptureError as error:
        fail(Exit.FAILED, str(error))
    except ConfigError as error:
        problems = "; ".join(f"{found.what}; {found.expected}" for found in error.problems)
        fail(Exit.USAGE, problems)
    note_another_device(capture.header, device)
    settings = table.devices[0].settings
    run = OfflineReplay(setup_of(table), spec.under(settings), settings, _show)
    run.clock.pace = _pace(speed) if speed else None
    run.run(capture)
    _sum_up(run.tally)


def _show(blob: bytes) -> None:
    from daemon.cli.event_format import event_line

    envelope = json.loads(blob)
    answer(envelope, event_line(envelope))


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
