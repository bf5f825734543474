"""Words of the oracle in words of the product, and back: houses, commands, cards of an outcome."""

from collections.abc import Iterable
from dataclasses import fields, replace
from typing import Any, Final

from oracle.blackjack import Round
from oracle.blackjack_house import HOUSES, Choice, House
from oracle.blackjack_player import Check, Deal, Step, every_choice, place
from support.blackjack_bench import profile
from support.table_bench import ROUND

from daemon.games.blackjack.outcome import BlackjackOutcome
from daemon.games.blackjack.profile import BlackjackProfile
from protocols.cards import Card
from protocols.commands import CloseBets, CloseInsurance, Command, Decide, PeekHoleCard, RevealCard

UNCUT: Final[dict[str, int | None]] = {
    "cut_card_from_back": 0,
    "cut_card_min_from_back": None,
    "cut_card_tolerance": 0,
}
"""A shoe is dealt to its end: what is compared is play; the cut card is `shoe_differential`'s."""


def profile_fields() -> list[str]:
    """Return the names of a house's fields: a profile has them too."""
    return [field.name for field in fields(House)]


def house_rules(house: House, key: str = "blackjack-lv") -> BlackjackProfile:
    """Return a profile that says for play what the house says; the rest is a real house's."""
    return profile(key, **UNCUT, **{name: getattr(house, name) for name in profile_fields()})


def named_house(key: str, *, auto_stand_on_21: bool) -> tuple[House, BlackjackProfile]:
    """Return a house as its file has it, the oracle's and the product's, and the one field."""
    house = replace(HOUSES[key], auto_stand_on_21=auto_stand_on_21)
    return house, profile(key, auto_stand_on_21=auto_stand_on_21, **UNCUT)


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


def close_bets(boxes: tuple[int, ...] = ()) -> CloseBets:
    """Return "no more bets", with the boxes that have a bet where the product takes them."""
    stated: dict[str, Any] = {"boxes": boxes} if boxes else {}
    return CloseBets(ROUND, **stated)


def cards_of(oracle: Round, choice: Choice) -> int:
    """Return how many cards lie in the hand that a choice names."""
    hands = oracle.hands.get(choice.box, [])
    return next((len(hand.cards) for hand in hands if hand.number == choice.hand), 2)


def dealt(outcome: BlackjackOutcome) -> dict[str, tuple[Card, ...]]:
    """Return the cards of each hand as the outcome lists them."""
    hands: dict[str, dict[int, Card]] = {}
    for card in outcome.cards:
        hand, _, number = card.slot.rpartition(".")
        hands.setdefault(hand, {})[int(number.removeprefix("card"))] = Card(card.rank, card.suit)
    return {hand: tuple(cards[at] for at in sorted(cards)) for hand, cards in hands.items()}


_ORDERED: dict[tuple[int, ...], list[Choice]] = {}


def ordered_choices(boxes: tuple[int, ...]) -> list[Choice]:
    """Return every choice, the same order in every process."""
    if boxes not in _ORDERED:
        _ORDERED[boxes] = sorted(every_choice(boxes), key=place)
    return _ORDERED[boxes]


def listed(choices: Iterable[Choice]) -> list[Choice]:
    """Return choices in order."""
    return sorted(choices, key=place)


# --- what a table without a hole-card reader hears -----------------------------------------


def without_hole_reader(steps: tuple[Step, ...]) -> tuple[Step, ...]:
    """Return the steps with the server's question where the dealer looked on the reader."""
    asked = False
    heard: list[Step] = []
    for step in steps:
        if not isinstance(step, Check):
            asked = asked or (isinstance(step, Choice) and step.kind == "hole_card.peek")
            heard.append(step)
        elif not asked:
            heard.append(Choice("hole_card.peek"))
    return tuple(heard)


def as_one_reader_hears_it(steps: tuple[Step, ...]) -> tuple[Step, ...]:
    """Return the steps with the hole card dealt before what was said while it was due."""
    steps = without_hole_reader(steps)
    at = next((i for i, step in enumerate(steps) if is_hole_card(step)), None)
    if at is None:
        return steps
    first_word = next((i for i, step in enumerate(steps) if isinstance(step, Choice)), at)
    if first_word > at:
        return steps
    return (*steps[:first_word], steps[at], *steps[first_word:at], *steps[at + 1 :])


def is_hole_card(step: Step) -> bool:
    """Return whether a step deals the hole card."""
    return isinstance(step, Deal) and step.hidden and step.slot == "dealer.2"
