"""Sic Bo under any input: a result that lands without a person's word is of one throw, seen whole.

Tried with faults seeded in the game; each was noticed here:

 dice that lie land again in the next round     the throw of the last round decides the next
 a statement without a check value is believed  one alone decides
 dice seen while bets are open land at once     they were seen too early
 a result lands while the table is held         nobody has decided yet
 the second of two different statements is it   one of two that differ decides
"""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st
from support.dice_bench import SicBoBench

from daemon.table.apply import apply
from daemon.table.inputs import Commanded, DeviceSaid, Input, InputBody, LinkDown, LinkUp
from daemon.table.state import TableState
from protocols.commands import CloseBets, OpenRound, ResolveViolation, VoidRound
from protocols.events import DiceLanded, Event, RoundBetsClosed, RoundVoided
from protocols.faces import Faces
from protocols.instant import Instant
from protocols.readings import DiceRead, DiceShaken, DiceUnread, Reading

FACES = st.sampled_from([(4, 4, 2), (4, 4, 3)])
OPEN, CLOSE = Commanded(OpenRound("R1"), "c"), Commanded(CloseBets("R1"), "c")


def said(reading: Reading) -> InputBody:
    return DeviceSaid("primary", "shaker", reading, None, "")


ONE: st.SearchStrategy[InputBody] = st.one_of(
    st.sampled_from(
        [
            OPEN,
            CLOSE,
            Commanded(VoidRound("R1", "why"), "c"),
            LinkDown("primary", "shaker", "unplugged"),
            LinkUp("primary", "shaker", "bench"),
        ]
    ),
    st.one_of(
        st.just(DiceShaken()),
        st.just(DiceShaken()),
        st.builds(DiceRead, FACES, st.booleans()),
        st.builds(DiceRead, FACES, st.booleans()),
        st.just(DiceUnread((None, 4, 2))),
    ).map(said),
    st.builds(
        ResolveViolation,
        st.sampled_from(["V1", "V2", "V3", "V4"]),
        st.sampled_from(["void", "accept", "correct"]),
        st.just("ann"),
        st.just("why"),
        dice=st.none() | FACES,
    ).map(lambda command: Commanded(command, "c")),
)
THROW = st.lists(st.builds(DiceRead, FACES, st.booleans()), min_size=1, max_size=3).map(
    lambda looks: [said(one) for one in (DiceShaken(), *looks)]
)
BODIES = st.lists(
    st.one_of(ONE.map(lambda one: [one]), st.just([OPEN, CLOSE]), THROW), max_size=25
).map(lambda parts: [one for part in parts for one in part])
"""Whole rounds among the single inputs: alone those hardly ever make a result."""


class Watch:
    """What an onlooker knows of the throw: no line of it is the game's."""

    def __init__(self) -> None:
        self.shown: list[tuple[Faces, bool, bool]] | None = None
        """What the throw showed: faces, whether checked, whether bets were closed then."""

    def see(self, before: TableState, body: InputBody, events: tuple[Event, ...]) -> None:
        """Look on, and judge what lands by itself."""
        if any(isinstance(one, RoundVoided) for one in events):
            self.shown = None
        if not isinstance(body, DeviceSaid):
            return
        if isinstance(body.reading, DiceShaken):
            self.shown = []
        if self.shown is None:
            assert not [one for one in events if isinstance(one, DiceLanded)]
            return
        dealing = before.round is not None and before.round.phase == "dealing"
        if isinstance(body.reading, DiceRead):
            self.shown.append((body.reading.faces, body.reading.checked, dealing))
        for one in events:
            if isinstance(one, DiceLanded):
                self.judge(before, one)
                self.shown = None  # this throw is used up

    def judge(self, before: TableState, landed: DiceLanded) -> None:
        """Say whether these dice may decide a round."""
        assert self.shown
        assert not before.held
        assert {faces for faces, _, _ in self.shown} == {landed.faces}
        assert any(checked for _, checked, _ in self.shown) or len(self.shown) >= 2
        assert all(dealing for _, _, dealing in self.shown)


@given(bodies=BODIES)
@settings(max_examples=600, deadline=None)
def test_what_lands_by_itself_is_of_one_throw_seen_whole(bodies: list[InputBody]) -> None:
    bench, watch = SicBoBench(), Watch()
    state = bench.state
    for number, body in enumerate(bodies):
        step = apply(bench.setup, state, Input(Instant("law", number), body))
        watch.see(state, body, step.events)
        state = step.state


@given(bodies=BODIES)
@settings(max_examples=300, deadline=None)
def test_every_outcome_has_its_round_and_its_closed_bets(bodies: list[InputBody]) -> None:
    bench = SicBoBench()
    state, closed = bench.state, False
    for number, body in enumerate(bodies):
        step = apply(bench.setup, state, Input(Instant("law", number), body))
        for one in step.events:
            closed = isinstance(one, RoundBetsClosed) or (closed and one.kind != "round.opened")
            if one.kind in ("dice.landed", "round.completed"):
                assert closed
        state = step.state
