"""The drift watch: exact figures, what a fair wheel does, what an unfair one does, and the table.

chi-squared: NIST/SEMATECH e-Handbook, section 1.3.6.7.4, upper critical values. Ratios by hand.
"""

from __future__ import annotations

import itertools
import json
import math
import random
from collections.abc import Iterator, Sequence
from typing import Final

import pytest
from support.roulette_bench import RouletteBench, profile
from support.table_bench import found, kinds

from daemon.games.roulette import GAME
from daemon.games.roulette.drift import CHECK, CHI_AT, WINDOW, Drift, judge, watch
from daemon.games.roulette.fairness import chi_squared, scan, survival
from daemon.games.roulette.profile import RouletteProfile
from daemon.runtime.codec import StateCodec
from protocols.canonical import canonical
from protocols.events import Event, WheelDriftSuspected, WheelSelfTested
from protocols.readings import Direction, WheelFault

WHEEL: Final = profile().wheel
SIZE: Final = len(WHEEL)
RATE: Final = profile().drift_alarms_per_decade
WAYS: Final[tuple[Direction, Direction]] = ("clockwise", "counter_clockwise")


def played(pockets: Sequence[str], rate: float = RATE) -> Iterator[tuple[Drift, object]]:
    drift = Drift()
    for pocket, way in zip(pockets, itertools.cycle(WAYS), strict=False):
        drift, alarm = watch(drift, pocket, way, WHEEL, rate)
        yield drift, alarm


def alarms(pockets: Sequence[str], rate: float = RATE) -> list[tuple[int, WheelDriftSuspected]]:
    return [
        (number, one)
        for number, (_, one) in enumerate(played(pockets, rate), 1)
        if isinstance(one, WheelDriftSuspected)
    ]


def sector(lift: float, first: int = 30, width: int = 9) -> list[float]:
    """Return the weights of a wheel with a sector that is too strong."""
    hot = {(first + step) % SIZE for step in range(width)}
    rest = (SIZE - width * (1 + lift)) / (SIZE - width)
    return [1 + lift if place in hot else rest for place in range(SIZE)]


# --- exact figures -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("freedom", "critical"),
    [
        (1, [(0.10, 2.706), (0.05, 3.841), (0.01, 6.635), (0.001, 10.828)]),
        (2, [(0.10, 4.605), (0.05, 5.991), (0.01, 9.210), (0.001, 13.816)]),
        (36, [(0.10, 47.212), (0.05, 50.998), (0.01, 58.619), (0.001, 67.985)]),
        (37, [(0.10, 48.363), (0.05, 52.192), (0.01, 59.893), (0.001, 69.346)]),
    ],
)
def test_chi_squared_exceeds_the_published_values_as_often_as_published(
    freedom: int, critical: list[tuple[float, float]]
) -> None:
    for tail, value in critical:
        assert survival(value, freedom) == pytest.approx(tail, rel=1e-3)


def test_chi_squared_of_counts_is_pearsons() -> None:
    # Six sides, 60 throws, 10 expected of each.
    assert chi_squared([5, 8, 12, 9, 10, 16]) == pytest.approx((25 + 4 + 4 + 1 + 0 + 36) / 10)
    assert chi_squared([7] * 37) == 0


def test_the_evidence_is_the_mean_of_the_ratios() -> None:
    # Two pockets, two balls in the first and one in the second; a pocket is lifted by 20, 40 or
    # 80 % and the other lowered by as much.
    first = 1.2**2 * 0.8 + 1.4**2 * 0.6 + 1.8**2 * 0.2
    second = 1.2 * 0.8**2 + 1.4 * 0.6**2 + 1.8 * 0.2**2
    assert (first + second) / 6 == pytest.approx(0.72)
    assert math.exp(scan([2, 1]).log_e()) == pytest.approx(0.72)


def test_a_sector_runs_on_past_the_zero() -> None:
    # Nine pockets from place 30 on, 100 balls each; 50 in every other.
    counts = [100 if place >= 30 or place < 2 else 50 for place in range(SIZE)]
    assert scan(counts).sector() == (30, 31, 32, 33, 34, 35, 36, 0, 1)


@pytest.mark.parametrize("size", [2, 3, 4, 6])
def test_the_mean_evidence_of_every_run_of_a_fair_wheel_is_one(size: int) -> None:
    """What Ville's inequality asks for, by counting all sequences of five balls."""
    runs = list(itertools.product(range(size), repeat=5))
    evidence = [math.exp(scan([run.count(one) for one in range(size)]).log_e()) for run in runs]
    assert math.fsum(evidence) / len(runs) == pytest.approx(1.0, abs=1e-12)


def test_the_peak_is_never_below_the_evidence() -> None:
    draw = random.Random(1)
    for _ in range(50):
        row = scan([draw.randrange(40) for _ in range(SIZE)])
        assert row.peak() >= row.log_e()


# --- a fair wheel and an unfair one --------------------------------------------------------


def test_a_fair_wheel_keeps_within_the_rate_it_is_allowed() -> None:
    """At 46 alarms in a decade of 92 windows, 16 windows bear 8 on average."""
    draw, drift, seen, rate = random.Random(5), Drift(), 0, 46.0
    for _ in range(16 * WINDOW // CHECK):
        drift = more(drift, draw)
        alarm = judge(drift, WHEEL, rate)
        seen += alarm is not None
        if alarm is not None or drift.spins >= WINDOW:
            drift = Drift()
    assert 1 <= seen <= 8


def more(drift: Drift, draw: random.Random) -> Drift:
    """Return the counts at the next look, drawn in bulk."""
    rows = []
    for row in (drift.clockwise, drift.counter_clockwise):
        counts = list(row) or [0] * SIZE
        for place in draw.choices(range(SIZE), k=CHECK // 2):
            counts[place] += 1
        rows.append(tuple(counts))
    return Drift(drift.spins + CHECK, *rows)


def test_a_fair_wheel_raises_nothing_in_a_hundred_days() -> None:
    assert alarms(random.Random(2).choices(WHEEL, k=100_000)) == []


@pytest.mark.parametrize("seed", range(3))
def test_nine_pockets_a_tenth_too_strong_are_found_and_named(seed: int) -> None:
    balls = random.Random(seed).choices(WHEEL, weights=sector(0.10), k=WINDOW)
    spins, alarm = alarms(balls)[0]
    assert spins < 20_000
    assert alarm.test == "sector"
    strong = {WHEEL[(30 + step) % SIZE] for step in range(9)}
    assert len(strong & set(alarm.pockets)) >= 5
    assert alarm.e_value is not None
    assert alarm.e_value >= 2 * (92 + RATE) / RATE  # half of the error of one of 92 windows


def test_a_sector_in_one_direction_only_is_found_there() -> None:
    draw = random.Random(4)
    strong = draw.choices(WHEEL, weights=sector(0.30), k=WINDOW // 2)
    fair = draw.choices(WHEEL, k=WINDOW // 2)
    spins, alarm = alarms([one for pair in zip(fair, strong, strict=True) for one in pair])[0]
    assert alarm.direction == "counter_clockwise"
    assert alarm.spins == spins // 2


def test_scattered_pockets_are_found_by_all_counts_together() -> None:
    """Every other pocket 25 % too strong: no sector of neighbours shows it."""
    balls = random.Random(3).choices(WHEEL, weights=[1.0, 1.16] * 18 + [1.0], k=WINDOW)
    spins, alarm = alarms(balls)[0]
    assert spins in CHI_AT
    assert (alarm.test, alarm.e_value, len(alarm.pockets)) == ("pockets", None, 1)
    assert alarm.p_value is not None
    assert alarm.p_value < RATE / (92 + RATE) / 2 / 4


def test_a_stuck_pocket_is_named_at_the_first_look() -> None:
    spins, alarm = alarms(["17"] * CHECK)[0]
    assert spins == CHECK
    assert (alarm.pockets, alarm.hits, alarm.spins) == (("17",), CHECK, CHECK)
    assert (alarm.expected, alarm.excess) == (5.4, 36.0)


@pytest.mark.parametrize("rate", [5e-324, 1e-300, 1e300])
def test_the_evidence_is_a_finite_number_whatever_the_rate(rate: float) -> None:
    _, alarm = alarms(["17"] * 10 * CHECK, rate)[0]
    assert alarm.e_value is not None
    assert math.isfinite(alarm.e_value)


# --- what is remembered --------------------------------------------------------------------


def test_the_same_balls_give_the_same_counts_and_alarms() -> None:
    balls = random.Random(6).choices(WHEEL, weights=sector(0.4), k=5_000)
    assert list(played(balls)) == list(played(balls))


def test_the_count_begins_anew_after_an_alarm_and_after_a_window() -> None:
    *_, (after_alarm, alarm) = played(["17"] * CHECK)
    assert alarm is not None
    assert after_alarm == Drift()
    balls = [WHEEL[number % SIZE] for number in range(WINDOW)]
    counts = [drift.spins for drift, _ in played(balls)]
    assert counts == [*range(1, WINDOW), 0]


def test_a_wheel_of_another_size_is_counted_from_its_first_ball() -> None:
    drift, _ = watch(Drift(), "17", "clockwise", WHEEL, RATE)
    double = profile("roulette-00").wheel
    drift, _ = watch(drift, "00", None, double, RATE)
    assert drift == Drift(1, unsaid=tuple(int(one == "00") for one in double))


def test_directions_are_counted_apart() -> None:
    drift = Drift()
    for way in ("clockwise", "counter_clockwise", None, None):
        drift, _ = watch(drift, "0", way, WHEEL, RATE)
    assert [drift.clockwise[0], drift.counter_clockwise[0], drift.unsaid[0]] == [1, 1, 2]
    assert drift.counts() == (4, *(0,) * 36)


@pytest.mark.parametrize("wheel", [("0",), ("0", "1"), tuple("0123456")])
def test_a_wheel_of_a_few_pockets_is_watched_as_far_as_it_goes(wheel: tuple[str, ...]) -> None:
    drift = Drift()
    for number in range(2 * CHECK):
        drift, alarm = watch(drift, wheel[number % len(wheel)], None, wheel, RATE)
        assert alarm is None


# --- at the table --------------------------------------------------------------------------


def spins(bench: RouletteBench, number: int, rules: RouletteProfile) -> list[Event]:
    """Let the same pocket come up in healthy spins, the rotor reversing."""
    heard: list[Event] = []
    for spin in range(1, number + 1):
        way = WAYS[spin % 2]
        for phase, seconds in (("place_bets", 4.0), ("ball_in_rim", 6.0), ("no_more_bets", 4.0)):
            heard += bench.say(phase, spin, after=seconds, way=way)  # type: ignore[arg-type] # a tuple of literals widens to str
        heard += bench.say("winning_number", spin, rules.wheel[3], after=26.0, way=way)
        heard += bench.number(rules.wheel[3])
    return heard


def test_an_alarm_follows_the_outcome_and_holds_nothing() -> None:
    rules = profile(min_revolutions=0.0)  # one line in the rim proves no laps
    bench = RouletteBench(rules)
    heard = spins(bench, CHECK, rules)
    assert kinds(heard)[-3:] == ["spin.landed", "round.completed", "wheel.drift_suspected"]
    alarm = found(heard, WheelDriftSuspected)[0]
    assert (alarm.pockets, alarm.spins) == ((rules.wheel[3],), CHECK)
    assert not bench.state.held
    assert bench.game.drift == Drift()


def test_only_a_landed_ball_is_counted_and_the_state_survives_a_restart() -> None:
    rules = profile(min_revolutions=0.0)  # one line in the rim proves no laps
    bench = RouletteBench(rules)
    spins(bench, 3, rules)
    before = bench.game.drift
    assert (before.spins, before.counts()[3]) == (3, 3)
    assert (before.clockwise[3], before.counter_clockwise[3]) == (1, 2)
    bench.spin_to("no_more_bets", spin=4)
    bench.void()
    bench.say("winning_number", 4, "27", after=26.0)
    bench.number("27")
    assert bench.game.drift == before
    codec = StateCodec(GAME)
    blob = canonical(codec.dump(bench.state))
    assert canonical(codec.dump(codec.load(json.loads(blob)))) == blob


def test_a_self_test_is_on_record_passed_or_not() -> None:
    bench = RouletteBench()
    bench.say("closed", 11, None, rpm=0.0, way=None)
    heard = bench.hear(WheelFault(0, "none"))
    assert heard == [WheelSelfTested(0, "none", passed=True)]
    heard = bench.hear(WheelFault(13, "sensor 3 stuck on"))
    assert heard[0] == WheelSelfTested(13, "sensor 3 stuck on", passed=False)
    assert kinds(heard) == ["wheel.self_tested", "device.faulted"]


def test_a_fault_of_play_is_no_self_test() -> None:
    bench = RouletteBench()
    bench.spin_to("ball_in_rim")
    assert kinds(bench.hear(WheelFault(13, "sensor 3 stuck on"))) == ["device.faulted"]
