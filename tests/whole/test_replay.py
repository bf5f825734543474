"""The whole pipeline, offline: line traffic of real wheels in, events out."""

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

CAPTURES = Path(__file__).parents[2].parent / "shared" / "captures" / "wheel"
FILES = sorted(path for path in CAPTURES.glob("*.txt") if "ss2" in path.name)
STATUS = re.compile(r"(?:^|RX )\*X;(\d);(\d{3});(..);([0-9A-F]);\d{3};[01]$")

pytestmark = pytest.mark.skipif(not FILES, reason="the line traffic is not beside this checkout")


def replay(path: Path) -> list[dict[str, Any]]:
    command = [sys.executable, "-P", "-m", "daemon.cli.main", "replay", str(path)]
    options = ["--game", "roulette", "--device", "cammegh_ss2", "--json"]
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


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_every_number_lands_once_and_nothing_else_does(path: Path) -> None:
    landed = [one["data"] for one in replay(path) if one["type"] == "pitwire.spin.landed.v1"]
    assert [(one["spin"], one["pocket"]) for one in landed] == numbers_in(path)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_seq_has_no_gap(path: Path) -> None:
    events = replay(path)
    assert [int(one["sequence"]) for one in events] == list(range(1, len(events) + 1))


def faults(name: str) -> list[str]:
    path = next(path for path in FILES if path.name.startswith(name))
    events = replay(path)
    return [
        one["data"]["condition"] for one in events if one["type"] == "pitwire.device.faulted.v1"
    ]


def test_a_failed_launch_is_told_and_the_round_goes_on() -> None:
    assert "launch_failed" in faults("03")


def test_wheel_24_a_stalled_rotor_is_told_by_its_flag() -> None:
    assert any("sensor" in one for one in faults("08"))


def test_wheel_25_a_runaway_rotor_is_told_by_its_speed() -> None:
    assert any("runaway" in one for one in faults("07"))


def test_wheel_07_two_readers_on_one_line_make_rejects_and_no_result() -> None:
    path = next(path for path in FILES if path.name.startswith("12"))
    kinds = {one["type"] for one in replay(path)}
    assert not kinds & {"pitwire.spin.landed.v1", "pitwire.round.completed.v1"}
