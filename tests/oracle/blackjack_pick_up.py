"""In which order the dealer of blackjack takes the cards from the table.

DK blackjack 3.6, LV blackjack 3.6, GR blackjack 3.7: at the end of the round, all cards: the
dealer's own first, with them the boxes from right to left, so that the dealer's lie at the bottom.
No hand leaves before, bust or not.

RU blackjack dealing, RU blackjack payment, RU blackjack insurance: bust hands, blackjacks paid at
once and even money leave when they are settled; at the end the boxes from right to left, in each
the split-out cards first, and the dealer's on top.

No book orders the cards within a hand, or the split-out hands of a box among each other.
"""

from typing import TypeAlias

from oracle.blackjack_hands import Hand
from oracle.blackjack_table import Table

Taken: TypeAlias = tuple[str, frozenset[str]]
"""What is taken at a time (`dealer`, `box2`, or `box2.split`) and the slots of its cards."""


def pick_up(table: Table) -> tuple[Taken, ...]:
    """Return what the dealer takes of a round that is over, first taken first."""
    dealer = [f"dealer.{number}" for number in range(1, len(table.dealer.cards) + 1)]
    at_end = [
        slot
        for hand in reversed(table.all_hands())
        if hand not in table.taken
        for slot in slots_of(hand)
    ]
    last = table.house.pick_up == "dealer_last"
    end = (*at_end, *dealer) if last else (*dealer, *at_end)
    return by_hand((*(slot for hand in table.taken for slot in slots_of(hand)), *end))


def slots_of(hand: Hand) -> list[str]:
    """Return the slots of a box's hand."""
    place = f"box{hand.box}.hand{hand.number}"
    return [f"{place}.card{number}" for number in range(1, len(hand.cards) + 1)]


def by_hand(slots: tuple[str, ...]) -> tuple[Taken, ...]:
    """Put slots that follow each other together, where no book orders them."""
    taken: list[tuple[str, set[str]]] = []
    for slot in slots:
        place = place_of(slot)
        if not taken or taken[-1][0] != place:
            taken.append((place, set()))
        taken[-1][1].add(slot)
    return tuple((place, frozenset(cards)) for place, cards in taken)


def place_of(slot: str) -> str:
    """Return where a card is taken from: a box's first hand, its split-out cards, the dealer's."""
    box, _, rest = slot.partition(".")
    return f"{box}.split" if rest.startswith("hand") and not rest.startswith("hand1.") else box
