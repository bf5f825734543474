"""Real wheels, heard through a parser of its own: independent of our decoder."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest
from support.roulette_bench import REPO, Bench, found, pocket_of

from protocols.events import DeviceFaulted, DeviceRecovered, RoundCompleted, SpinLanded
from protocols.instant import Instant
from protocols.readings import Direction, Reading, WheelFlag, WheelNumber, WheelPhase, WheelStatus

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


def _status(match: re.Match[str]) -> WheelStatus:
    state, spin, pocket, digit, speed, way = match.groups()
    ways: tuple[Direction, Direction] = ("clockwise", "counter_clockwise")
    return WheelStatus(
        phase=_PHASES[state],
        spin=int(spin),
        pocket=pocket.strip() or None,
        flags=frozenset(flag for bit, flag in _FLAGS.items() if int(digit, 16) & bit),
        rotor_tenths_rpm=int(speed),
        direction=None if state == "6" else ways[int(way)],
    )


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
            yield at, _status(status)
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


def test_29_the_rotors_direction_alternates_as_the_wheel_is_set_to() -> None:
    ways = [one.direction for one in found(_play("01").events, SpinLanded)]
    assert ways == ["counter_clockwise", "clockwise"] * 3


@pytest.mark.parametrize("capture", ["01", "02", "07", "12", "16"])
def test_41_only_edges_change_the_state(capture: str) -> None:
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


_TRUTH: Final = {11: "27", 12: "16", 13: "6", 14: "3", 15: "10", 16: "0"}


def _hear_all(readings: list[tuple[float, Reading]]) -> Bench:
    bench = Bench()
    for at, reading in readings:
        bench.wait(max(at - bench.now.ns / 1e9, 0.0))
        bench.hear(reading)
        while bench.state.held:
            bench.resolve(bench.state.open[-1].violation.code, "void")
    return bench


@pytest.mark.parametrize("seed", range(40))
def test_lost_lines_lose_results_and_never_change_one(seed: int) -> None:
    chance = random.Random(seed)
    readings = [
        one for one in _read(next(FOLDER.glob("01_*.txt"))) if chance.random() > seed % 10 / 10
    ]
    bench = _hear_all(readings)
    landed = [(one.spin, one.pocket) for one in found(bench.events, SpinLanded)]
    assert len(set(landed)) == len(landed)
    assert set(landed) <= set(_TRUTH.items())


def _flip(reading: WheelStatus, chance: random.Random) -> WheelStatus | None:
    """Flip one bit of the line as it is on the wire; None where no line comes of it."""
    state = {phase: digit for digit, phase in _PHASES.items()}[reading.phase]
    digit = f"{sum(bit for bit, flag in _FLAGS.items() if flag in reading.flags):X}"
    way = "1" if reading.direction == "counter_clockwise" else "0"
    wire = bytearray(
        f"*X;{state};{reading.spin:03d};{reading.pocket or '':>2};{digit};"
        f"{reading.rotor_tenths_rpm:03d};{way}".encode()
    )
    wire[chance.randrange(len(wire))] ^= 1 << chance.randrange(7)
    match = _STATUS.fullmatch(wire.decode())
    return None if match is None else _status(match)


@pytest.mark.parametrize("seed", range(60))
def test_a_flipped_bit_now_and_then_never_changes_a_result(seed: int) -> None:
    chance = random.Random(seed)
    readings: list[tuple[float, Reading]] = []
    for at, reading in _read(next(FOLDER.glob("01_*.txt"))):
        spoiled: Reading | None = reading
        if isinstance(reading, WheelStatus) and chance.random() < 0.02:
            spoiled = _flip(reading, chance)
        if spoiled is not None:
            readings.append((at, spoiled))
    bench = _hear_all(readings)
    landed = [(one.spin, one.pocket) for one in found(bench.events, SpinLanded)]
    assert len(set(landed)) == len(landed)
    assert set(landed) <= set(_TRUTH.items())
