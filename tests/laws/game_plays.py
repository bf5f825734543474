"""What may happen at a table of any game: random inputs, and whole rounds among them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import get_args

from hypothesis import strategies as st

from daemon.gamekit.spec import AnyGame
from daemon.service.assembly import one_table, setup_of
from daemon.table.apply import apply, start
from daemon.table.inputs import (
    Commanded,
    DeviceSaid,
    Input,
    InputBody,
    LinkDown,
    LinkUp,
    TimePassed,
)
from daemon.table.state import TableSetup, TableState
from protocols.cards import DECK, SUITS, Card
from protocols.catalog import devices
from protocols.commands import (
    BurnCards,
    ChangeDealer,
    CloseBets,
    CloseInsurance,
    CloseShoe,
    Command,
    Decide,
    FinishVerify,
    LoadShoe,
    OpenRound,
    PeekHoleCard,
    PlayerAction,
    ReplaceCard,
    ResolveViolation,
    RevealCard,
    StartVerify,
    VoidRound,
)
from protocols.faces import FACES
from protocols.instant import Instant
from protocols.readings import (
    CardDrawn,
    CardOutOfGame,
    CardReassigned,
    CardUnread,
    CommandReply,
    CutCardSeen,
    DiceRead,
    DiceShaken,
    DiceUnread,
    ShoeErrorCleared,
    ShoeErrorRaised,
    ShoeResult,
    ShoeStarted,
    WheelErrorFlag,
    WheelFault,
    WheelNumber,
    WheelStatus,
)

AT = Instant("law", 0)


def setup(
    game: AnyGame, profile: str | None = None, control: str = "server", **rules: str
) -> TableSetup:
    control = control if control in game.controls else game.controls[0]
    device = next(key for key, spec in devices().items() if spec.kind == game.device_kind)
    # One line in the rim proves no laps: that has tests of its own.
    laps = {"min_revolutions": 0.0} if game.device_kind == "wheel" else {}
    house, changed = profile or game.default_profile, {**laps, **rules}
    return setup_of(one_table(game.key, house, device, round_control=control, rules=changed))


CARDS = st.sampled_from(DECK)
POCKETS = st.sampled_from(["0", "5", "17", "36"])
DIE = st.sampled_from(list(FACES.values())[:2])
"""Two faces only: throws repeat and differ in one die."""
DICE = st.tuples(DIE, DIE, DIE)
READINGS = st.one_of(
    st.builds(
        CardDrawn,
        CARDS,
        st.sampled_from([None, "player", "banker", "burn", "dealer", "box2"]),
        st.none() | st.integers(1, 3),
    ),
    st.builds(CardUnread, st.just("no read")),
    st.builds(CardOutOfGame, CARDS, st.just("locked")),
    st.builds(CardReassigned, CARDS),
    st.just(CutCardSeen()),
    st.just(ShoeStarted()),
    st.builds(
        ShoeResult,
        st.sampled_from(["player", "banker", "tie", "aborted"]),
        st.booleans(),
        st.booleans(),
    ),
    st.builds(ShoeErrorRaised, st.integers(1, 7), st.just("x"), st.booleans()),
    st.builds(ShoeErrorCleared, st.integers(1, 7), st.just("x")),
    st.builds(
        WheelStatus,
        st.sampled_from(
            ["before_game", "place_bets", "ball_in_rim", "no_more_bets", "winning_number", "closed"]
        ),
        st.none() | st.integers(1, 4),
        st.none() | POCKETS,
        st.frozensets(st.sampled_from(["ball_wrong_way", "launch_failed", "sensor_or_motor"])),
        st.sampled_from([0, 150, 950]),
        st.sampled_from([None, "clockwise", "counter_clockwise"]),
    ),
    st.builds(WheelNumber, POCKETS),
    st.builds(WheelFault, st.integers(0, 3), st.just("x")),
    st.builds(WheelErrorFlag, st.booleans()),
    st.just(DiceShaken()),
    st.builds(DiceRead, DICE, st.booleans()),
    st.builds(DiceUnread, st.tuples(st.none(), DIE, DIE)),
    st.just(CommandReply("ok")),
)
COMMANDS = st.one_of(
    st.builds(OpenRound, st.just("R-1"), st.sampled_from([(), (), (1,), (2, 5)])),
    st.builds(
        Decide,
        st.just("R-1"),
        st.sampled_from([1, 2, 5]),
        st.integers(1, 2),
        st.sampled_from(get_args(PlayerAction)),
        st.none() | st.integers(1, 3),
        st.booleans(),
    ),
    st.builds(CloseInsurance, st.just("R-1")),
    st.builds(PeekHoleCard, st.just("R-1")),
    st.builds(
        RevealCard,
        st.sampled_from(["dealer.2", "player.1", "burn.1"]),
        st.sampled_from([None, "R-1"]),
    ),
    st.builds(CloseBets, st.just("R-1")),
    st.builds(VoidRound, st.just("R-1"), st.just("why")),
    st.builds(LoadShoe, st.just("S-1"), st.sampled_from([None, 1, 8])),
    st.builds(StartVerify, st.sampled_from(["all", "rest"])),
    st.builds(
        ReplaceCard,
        st.just("ann"),
        st.just("why"),
        st.sampled_from([None, "KD", "XX"]),
        st.sampled_from([None, "KD", "XX"]),
    ),
    st.builds(FinishVerify, st.sampled_from([("ann", "bob"), ("ann", "ann")])),
    st.just(CloseShoe()),
    st.builds(BurnCards, st.integers(0, 6), st.sampled_from(["shuffle", "discretion"])),
    st.builds(ChangeDealer, st.just("77")),
    st.builds(
        ResolveViolation,
        st.sampled_from(["V1", "V2", "V3"]),
        st.sampled_from(["void", "burn", "accept", "correct"]),
        st.just("ann"),
        st.just("why"),
        st.sampled_from([None, "KD", "XX"]),
        st.sampled_from([None, "17", "99"]),
        st.none() | DICE,
    ),
)
STEP = st.tuples(
    st.sampled_from([0.0, 0.5, 3.0, 70.0]),
    st.one_of(READINGS, COMMANDS, st.sampled_from(["tick", "down", "up"])),
)
ROUND = st.tuples(st.just("round"), st.none() | st.integers(0, 7))
"""A whole round; the cable is pulled and plugged in again before this step of it."""
STEPS = st.lists(st.one_of(STEP, STEP, STEP, ROUND), max_size=25)
Step = tuple[float, object]
FOUR_CARDS = (("9", "player", 1), ("2", "banker", 1), ("K", "player", 2), ("3", "banker", 2))


BLACKJACK = (("T", "box1", None), ("7", "dealer", None), ("9", "box1", None), ("T", None, None))


def last_words(game: AnyGame) -> list[Step]:
    """Return what the server says after the cards, before the round is over."""
    if game.key != "blackjack":
        return []
    return [(3.0, Decide("R-1", 1, 1, "stand")), (1.0, RevealCard("dealer.2", "R-1"))]


def whole_round(game: AnyGame, number: int, pulled: int | None) -> list[Step]:
    """Return a healthy round of any game: a spin of this number, a throw, or cards enough."""
    boxes = (1,) if game.key == "blackjack" else ()
    steps: list[Step] = [(0.5, OpenRound("R-1", boxes))]
    if game.device_kind == "wheel":
        phases = [("place_bets", 4.0), ("ball_in_rim", 6.0), ("no_more_bets", 4.0)]
        phases += [("winning_number", 26.0), ("winning_number", 0.5)]
        for phase, seconds in phases:
            pocket = "17" if phase == "winning_number" else "5"
            status = WheelStatus(phase, number, pocket, frozenset(), 150, "clockwise")  # type: ignore[arg-type] # literals
            steps.append((seconds, status))
        steps.insert(2, (0.5, CloseBets("R-1")))
    elif game.device_kind == "dice":
        first, second, third = (FACES[digit] for digit in f"{1 + number % 6}42")
        thrown = DiceRead((first, second, third), checked=True)
        steps += [(0.5, CloseBets("R-1")), (3.0, DiceShaken()), (3.0, thrown)]
    else:
        steps = [(0.5, LoadShoe("S-1", 8)), *steps, (0.5, CloseBets("R-1"))]
        for rank, target, index in BLACKJACK if game.key == "blackjack" else FOUR_CARDS:
            card = Card(rank, SUITS[number % 4])  # type: ignore[arg-type] # literals
            steps.append((1.8, CardDrawn(card, target, index)))  # type: ignore[arg-type] # literals
        steps += last_words(game)
    if pulled is not None:
        steps[pulled:pulled] = [(0.1, "down"), (0.1, "up")]
    return steps


def flat(game: AnyGame, steps: list[Step]) -> list[Step]:
    found: list[Step] = []
    for number, (first, second) in enumerate(steps):
        if first == "round":  # type: ignore[comparison-overlap] # a ROUND among the steps
            found += whole_round(game, 10 + number, second)  # type: ignore[arg-type] # its pull
        else:
            found.append((first, second))
    return found


def inputs(bench: TableSetup, steps: list[Step]) -> Iterator[Input]:
    device, at = bench.devices["primary"].key, Instant("law", 0)
    yield Input(at, LinkUp("primary", device, "law"))
    for number, (seconds, what) in enumerate(flat(bench.game, steps)):
        at = at.after(seconds)
        body: InputBody
        match what:
            case "tick":
                body = TimePassed()
            case "down":
                body = LinkDown("primary", device, "law")
            case "up":
                body = LinkUp("primary", device, "law")
            case _ if isinstance(what, get_args(Command)):
                body = Commanded(what, f"c{number}")  # type: ignore[arg-type] # drawn from COMMANDS
            case _:
                body = DeviceSaid("primary", device, what, None, f"{number:04x}")  # type: ignore[arg-type] # drawn from READINGS
        yield Input(at, body)


def play(bench: TableSetup, steps: list[Step]) -> Iterator[tuple[TableState, Step, Input]]:
    state = start(bench)
    for one in inputs(bench, steps):
        step = apply(bench, state, one)
        yield state, step, one
        state = step.state
