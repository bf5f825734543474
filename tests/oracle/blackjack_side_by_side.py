"""The product's own table and the oracle's round beside it: where they differ, step by step.

The table is asked through `table.apply`, as the daemon asks it, readings concealed where it
conceals them. With one reader a card is told only when the next one was read
(docs/hidden-cards.md#the-rules, rule 6), so there the hole card is dealt before anything is said:
see `as_one_reader_hears_it`.
"""

from dataclasses import dataclass, field, fields
from random import Random
from typing import Final

from oracle.blackjack import Round
from oracle.blackjack_hands import Result
from oracle.blackjack_house import Choice, reveal
from oracle.blackjack_pick_up import by_hand, pick_up
from oracle.blackjack_player import Check, Deal, Script, Step
from oracle.blackjack_translation import (
    as_one_reader_hears_it,
    cards_of,
    choice_of,
    close_bets,
    command_of,
    dealt,
    listed,
    ordered_choices,
)
from oracle.rulings import Rulings
from support.blackjack_bench import BlackjackBench
from support.table_bench import ROUND

from daemon.gamekit.spec import DueCard
from daemon.games.blackjack import GAME
from daemon.games.blackjack.outcome import BlackjackOutcome
from daemon.games.blackjack.profile import BlackjackProfile
from daemon.table.transition import TableTransition
from protocols.commands import CloseShoe, Command, LoadShoe, OpenRound
from protocols.events import (
    CardPeeked,
    Event,
    RoundBetsClosed,
    RoundCommandsAwaited,
    RoundCompleted,
)
from protocols.readings import CardDrawn
from protocols.refusals import Refusal
from protocols.table_terms import Role

ONE_READER: Final[tuple[Role, ...]] = ("primary",)
HOLE_READER: Final[tuple[Role, ...]] = ("primary", "hole")


class DiffersError(AssertionError):
    """The product and the oracle do not say the same."""


@dataclass(slots=True)
class Counts:
    """What a run has seen.

    refused  illegal commands that were tried
    checks   looks of the dealer at the hole card on its reader
    twins    rounds held since the hole-card reader could not tell two face-down cards apart
    """

    rounds: int = 0
    steps: int = 0
    refused: int = 0
    checks: int = 0
    twins: int = 0
    differences: list[str] = field(default_factory=list)

    def add(self, other: "Counts") -> None:
        """Count what another run has seen."""
        for count in fields(self):
            setattr(self, count.name, getattr(self, count.name) + getattr(other, count.name))


class SideBySide:
    """A product's table and the oracle's round beside it."""

    def __init__(self, rules: BlackjackProfile, roles: tuple[Role, ...], decks: int) -> None:
        self.bench = BlackjackBench(rules, roles, decks)
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
        self._open(script.boxes, script.rulings, chance)
        oracle = Round(script.house, script.boxes, script.rulings)
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
        bench.ask(CloseShoe())
        bench.ask(LoadShoe(f"S{bench.state.rounds + 1}", self.decks))
        while bench.due is not None:
            bench.draw("2C")
        bench.events.clear()

    # --- the bets --------------------------------------------------------------------------

    def _open(self, boxes: tuple[int, ...], rulings: Rulings, chance: Random) -> None:
        """Open a round and close its bets, or leave that to the first card where the house does.

        Where bets decide the boxes, `round.open` names them, none, or others.
        """
        opened = boxes
        if rulings.bets_decide_boxes:
            others = tuple(sorted(chance.sample(range(1, 8), chance.randint(1, 7))))
            opened = chance.choice((boxes, (), others))
        self._obeyed(OpenRound(ROUND, opened))
        by_card = self.bench.setup.profile.bets_end == "first_card" and opened == boxes
        if by_card and chance.random() < 0.5:
            return
        stated = rulings.bets_decide_boxes and (opened != boxes or chance.random() < 0.5)
        events = self._obeyed(close_bets(boxes if stated else ()))
        if rulings.bets_decide_boxes:
            closed = [event for event in events if isinstance(event, RoundBetsClosed)]
            if [getattr(event, "boxes", None) for event in closed] != [boxes]:
                raise DiffersError(f"bets closed: {closed}, the oracle's boxes are {boxes}")

    def _obeyed(self, command: Command) -> list[Event]:
        events = self.bench.ask(command)
        if self.bench.refusal is not None:
            raise DiffersError(f"{command} is refused: {self.bench.refusal}")
        return events

    # --- a step ----------------------------------------------------------------------------

    def _take(self, oracle: Round, step: Step, chance: Random) -> str | None:
        """Do a step on both tables. Return the slot of its card, where it waits to be confirmed."""
        bench = self.bench
        match step:
            case Deal():
                waits = self._waits(oracle, step)
                on_hole = step.hidden and "hole" in self.roles and step.slot.startswith("dealer")
                bench.hear(CardDrawn(step.card), role="hole" if on_hole else "primary")
                oracle.card(step.card)
                return step.slot if waits else None
            case Check():
                self._check(oracle, step)
            case Choice():
                self._choose(oracle, step, chance)
        return None

    def _choose(self, oracle: Round, choice: Choice, chance: Random) -> None:
        on_hole = "hole" in self.roles and choice.slot.startswith("dealer")
        if on_hole and oracle.due() is None and chance.random() < 0.5:
            card = oracle.dealer.cards[int(choice.slot[-1]) - 1]
            self.bench.hear(CardDrawn(card), role="hole")
        else:
            self._obeyed(command_of(choice, cards_of(oracle, choice)))
        oracle.choose(choice)

    def _check(self, oracle: Round, step: Check) -> None:
        """The dealer looks: one bit is told, unless the server has been told it already."""
        told = oracle.peeked
        events = self.bench.hear(CardDrawn(step.card), role="hole")
        blackjack = oracle.check()
        answers = [event.answer for event in events if isinstance(event, CardPeeked)]
        others = {type(event) for event in events} - {CardPeeked, RoundCommandsAwaited}
        if others or answers != ([] if told else [blackjack]):
            raise DiffersError(f"a look at the hole card ({blackjack}, told: {told}): {events}")
        self.counts.checks += 1

    def _is_twin(self, oracle: Round, step: Step) -> bool:
        """The hole card equals the first, which lies face down and may be read again."""
        if self.roles == ONE_READER or not isinstance(step, Deal) or step.slot != "dealer.2":
            return False
        return reveal("dealer.1") in oracle.legal() and step.card == oracle.dealer.cards[0]

    def _twin(self, step: Step) -> None:
        assert isinstance(step, Deal)
        self.bench.hear(CardDrawn(step.card), role="hole")
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
        asked = {choice_of(command) for command in GAME.legal_commands(state.game, context)}
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
        illegal = [choice for choice in ordered_choices(boxes) if choice not in legal]
        for choice in chance.sample(illegal, count):
            self._refused(command_of(choice, cards_of(oracle, choice)))
        for choice in listed(legal)[:1]:
            if choice.kind == "decision":
                wrong = cards_of(oracle, choice) + chance.choice((-1, 1))
                self._refused(command_of(choice, wrong), Refusal.HAND_DIFFERS)

    def _refused(self, command: Command, why: Refusal | None = None) -> None:
        before = self.bench.state
        events = self.bench.ask(command)
        if self.bench.refusal is None or events or self.bench.state is not before:
            raise DiffersError(f"{command} is not refused, or it changes something")
        if why is not None and self.bench.refusal != why:
            raise DiffersError(f"{command} is refused with {self.bench.refusal}, not {why}")
        self.counts.refused += 1

    def _compare_end(self, oracle: Round, result: Result) -> None:
        if not oracle.over:
            raise DiffersError("the oracle's round is not over at the end of its script")
        completed = [event for event in self.bench.events if isinstance(event, RoundCompleted)]
        if len(completed) != 1 or self.bench.state.round is not None:
            raise DiffersError(f"the product's round is not over: {self.bench.due}")
        outcome = completed[0].outcome
        assert isinstance(outcome, BlackjackOutcome)
        if oracle.rulings.pick_up_order and by_hand(outcome.pick_up) != pick_up(oracle):
            raise DiffersError(f"pick-up: oracle {pick_up(oracle)}, product {outcome.pick_up}")
        product = (
            outcome.dealer_total,
            outcome.dealer_blackjack,
            tuple(
                (hand.box, hand.hand, hand.total, hand.doubled, hand.result)
                for hand in outcome.hands
            ),
            outcome.insured,
            dealt(outcome),
        )
        expected = (
            result.total,
            result.blackjack,
            tuple(
                (hand.box, hand.hand, hand.total, hand.doubled, hand.result)
                for hand in result.hands
            ),
            tuple(sorted(oracle.insured)),
            {"dealer": result.dealer}
            | {f"box{hand.box}.hand{hand.hand}": hand.cards for hand in result.hands},
        )
        if product != expected:
            raise DiffersError(f"result: oracle {expected}, product {product}")
