"""What a house allows a hand of two cards or more: split it, double it, or nothing. Pure."""

from __future__ import annotations

from daemon.games.blackjack.profile import BlackjackProfile
from daemon.games.blackjack.rules import BEST, cannot_bust, splits
from daemon.games.blackjack.state import BlackjackState, Hand


def may_split(state: BlackjackState, rules: BlackjackProfile, hand: Hand) -> bool:
    """Return whether two equal cards may still be made two hands."""
    if len(hand.cards) != 2 or len(state.of_box(hand.box)) > rules.splits_allowed:
        return False
    first, second = hand.open_cards
    again = hand.of_split_aces and rules.split_aces_once
    return not again and splits(first, second, rules.split_on)


def may_double(rules: BlackjackProfile, hand: Hand, *, dark: bool = False) -> bool:
    """Return whether one card more may be taken for twice the bet; dark: face down."""
    if rules.double == "no" or len(hand.cards) != 2 or has_its_one_card(rules, hand):
        return False
    if hand.split and rules.double == "first_two":
        return False
    return not dark or (rules.double_dark and cannot_bust(hand.open_cards))


def may_hit(rules: BlackjackProfile, hand: Hand) -> bool:
    """Return whether a hand that is asked may take a card: no split ace, nor a 21 that stands."""
    return not has_its_one_card(rules, hand) and not _stands_on_21(rules, hand)


def has_its_one_card(rules: BlackjackProfile, hand: Hand) -> bool:
    """Return whether a split ace has the one card that it gets."""
    return rules.split_aces_one_card and hand.of_split_aces and len(hand.cards) == 2


def is_asked(state: BlackjackState, rules: BlackjackProfile, hand: Hand) -> bool:
    """Return whether anything is left to decide for a hand that got its card.

    A split hand of 21 is no blackjack: where the house lets any two cards but one be doubled, it
    is asked whether it doubles or stands.
    """
    if has_its_one_card(rules, hand):
        return may_split(state, rules, hand)
    if not _stands_on_21(rules, hand):
        return True
    return rules.doubles_split_21 and hand.split and may_double(rules, hand)


def _stands_on_21(rules: BlackjackProfile, hand: Hand) -> bool:
    return rules.auto_stand_on_21 and hand.points == BEST
