"""The most cards that one round can take from a shoe.

Baccarat: two hands of at most three cards each (DK baccarat 3.5.1, LV baccarat 3.5.1, GR baccarat
3.6.1): six, exactly.

Blackjack, with the houses' own numbers of hands (DK blackjack 2.7, LV blackjack 2.7, GR blackjack
2.7, RU blackjack splitting) and their own ends (4.4 of the three). Every ace counts one here; the
value of a hand is never less than that sum.

1. A box has at most `splits + 1` hands, so a table has H = boxes x (splits + 1). More hands never
   mean fewer cards below, so let every box split as often as it may.
2. A hand is given a card only while it has 20 or less (21 or less where 21 does not stand by
   itself; a split 21 that is doubled has a sum of 11). So all its cards but the last add up to 20
   (21) at most, and the last is any card.
3. The dealer draws a card only to 16 or less, or to a soft 17, which is a sum of 7. So all the
   dealer's cards but the last add up to 16 at most.
4. The dealer draws past two cards only if some hand is neither bust nor a blackjack. All cards of
   that hand, the last too, add up to 21 at most.
5. So either the dealer has two cards, and all but H + 2 cards add up to 20 H at most; or there is a
   hand as in 4, and all but H cards add up to 20 (H - 1) + 21 + 16 at most. How many cards can have
   such a sum is known from the shoe alone: its smallest cards, 4 x decks of each rank.

The larger of the two bounds the round: no order of cards and no choice passes it. It is reached in
every named house, with one to seven boxes: `longest_round` builds such rounds, and
`test_most_cards` plays them.
"""

from typing import Final

from oracle.blackjack_house import House

BACCARAT: Final = 6
DEALER_DRAWS_TO: Final = 16


def most_cards(house: House, boxes: int, decks: int) -> int:
    """Return the most cards that a round of blackjack with so many boxes can take."""
    hands = boxes * (house.splits_allowed + 1)
    asked_to = hand_asked_to(house)
    dealer_stands = smallest_cards(asked_to * hands, decks) + hands + 2
    sums = asked_to * (hands - 1) + 21 + DEALER_DRAWS_TO
    dealer_draws = smallest_cards(sums, decks) + hands
    return min(52 * decks, max(dealer_stands, dealer_draws))


def hand_asked_to(house: House) -> int:
    """Return the largest total at which a hand may still ask for a card."""
    return 20 if house.auto_stand_on_21 else 21


def smallest_cards(total: int, decks: int) -> int:
    """Return how many cards of a full shoe can add up to so much at most, every ace as one."""
    count = 0
    for value in range(1, 11):
        copies = 4 * decks if value < 10 else 16 * decks
        taken = min(copies, total // value)
        count, total = count + taken, total - taken * value
    return count
