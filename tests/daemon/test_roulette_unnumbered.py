"""A wheel that does not number its spins cannot show that it missed none: no result counts."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from roulette_bench import Bench, found, kinds, line

from daemon.game import RoundControl
from protocols.events import DeviceFaulted, DeviceRecovered
from protocols.instant import Instant
from protocols.readings import Reading, WheelFault, WheelNumber, WheelStatus
from protocols.rejects import RejectReason
from protocols.simulator import PowerOn, SpinBall
from protocols.wheels.napsa import DEVICE

OUTCOMES = {"spin.landed", "spin.recovered", "round.completed", "card.dealt"}
controls = pytest.mark.parametrize("control", ["server", "device"])


def simulated() -> list[tuple[float, Reading]]:
    """Three games, the second with the number of the first."""
    wheel, decoder = DEVICE.simulator(DEVICE.settings()), DEVICE.decoder(DEVICE.settings())
    start = Instant("boot", 0)
    wheel.cue(start, PowerOn())
    for pocket in ("17", "17", "0"):
        wheel.cue(start, SpinBall(pocket))
    heard: list[tuple[float, Reading]] = []
    while (due := wheel.wake_at) is not None and start.after(95).reached(due):
        for said in wheel.speak(due):
            decoded = decoder.feed(due, said)
            bodies = [one.body for one in decoded if not isinstance(one.body, RejectReason)]
            heard += [(due.ns / 1e9, body) for body in bodies]
    return heard


def run(bench: Bench, heard: list[tuple[float, Reading]]) -> None:
    last = 0.0
    for at, reading in heard:
        bench.wait(at - last)
        last = at
        bench.hear(reading)


@controls
def test_whole_games_land_nothing_and_say_why_once(control: RoundControl) -> None:
    bench = Bench(control=control)
    if control == "server":
        bench.open()
        bench.close()
    run(bench, simulated())
    assert not OUTCOMES & set(kinds(bench.events))
    assert [one.condition for one in found(bench.events, DeviceFaulted)] == ["spins_not_numbered"]


def test_a_silence_from_one_ball_into_the_next_result_gives_no_round_the_wrong_ball() -> None:
    bench = Bench(control="server")
    bench.open()
    bench.close()
    heard = simulated()
    falls = [at for at, one in heard if isinstance(one, WheelStatus) and _falls(one)]
    first, second = falls[0], next(at for at in falls if at > falls[0] + 20)
    run(bench, [one for one in heard if not first < one[0] < second + 10.5])
    assert not OUTCOMES & set(kinds(bench.events))


def _falls(status: WheelStatus) -> bool:
    return status.phase == "no_more_bets"


def test_a_round_of_such_a_wheel_can_be_voided() -> None:
    bench = Bench(control="server")
    bench.open()
    run(bench, simulated()[:20])
    assert "round.voided" in kinds(bench.void())


def test_a_wheel_with_numbers_in_its_place_ends_the_fault() -> None:
    bench = Bench()
    bench.hear(WheelStatus("place_bets", None, "17", frozenset(), 180, "clockwise"))
    events = bench.hear(line("place_bets", 11))
    assert [one.condition for one in found(events, DeviceRecovered)] == ["spins_not_numbered"]


READINGS = st.one_of(
    st.builds(
        WheelStatus,
        st.sampled_from(
            ["before_game", "place_bets", "ball_in_rim", "no_more_bets", "winning_number", "closed"]
        ),
        st.none(),
        st.sampled_from([None, "5", "17"]),
        st.frozensets(st.sampled_from(["launch_failed", "sensor_or_motor"]), max_size=1),
        st.sampled_from([0, 180, 990]),
        st.sampled_from([None, "clockwise", "counter_clockwise"]),
    ),
    st.builds(WheelNumber, st.sampled_from(["5", "17"])),
    st.just(WheelFault(7, "multiple detection")),
)


@controls
@given(lines=st.lists(READINGS, max_size=40))
@settings(max_examples=80, deadline=None)
def test_whatever_it_says_no_result_leaves(control: RoundControl, lines: list[Reading]) -> None:
    bench = Bench(control=control)
    if control == "server":
        bench.open()
        bench.close()
    for reading in lines:
        bench.wait(8)
        assert not OUTCOMES & set(kinds(bench.hear(reading)))
