"""Real wheels, heard through a parser of its own: independent of our decoder."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest
from roulette_bench import REPO, Bench, found, pocket_of

from protocols.events import DeviceFaulted, DeviceRecovered, RoundCompleted, SpinLanded
from protocols.instant import Instant
from protocols.readings import Reading, WheelFlag, WheelNumber, WheelPhase, WheelStatus

FOLDER: Final = REPO.parent / "shared" / "captures" / "wheel"
pytestmark = pytest.mark.skipif(not FOLDER.is_dir(), reason="the captures are not shared here")

_STATUS: Final = re.compile(r"\*X;([1-7]);(\d{3});([ \d]\d|  );([0-9A-F]);(\d{3});([01])")
_PHASES: Final[dict[str, WheelPhase]] = {
    "1": "before_game",
    "2": "place_bets",
    "3": "ball_in_rim",
    "4": "no_more_bets",
    "5": "winning_number",
    "6": "closed",
    "7": "ball_off_track",
}
_FLAGS: Final[dict[int, WheelFlag]] = {
    1: "ball_not_detected",
    2: "ball_wrong_way",
    4: "sensor_or_motor",
    8: "launch_failed",
}


def _read(path: Path) -> Iterator[tuple[float, Reading]]:
    clock = 0.0
    for text in path.read_text().splitlines():
        if text.startswith("#"):
            continue
        timed = re.match(r"\s*(\d+\.\d+) (RX|TX) (.*)", text)
        if timed is not None and timed[2] == "TX":
            continue
        said = text if timed is None else timed[3]
        status = _STATUS.fullmatch(said)
        if timed is None and status is not None:
            clock += 0.5
        at = clock if timed is None else float(timed[1])
        if status is not None:
            state, spin, pocket, digit, speed, way = status.groups()
            flags = frozenset(flag for bit, flag in _FLAGS.items() if int(digit, 16) & bit)
            direction = None if state == "6" else ("clockwise", "counter_clockwise")[int(way)]
            phase = _PHASES[state]
            last = pocket.strip() or None
            yield at, WheelStatus(phase, int(spin), last, flags, int(speed), direction)  # type: ignore[arg-type] # a tuple of literals widens to str
        elif re.fullmatch(r" \d|[1-3]\d|00", said):
            yield at, WheelNumber(said.strip())


def _play(number: str) -> Bench:
    (path,) = FOLDER.glob(f"{number}_*.txt")
    bench = Bench()
    for at, reading in _read(path):
        bench.wait(max(at - bench.now.ns / 1e9, 0.0))
        bench.hear(reading)
    return bench


@pytest.mark.parametrize(
    ("capture", "spins", "pockets"),
    [
        ("01", [11, 12, 13, 14, 15, 16], ["27", "16", "6", "3", "10", "0"]),
        ("02", [52, 53, 54], ["18", "17", "16"]),
        ("03", [51], ["2"]),
    ],
)
def test_every_game_gives_its_number_exactly_once(
    capture: str, spins: list[int], pockets: list[str]
) -> None:
    bench = _play(capture)
    landed = found(bench.events, SpinLanded)
    assert [one.spin for one in landed] == spins
    assert [one.pocket for one in landed] == pockets
    completed = found(bench.events, RoundCompleted)
    assert [pocket_of(one) for one in completed] == pockets
    assert len({one.round_id for one in completed}) == len(completed)
    assert bench.codes == []


@pytest.mark.parametrize("capture", ["05", "07", "08", "09", "10", "11", "12", "14", "15"])
def test_a_capture_without_a_result_gives_none(capture: str) -> None:
    assert _play(capture).pockets == []


@pytest.mark.parametrize("capture", ["16", "18", "19", "23"])
def test_a_capture_that_ends_before_the_result_gives_none(capture: str) -> None:
    assert _play(capture).pockets == []


@pytest.mark.parametrize(
    ("capture", "codes"),
    [
        ("05", []),
        ("07", ["rotor_out_of_range", "wheel_closed"]),
        ("08", []),
        ("09", []),
        ("10", ["rotor_out_of_range", "wheel_closed"]),
        ("11", []),
        ("12", []),
        ("14", []),
        ("15", []),
        ("16", ["rotor_out_of_range", "sensor_fault"]),
        ("18", []),
        ("19", []),
        ("23", []),
    ],
)
def test_what_a_capture_holds_is_what_its_notes_say(capture: str, codes: list[str]) -> None:
    assert _play(capture).codes == codes


def _faults(bench: Bench) -> list[str]:
    told = {DeviceFaulted: "+", DeviceRecovered: "-"}
    return [
        told[type(one)] + one.condition
        for one in bench.events
        if isinstance(one, DeviceFaulted | DeviceRecovered)
    ]


@pytest.mark.parametrize(
    ("capture", "faults"),
    [
        # a failed launch, retried by the wheel: told once, taken back with the ball in the rim
        ("03", ["+launch_failed", "+launch_slow", "-launch_slow", "-launch_failed"]),
        # never recovers; the operator stops the wheel
        ("05", ["+launch_failed", "+launch_slow", "-launch_slow", "-launch_failed"]),
        # 'ball not detected' flickers and is never held for 5 s; 36 s in state 4 before it closes
        ("07", ["+rotor_runaway", "-rotor_runaway", "+result_slow", "-result_slow"]),
        # the rotor does not move at power-on; the second start clears it
        (
            "08",
            [
                "+sensor_or_motor",
                "-sensor_or_motor",
                "+sensor_or_motor",
                "-sensor_or_motor",
            ],
        ),
        # 95.3 rpm, then 000 for 2 s: over-range, not standstill; over only at 12.1 rpm
        ("16", ["+rotor_runaway", "-rotor_runaway", "+sensor_or_motor"]),
        ("18", ["+sensor_or_motor"]),
        ("01", []),
        ("02", []),
        ("14", []),
    ],
)
def test_flags_are_told_as_the_notes_of_the_capture_say(capture: str, faults: list[str]) -> None:
    assert _faults(_play(capture)) == faults


def test_laps_are_estimated_where_the_whole_spin_was_seen() -> None:
    laps = [one.laps for one in found(_play("02").events, SpinLanded)]
    assert laps[0] is None, "the capture begins in the rim"
    assert all(one is not None and one > 4 for one in laps[1:])


def test_the_rotors_direction_alternates_as_the_wheel_is_set_to() -> None:
    ways = [one.direction for one in found(_play("01").events, SpinLanded)]
    assert ways == ["counter_clockwise", "clockwise"] * 3


@pytest.mark.parametrize("capture", ["01", "02", "07", "12", "16"])
def test_only_edges_change_the_state(capture: str) -> None:
    """Each line again at once, as from a poll: nothing new, except that a result is confirmed."""
    (path,) = FOLDER.glob(f"{capture}_*.txt")
    bench = Bench()
    for at, reading in _read(path):
        bench.wait(max(at - bench.now.ns / 1e9, 0.0))
        bench.hear(reading)
        if isinstance(reading, WheelStatus) and reading.phase != "winning_number":
            before = bench.state
            assert bench.hear(reading) == []
            assert bench.state == before


def test_a_steady_wheel_costs_a_handful_of_records_a_game() -> None:
    bench = Bench()
    changes = 0
    (path,) = FOLDER.glob("01_*.txt")
    readings = list(_read(path))
    for at, reading in readings:
        bench.now = Instant("boot", round(at * 1e9))
        before = bench.state
        changes += bool(bench.hear(reading)) or bench.state != before
    assert len(readings) > 400
    assert changes <= 8 * 7
