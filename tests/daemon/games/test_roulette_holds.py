"""Roulette held, interrupted and restarted; and that no input in any state raises."""

from __future__ import annotations

from dataclasses import fields
from typing import Any, get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import TypeAdapter
from support.roulette_bench import RouletteBench, line, profile
from support.table_bench import found, kinds

from daemon.gamekit.spec import (
    Context,
    Decision,
    DeviceGap,
    GameInput,
    Resumed,
    Round,
    Tick,
    Violation,
)
from daemon.games.roulette import GAME
from daemon.games.roulette.state import BallRun, Pending, RouletteState
from daemon.games.roulette.violations import VIOLATIONS
from protocols.commands import BurnCards, CloseBets, Command, OpenRound, ResolveViolation
from protocols.events import (
    RunningSpin,
    SpinLanded,
    SpinRecovered,
)
from protocols.instant import Instant
from protocols.readings import (
    BallInPocket,
    BallSeen,
    CommandReply,
    Reading,
    WheelBonus,
    WheelFlag,
    WheelPhase,
)
from protocols.refusals import Refusal

FLAGS: tuple[WheelFlag, ...] = get_args(WheelFlag)
PHASES: tuple[WheelPhase, ...] = get_args(WheelPhase)

# --- holds, gaps, voids -------------------------------------------------------------------------


def test_a_sure_result_waits_for_the_hold_and_then_lands() -> None:
    bench = RouletteBench()
    bench.spin_to("no_more_bets")
    bench.say("no_more_bets", 11, "34", rpm=26)
    bench.number("27")
    bench.say("winning_number", 11, "27", after=26)
    bench.say("place_bets", 12, "27")
    assert bench.pockets == []
    bench.resolve("rotor_out_of_range", "accept")
    assert bench.pockets == ["27"]
    assert found(bench.events, SpinLanded)[0].spin == 11
    assert kinds(bench.say("place_bets", 12, "27")) == ["round.opened"]


def test_a_result_that_needs_a_word_does_not_leave_with_the_hold() -> None:
    bench = RouletteBench(control="server")
    bench.say("place_bets", 11)
    bench.open()
    bench.spin_to("winning_number")
    bench.say("winning_number", 11, "27")
    context = Context(profile(), "b2:00", bench.state.round, False, "server", "T-1-2")  # noqa: FBT003 - not held
    assert GAME.apply(bench.game, GameInput(bench.now, Resumed()), context) == Decision(bench.game)


def test_a_result_of_a_voided_round_raises_nothing() -> None:
    bench = RouletteBench()
    bench.spin_to("no_more_bets")
    bench.void()
    bench.number("27")
    assert bench.say("winning_number", 11, "27") == bench.say("winning_number", 11, "27") == []
    assert kinds(bench.say("place_bets", 12, "27")) == ["round.opened"]


def test_a_round_voided_while_betting_is_not_opened_again_for_the_same_spin() -> None:
    bench = RouletteBench()
    bench.say("place_bets", 11)
    bench.void()
    assert "round.opened" not in kinds(bench.spin_to("winning_number"))
    bench.say("winning_number", 11, "27")
    assert bench.codes == []


def test_the_server_may_open_another_round_for_a_ball_that_has_not_run() -> None:
    bench = RouletteBench(control="server")
    bench.say("place_bets", 11)
    bench.open("R1")
    bench.void()
    bench.open("R2")
    bench.close("R2")
    bench.spin_to("winning_number")
    bench.say("winning_number", 11, "27")
    assert bench.pockets == ["27"]


@pytest.mark.parametrize("away", ["restart", "unplug"])
def test_a_spin_that_goes_on_proves_that_nothing_was_missed(away: str) -> None:
    bench = RouletteBench()
    bench.spin_to("no_more_bets")
    getattr(bench, away)()
    bench.say("winning_number", 11, "27", after=20)
    bench.say("winning_number", 11, "27")
    if away == "unplug":
        bench.resolve("device_lost", "accept")
    assert "reading_gap" not in bench.codes
    assert [one.laps for one in found(bench.events, SpinLanded)] == [None]


def test_another_spin_after_a_restart_proves_that_something_was_missed() -> None:
    bench = RouletteBench()
    bench.spin_to("no_more_bets")
    bench.restart()
    heard = bench.say("place_bets", 12, "27", after=40)
    assert [one.pocket for one in found(heard, SpinRecovered)] == ["27"]
    assert bench.codes == ["reading_gap", "spin_lost"]
    assert bench.pockets == []


def test_an_earlier_phase_after_a_restart_is_a_gap() -> None:
    bench = RouletteBench()
    bench.spin_to("no_more_bets")
    bench.restart()
    bench.say("place_bets", 11, "34")
    assert bench.codes == ["reading_gap"]


@pytest.mark.parametrize(
    ("after", "codes"), [(("winning_number", 11), []), (("place_bets", 12), ["spin_lost"])]
)
def test_a_gap_goes_on_only_with_the_same_spin(
    after: tuple[WheelPhase, int], codes: list[str]
) -> None:
    bench = RouletteBench()
    bench.spin_to("no_more_bets")
    rules = profile(min_revolutions=0.0)
    context = Context(rules, "b2:00", bench.state.round, False, "device", "T-1-2")  # noqa: FBT003 - not held
    state = GAME.apply(bench.game, GameInput(bench.now, DeviceGap("lost")), context).state
    raised = []
    for _ in range(2):
        given_line = GameInput(
            bench.now.after(26), line(after[0], after[1], "27"), "primary", "wheel"
        )
        decision = GAME.apply(state, given_line, context)
        state = decision.state
        raised += [one.code for one in decision.effects if isinstance(one, Violation)]
    assert raised == codes


# --- the game as a whole -------------------------------------------------------------------------

_INSTANTS = st.builds(Instant, st.sampled_from(["a", "b"]), st.integers(0, 10**11))
_POCKETS = st.sampled_from(["0", "7", "27", "00", "47", ""])
_SPINS = st.sampled_from([0, 1, 2, 3, 4, 255, 256, 999])
_LINES = st.builds(
    line,
    st.sampled_from(PHASES),
    _SPINS,
    st.none() | _POCKETS,
    flags=st.sets(st.sampled_from(FLAGS)),
    rpm=st.sampled_from([0.0, 0.4, 9.9, 15.0, 20.1, 25.1, 95.3]),
    way=st.sampled_from([None, "clockwise", "counter_clockwise"]),
)
_IDS = st.sampled_from(["R1", "R2", "T-1-1"])
_BODIES: st.SearchStrategy[Any] = st.one_of(
    _LINES,
    _LINES,
    st.from_type(Reading),  # type: ignore[arg-type] # a union is a type to hypothesis
    st.from_type(Command),  # type: ignore[arg-type] # same
    st.builds(OpenRound, _IDS),
    st.builds(CloseBets, _IDS),
    st.just(Tick()),
    st.just(Resumed()),
    st.just(DeviceGap("gap")),
)
_CONTEXTS = st.builds(
    Context,
    st.sampled_from([profile(), profile("roulette-00", bets_end="device", rim_event="live")]),
    st.just("b2:00"),
    st.none() | st.builds(Round, _IDS, st.sampled_from(["betting", "dealing"])),
    st.booleans(),
    st.sampled_from(["server", "device"]),
    _IDS,
    st.booleans(),
)
_RUNS = st.builds(
    BallRun,
    _SPINS,
    round_id=st.none() | _IDS,
    field=st.none() | _POCKETS,
    bare=st.none() | _POCKETS,
)
_PENDING = st.builds(
    Pending,
    _IDS,
    _SPINS,
    _POCKETS,
    st.none(),
    st.none() | st.floats(0, 20),
    st.sampled_from(["resume", "accept"]),
    st.booleans(),
)
_STATES = st.builds(
    RouletteState,
    phase=st.none() | st.sampled_from(PHASES),
    spin=st.none() | _SPINS,
    since=st.none() | _INSTANTS,
    rung=st.integers(0, 5),
    alarm_at=st.none() | _INSTANTS,
    ball_missing_at=st.none() | _INSTANTS,
    run=st.none() | _RUNS,
    waits=st.none() | _IDS,
    pending=st.none() | _PENDING,
    done=st.none() | _SPINS,
)


@settings(max_examples=400, deadline=None)
@given(_STATES, st.lists(st.tuples(_INSTANTS, _BODIES, _CONTEXTS), max_size=12))
def test_no_input_in_any_state_raises(
    state: RouletteState, steps: list[tuple[Instant, Any, Context]]
) -> None:
    for at, body, context in steps:
        decision = GAME.apply(state, GameInput(at, body, "primary", "wheel"), context)
        assert isinstance(decision, Decision)
        assert not (decision.refusal and decision.effects)
        state = decision.state
        for effect in decision.effects:
            assert not isinstance(effect, Violation) or effect.code in VIOLATIONS
            assert not (context.held and isinstance(effect, SpinLanded))
        GAME.wake_at(state)
        GAME.due(state, context)
        for action in ("accept", "burn", "correct"):
            for code in ("spin_lost", "ball_before_no_more_bets", "sensor_fault"):
                command = ResolveViolation(
                    "V1", action, "anna", "seen", pocket="0", second_who="bert"
                )
                GAME.resolve(state, Violation(code, "why"), command, context)
        GAME.void(state, context)


def test_a_refused_command_tells_nothing_of_a_spin_that_is_told_and_over() -> None:
    state = RouletteState(told=RunningSpin(11, "no_more_bets"))
    context = Context(profile(), "b2:00", None, False, "server", "R1")  # noqa: FBT003 - not held
    refused = GAME.apply(state, GameInput(Instant("a", 0), BurnCards(1, "misdeal")), context)
    assert refused.refusal is Refusal.NOT_THIS_GAME
    assert refused.effects == ()


@settings(max_examples=200, deadline=None)
@given(_STATES)
def test_a_state_survives_the_journal(state: RouletteState) -> None:
    codec = TypeAdapter(RouletteState)
    assert codec.validate_json(codec.dump_json(state)) == state


@settings(max_examples=200, deadline=None)
@given(st.lists(st.tuples(st.floats(0, 30), _LINES), max_size=40))
def test_no_round_ends_twice_and_no_spin_lands_twice(steps: list[tuple[float, Reading]]) -> None:
    bench = RouletteBench()
    for seconds, reading in steps:
        bench.wait(seconds)
        bench.hear(reading)
        if bench.state.held:
            bench.resolve(bench.state.open[-1].violation.code, "void")
    landed = [one.round_id for one in found(bench.events, SpinLanded)]
    assert len(set(landed)) == len(landed)


@pytest.mark.parametrize(
    "reading",
    [
        WheelBonus(1, 20, None),
        BallSeen(1),
        BallInPocket("7"),
        CommandReply("ok", "u"),
    ],
)
def test_44_what_is_not_of_the_round_changes_nothing(reading: Reading) -> None:
    bench = RouletteBench()
    bench.spin_to("no_more_bets")
    before = bench.game
    assert bench.hear(reading) == []
    assert bench.game == before


def test_the_state_holds_no_speed_and_no_time_last_seen() -> None:
    names = {one.name for kind in (RouletteState, BallRun) for one in fields(kind)}
    assert not {name for name in names if "rpm" in name or "speed" in name} - {"off_speed"}
    bench = RouletteBench()
    bench.spin_to("no_more_bets")
    before = bench.state
    for rpm in (14.9, 15.2, 15.0):
        assert bench.say("no_more_bets", 11, "34", rpm=rpm) == []
        assert bench.state == before
