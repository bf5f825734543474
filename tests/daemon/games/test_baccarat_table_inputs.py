"""What holds at a baccarat table whatever its devices and people do, in whatever order."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import get_args

from hypothesis import given, settings
from hypothesis import strategies as st
from oracle.baccarat import play
from support.baccarat_bench import NATURAL, SIX_CARDS, BaccaratBench
from support.notation import card
from support.vocabulary import VIOLATIONS

from daemon.games.baccarat.rules import VALUE
from daemon.table.apply import apply
from daemon.table.inputs import (
    Commanded,
    DeviceGarbled,
    DeviceSaid,
    DeviceSilent,
    Input,
    InputBody,
    LinkDown,
    LinkUp,
    Opened,
    Restarted,
    RolledBack,
    Stopping,
    TimePassed,
)
from protocols.cards import DECK, Card
from protocols.commands import (
    BurnCards,
    BurnReason,
    ChangeDealer,
    CloseBets,
    CloseShoe,
    Command,
    FinishMaintenance,
    LoadShoe,
    OpenRound,
    ResolveAction,
    ResolveViolation,
    StartMaintenance,
    VoidRound,
)
from protocols.events import CardDealt, Event, RoundCompleted, RoundOpened, ViolationRaised
from protocols.readings import (
    BurnCountStated,
    CardDrawn,
    CardOutOfGame,
    CardReassigned,
    CardTarget,
    CardUnread,
    CutCardSeen,
    Reading,
    ShoeErrorCleared,
    ShoeErrorRaised,
    ShoeResult,
    ShoeStarted,
    Winner,
)
from protocols.table_terms import RoundControl

FACES = st.sampled_from([card(code) for code in {*NATURAL, *SIX_CARDS}] + list(DECK[:3]))
PLAIN = st.builds(CardDrawn, FACES)
PLACED = st.builds(
    CardDrawn, FACES, st.sampled_from(get_args(CardTarget)), st.none() | st.integers(1, 3)
)
SEQUENCE = st.none() | st.sampled_from("0123456789")
RARE = st.one_of(
    st.just(CardUnread("no code")),
    st.builds(CardOutOfGame, FACES, st.just("locked")),
    st.builds(CardReassigned, FACES, st.just("player"), st.just(1)),
    st.builds(BurnCountStated, st.integers(1, 10)),
    st.sampled_from([CutCardSeen(), ShoeStarted()]),
    st.builds(ShoeResult, st.sampled_from(get_args(Winner)), st.booleans(), st.booleans()),
    st.builds(ShoeErrorRaised, st.integers(1, 7), st.just("error"), st.booleans()),
    st.builds(ShoeErrorCleared, st.integers(1, 7), st.just("error")),
)


def said(reading: Reading, sequence: str | None) -> DeviceSaid:
    return DeviceSaid("primary", "shoe", reading, sequence, "")


HEARD = st.one_of(
    st.builds(said, PLAIN, st.none()),
    st.builds(said, PLAIN, st.none()),
    st.builds(said, PLACED | RARE, SEQUENCE),
)
LINK: st.SearchStrategy[InputBody] = st.sampled_from(
    [
        LinkUp("primary", "shoe", "bench"),
        LinkDown("primary", "shoe", "unplugged"),
        DeviceSilent("primary", "shoe", 9.0),
        DeviceGarbled("primary", "shoe", "noise"),
        Restarted("test", 0),
        Restarted("test", 3, "one event differs", holds=True),
        RolledBack("the bus knows more"),
        TimePassed(),
        Opened(None, "test"),
        Stopping("test"),
    ]
)
ROUND_IDS = st.sampled_from(["R1", "R2"])
COMMANDS: st.SearchStrategy[Command] = st.one_of(
    st.builds(OpenRound, ROUND_IDS),
    st.builds(CloseBets, ROUND_IDS),
    st.builds(VoidRound, ROUND_IDS, st.just("test")),
    st.builds(LoadShoe, st.just("S2"), st.none() | st.integers(-1, 8)),
    st.builds(BurnCards, st.integers(-1, 7), st.sampled_from(get_args(BurnReason))),
    st.sampled_from(
        [
            CloseShoe(),
            ChangeDealer("D7"),
            StartMaintenance("anna", "clean"),
            FinishMaintenance("anna", "done"),
        ]
    ),
)


@dataclass(frozen=True)
class Hand:
    """A round is opened, its bets are closed, and cards leave the shoe while it is open."""

    cards: list[Card]


@dataclass(frozen=True)
class Decide:
    """A supervisor resolves an open violation: in a way that it allows, or in any way."""

    which: int
    action: ResolveAction | None
    named: str | None


Step = Hand | Decide | Command | InputBody
HANDS = st.builds(Hand, st.lists(FACES, min_size=6, max_size=6))
DECISIONS = st.builds(
    Decide,
    st.integers(0, 5),
    st.none() | st.sampled_from(get_args(ResolveAction)),
    st.sampled_from([None, "KD", "KD", "XX"]),
)
STEPS = st.lists(
    st.one_of(HANDS, DECISIONS, HEARD, HANDS, DECISIONS, HEARD, COMMANDS, LINK),
    min_size=5,
    max_size=40,
)


@dataclass
class Watch:
    """Follows a table from outside, by its inputs and events alone."""

    cards: int = 0
    held: bool = False
    hand: list[CardDealt] = field(default_factory=list)
    opened: Counter[str] = field(default_factory=Counter)
    completed: Counter[str] = field(default_factory=Counter)

    def given(self, body: InputBody) -> None:
        if isinstance(body, DeviceSaid) and isinstance(body.reading, CardDrawn):
            self.cards += 1
        if isinstance(body, Commanded) and isinstance(body.command, ResolveViolation):
            self.cards += body.command.action == "correct"

    def follow(self, event: Event) -> None:
        match event:
            case RoundOpened(round_id=round_id):
                self.opened[round_id] += 1
                self.hand = []
            case ViolationRaised(holds=True):
                self.held = True
            case CardDealt():
                assert not self.held
                self.cards -= 1
                assert self.cards >= 0, "a card that nobody read or named"
                self.hand.append(event)
            case RoundCompleted(round_id=round_id):
                assert not self.held
                self.completed[round_id] += 1
                assert self.completed[round_id] <= self.opened[round_id]
                self.judge(event)
            case _:
                if event.kind in {"round.resumed", "round.voided"}:
                    self.held = False

    def judge(self, event: RoundCompleted) -> None:
        """Hold the outcome against the oracle and against the cards that were published."""
        assert event.outcome.game == "baccarat"
        values = tuple(VALUE[one.rank] for one in self.hand)
        assert play((*values, 0, 0)) == (len(values), event.outcome.winner)
        listed = [(one.slot, one.rank, one.suit) for one in event.outcome.cards]
        assert listed == [(one.slot, one.rank, one.suit) for one in self.hand]


def inputs(bench: BaccaratBench, steps: list[Step]) -> Iterator[InputBody]:
    """Turn each step into what enters the table at that moment."""
    for step in steps:
        match step:
            case Hand(cards):
                yield from hand(bench, cards)
            case Decide(which, action, named):
                if bench.state.open:
                    found = bench.state.open[which % len(bench.state.open)]
                    allowed = VIOLATIONS[found.violation.code].resolutions
                    decided = action or allowed[which % len(allowed)]
                    command = ResolveViolation(
                        found.violation_id, decided, "a", "b", named, second_who="c"
                    )
                    yield Commanded(command, "c")
            case _ if isinstance(step, get_args(Command)):
                yield Commanded(step, "c")
            case _:
                yield step  # type: ignore[misc] # what is left is an input


def hand(bench: BaccaratBench, cards: list[Card]) -> Iterator[InputBody]:
    if bench.state.round is None:
        yield Commanded(OpenRound(f"N{bench.state.rounds}"), "c")
    if bench.state.round is not None:
        yield Commanded(CloseBets(bench.state.round.round_id), "c")
    for number, one in enumerate(cards):
        if number == 0 or bench.state.round is not None:
            yield said(CardDrawn(one), None)


@settings(max_examples=600, deadline=None)
@given(steps=STEPS, control=st.sampled_from(get_args(RoundControl)))
def test_no_card_and_no_outcome_leaves_that_the_rules_and_the_readings_do_not_give(
    steps: list[Step], control: RoundControl
) -> None:
    bench, watch = BaccaratBench(control=control), Watch()
    for body in inputs(bench, steps):
        result = apply(bench.setup, bench.state, Input(bench.now, body))
        assert result.refusal is None or not result.events
        if result.refusal is None:
            watch.given(body)
        bench.state = result.state
        for event in result.events:
            watch.follow(event)
        if not bench.state.open:
            watch.held = False
        assert watch.held == bench.state.held


@settings(max_examples=300, deadline=None)
@given(steps=STEPS, control=st.sampled_from(get_args(RoundControl)))
def test_a_held_table_names_why_and_every_hold_can_be_ended(
    steps: list[Step], control: RoundControl
) -> None:
    bench = BaccaratBench(control=control)
    raised: dict[str, ViolationRaised] = {}

    def put(body: InputBody) -> None:
        result = apply(bench.setup, bench.state, Input(bench.now, body))
        bench.state = result.state
        raised.update({e.violation_id: e for e in result.events if isinstance(e, ViolationRaised)})
        assert {one.violation_id for one in bench.state.open} <= set(raised)

    given = 0
    for body in inputs(bench, steps):
        put(body)
        given += 1
    put(Commanded(FinishMaintenance("anna", "done"), "c"))
    for _ in range(2 * given + 3):
        if not bench.state.open:
            break
        first = raised[bench.state.open[0].violation_id]
        assert first.holds
        assert "void" in first.resolutions
        put(Commanded(ResolveViolation(first.violation_id, "void", "a", "b"), "c"))
    assert bench.state.open == ()
    assert bench.state.read_while_held == ()
