"""A round of blackjack as a table meets it: what is read and said, and how it stands."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final, get_args

from oracle.blackjack import Round
from oracle.blackjack_differential import as_one_reader_hears_it, cards_of
from oracle.blackjack_hands import Hand
from oracle.blackjack_house import Choice, reveal
from oracle.blackjack_player import Deal, Script, Step

from daemon.gamekit.spec import Role
from daemon.gamekit.violations import Reader
from protocols.cards import SUITS, Card
from protocols.readings import CardTarget

HOLE: Final = "dealer.2"
TARGETS: Final[dict[str, CardTarget]] = {one: one for one in get_args(CardTarget)}


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
        """Return the acts without one."""
        return (*self.acts[:i], *self.acts[i + 1 :])

    def with_act(self, i: int, act: Act) -> Plan:
        """Return a plan with one act more, which is at fault."""
        return Plan((*self.acts[:i], act, *self.acts[i:]), i)

    def instead(self, i: int, *acts: Act) -> Plan:
        """Return a plan with other acts in the place of as many."""
        return Plan((*self.acts[:i], *acts, *self.acts[i + len(acts) :]), i)

    def first_word(self) -> Choice | None:
        """Return the first thing that the server says."""
        return next((one for one in self.steps if isinstance(one, Choice)), None)


@dataclass(frozen=True, slots=True)
class Standing:
    """How the table stands before an act.

    turn    the box and hand that are to decide; nothing of the first deal or the insurance is left
    stood   boxes without a hand that may get a card, one of which stood
    full    the same, one of which has 21
    """

    dealing: bool
    due: str | None
    turn: tuple[int, int] | None
    stood: tuple[int, ...]
    full: tuple[int, ...]
    over: tuple[int, ...]
    may_turn_hole: bool
    peek_due: bool
    last: Card | None


def hidden(step: Step) -> bool:
    """Return whether a step deals a card face down."""
    return isinstance(step, Deal) and step.hidden


def standing(oracle: Round) -> Standing:
    """Look at the oracle's table."""
    turn = oracle._turn if oracle.due() is None else None
    over = {box: hands for box, hands in oracle.hands.items() if finished(oracle, hands)}
    return Standing(
        dealing=oracle.dealing,
        due=oracle.due(),
        turn=(turn.box, turn.number) if turn else None,
        stood=tuple(box for box, hands in over.items() if any(one.stood for one in hands)),
        full=tuple(
            box
            for box, hands in over.items()
            if any(one.total == 21 and not one.gone and not one.doubled for one in hands)
        ),
        over=tuple(over),
        may_turn_hole=reveal(HOLE) in oracle.legal(),
        peek_due=oracle._peek_due,
        last=turn.cards[-1] if turn and not turn.dark else None,
    )


def finished(oracle: Round, hands: list[Hand]) -> bool:
    """Return whether no hand of a box gets another card."""
    return all(len(one.cards) > 1 and not one.asked and oracle._finished(one) for one in hands)


def sit(script: Script, reader: Reader) -> Sitting | None:
    """Put a script before a reader; its hole card is made one that lies nowhere else."""
    made = with_hole_of_its_own(script)
    if made is None:
        return None
    steps = as_one_reader_hears_it(made.steps) if reader == "identity" else made.steps
    oracle = Round(made.house, made.boxes)
    acts: list[Act] = []
    stood = [standing(oracle)]
    for step in steps:
        if isinstance(step, Deal):
            on_hole = reader == "hole" and step.hidden and step.slot == HOLE
            place = step.slot.partition(".")[0]
            acts.append(Read(step.card, place, "hole" if on_hole else "primary"))
            oracle.card(step.card)
        else:
            acts.append(Say(step, cards_of(oracle, step)))
            oracle.choose(step)
        stood.append(standing(oracle))
    hole = next(
        (one.card for one in steps if isinstance(one, Deal) and one.hidden and one.slot == HOLE),
        None,
    )
    return Sitting(reader, made, tuple(steps), tuple(acts), tuple(stood), hole)


def with_hole_of_its_own(script: Script) -> Script | None:
    """Give the hole card a suit that its rank has nowhere else in the round."""
    at = next((i for i, one in enumerate(script.steps) if hidden(one)), None)
    if not script.house.hole_card or at is None:
        return script
    step = script.steps[at]
    assert isinstance(step, Deal)
    used = {one.card for one in script.steps if isinstance(one, Deal) and one is not step}
    free = [one for one in (Card(step.card.rank, suit) for suit in SUITS) if one not in used]
    if not free:
        return None
    steps = (*script.steps[:at], replace(step, card=free[0]), *script.steps[at + 1 :])
    return replace(script, steps=steps)
