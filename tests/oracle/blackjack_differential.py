"""The oracle's scripts played at the product's own table: where the two differ, step by step.

The table is asked through `table.apply`, as the daemon asks it, readings concealed where it
conceals them. With one reader a card is told only when the next one was read
(docs/hidden-cards.md#the-rules, rule 6), so there the hole card is dealt before anything is said:
see `as_one_reader_hears_it`.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field, fields, replace
from itertools import islice
from random import Random
from typing import Final

from oracle.blackjack import Round
from oracle.blackjack_hands import Result
from oracle.blackjack_house import HOUSES, Choice, House, reveal
from oracle.blackjack_player import (
    DECKS_WHERE_THE_BOOK_IS_SILENT,
    Deal,
    Script,
    Step,
    any_house,
    every_choice,
    place,
    scripts,
)
from support.blackjack_bench import ROUND, Bench, profile

from daemon.gamekit.spec import DueCard, Role
from daemon.games.blackjack import GAME
from daemon.games.blackjack.outcome import BlackjackOutcome
from daemon.games.blackjack.profile import BlackjackProfile
from daemon.table.transition import TableTransition
from protocols.cards import Card
from protocols.commands import (
    CloseBets,
    CloseInsurance,
    CloseShoe,
    Command,
    Decide,
    LoadShoe,
    PeekHoleCard,
    Refusal,
    RevealCard,
)
from protocols.events import (
    RoundCompleted,
)
from protocols.readings import CardDrawn

ONE_READER: Final[tuple[Role, ...]] = ("primary",)
HOLE_READER: Final[tuple[Role, ...]] = ("primary", "hole")


class DiffersError(AssertionError):
    """The product and the oracle do not say the same."""


@dataclass(slots=True)
class Counts:
    """What a run has seen.

    refused  illegal commands that were tried
    twins    rounds held since the hole-card reader could not tell two face-down cards apart
    """

    rounds: int = 0
    steps: int = 0
    refused: int = 0
    twins: int = 0
    differences: list[str] = field(default_factory=list)

    def add(self, other: "Counts") -> None:
        """Count what another run has seen."""
        for one in fields(self):
            setattr(self, one.name, getattr(self, one.name) + getattr(other, one.name))


def house_rules(house: House, key: str = "blackjack-lv") -> BlackjackProfile:
    """Return a profile that says for play what the house says; the rest is a real house's."""
    stated = {one.name: getattr(house, one.name) for one in fields(House)}
    return profile(key, **stated)


def named_house(key: str, *, auto_stand_on_21: bool) -> tuple[House, BlackjackProfile]:
    """Return a house as its file has it, the oracle's and the product's, and the one field."""
    changed = {"auto_stand_on_21": auto_stand_on_21}
    return replace(HOUSES[key], **changed), profile(key, **changed)


@dataclass(frozen=True, slots=True)
class Job:
    """So many rounds of a house, by its key, or of ever new houses (`any`), from a seed.

    refusals  illegal commands tried at each step of one round in `every`
    """

    house: str
    auto_stand_on_21: bool
    roles: tuple[Role, ...]
    rounds: int
    seed: int
    refusals: int = 4
    every: int = 20


ANY_HOUSE: Final = "any"
ROUNDS_OF_ANY_HOUSE: Final = 20


def jobs(rounds: int, seed: int) -> list[Job]:
    """Share rounds out: the four houses with either field, and random ones, with either readers."""
    kinds = [
        (house, stands, roles)
        for house in (*HOUSES, ANY_HOUSE)
        for stands in (True, False)
        for roles in (ONE_READER, HOLE_READER)
    ]
    share = -(-rounds // len(kinds))
    return [Job(*kind, share, seed * 1000 + at) for at, kind in enumerate(kinds)]


def run(job: Job) -> Counts:
    """Play a job; every difference is told, with the script that made it."""
    chance, counts = Random(job.seed), Counts()
    left = job.rounds
    while left:
        house, rules = _houses(job, chance)
        felt = Felt(rules, job.roles, house.decks or DECKS_WHERE_THE_BOOK_IS_SILENT)
        share = min(left, ROUNDS_OF_ANY_HOUSE) if job.house == ANY_HOUSE else left
        left -= share
        for number, script in enumerate(islice(scripts(house, chance), share)):
            try:
                felt.play(script, chance, refusals=0 if number % job.every else job.refusals)
            except DiffersError as differs:
                counts.differences.append(f"{differs}\n{job}\n{script}")
                counts.add(felt.counts)
                felt = Felt(rules, job.roles, felt.decks)
        counts.add(felt.counts)
    return counts


def _houses(job: Job, chance: Random) -> tuple[House, BlackjackProfile]:
    if job.house != ANY_HOUSE:
        return named_house(job.house, auto_stand_on_21=job.auto_stand_on_21)
    house = replace(any_house(chance), auto_stand_on_21=job.auto_stand_on_21)
    return house, house_rules(house)


def as_one_reader_hears_it(steps: tuple[Step, ...]) -> tuple[Step, ...]:
    """Return the steps with the hole card dealt before what was said while it was due."""
    at = next(
        (i for i, one in enumerate(steps) if isinstance(one, Deal) and one.slot == "dealer.2"), None
    )
    if at is None or not steps[at].hidden:  # type: ignore[union-attr] # the one found is a Deal
        return steps
    first_word = next((i for i, one in enumerate(steps) if isinstance(one, Choice)), at)
    if first_word > at:
        return steps
    return (*steps[:first_word], steps[at], *steps[first_word:at], *steps[at + 1 :])


class Felt:
    """A product's table and the oracle's round beside it."""

    def __init__(self, rules: BlackjackProfile, roles: tuple[Role, ...], decks: int) -> None:
        self.bench = Bench(rules, roles, decks)
        self.decks = decks
        self.roles = roles
        self.counts = Counts()

    def play(self, script: Script, chance: Random, *, refusals: int = 0) -> None:
        """Play a script to its end, comparing before every step and at the end.

        refusals  how many of the commands that are illegal are tried at each step
        """
        bench, steps = self.bench, script.steps
        bench.events.clear()
        if script.first_of_shoe and bench.state.rounds:
            self._change_shoe()
        if self.roles == ONE_READER:
            steps = as_one_reader_hears_it(steps)
        bench.open(*script.boxes)
        if bench.state.round.phase == "betting" and chance.random() < 0.5:
            bench.command(CloseBets(ROUND))  # or the first card closes them
        oracle = Round(script.house, script.boxes)
        waiting = None  # the slot of a card that the next one confirms
        for step in steps:
            self._compare(oracle, waiting)
            if refusals:
                self._refuse(oracle, waiting, script.boxes, chance, refusals)
            if self._is_twin(oracle, step):
                self._twin(step)
                return
            waiting = self._take(oracle, step, chance)
        self._compare_end(oracle, script.result)
        self.counts.rounds += 1
        self.counts.steps += len(steps)

    def _change_shoe(self) -> None:
        bench = self.bench
        bench.command(CloseShoe())
        bench.command(LoadShoe("S1", self.decks))
        while bench.due is not None:
            bench.draw("2C")
        bench.events.clear()

    # --- a step ----------------------------------------------------------------------------

    def _take(self, oracle: Round, step: Step, chance: Random) -> str | None:
        """Do a step on both tables. Return the slot of its card, where it waits to be confirmed."""
        bench = self.bench
        if isinstance(step, Deal):
            waits = self._waits(oracle, step)
            on_hole = step.hidden and "hole" in self.roles and step.slot.startswith("dealer")
            bench.say(CardDrawn(step.card), "hole" if on_hole else "primary")
            oracle.card(step.card)
            return step.slot if waits else None
        on_hole = "hole" in self.roles and step.slot.startswith("dealer")
        by_reader = on_hole and oracle.due() is None and chance.random() < 0.5
        if by_reader:
            card = oracle.dealer.cards[int(step.slot[-1]) - 1]
            bench.say(CardDrawn(card), "hole")
        else:
            bench.command(command_of(step, cards_of(oracle, step)))
            if bench.refusal is not None:
                raise DiffersError(f"{step} is refused: {bench.refusal}")
        oracle.choose(step)
        return None

    def _is_twin(self, oracle: Round, step: Step) -> bool:
        """The hole card equals the first, which lies face down and may be read again."""
        if self.roles == ONE_READER or not isinstance(step, Deal) or step.slot != "dealer.2":
            return False
        return reveal("dealer.1") in oracle.legal() and step.card == oracle.dealer.cards[0]

    def _twin(self, step: Step) -> None:
        assert isinstance(step, Deal)
        self.bench.say(CardDrawn(step.card), "hole")
        if self.bench.codes != ["sealed_violation"]:
            raise DiffersError(f"twins are not held: {self.bench.codes}")
        self.bench.void()
        self.counts.twins += 1

    def _waits(self, oracle: Round, step: Deal) -> bool:
        """One reader, an up card before a hidden one: docs/hidden-cards.md#the-rules, rule 6."""
        if self.roles != ONE_READER or step.hidden or not step.slot.startswith("box"):
            return False
        if step.slot.endswith("hand1.card1"):
            return oracle.house.dealer_first_card == "down_then_revealed"
        first_deal = step.slot.endswith("hand1.card2") and oracle.dealing
        return first_deal and oracle.house.hole_card

    # --- comparing -------------------------------------------------------------------------

    def _compare(self, oracle: Round, waiting: str | None) -> None:
        state = self.bench.state
        if state.round is None:
            raise DiffersError("the product's round is over, the oracle's is not")
        if state.open:
            raise DiffersError(f"the product is held: {state.open}")
        if state.round.phase == "betting":
            return  # no card is due yet; the oracle begins when the bets are closed
        context = TableTransition(self.bench.setup, state, self.bench.now).context()
        due = GAME.due(state.game, context)
        assert due is None or isinstance(due, DueCard)
        product = (due.slot, due.hidden) if due is not None else (None, False)
        expected = (oracle.due(), oracle.hidden()) if waiting is None else (waiting, False)
        if product != expected:
            raise DiffersError(f"due: oracle {expected}, product {product}")
        asked = {choice_of(one) for one in GAME.legal_commands(state.game, context)}
        legal = oracle.legal() if waiting is None else frozenset()
        if asked != legal:
            raise DiffersError(
                f"legal: only the oracle {listed(legal - asked)}, only the product "
                f"{listed(asked - legal)}"
            )

    def _refuse(
        self,
        oracle: Round,
        waiting: str | None,
        boxes: tuple[int, ...],
        chance: Random,
        count: int,
    ) -> None:
        """Try what is illegal: it is refused and changes nothing."""
        legal = oracle.legal() if waiting is None else frozenset()
        illegal = [one for one in ordered_choices(boxes) if one not in legal]
        for choice in chance.sample(illegal, count):
            self._refused(command_of(choice, cards_of(oracle, choice)))
        for choice in sorted(legal, key=place)[:1]:
            if choice.kind == "decision":
                wrong = cards_of(oracle, choice) + chance.choice((-1, 1))
                self._refused(command_of(choice, wrong), Refusal.HAND_DIFFERS)

    def _refused(self, command: Command, why: Refusal | None = None) -> None:
        before = self.bench.state
        events = self.bench.command(command)
        if self.bench.refusal is None or events or self.bench.state is not before:
            raise DiffersError(f"{command} is not refused, or it changes something")
        if why is not None and self.bench.refusal != why:
            raise DiffersError(f"{command} is refused with {self.bench.refusal}, not {why}")
        self.counts.refused += 1

    def _compare_end(self, oracle: Round, result: Result) -> None:
        if not oracle.over:
            raise DiffersError("the oracle's round is not over at the end of its script")
        completed = [one for one in self.bench.events if isinstance(one, RoundCompleted)]
        if len(completed) != 1 or self.bench.state.round is not None:
            raise DiffersError(f"the product's round is not over: {self.bench.due}")
        outcome = completed[0].outcome
        assert isinstance(outcome, BlackjackOutcome)
        product = (
            outcome.dealer_total,
            outcome.dealer_blackjack,
            tuple((one.box, one.hand, one.total, one.doubled, one.result) for one in outcome.hands),
            outcome.insured,
            dealt(outcome),
        )
        expected = (
            result.total,
            result.blackjack,
            tuple((one.box, one.hand, one.total, one.doubled, one.result) for one in result.hands),
            tuple(sorted(oracle.insured)),
            {"dealer": result.dealer}
            | {f"box{one.box}.hand{one.hand}": one.cards for one in result.hands},
        )
        if product != expected:
            raise DiffersError(f"result: oracle {expected}, product {product}")


def dealt(outcome: BlackjackOutcome) -> dict[str, tuple[Card, ...]]:
    """Return the cards of each hand as the outcome lists them."""
    hands: dict[str, dict[int, Card]] = {}
    for one in outcome.cards:
        hand, _, number = one.slot.rpartition(".")
        hands.setdefault(hand, {})[int(number.removeprefix("card"))] = Card(one.rank, one.suit)
    return {hand: tuple(cards[at] for at in sorted(cards)) for hand, cards in hands.items()}


# --- words of the one in words of the other ------------------------------------------------

_ORDERED: dict[tuple[int, ...], list[Choice]] = {}


def ordered_choices(boxes: tuple[int, ...]) -> list[Choice]:
    """Return every choice, the same order in every process."""
    if boxes not in _ORDERED:
        _ORDERED[boxes] = sorted(every_choice(boxes), key=place)
    return _ORDERED[boxes]


def cards_of(oracle: Round, choice: Choice) -> int:
    """Return how many cards lie in the hand that a choice names."""
    hands = oracle.hands.get(choice.box, [])
    return next((len(one.cards) for one in hands if one.number == choice.hand), 2)


def command_of(choice: Choice, seen: int) -> Command:
    """Return a choice as the table server says it."""
    match choice.kind:
        case "insurance.close":
            return CloseInsurance(ROUND)
        case "hole_card.peek":
            return PeekHoleCard(ROUND)
        case "card.reveal":
            return RevealCard(choice.slot, ROUND)
        case "decision":
            assert choice.action
            return Decide(ROUND, choice.box, choice.hand, choice.action, seen, choice.dark)


def choice_of(command: Command) -> Choice:
    """Return a command as the oracle says it."""
    match command:
        case CloseInsurance():
            return Choice("insurance.close")
        case PeekHoleCard():
            return Choice("hole_card.peek")
        case RevealCard(slot=slot):
            return Choice("card.reveal", slot=slot)
        case Decide(box=box, hand=hand, action=action, dark=dark):
            return Choice("decision", box, hand, action, dark)
        case _:
            raise AssertionError(command)


def listed(choices: Iterable[Choice]) -> list[Choice]:
    """Return choices in order."""
    return sorted(choices, key=place)
