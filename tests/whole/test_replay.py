"""The whole pipeline, offline: logs of wheels in, events out."""

import atexit
import json
import re
import shutil
import subprocess
import sys
import tempfile
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from support.recordings import BOTH, Source
from support.wheel_recordings import NUMBERS, wheel_log

EVERY = pytest.mark.parametrize("number", NUMBERS)
STATUS = re.compile(r"(?:^|RX )\*X;(\d);(\d{3});(..);([0-9A-F]);\d{3};[01]$")


PROFILES = Path(__file__).parents[2] / "config" / "profiles"


@cache
def house() -> str:
    """Return the path of a house that asks for no laps: short rim jets prove fewer than three."""
    folder = Path(tempfile.mkdtemp(prefix="pitwire-house-"))
    atexit.register(shutil.rmtree, folder)
    text = (PROFILES / "roulette-lv.toml").read_text("utf-8")
    own = re.sub(r"^min_revolutions = [\d.]+", "min_revolutions = 0.0", text, flags=re.MULTILINE)
    path = folder / "house.toml"
    path.write_text(own, "utf-8")
    return str(path)


@cache
def replay(path: Path, profile: str | None = None) -> list[dict[str, Any]]:
    command = [sys.executable, "-P", "-m", "daemon.cli.main", "replay", str(path)]
    options = ["--game", "roulette", "--device", "cammegh_ss2", "--json"]
    options += ["--profile", profile or house()]
    done = subprocess.run([*command, *options], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return [json.loads(line) for line in done.stdout.splitlines()]


def numbers_in(path: Path) -> list[tuple[int, str]]:
    """Return (spin, number) for each 4 -> 5 edge, read off the text by eye's own rule."""
    found, before = [], ""
    for line in path.read_text().splitlines():
        if match := STATUS.search(line):
            state, spin, number, _flags = match.groups()
            if (before, state) == ("4", "5"):
                found.append((int(spin), number.strip()))
            before = state
    return found


@BOTH
@EVERY
def test_every_number_lands_once_and_nothing_else_does(source: Source, number: int) -> None:
    path = wheel_log(source, number)
    landed = [one["data"] for one in replay(path) if one["type"] == "pitwire.spin.landed.v1"]
    assert [(one["spin"], one["pocket"]) for one in landed] == numbers_in(path)


@BOTH
@EVERY
def test_r1_where_laps_are_asked_for_each_number_lands_or_is_held(
    source: Source, number: int
) -> None:
    """What lands is a result of the file; the first that is not proven holds what follows it."""
    path = wheel_log(source, number)
    events = [
        (one["type"].split(".", 1)[1][:-3], one["data"]) for one in replay(path, "roulette-lv")
    ]
    landed = [(data["spin"], data["pocket"]) for kind, data in events if kind == "spin.landed"]
    numbers = numbers_in(path)
    assert landed == numbers[: len(landed)]
    if len(landed) < len(numbers):
        assert any(data.get("code") == "spin_unproven" for _, data in events)


@BOTH
@EVERY
def test_seq_has_no_gap(source: Source, number: int) -> None:
    events = replay(wheel_log(source, number))
    assert [int(one["sequence"]) for one in events] == list(range(1, len(events) + 1))


def faults(source: Source, number: int) -> list[str]:
    events = replay(wheel_log(source, number))
    return [
        one["data"]["condition"] for one in events if one["type"] == "pitwire.device.faulted.v1"
    ]


@BOTH
def test_a_failed_launch_is_told_and_the_round_goes_on(source: Source) -> None:
    assert "launch_failed" in faults(source, 3)


@BOTH
def test_wheel_24_a_stalled_rotor_is_told_by_its_flag(source: Source) -> None:
    assert any("sensor" in one for one in faults(source, 8))


@BOTH
def test_wheel_25_a_runaway_rotor_is_told_by_its_speed(source: Source) -> None:
    assert any("runaway" in one for one in faults(source, 7))


@BOTH
def test_wheel_07_two_readers_on_one_line_make_rejects_and_no_result(source: Source) -> None:
    kinds = {one["type"] for one in replay(wheel_log(source, 12))}
    assert not kinds & {"pitwire.spin.landed.v1", "pitwire.round.completed.v1"}
