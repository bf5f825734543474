"""A random player of whole rounds against the oracle: its scripts feed a differential test.

Pure: all chance comes from the `random.Random` that is handed in. The shoe is a whole shoe, never
more copies of a card than its decks hold, but its order leans towards what is rare: aces up, tens
in the hole, pairs, blackjacks in boxes.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache
from random import Random
from typing import Final

from oracle.blackjack import Round
from oracle.blackjack_hands import VALUE, Result
from oracle.blackjack_house import CLOSE_INSURANCE, PEEK, Choice, House, decide, reveal
from oracle.rulings import BOOKS, Rulings

from protocols.cards import DECK, Card

DECKS_WHERE_THE_BOOK_IS_SILENT: Final = 8
ENOUGH_FOR_A_ROUND: Final = 150  # seven boxes of four hands of five cards, and the dealer
LONGEST_ROUND: Final = 1000  # steps; seven boxes of four hands need less than half of that

WEIGHTS: Final = {
    "hit": 3,
    "stand": 2,
    "double": 2,
    "split": 12,
    "surrender": 1,
    "insurance": 2,
    "even_money": 6,
    CLOSE_INSURANCE.kind: 3,
    PEEK.kind: 4,
    "card.reveal": 2,
}
DARK: Final = 3  # a double that may be dark mostly is
CHECKS: Final = 0.4  # how often a dealer looks who may


@dataclass(frozen=True, slots=True)
class Deal:
    """A card leaves the shoe for this slot, face down or up."""

    slot: str
    card: Card
    hidden: bool


@dataclass(frozen=True, slots=True)
class Check:
    """The dealer looks at the hole card on its reader; `blackjack` is the bit that it tells."""

    card: Card
    blackjack: bool


Step = Deal | Choice | Check


@dataclass(frozen=True, slots=True)
class Script:
    """One whole round: the house and its boxes, every step in order, and how it ended.

    `first_of_shoe`: a fresh shoe was put in before it. The steps begin after the bets are closed.
    """

    house: House
    boxes: tuple[int, ...]
    steps: tuple[Step, ...]
    result: Result
    first_of_shoe: bool
    rulings: Rulings = BOOKS


class Shoe:
    """A shuffled shoe from whole decks; a wanted value is looked for in what is left."""

    def __init__(self, decks: int, chance: Random) -> None:
        self.decks = decks
        self._chance = chance
        self._cards: list[Card] = []

    def __len__(self) -> int:
        return len(self._cards)

    def refill(self) -> None:
        """Put the whole decks in again, shuffled."""
        self._cards = list(DECK) * self.decks
        self._chance.shuffle(self._cards)

    def draw(self, wanted: int = 0) -> Card:
        """Take the next card: the next of the `wanted` value (1 an ace), if one is left."""
        if wanted:
            for at in range(len(self._cards) - 1, -1, -1):
                if VALUE[self._cards[at].rank] == wanted:
                    self._cards[at], self._cards[-1] = self._cards[-1], self._cards[at]
                    break
        return self._cards.pop()


def any_house(chance: Random) -> House:
    """Return a house with every field at random: most are no one's, all are a profile's right."""
    return House(
        decks=chance.choice((None, 6, 8)),
        dealer_first_card=chance.choice(("up", "down_then_revealed")),
        hole_card=chance.random() < 0.5,
        peek=chance.choice(("none", "ace_up")),
        soft_17=chance.choice(("stand", "draw")),
        splits_allowed=chance.randint(0, 4),
        split_on=chance.choice(("value", "rank")),
        split_aces_once=chance.random() < 0.5,
        split_aces_one_card=chance.random() < 0.5,
        after_split=chance.choice(("both_then_play", "hand_by_hand")),
        double=chance.choice(("no", "first_two", "first_two_and_split")),
        double_dark=chance.random() < 0.5,
        surrender=chance.random() < 0.5,
        even_money=chance.random() < 0.5,
        insurance=chance.random() < 0.8,
        blackjacks_paid_at_once=chance.random() < 0.5,
        auto_stand_on_21=chance.random() < 0.5,
        pick_up=chance.choice(("dealer_first", "dealer_last")),
        double_split_21=chance.random() < 0.5,
    )


def scripts(house: House, chance: Random, rulings: Rulings = BOOKS) -> Iterator[Script]:
    """Play rounds for ever, shoe after shoe, each with one to seven boxes, few more often."""
    shoe = Shoe(house.decks or DECKS_WHERE_THE_BOOK_IS_SILENT, chance)
    while True:
        fresh = len(shoe) < ENOUGH_FOR_A_ROUND
        if fresh:
            shoe.refill()
        count = min(chance.randint(1, 7), chance.randint(1, 7), chance.randint(1, 7))
        boxes = tuple(sorted(chance.sample(range(1, 8), count)))
        played = Round(house, boxes, rulings)
        steps = tuple(play(played, shoe, chance))
        yield Script(house, boxes, steps, played.result(), fresh, rulings)


def play(played: Round, shoe: Shoe, chance: Random) -> Iterator[Step]:
    """Play this round to its end and yield every step, which is done already."""
    for _ in range(LONGEST_ROUND):
        if played.over:
            return
        slot, legal = played.due(), played.legal()
        if played.may_check() and chance.random() < CHECKS:
            yield Check(played.dealer.cards[1], played.check())
        elif slot is not None and (not legal or chance.random() < 0.7):
            hidden = played.hidden()
            card = shoe.draw(leaning(played, slot, chance))
            played.card(card)
            yield Deal(slot, card, hidden)
        else:
            choice = pick(legal, chance)
            played.choose(choice)
            yield choice
    raise AssertionError(f"a round does not end: {played.due()}, {set(played.legal())}")


def pick(legal: frozenset[Choice], chance: Random) -> Choice:
    """Take one by weight. Sorted first: the order of a set is not the same in every process."""
    if len(legal) == 1:
        return next(iter(legal))
    ordered = sorted(legal, key=place)
    return chance.choices(ordered, [weight(choice) for choice in ordered])[0]


def leaning(played: Round, slot: str, chance: Random) -> int:
    """Say which value this slot should rather get, 0 for any: what is rare comes more often."""
    lean = chance.random()
    if slot == "dealer.1":
        return 1 if lean < 0.25 else 0
    if slot == "dealer.2":
        completes = {1: 10, 10: 1}.get(played.dealer.low, 0)
        return completes if lean < 0.15 else 0
    if not slot.endswith("card2"):
        return 0
    box, number = int(slot[3]), int(slot[9])
    first = next(hand for hand in played.hands[box] if hand.number == number).low
    if lean < 0.3:
        return first
    return {1: 10, 10: 1}.get(first, 0) if lean < 0.5 else 0


@cache
def place(choice: Choice) -> tuple[str, int, int, str, bool, str]:
    """Return where a choice stands in a list, by its words."""
    return (choice.kind, choice.box, choice.hand, choice.action, choice.dark, choice.slot)


@cache
def weight(choice: Choice) -> int:
    """Return how readily a choice is taken."""
    return WEIGHTS[choice.action or choice.kind] * (DARK if choice.dark else 1)


@cache
def every_choice(boxes: tuple[int, ...]) -> frozenset[Choice]:
    """Return all that a server could say to these boxes, their neighbours and hands of no one."""
    near = sorted({box + step for box in boxes for step in (-1, 0, 1)})
    told = {
        decide(action, box, hand)
        for action in ("hit", "stand", "double", "split", "insurance", "even_money", "surrender")
        for box in near
        for hand in range(6)
    }
    dark = {replace(choice, dark=True) for choice in told}
    slots = [f"dealer.{number}" for number in range(1, 5)]
    slots += [f"box{b}.hand{h}.card{c}" for b in near for h in range(1, 5) for c in range(1, 5)]
    return frozenset(told | dark | {CLOSE_INSURANCE, PEEK} | {reveal(slot) for slot in slots})
