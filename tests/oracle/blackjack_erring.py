"""Dealers who err, before the real table: when it noticed, and by which word."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import islice
from random import Random

from oracle.blackjack_errors import ERRORS, VAIN
from oracle.blackjack_house import HOUSES
from oracle.blackjack_player import scripts
from oracle.blackjack_sitting import HOLE, TARGETS, Plan, Read, Sitting, sit
from oracle.blackjack_translation import close_bets, command_of
from oracle.rulings import TODAYS_PRODUCT
from support.blackjack_bench import BlackjackBench
from support.table_bench import ROUND

from daemon.gamekit.violations import Reader, Sight
from daemon.games.blackjack.violations import DEALER_ERRORS
from protocols.cards import Card
from protocols.commands import CloseShoe, LoadShoe, OpenRound
from protocols.events import CardRevealed, RoundCompleted, ViolationRaised
from protocols.readings import CardDrawn
from protocols.table_terms import Role

# --- before the table ----------------------------------------------------------------------


@dataclass(slots=True)
class Watched:
    """A table with one kind of reader, and what it says of a plan."""

    house: str
    reader: Reader
    bench: BlackjackBench = field(init=False)
    shoes: int = 1

    def __post_init__(self) -> None:
        roles: tuple[Role, ...] = ("primary", "hole") if self.reader == "hole" else ("primary",)
        self.bench = BlackjackBench(self.house, roles)

    def play(self, table: Sitting, plan: Plan) -> Sight | None:
        """Play a plan. Return what named the error, and when; None where all went through."""
        bench = self.bench
        self._fresh_shoe()
        bench.ask(OpenRound(ROUND, table.script.boxes))
        if not plan.early and bench.setup.profile.bets_end == "announced":
            bench.ask(close_bets())
        sight = next(self._seen(table, plan), None)
        if bench.state.round is not None:
            bench.void()
        for held in bench.state.open:  # after the round: the card is burned
            bench.resolve(held.violation.code, "burn")
        return sight

    def _seen(self, table: Sitting, plan: Plan) -> Iterator[Sight]:
        bench = self.bench
        for i, act in enumerate(plan.acts):
            if isinstance(act, Read):
                target = TARGETS[act.place] if self.reader == "position" else None
                told = bench.hear(CardDrawn(act.card, target), role=act.role)
                raised = [event for event in told if isinstance(event, ViolationRaised)]
                self._tells_nothing(table)
                if raised:
                    yield raised[0].code, ("this card" if i == plan.at else "next card")
                    return
            else:
                bench.ask(command_of(act.choice, act.seen))
                self._tells_nothing(table)
                if bench.refusal is not None:
                    yield str(bench.refusal), "decision"
                    return
        if not any(isinstance(event, RoundCompleted) for event in bench.events):
            yield "the round does not end", "decision"

    def _tells_nothing(self, table: Sitting) -> None:
        """The hole card is in no event before it is turned, and turned it is what it was."""
        if table.hole is None:
            return
        for event in self.bench.events:
            if isinstance(event, CardRevealed) and event.slot == HOLE:
                assert Card(event.rank, event.suit) == table.hole, event
                return
        told = repr(self.bench.events)
        assert f"rank={table.hole.rank!r}, suit={table.hole.suit!r}" not in told
        assert str(table.hole) not in told

    def _fresh_shoe(self) -> None:
        bench = self.bench
        bench.ask(CloseShoe())
        self.shoes += 1  # a pack that comes back to its table would have to be verified
        bench.obey(LoadShoe(f"S{self.shoes}", bench.setup.profile.decks or 8))
        while bench.due is not None:
            bench.draw("2C")  # the house's burns
        bench.events.clear()


@dataclass(slots=True)
class Caught:
    """How often an error was met, and what was not as the table says."""

    rounds: int = 0
    differences: list[str] = field(default_factory=list)


def expected(error: str, reader: Reader) -> Sight | None:
    """Return what the product's table says, None where this reader cannot meet the error."""
    return DEALER_ERRORS[error].seen.get(reader)


def meet(error: str, reader: Reader, rounds: int, seed: int) -> Caught:
    """Let a dealer make this error in so many rounds, in every house where it can be made."""
    chance, caught = Random(seed), Caught()
    sight = expected(error, reader)
    for number, key in enumerate(HOUSES):
        watched = Watched(key, reader)
        share = rounds * (number + 1) // len(HOUSES) - rounds * number // len(HOUSES)
        deals = _plans(key, error, reader, chance)
        for table, plan in islice(deals, share):
            seen = watched.play(table, plan)
            caught.rounds += 1
            if not _as_said(seen, sight):
                caught.differences.append(
                    f"{error} before {reader}: {seen}, not {sight}\n{key} {plan}"
                )
    return caught


def _plans(key: str, error: str, reader: Reader, chance: Random) -> Iterator[tuple[Sitting, Plan]]:
    """Return the occasions for the error that a house's rounds give, if the first give any."""
    vain = 0
    for script in scripts(HOUSES[key], chance, TODAYS_PRODUCT):
        table = sit(script, reader)
        plan = ERRORS[error](table, chance) if table is not None else None
        vain = 0 if plan is not None else vain + 1
        if table is not None and plan is not None:
            yield table, plan
        elif vain > VAIN:
            return


def _as_said(seen: Sight | None, sight: Sight | None) -> bool:
    """Return whether it was caught as said.

    What is never seen for sure may come out later, by luck: the hands that the product takes for
    others ask for other cards and words than come.
    """
    if sight is None:
        return False
    if sight[1] == "never":
        return seen is None or seen[1] != "this card"
    return seen == sight
