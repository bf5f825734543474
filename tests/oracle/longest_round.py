"""A round of blackjack that takes as many cards as `most_cards` allows, built card by card.

The smallest cards of the shoe are shared out: each to the hand with most room left, the dealer's
largest first, so that no ace makes the dealer stand too early. Then the hands of a box are those
that can begin with the same value, and the cards of each are put in an order in which it may ask
for every next one.
"""

from collections import Counter
from dataclasses import dataclass
from functools import cache

from oracle.blackjack import Round
from oracle.blackjack_dealer import ONE_OF_EACH_VALUE
from oracle.blackjack_house import CLOSE_INSURANCE, PEEK, TURN_HOLE_CARD, House, decide
from oracle.most_cards import DEALER_DRAWS_TO, hand_asked_to

Values = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class LongRound:
    """The values of each hand's cards, for each box the value that it is split on, the dealer's."""

    boxes: tuple[tuple[int, tuple[Values, ...]], ...]
    dealer: Values


def longest_round(house: House, boxes: int, decks: int) -> LongRound:
    """Build a round: the first hand lives, all others go bust, the dealer draws."""
    hands = boxes * (house.splits_allowed + 1)
    asked_to = hand_asked_to(house)
    cards = smallest(asked_to * (hands - 1) + 21 + DEALER_DRAWS_TO, decks)
    dealer = begin_dealer(cards)
    piles = share_out(cards, dealer, [21, *[asked_to] * (hands - 1)])
    ordered = []
    for value, numbers in group(piles, house.splits_allowed + 1):
        ordered.append((value, tuple(order_hand(piles, i, value, asked_to) for i in numbers)))
    return LongRound(tuple(ordered), (*in_order((), dealer, DEALER_DRAWS_TO), 10))


def smallest(total: int, decks: int) -> list[int]:
    """Return the smallest cards of a shoe that add up to so much at most, largest first."""
    cards: list[int] = []
    for value in range(1, 11):
        copies = 4 * decks if value < 10 else 16 * decks
        taken = min(copies, (total - sum(cards)) // value)
        cards = [value] * taken + cards
    return cards


def begin_dealer(cards: list[int]) -> list[int]:
    """Take the dealer's first cards: enough that an ace counts one."""
    dealer: list[int] = []
    while sum(dealer) < 12:
        value = next(value for value in cards if sum(dealer) + value <= DEALER_DRAWS_TO)
        cards.remove(value)
        dealer.append(value)
    return dealer


def share_out(cards: list[int], dealer: list[int], rooms: list[int]) -> list[list[int]]:
    """Lay every card into the pile with most room, the dealer's too. Return the hands' piles."""
    piles: list[list[int]] = [[] for _ in rooms]
    left = [*rooms, DEALER_DRAWS_TO - sum(dealer)]
    for value in cards:
        at = max(range(len(left)), key=left.__getitem__)
        if left[at] < value:
            raise ValueError(f"no room for a card of {value}")
        (dealer if at == len(rooms) else piles[at]).append(value)
        left[at] -= value
    return piles


def group(piles: list[list[int]], size: int) -> list[tuple[int, list[int]]]:
    """Put hands that can begin with the same value into one box; no box is split on aces."""
    ungrouped = set(range(len(piles)))
    boxes: list[tuple[int, list[int]]] = []
    for value in range(2, 11):
        able = [i for i in sorted(ungrouped) if value in piles[i]]
        while len(able) >= size:
            boxes.append((value, able[:size]))
            ungrouped -= set(able[:size])
            able = able[size:]
    if ungrouped:
        raise ValueError(f"hands {ungrouped} fit into no box")
    return boxes


def order_hand(piles: list[list[int]], number: int, first: int, asked_to: int) -> Values:
    """Order a hand that begins with a value: the first hand lives, another gets a ten too many."""
    pile = list(piles[number])
    pile.remove(first)
    if number:
        return (*in_order((first,), pile, asked_to), 10)
    last = pile.pop()  # an ace where there is one
    return (*in_order((first,), pile, asked_to), last)


def in_order(begun: Values, rest: list[int], drawn_to: int) -> Values:
    """Order cards so that a pile of two or more never has more than it may be drawn to."""
    values = sorted(set(rest), reverse=True)

    @cache
    def go_on(low: int, ace: bool, count: int, left: Values) -> Values | None:
        total = low + 10 if ace and low <= 11 else low
        if count > 1 and total > drawn_to:
            return None
        if not any(left):
            return ()
        for at, value in enumerate(values):
            if left[at]:
                fewer = (*left[:at], left[at] - 1, *left[at + 1 :])
                later = go_on(low + value, ace or value == 1, count + 1, fewer)
                if later is not None:
                    return (value, *later)
        return None

    counts = Counter(rest)
    later = go_on(sum(begun), 1 in begun, len(begun), tuple(counts[value] for value in values))
    if later is None:
        raise ValueError(f"no order of {rest} after {begun}")
    return (*begun, *later)


def play(house: House, plan: LongRound) -> Round:
    """Play a built round to its end by the rules: no card is dealt that is not due."""
    played = Round(house, tuple(range(1, len(plan.boxes) + 1)))
    while not played.over:
        if played.due():
            played.card(ONE_OF_EACH_VALUE[next_value(played, plan)])
        elif played.turn is None:
            words = [
                word for word in (CLOSE_INSURANCE, PEEK, TURN_HOLE_CARD) if word in played.legal()
            ]
            played.choose(words[0])
        else:
            ask(played, plan)
    return played


def ask(played: Round, plan: LongRound) -> None:
    """Let the hand whose turn it is split while its box may, then ask for its next card."""
    assert played.turn is not None
    box, number = played.turn.box, played.turn.number
    _, hands = plan.boxes[box - 1]
    if len(played.hands[box]) < len(hands):
        played.choose(decide("split", box, number))
    elif len(played.turn.cards) == len(hands[number - 1]):
        played.choose(decide("stand", box, number))
    else:
        played.choose(decide("hit", box, number))


def next_value(played: Round, plan: LongRound) -> int:
    """Return the value that the due slot gets: of a pair to split, or of its hand."""
    pile = played.card_for
    assert pile is not None
    if pile is played.dealer:
        return plan.dealer[len(pile.cards)]
    hand = next(hand for hand in played.all_hands() if hand is pile)
    value, hands = plan.boxes[hand.box - 1]
    if len(played.hands[hand.box]) < len(hands):
        return value
    return hands[hand.number - 1][len(hand.cards)]
