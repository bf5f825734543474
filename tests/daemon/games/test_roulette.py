"""Roulette: what makes a result sure."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.roulette_bench import RouletteBench, profile
from support.table_bench import found, kinds

from daemon.games.roulette.profile import RouletteProfile
from protocols.commands import AnnounceResult
from protocols.events import (
    ResultEnteredManually,
    RoundCompleted,
    SpinInvalid,
    SpinLanded,
    SpinRecovered,
    ViolationRaised,
)
from protocols.refusals import Refusal

# --- two statements -------------------------------------------------------------------------


def test_one_status_line_alone_is_no_result() -> None:
    bench = RouletteBench()
    bench.spin_to("winning_number")
    assert bench.pockets == []
    bench.say("winning_number", 11, "27")
    assert bench.pockets == ["27"]


def test_the_number_alone_said_twice_is_one_statement() -> None:
    bench = RouletteBench()
    bench.spin_to("no_more_bets")
    assert bench.number("27") == bench.number("27") == []


def test_the_number_may_come_after_the_status_line() -> None:
    bench = RouletteBench()
    bench.spin_to("winning_number")
    bench.number("27")
    assert bench.pockets == ["27"]


@pytest.mark.parametrize("bare", [True, False])
def test_13_statements_that_differ_are_a_conflict(*, bare: bool) -> None:
    bench = RouletteBench()
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


def test_11_12_a_result_is_told_once_and_equal_numbers_in_a_row_are_legal() -> None:
    bench = RouletteBench()
    for spin in (11, 12, 13):
        bench.spin_to("winning_number", spin, "27")
        for _ in range(9):
            bench.say("winning_number", spin, "27")
    assert bench.pockets == ["27", "27", "27"]
    assert bench.codes == []


def test_one_odd_line_after_the_result_is_noise_and_two_are_a_conflict() -> None:
    bench = RouletteBench()
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
    bench = RouletteBench()
    bench.spin_to("no_more_bets")
    bench.number("00")
    bench.say("winning_number", 11, "00")
    assert bench.codes == ["pocket_unknown"]
    assert bench.pockets == []


def test_a_result_without_a_round_is_late_and_said_once() -> None:
    bench = RouletteBench(control="server")
    bench.spin_to("winning_number")
    for _ in range(5):
        bench.say("winning_number", 11, "27")
    assert bench.codes == ["late_result"]
    assert not bench.state.held


def spun(
    in_rim: int, *, rules: RouletteProfile | None = None, fell_s: float = 20.0
) -> RouletteBench:
    """Return a table whose ball was heard so often in the rim, and lay after `fell_s`."""
    bench = RouletteBench(rules or profile())
    bench.say("place_bets", 11)
    for _ in range(in_rim):
        bench.say("ball_in_rim", 11)
    bench.say("no_more_bets", 11)
    bench.number("27")
    bench.say("winning_number", 11, "27", after=fell_s)
    return bench


def test_r1_too_few_laps_are_no_spin() -> None:
    """One line in each state: 1 s at 0.5 s a lap, 0.5 s at 1.43 s a lap, 2.4 laps at the most."""
    bench = spun(1, fell_s=0.5)
    assert bench.codes == ["invalid_spin"]
    assert found(bench.events, SpinInvalid) == [SpinInvalid(11, "at most 2.4 laps, 3 required")]
    assert bench.pockets == []


def test_r1_a_damaged_line_does_not_make_a_spin_valid() -> None:
    """The same wheel; the one line in the rim did not come: nobody knows."""
    bench = spun(0, fell_s=0.5)
    assert bench.pockets == []
    assert bench.codes in (["invalid_spin"], ["spin_unproven"])


@pytest.mark.parametrize(
    ("in_rim", "least"),
    # 1 lap for being seen by three sensors, then 0.49 s a line at 1.43 s a lap, without one line
    [(1, None), (2, 1.0), (3, 1.3), (5, 2.0), (7, 2.7)],
)
def test_r1_what_the_rim_does_not_prove_holds_with_both_bounds(
    in_rim: int, least: float | None
) -> None:
    bench = spun(in_rim)
    assert bench.codes == ["spin_unproven"]
    (raised,) = found(bench.events, ViolationRaised)
    assert f"at least {least or 0:g}, at most " in raised.detail
    assert raised.resolutions == ("void", "accept")
    bench.resolve("spin_unproven", "accept")
    assert bench.pockets == ["27"]
    assert [one.laps for one in found(bench.events, SpinLanded)] == [least]


def test_r1_three_laps_in_the_rim_prove_themselves() -> None:
    bench = spun(8)
    assert (bench.codes, bench.pockets) == ([], ["27"])
    # 1 + 6 x 0.49 s / 1.43 s
    assert [one.laps for one in found(bench.events, SpinLanded)] == [3.0]


@pytest.mark.parametrize("cut", ["restart", "unplug"])
def test_r1_laps_are_counted_from_the_last_break(cut: str) -> None:
    bench = RouletteBench(profile())
    bench.spin_to("ball_in_rim")
    bench.rim(lines=4)
    bench.unplug() if cut == "unplug" else bench.restart()
    bench.rim(lines=4)
    bench.say("no_more_bets", 11)
    bench.number("27")
    bench.say("winning_number", 11, "27", after=20)
    assert "spin_unproven" in bench.codes
    assert bench.pockets == []


def test_r1_the_makers_word_counts_where_the_house_takes_it() -> None:
    bench = spun(2, rules=profile(laps_after_call=3.5))
    assert (bench.codes, bench.pockets) == ([], ["27"])
    assert [one.laps for one in found(bench.events, SpinLanded)] == [4.5]


def test_r1_lines_that_came_late_prove_no_more_than_their_number() -> None:
    bench = RouletteBench(profile())
    bench.say("place_bets", 11)
    bench.say("ball_in_rim", 11)
    bench.say("ball_in_rim", 11, after=1.9)
    bench.say("ball_in_rim", 11, after=1.9)
    bench.say("no_more_bets", 11)
    bench.number("27")
    bench.say("winning_number", 11, "27", after=20)
    assert bench.codes == ["spin_unproven"]


def test_09_edges_that_arrive_bunched_tell_no_laps_and_spoil_no_spin() -> None:
    bench = RouletteBench()
    bench.say("place_bets", 11)
    for phase in ("ball_in_rim", "no_more_bets", "winning_number"):
        bench.say(phase, 11, "27", after=0)
    bench.say("winning_number", 11, "27")
    assert [one.laps for one in found(bench.events, SpinLanded)] == [None]
    assert bench.codes == []


# --- the dealer's word ------------------------------------------------------------------------


def announced(pocket: str, round_id: str = "T-1-1") -> AnnounceResult:
    return AnnounceResult(round_id, pocket)


def test_the_dealers_word_lands_a_spin_that_was_not_proven() -> None:
    bench = spun(2, rules=profile(unproven="announced"))
    assert (bench.codes, bench.pockets) == ([], [])
    bench.obey(announced("27"))
    assert (bench.codes, bench.pockets) == ([], ["27"])


def test_a_word_for_another_pocket_holds() -> None:
    bench = spun(2, rules=profile(unproven="announced"))
    bench.obey(announced("13"))
    assert (bench.codes, bench.pockets) == (["pocket_conflict"], [])


def test_a_word_that_does_not_come_holds() -> None:
    bench = spun(2, rules=profile(unproven="announced"))
    bench.wait(29.9)
    assert bench.codes == []
    bench.wait(0.2)
    assert bench.codes == ["spin_unproven"]
    assert bench.refused(announced("27")) is Refusal.HELD


def test_a_word_that_nothing_waits_for_is_refused() -> None:
    bench = RouletteBench(profile(unproven="announced"))
    bench.spin_to("no_more_bets")
    assert bench.refused(announced("27")) is Refusal.WRONG_PHASE
    assert bench.refused(announced("27", "T-1-9")) is Refusal.WRONG_ROUND


def test_r17_an_invalid_spin_is_spun_again_where_the_house_says_so() -> None:
    bench = spun(1, rules=profile(invalid_spin="respin"), fell_s=0.5)
    assert bench.codes == []
    assert [one.respin for one in found(bench.events, SpinInvalid)] == [True]
    bench.say("place_bets", 12, "27")
    bench.spin_to("winning_number", 12, "27")
    bench.number("27")
    assert bench.pockets == ["27"]
    assert [one.round_id for one in found(bench.events, RoundCompleted)] == ["T-1-1"]


@pytest.mark.parametrize("house", ["roulette-dk", "roulette-lv", "roulette-00"])
def test_r17_an_invalid_spin_ends_its_round_where_the_house_says_void(house: str) -> None:
    bench = spun(1, rules=profile(house), fell_s=0.5)
    assert [one.respin for one in found(bench.events, SpinInvalid)] == [False]
    assert bench.codes == ["invalid_spin"]
    assert found(bench.events, ViolationRaised)[0].resolutions == ("void",)
    bench.say("place_bets", 12, "27")
    bench.spin_to("winning_number", 12, "27")
    bench.number("27")
    assert bench.pockets == []


# --- the spin number --------------------------------------------------------------------------


@pytest.mark.parametrize("to_next", [(11, 12), (256, 0), (256, 1)])
def test_10_a_result_that_was_passed_over_is_recovered_and_never_landed(
    to_next: tuple[int, int],
) -> None:
    bench = RouletteBench()
    bench.spin_to("no_more_bets", to_next[0])
    heard = bench.say("place_bets", to_next[1], "27", after=3)
    assert [one.pocket for one in found(heard, SpinRecovered)] == ["27"]
    assert bench.codes == ["spin_lost"]
    heard = bench.resolve("spin_lost", "accept")
    assert kinds(heard)[-2:] == ["result.entered_manually", "round.completed"]
    assert bench.pockets == ["27"]
    assert found(bench.events, SpinLanded) == []


def test_one_statement_and_then_the_next_spin_is_doubtful() -> None:
    bench = RouletteBench()
    bench.spin_to("winning_number")
    assert found(bench.say("place_bets", 12, "27"), SpinRecovered)[0].pocket == "27"
    assert bench.codes == ["spin_lost"]


def test_one_statement_and_then_the_same_spin_anew_is_doubtful() -> None:
    bench = RouletteBench()
    bench.spin_to("winning_number")
    assert found(bench.say("place_bets", 11, "27"), SpinRecovered)[0].pocket == "27"
    assert bench.codes == ["spin_lost"]


def test_a_ball_cannot_fall_again_once_it_has_landed() -> None:
    bench = RouletteBench(control="server")
    bench.say("place_bets", 11)
    bench.open("R1")
    bench.close("R1")
    bench.spin_to("winning_number")
    bench.say("winning_number", 11, "27")
    bench.open("R2")
    before = bench.game
    assert bench.say("no_more_bets", 11, "27") == []
    assert bench.say("winning_number", 11, "27") == []
    assert bench.game == before


def test_a_spin_of_which_only_the_end_was_heard_decides_no_round() -> None:
    bench = RouletteBench()
    bench.spin_to("winning_number")
    bench.say("winning_number", 11, "27")
    bench.say("winning_number", 12, "3")
    bench.say("winning_number", 12, "3")
    assert bench.pockets == ["27"]
    assert bench.codes == ["late_result"]


def test_one_statement_that_the_next_spin_contradicts_is_a_conflict() -> None:
    bench = RouletteBench()
    bench.spin_to("winning_number")
    bench.say("place_bets", 12, "26")
    assert bench.codes == ["pocket_conflict"]


@pytest.mark.parametrize(
    ("spin", "last", "word"), [(14, "27", "spin 14 after"), (1, None, "mains"), (9, "3", "spin 9")]
)
def test_14_a_spin_number_that_jumps_or_starts_over_loses_the_spin_without_a_value(
    spin: int, last: str | None, word: str
) -> None:
    bench = RouletteBench()
    bench.spin_to("no_more_bets")
    assert bench.say("place_bets", spin, last) == []
    heard = bench.say("place_bets", spin, last)
    assert found(heard, SpinRecovered) == []
    (violation,) = found(heard, ViolationRaised)
    assert violation.code == "spin_lost"
    assert word in violation.detail


def test_a_lost_spin_that_is_accepted_is_spun_again_for_the_same_round() -> None:
    bench = RouletteBench()
    bench.spin_to("no_more_bets")
    bench.say("place_bets", 14, "3", after=3)
    bench.resolve("spin_lost", "accept")
    assert bench.spin_is_due()
    bench.spin_to("winning_number", 14, "3")
    bench.say("winning_number", 14, "27")
    assert [one.round_id for one in found(bench.events, RoundCompleted)] == ["T-1-1"]


def test_a_ball_that_ran_before_the_decision_to_spin_again_does_not_count() -> None:
    bench = RouletteBench()
    bench.spin_to("no_more_bets")
    bench.spin_to("no_more_bets", 14, "3")
    bench.resolve("spin_lost", "accept")
    bench.number("27")
    bench.say("winning_number", 14, "27", after=26)
    assert bench.codes == ["spin_lost", "late_result"]
    lost, late = found(bench.events, ViolationRaised)
    assert (lost.round_id, late.round_id) == ("T-1-1", None)
    assert bench.state.round is not None
    bench.spin_to("winning_number", 15, "27")
    bench.say("winning_number", 15, "27")
    assert [one.spin for one in found(bench.events, SpinLanded)] == [15]


def test_a_spin_number_decides_once_even_after_the_wheel_was_closed() -> None:
    bench = RouletteBench()
    bench.spin_to("winning_number")
    bench.say("winning_number", 11, "27")
    bench.say("closed", 11, "27", rpm=0)
    bench.spin_to("winning_number", 11, "27")
    bench.say("winning_number", 11, "27")
    assert bench.pockets == ["27"]
    assert bench.codes == ["spin_lost"]


@settings(deadline=None)
@given(st.lists(st.sampled_from(profile().wheel), min_size=1, max_size=12), st.booleans())
def test_any_run_of_numbers_arrives_whole_and_in_order(numbers: list[str], bare: bool) -> None:
    bench = RouletteBench()
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
