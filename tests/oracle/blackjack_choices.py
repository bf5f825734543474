"""Which choices are legal at a moment of a round of blackjack: the words of a table server."""

from oracle.blackjack_hands import VALUE, Hand
from oracle.blackjack_house import (
    CLOSE_INSURANCE,
    NOTHING,
    PEEK,
    TURN_HOLE_CARD,
    TURN_UP_CARD,
    Choice,
    decide,
    reveal,
)
from oracle.blackjack_table import Table


def choices(table: Table) -> frozenset[Choice]:
    """Return every choice that is legal now."""
    if table.dealing or table.over:
        return NOTHING
    if not table.up_turned:
        return frozenset([TURN_UP_CARD])
    if table.peek_said_yes:
        return frozenset([TURN_HOLE_CARD])
    words = [reveals(hand) for hand in table.all_hands() if hand.dark and not hand.asked]
    if table.insurance_time:
        words += [CLOSE_INSURANCE, *insurances(table)]
    if table.house.surrender and not table.third_card_dealt:
        words += surrenders(table)
    if table.peek_due:
        words.append(PEEK)
    elif table.turn:
        words += decisions(table, table.turn)
    if table.hole_due:
        words.append(TURN_HOLE_CARD)
    return frozenset(words)


def insurances(table: Table) -> list[Choice]:
    """Return who may insure, or take even money instead: a bet that waits for no hole card."""
    if not table.hole_sealed and not table.rulings.insurance_before_hole_card:
        return []
    words = []
    for box, (hand,) in table.hands.items():
        if hand.gone or box in table.insured:
            continue
        offered = table.house.even_money and hand.blackjack
        words.append(decide("even_money" if offered else "insurance", box))
    return words


def surrenders(table: Table) -> list[Choice]:
    """Return who may surrender: any box that has not played or won."""
    if not table.hole_sealed:
        return []
    excluded = set() if table.rulings.insured_may_surrender else table.insured
    return [
        decide("surrender", box)
        for box, hands in table.hands.items()
        if box not in excluded
        and not hands[0].split
        and not hands[0].asked
        and not finished(table, hands[0])
    ]


def decisions(table: Table, hand: Hand) -> list[Choice]:
    """Return what the hand whose turn it is may be told."""
    box, number = hand.box, hand.number
    words = [decide("stand", box, number)]
    if may_split(table, hand):
        words.append(decide("split", box, number))
    if table.house.split_aces_one_card and is_split_ace(hand):
        return words
    if not stands_on_21(table, hand):
        words.append(decide("hit", box, number))
    if may_double(table, hand):
        words.append(decide("double", box, number))
        if table.house.double_dark and hand.low <= 11:
            words.append(decide("double", box, number, dark=True))
    return words


def finished(table: Table, hand: Hand) -> bool:
    """Tell whether a hand of two cards or more gets neither card nor decision any more."""
    if hand.gone or hand.stood or hand.doubled or hand.blackjack or hand.total > 21:
        return True
    if table.house.split_aces_one_card and is_split_ace(hand):
        return not may_split(table, hand)
    return stands_on_21(table, hand) and not may_double_21(table, hand)


def stands_on_21(table: Table, hand: Hand) -> bool:
    """Tell whether a hand has 21 in a house where that is dealt no card for the asking."""
    return hand.total == 21 and table.house.auto_stand_on_21


def may_split(table: Table, hand: Hand) -> bool:
    """Tell whether a hand is a pair, and its box has a split left."""
    if len(hand.cards) != 2 or len(table.hands[hand.box]) > table.house.splits_allowed:
        return False
    if table.house.split_aces_once and is_split_ace(hand):
        return False
    first, second = hand.cards[0].rank, hand.cards[1].rank
    by_value = table.house.split_on == "value" and VALUE[first] == VALUE[second]
    return first == second or by_value


def may_double(table: Table, hand: Hand) -> bool:
    """Tell whether a hand that is to decide may be doubled."""
    if len(hand.cards) != 2 or table.house.double == "no":
        return False
    return not hand.split or table.house.double == "first_two_and_split"


def may_double_21(table: Table, hand: Hand) -> bool:
    """Tell whether a split hand of two cards has 21, no blackjack, and may be doubled all the same.

    RU blackjack doubling: any two cards but a blackjack, also after a split. DK blackjack 4.4, LV
    blackjack 4.4 and GR blackjack 4.4 give no card at 21.
    """
    stated = table.house.double_split_21 and table.rulings.split_21_may_double
    return stated and hand.split and may_double(table, hand)


def is_split_ace(hand: Hand) -> bool:
    """A split hand that begins with an ace comes out of two aces."""
    return hand.split and hand.cards[0].rank == "A"


def reveals(hand: Hand) -> Choice:
    """Return the command that turns this hand's doubled card: always its third."""
    return reveal(f"box{hand.box}.hand{hand.number}.card3")
