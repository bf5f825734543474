"""The most cards that a round of blackjack can take.

Every ace counts one here, which is the least that it can. Then:

* A hand asks for a card only at `asks_to` or below, so its cards but the last sum up to that at
  most. The dealer draws only at 16 or below, or at a soft 17, which sums up to 7.
* The dealer draws past two cards only if some hand is neither bust nor a blackjack; that hand sums
  up to 21 at most, its last card too.

So two rounds bound all others: the dealer has two cards and every hand is dealt all it asks for;
or one hand ends at 21 and the dealer draws. Each hand has one card, its last, that no sum bounds.
How many cards reach a sum at most is known from the shoe alone: its smallest come first.
"""

from __future__ import annotations

from typing import Final

from daemon.gamekit.shoe import CARDS_PER_DECK
from daemon.games.blackjack.profile import BlackjackProfile
from daemon.games.blackjack.rules import BEST

_DEALER_DRAWS_TO: Final = 16
_TEN: Final = 10


def longest_round(rules: BlackjackProfile, decks: int, boxes: int) -> int:
    """Return the most cards that a round with so many boxes takes from a shoe of so many decks."""
    hands = boxes * (rules.splits_allowed + 1)
    asks_to = BEST - 1 if rules.auto_stand_on_21 else BEST
    all_ask = asks_to * hands
    one_ends_at_21 = all_ask - asks_to + BEST + _DEALER_DRAWS_TO
    longest = max(
        _cards_within(all_ask, decks) + hands + 2, _cards_within(one_ends_at_21, decks) + hands
    )
    return min(longest, decks * CARDS_PER_DECK)


def _cards_within(total: int, decks: int) -> int:
    """Return how many cards of a shoe sum up to so much at most."""
    cards = 0
    for value in range(1, _TEN + 1):
        ranks = 4 if value == _TEN else 1
        taken = min(4 * ranks * decks, total // value)
        cards += taken
        total -= taken * value
    return cards
