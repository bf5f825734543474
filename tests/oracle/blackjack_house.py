"""What a house decides at blackjack, and what its table server may say: the words of the oracle."""

from dataclasses import dataclass
from functools import cache
from typing import Final, Literal

Action = Literal["", "hit", "stand", "double", "split", "surrender", "insurance", "even_money"]
Verdict = Literal["win", "lose", "push", "blackjack", "surrender", "even_money"]


@dataclass(frozen=True, slots=True)
class House:
    """What a profile says that matters for play; the names are the profile's."""

    decks: int | None = None  # None: the book states no count
    dealer_first_card: Literal["up", "down_then_revealed"] = "up"
    hole_card: bool = True
    peek: Literal["none", "ace_up"] = "ace_up"
    soft_17: Literal["stand", "draw"] = "stand"
    splits_allowed: int = 1
    split_on: Literal["value", "rank"] = "value"
    split_aces_once: bool = True
    split_aces_one_card: bool = True
    after_split: Literal["both_then_play", "hand_by_hand"] = "both_then_play"
    double: Literal["no", "first_two", "first_two_and_split"] = "first_two"
    double_dark: bool = False
    surrender: bool = False
    even_money: bool = False
    insurance: bool = True
    blackjacks_paid_at_once: bool = False
    auto_stand_on_21: bool = True
    pick_up: Literal["dealer_first", "dealer_last"] = "dealer_first"
    double_split_21: bool = False  # a 21 that stands by itself may be doubled on a split hand


HOUSES: Final = {
    "blackjack-dk": House(),
    "blackjack-lv": House(),
    "blackjack-gr": House(after_split="hand_by_hand", double="first_two_and_split"),
    "blackjack-ru": House(
        decks=6,
        hole_card=False,
        peek="none",
        splits_allowed=3,
        after_split="hand_by_hand",
        double="first_two_and_split",
        double_dark=True,
        surrender=True,
        even_money=True,
        blackjacks_paid_at_once=True,
        pick_up="dealer_last",
        double_split_21=True,
    ),
}


@dataclass(frozen=True, slots=True)
class Choice:
    """One command that a server may send; a field that its kind does not use stays empty."""

    kind: Literal["decision", "insurance.close", "hole_card.peek", "card.reveal"]
    box: int = 0
    hand: int = 0
    action: Action = ""
    dark: bool = False
    slot: str = ""


@cache
def decide(action: Action, box: int, hand: int = 1, *, dark: bool = False) -> Choice:
    """Return the decision of one hand; the same object for the same words."""
    return Choice("decision", box, hand, action, dark)


@cache
def reveal(slot: str) -> Choice:
    """Return the command that turns the card in this slot."""
    return Choice("card.reveal", slot=slot)


CLOSE_INSURANCE: Final = Choice("insurance.close")
PEEK: Final = Choice("hole_card.peek")
TURN_UP_CARD: Final = reveal("dealer.1")
TURN_HOLE_CARD: Final = reveal("dealer.2")
NOTHING: Final[frozenset[Choice]] = frozenset()
