"""A round of blackjack as a table meets it: what is read and said, and how it stands."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final, get_args

from oracle.blackjack import Round
from oracle.blackjack_choices import finished
from oracle.blackjack_hands import Hand
from oracle.blackjack_house import TURN_HOLE_CARD, Choice
from oracle.blackjack_player import Check, Deal, Script, Step
from oracle.blackjack_translation import (
    as_one_reader_hears_it,
    cards_of,
    is_hole_card,
    without_hole_reader,
)

from daemon.gamekit.violations import Reader
from protocols.cards import SUITS, Card
from protocols.readings import CardTarget
from protocols.table_terms import Role

HOLE: Final = "dealer.2"
TARGETS: Final[dict[str, CardTarget]] = {target: target for target in get_args(CardTarget)}


@dataclass(frozen=True, slots=True)
class Read:
    """A reader says a card. `place`: where it really lies."""

    card: Card
    place: str
    role: Role = "primary"


@dataclass(frozen=True, slots=True)
class Say:
    """The server says something; `seen`: how many cards of the hand lie on the table."""

    choice: Choice
    seen: int


Act = Read | Say


@dataclass(frozen=True, slots=True)
class Plan:
    """What happens; `at` is the act at fault, None: one is missing. `early`: bets still run."""

    acts: tuple[Act, ...]
    at: int | None
    early: bool = False


@dataclass(frozen=True, slots=True)
class Sitting:
    """A script before a reader: its acts, and how the table stood before each (and at the end)."""

    reader: Reader
    script: Script
    steps: tuple[Step, ...]
    acts: tuple[Act, ...]
    stood: tuple["Standing", ...]
    hole: Card | None

    def where(self, holds: Callable[[int], bool]) -> list[int]:
        """Return the acts for which something holds."""
        return [i for i in range(len(self.acts)) if holds(i)]

    def without(self, i: int) -> tuple[Act, ...]:
        """Return the acts without this."""
        return (*self.acts[:i], *self.acts[i + 1 :])

    def with_act(self, i: int, act: Act) -> Plan:
        """Return a plan with one act more, which is at fault."""
        return Plan((*self.acts[:i], act, *self.acts[i:]), i)

    def instead(self, i: int, *acts: Act) -> Plan:
        """Return a plan with other acts in the place of as many."""
        return Plan((*self.acts[:i], *acts, *self.acts[i + len(acts) :]), i)

    def first_word(self) -> Choice | None:
        """Return the first thing that the server says."""
        return next((step for step in self.steps if isinstance(step, Choice)), None)


@dataclass(frozen=True, slots=True)
class Standing:
    """How the table stands before an act.

    turn    the box and hand that are to decide; nothing of the first deal or the insurance is left
    stood   boxes without a hand that may get a card, one of which stood
    full    the same, one of which has 21
    may_turn_hole, may_check
            what a reading of the hole card on its reader would be
    """

    dealing: bool
    due: str | None
    turn: tuple[int, int] | None
    stood: tuple[int, ...]
    full: tuple[int, ...]
    over: tuple[int, ...]
    may_turn_hole: bool
    may_check: bool
    peek_due: bool
    last: Card | None


def hidden(step: Step) -> bool:
    """Return whether a step deals a card face down."""
    return isinstance(step, Deal) and step.hidden


def standing(oracle: Round) -> Standing:
    """Look at the oracle's table."""
    turn = oracle.turn if oracle.due() is None else None
    over = {box: hands for box, hands in oracle.hands.items() if is_done(oracle, hands)}
    return Standing(
        dealing=oracle.dealing,
        due=oracle.due(),
        turn=(turn.box, turn.number) if turn else None,
        stood=tuple(box for box, hands in over.items() if any(hand.stood for hand in hands)),
        full=tuple(
            box
            for box, hands in over.items()
            if any(hand.total == 21 and not hand.gone and not hand.doubled for hand in hands)
        ),
        over=tuple(over),
        may_turn_hole=TURN_HOLE_CARD in oracle.legal(),
        may_check=oracle.may_check(),
        peek_due=oracle.peek_due,
        last=turn.cards[-1] if turn and not turn.dark else None,
    )


def is_done(oracle: Round, hands: list[Hand]) -> bool:
    """Return whether no hand of a box gets another card."""
    return all(len(hand.cards) > 1 and not hand.asked and finished(oracle, hand) for hand in hands)


def sit(script: Script, reader: Reader) -> Sitting | None:
    """Put a script before a reader; its hole card is made one that lies nowhere else."""
    made = with_hole_of_its_own(script)
    if made is None:
        return None
    steps = heard_by(reader, made.steps)
    oracle = Round(made.house, made.boxes, made.rulings)
    acts: list[Act] = []
    stood = [standing(oracle)]
    for step in steps:
        match step:
            case Deal():
                on_hole = reader == "hole" and is_hole_card(step)
                place = step.slot.partition(".")[0]
                acts.append(Read(step.card, place, "hole" if on_hole else "primary"))
                oracle.card(step.card)
            case Check():
                acts.append(Read(step.card, "dealer", "hole"))
                oracle.check()
            case Choice():
                acts.append(Say(step, cards_of(oracle, step)))
                oracle.choose(step)
        stood.append(standing(oracle))
    hole = next(
        (step.card for step in steps if isinstance(step, Deal) and is_hole_card(step)), None
    )
    return Sitting(reader, made, steps, tuple(acts), tuple(stood), hole)


def heard_by(reader: Reader, steps: tuple[Step, ...]) -> tuple[Step, ...]:
    """Return the steps of a round as they can be played before this reader."""
    match reader:
        case "identity":
            return as_one_reader_hears_it(steps)
        case "position":
            return without_hole_reader(steps)
        case "hole":
            return steps


def with_hole_of_its_own(script: Script) -> Script | None:
    """Give the hole card a suit that its rank has nowhere else in the round."""
    at = next((i for i, step in enumerate(script.steps) if hidden(step)), None)
    if not script.house.hole_card or at is None:
        return script
    hole = script.steps[at]
    assert isinstance(hole, Deal)
    used = {step.card for step in script.steps if isinstance(step, Deal) and step is not hole}
    suits = [Card(hole.card.rank, suit) for suit in SUITS]
    free = [card for card in suits if card not in used]
    if not free:
        return None
    return replace(script, steps=tuple(with_hole(step, hole, free[0]) for step in script.steps))


def with_hole(step: Step, hole: Deal, card: Card) -> Step:
    """Return a step with another card for the hole card."""
    if step is hole or isinstance(step, Check):
        return replace(step, card=card)
    return step
