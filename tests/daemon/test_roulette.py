"""Roulette: who opens and closes, and what makes a result sure."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from roulette_bench import Bench, found, kinds, profile

from protocols.commands import BurnCards, CloseBets, OpenRound, Refusal
from protocols.events import (
    ResultEnteredManually,
    RoundBetsClosed,
    RoundCompleted,
    RoundOpened,
    SpinInvalid,
    SpinLanded,
    SpinRecovered,
    ViolationRaised,
)
from protocols.readings import WheelPhase

_HEALTHY = [
    "round.opened",
    "round.bets_closed",
    "spin.started",
    "spin.ball_in_rim",
    "spin.no_more_bets",
    "spin.landed",
    "round.completed",
]


# --- the wheel opens and closes -------------------------------------------------------------


def test_a_healthy_spin_is_told_in_order() -> None:
    bench = Bench()
    bench.spin_to("no_more_bets")
    bench.number("27")
    bench.say("winning_number", 11, "27", after=26)
    assert kinds(bench.events)[1:] == _HEALTHY
    (landed,) = found(bench.events, SpinLanded)
    assert (landed.spin, landed.pocket, landed.direction) == (11, "27", "clockwise")
    # 1 + 4 s / 1.43 s + 3.5
    assert landed.laps == pytest.approx(7.3, abs=0.05)
    assert found(bench.events, RoundBetsClosed)[0].by == "device"
    assert found(bench.events, RoundOpened)[0].round_id == "r1-1"


def test_nothing_of_the_ball_is_told_while_bets_are_open() -> None:
    bench = Bench()
    bench.say("place_bets", 11, "34")
    assert bench.say("place_bets", 11, "34", rpm=0) == []
    assert bench.say("ball_in_rim", 11, "34") == []


def test_a_live_rim_is_told_at_once() -> None:
    bench = Bench(profile(rim_event="live"))
    bench.say("place_bets", 11, "34")
    assert kinds(bench.say("place_bets", 11, "34", rpm=0)) == ["spin.started"]
    assert kinds(bench.say("ball_in_rim", 11, "34")) == ["spin.ball_in_rim"]


def test_a_spin_is_due_until_its_ball_runs() -> None:
    bench = Bench()
    assert not bench.spin_is_due
    bench.say("place_bets", 11, "34")
    assert bench.spin_is_due
    bench.say("ball_in_rim", 11, "34")
    assert not bench.spin_is_due


@pytest.mark.parametrize("phase", ["ball_in_rim", "no_more_bets", "ball_off_track"])
def test_a_stream_that_begins_in_mid_spin_takes_the_spin_up(phase: WheelPhase) -> None:
    bench = Bench()
    heard = bench.say(phase, 11, "34")
    assert kinds(heard)[:2] == ["round.opened", "round.bets_closed"]
    bench.say("no_more_bets", 11, "34")
    bench.number("27")
    bench.say("winning_number", 11, "27")
    assert [one.laps for one in found(bench.events, SpinLanded)] == [None]


def test_a_stream_that_begins_with_a_result_shows_an_old_one() -> None:
    bench = Bench()
    heard = [*bench.say("winning_number", 11, "27"), *bench.say("winning_number", 11, "27")]
    assert heard == []
    assert kinds(bench.say("place_bets", 12, "27")) == ["round.opened"]


def test_state_seven_is_a_late_no_more_bets() -> None:
    bench = Bench()
    bench.spin_to("no_more_bets")
    assert bench.say("ball_off_track", 11, "34") == []
    bench.number("27")
    bench.say("winning_number", 11, "27")
    assert bench.pockets == ["27"]


def test_a_rim_that_was_not_seen_leaves_the_laps_unknown() -> None:
    bench = Bench()
    bench.say("place_bets", 11, "34")
    assert kinds(bench.say("no_more_bets", 11, "34")) == [
        "round.bets_closed",
        "spin.started",
        "spin.no_more_bets",
    ]
    bench.say("winning_number", 11, "27", after=26)
    bench.say("winning_number", 11, "27")
    assert [one.laps for one in found(bench.events, SpinLanded)] == [None]
    assert bench.codes == []


# --- the server opens and closes ------------------------------------------------------------


def test_commands_open_and_close_where_the_server_has_the_rounds() -> None:
    bench = Bench(control="server")
    bench.say("place_bets", 11, "34")
    bench.open()
    bench.say("ball_in_rim", 11, "34", after=6)
    assert kinds(bench.close()) == ["round.bets_closed", "spin.started", "spin.ball_in_rim"]
    assert kinds(bench.say("no_more_bets", 11, "34", after=4)) == ["spin.no_more_bets"]
    bench.number("27")
    bench.say("winning_number", 11, "27", after=26)
    assert bench.pockets == ["27"]


@pytest.mark.parametrize("phase", ["ball_in_rim", "no_more_bets", "winning_number"])
def test_no_round_opens_under_a_running_ball(phase: WheelPhase) -> None:
    bench = Bench(control="server")
    bench.spin_to(phase)
    assert bench.refused(OpenRound("R1")) is Refusal.WRONG_PHASE


def test_a_round_may_open_while_the_last_result_is_shown() -> None:
    bench = Bench(control="server")
    bench.say("place_bets", 11)
    bench.open()
    bench.close()
    bench.spin_to("winning_number")
    bench.say("winning_number", 11, "27")
    assert bench.pockets == ["27"]
    bench.open("R2")
    assert bench.refused(OpenRound("R3")) is Refusal.ROUND_OPEN
    assert bench.say("winning_number", 11, "27") == []


def test_commands_that_mean_nothing_here_are_refused() -> None:
    bench = Bench()
    assert bench.refused(OpenRound("R1")) is Refusal.ROUNDS_BY_DEVICE
    assert bench.refused(CloseBets("R1")) is Refusal.WRONG_ROUND
    assert bench.refused(BurnCards(1, "shuffle")) is Refusal.NOT_THIS_GAME


def test_a_ball_that_lands_before_the_call_waits_for_a_supervisor() -> None:
    bench = Bench(control="server")
    bench.say("place_bets", 11)
    bench.open()
    bench.spin_to("winning_number")
    bench.say("winning_number", 11, "27")
    assert bench.codes == ["ball_before_no_more_bets"]
    assert bench.pockets == []
    heard = bench.resolve("ball_before_no_more_bets", "accept")
    assert [one.pocket for one in found(heard, SpinLanded)] == ["27"]
    assert bench.pockets == ["27"]


def test_a_house_may_let_the_wheel_end_the_betting() -> None:
    bench = Bench(profile(bets_end="device"), control="server")
    bench.say("place_bets", 11)
    bench.open()
    assert found(bench.spin_to("no_more_bets"), RoundBetsClosed)[0].by == "device"


# --- two statements -------------------------------------------------------------------------


def test_one_status_line_alone_is_no_result() -> None:
    bench = Bench()
    bench.spin_to("winning_number")
    assert bench.pockets == []
    bench.say("winning_number", 11, "27")
    assert bench.pockets == ["27"]


def test_the_number_alone_said_twice_is_one_statement() -> None:
    bench = Bench()
    bench.spin_to("no_more_bets")
    assert bench.number("27") == bench.number("27") == []


def test_the_number_may_come_after_the_status_line() -> None:
    bench = Bench()
    bench.spin_to("winning_number")
    bench.number("27")
    assert bench.pockets == ["27"]


@pytest.mark.parametrize("bare", [True, False])
def test_statements_that_differ_are_a_conflict(*, bare: bool) -> None:
    bench = Bench()
    bench.spin_to("no_more_bets")
    if bare:
        bench.number("9")
    else:
        bench.say("winning_number", 11, "9")
    bench.say("winning_number", 11, "29")
    assert bench.codes == ["pocket_conflict"]
    (violation,) = found(bench.events, ViolationRaised)
    assert "9, then 29" in violation.detail
    bench.say("winning_number", 11, "29")
    assert bench.pockets == []
    assert bench.refused(bench.decision("pocket_conflict", "correct", "47")) is (
        Refusal.VALUE_MISSING
    )
    heard = bench.resolve("pocket_conflict", "correct", "29")
    assert kinds(heard)[-2:] == ["result.entered_manually", "round.completed"]
    assert found(heard, ResultEnteredManually)[0].value == "29"
    assert found(heard, SpinLanded) == []


def test_a_result_is_told_once_and_equal_numbers_in_a_row_are_legal() -> None:
    bench = Bench()
    for spin in (11, 12, 13):
        bench.spin_to("winning_number", spin, "27")
        for _ in range(9):
            bench.say("winning_number", spin, "27")
    assert bench.pockets == ["27", "27", "27"]
    assert bench.codes == []


def test_one_odd_line_after_the_result_is_noise_and_two_are_a_conflict() -> None:
    bench = Bench()
    bench.spin_to("winning_number")
    bench.say("winning_number", 11, "27")
    bench.say("winning_number", 11, "26")
    bench.say("winning_number", 11, "27")
    bench.say("winning_number", 11, "26")
    assert bench.codes == []
    bench.say("winning_number", 11, "26")
    assert bench.codes == ["result_conflict"]
    assert bench.pockets == ["27"]


def test_a_pocket_that_the_wheel_does_not_have_is_no_result() -> None:
    bench = Bench()
    bench.spin_to("no_more_bets")
    bench.number("00")
    bench.say("winning_number", 11, "00")
    assert bench.codes == ["pocket_unknown"]
    assert bench.pockets == []


def test_a_result_without_a_round_is_late_and_said_once() -> None:
    bench = Bench(control="server")
    bench.spin_to("winning_number")
    for _ in range(5):
        bench.say("winning_number", 11, "27")
    assert bench.codes == ["late_result"]
    assert not bench.state.held


def test_too_few_laps_are_no_spin() -> None:
    bench = Bench()
    bench.say("place_bets", 11)
    bench.say("ball_in_rim", 11)
    bench.say("no_more_bets", 11, after=1)
    bench.number("27")
    bench.say("winning_number", 11, "27", after=3)
    assert bench.codes == ["invalid_spin"]
    assert [one.spin for one in found(bench.events, SpinInvalid)] == [11]
    assert bench.pockets == []


# --- the spin number --------------------------------------------------------------------------


@pytest.mark.parametrize("to_next", [(11, 12), (256, 0), (256, 1)])
def test_a_result_that_was_passed_over_is_recovered_and_never_landed(
    to_next: tuple[int, int],
) -> None:
    bench = Bench()
    bench.spin_to("no_more_bets", to_next[0])
    heard = bench.say("place_bets", to_next[1], "27")
    assert [one.pocket for one in found(heard, SpinRecovered)] == ["27"]
    assert bench.codes == ["spin_lost"]
    heard = bench.resolve("spin_lost", "accept")
    assert kinds(heard)[-2:] == ["result.entered_manually", "round.completed"]
    assert bench.pockets == ["27"]
    assert found(bench.events, SpinLanded) == []


def test_one_statement_and_then_the_next_spin_is_doubtful() -> None:
    bench = Bench()
    bench.spin_to("winning_number")
    assert found(bench.say("place_bets", 12, "27"), SpinRecovered)[0].pocket == "27"
    assert bench.codes == ["spin_lost"]


def test_one_statement_that_the_next_spin_contradicts_is_a_conflict() -> None:
    bench = Bench()
    bench.spin_to("winning_number")
    bench.say("place_bets", 12, "26")
    assert bench.codes == ["pocket_conflict"]


@pytest.mark.parametrize(
    ("spin", "last", "word"), [(14, "27", "spin 14 after"), (1, None, "mains"), (9, "3", "spin 9")]
)
def test_a_spin_number_that_jumps_or_starts_over_loses_the_spin_without_a_value(
    spin: int, last: str | None, word: str
) -> None:
    bench = Bench()
    bench.spin_to("no_more_bets")
    heard = bench.say("place_bets", spin, last)
    assert found(heard, SpinRecovered) == []
    (violation,) = found(heard, ViolationRaised)
    assert violation.code == "spin_lost"
    assert word in violation.detail


def test_a_lost_spin_that_is_accepted_is_spun_again_for_the_same_round() -> None:
    bench = Bench()
    bench.spin_to("no_more_bets")
    bench.say("place_bets", 14, "3")
    bench.resolve("spin_lost", "accept")
    assert bench.spin_is_due
    bench.spin_to("winning_number", 14, "3")
    bench.say("winning_number", 14, "27")
    assert [one.round_id for one in found(bench.events, RoundCompleted)] == ["r1-1"]


def test_a_spin_number_decides_once_even_after_the_wheel_was_closed() -> None:
    bench = Bench()
    bench.spin_to("winning_number")
    bench.say("winning_number", 11, "27")
    bench.say("closed", 11, "27", rpm=0)
    bench.spin_to("winning_number", 11, "27")
    bench.say("winning_number", 11, "27")
    assert bench.pockets == ["27"]
    assert bench.codes == ["spin_lost"]


@given(st.lists(st.sampled_from(profile().wheel), min_size=1, max_size=12), st.booleans())
def test_any_run_of_numbers_arrives_whole_and_in_order(numbers: list[str], bare: bool) -> None:
    bench = Bench()
    last = "0"
    for spin, number in enumerate(numbers, 1):
        bench.spin_to("no_more_bets", spin, last)
        if bare:
            bench.number(number)
        for _ in range(4):
            bench.say("winning_number", spin, number, after=7)
        last = number
    assert bench.pockets == numbers
    assert bench.codes == []
