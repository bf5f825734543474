"""Baccarat: what holds whatever comes in, in whatever order."""

from __future__ import annotations

from typing import get_args

from hypothesis import given, settings
from hypothesis import strategies as st
from support.baccarat_bench import BaccaratBench, profile
from support.vocabulary import VIOLATIONS

from daemon.gamekit.commitments import Concealed
from daemon.gamekit.spec import Context, DeviceGap, GameInput, Resumed, Round, Tick, Violation
from daemon.games.baccarat import GAME
from daemon.games.baccarat.state import BaccaratProfile
from protocols.cards import DECK
from protocols.commands import (
    BurnCards,
    BurnReason,
    ChangeDealer,
    CloseBets,
    CloseShoe,
    FinishVerify,
    LoadShoe,
    OpenRound,
    ReplaceCard,
    ResolveAction,
    ResolveViolation,
    ShoePart,
    StartVerify,
)
from protocols.instant import Instant
from protocols.readings import (
    BurnCountStated,
    CardDrawn,
    CardOutOfGame,
    CardReassigned,
    CardTarget,
    CardUnread,
    CutCardSeen,
    SettingChanged,
    ShoeErrorCleared,
    ShoeErrorRaised,
    ShoeLock,
    ShoeResult,
    ShoeStandby,
    ShoeStarted,
    WheelNumber,
    Winner,
)

AT = Instant("boot", 0)
FEW = st.sampled_from(DECK[:4])
TARGETS = st.none() | st.sampled_from(get_args(CardTarget))
SMALL = st.integers(-1, 11)
READINGS = st.one_of(
    st.builds(CardDrawn, FEW, TARGETS, st.none() | SMALL),
    st.builds(CardUnread, st.just("no code")),
    st.builds(CardOutOfGame, FEW, st.sampled_from(["locked", "error", "setting"])),
    st.builds(CardReassigned, FEW, TARGETS, st.none() | SMALL),
    st.builds(BurnCountStated, SMALL),
    st.builds(ShoeResult, st.sampled_from(get_args(Winner)), st.booleans(), st.booleans()),
    st.builds(ShoeErrorRaised, SMALL, st.just("an error"), st.booleans()),
    st.builds(ShoeErrorCleared, SMALL, st.just("an error")),
    st.sampled_from([CutCardSeen(), ShoeStarted(), ShoeStandby(), ShoeLock(locked=True)]),
    st.sampled_from([SettingChanged("1", "2"), WheelNumber("17")]),
)
COMMANDS = st.one_of(
    st.builds(LoadShoe, st.just("S1"), st.none() | SMALL),
    st.builds(BurnCards, SMALL, st.sampled_from(get_args(BurnReason))),
    st.sampled_from([CloseShoe(), OpenRound("R1"), CloseBets("R1"), ChangeDealer("D7")]),
    st.builds(StartVerify, st.sampled_from(get_args(ShoePart))),
    st.sampled_from([FinishVerify(("anna", "boris")), ReplaceCard("boris", "why", "AS", "2S")]),
)
SIGNALS = st.sampled_from([Tick(), DeviceGap("lost"), Resumed()])
PROFILES = st.builds(
    profile,
    st.sampled_from(["baccarat-dk", "baccarat-gr"]),
    decks=st.sampled_from([None, 1, 8]),
    verify=st.sampled_from(["required", "optional"]),
    cut_card_first_out=st.sampled_from(["this_round_is_last", "shuffle_now"]),
    bets_end=st.sampled_from(["announced", "first_card"]),
    burned_faces=st.sampled_from(["shown", "on_request", "never"]),
    concealed=st.sampled_from(["no", "until_reveal"]),
)
ROUNDS = st.none() | st.builds(Round, st.just("R1"), st.sampled_from(["betting", "dealing"]))
RAISED = st.builds(
    Violation,
    st.sampled_from(sorted(VIOLATIONS)),
    st.just("detail"),
    reading=st.none() | READINGS.map(Concealed),
)
DECISIONS = st.builds(
    ResolveViolation,
    st.just("V1"),
    st.sampled_from(get_args(ResolveAction)),
    st.just("anna"),
    st.just("seen"),
    st.sampled_from([None, "KD", "XX"]),
)
STEPS = st.lists(
    st.tuples(
        st.one_of(READINGS, COMMANDS, SIGNALS, st.tuples(RAISED, DECISIONS), st.just("void")),
        ROUNDS,
        st.booleans(),
        st.sampled_from(["server", "device"]),
    ),
    max_size=40,
)


@settings(max_examples=400, deadline=None)
@given(rules=PROFILES, steps=STEPS)
def test_no_input_in_any_state_and_context_raises(
    rules: BaccaratProfile, steps: list[tuple[object, Round | None, bool, str]]
) -> None:
    state = GAME.start()
    for what, opened, held, control in steps:
        context = Context(rules, "b2:00", opened, held, control, "R2")  # type: ignore[arg-type] # drawn from RoundControl
        if what == "void":
            state = GAME.void(state, context).state
        elif isinstance(what, tuple):
            state = GAME.resolve(state, *what, context).state
        else:
            state = GAME.apply(state, GameInput(AT, what, "primary", "shoe"), context).state  # type: ignore[arg-type] # drawn from GameInputBody
        GAME.due(state, context)
        assert GAME.wake_at(state) is None
        GAME.may_be_hidden(state, context, "primary", None)


PHYSICAL = st.one_of(
    st.builds(CardDrawn, st.sampled_from(DECK)),
    st.builds(CardUnread, st.just("no code")),
    st.sampled_from(["open", "close", "void", "resolve"]),
)


@settings(max_examples=200, deadline=None)
@given(
    steps=st.lists(PHYSICAL, max_size=60),
    actions=st.lists(st.sampled_from(get_args(ResolveAction)), min_size=1, max_size=8),
    control=st.sampled_from(["server", "device"]),
)
def test_every_card_that_left_the_shoe_is_counted_once_whatever_is_decided(
    steps: list[CardDrawn | CardUnread | str], actions: list[ResolveAction], control: str
) -> None:
    bench = BaccaratBench(control=control)  # type: ignore[arg-type] # drawn from RoundControl
    left = 0
    for number, step in enumerate(steps):
        if isinstance(step, str):
            _try(bench, step, actions[number % len(actions)])
        else:
            left += 1
            bench.hear(step)
        if not bench.state.held:
            assert bench.shoe.out == left
            assert sum(bench.shoe.copies.values()) <= left
    for _ in range(2 * left):
        if bench.state.held:
            _try(bench, "resolve", "void")
    assert bench.shoe.out == left


def _try(bench: BaccaratBench, step: str, action: ResolveAction) -> None:
    """Let the table server or a supervisor do something, if it may be done now."""
    opened = bench.state.round
    if step == "void" and opened is not None:
        bench.void()
    elif step == "resolve" and bench.state.open:
        decision = bench.decision(bench.state.open[0].violation.code, action, "KD")
        if bench.refused(decision) is None:
            bench.obey(decision)
    elif step in ("open", "close"):
        command = OpenRound("R1") if step == "open" else CloseBets("R1")
        if bench.refused(command) is None:
            bench.obey(command)
