"""The blackjack oracle against rounds worked out by hand from the rulebook, rule by rule.

A round is written as it is played, one word a step: `1.1.2=8D` box 1, hand 1, card 2; `d1=6H` the
dealer's first; `!` behind a card: dealt face down. `1.2:hit` is box 1 hand 2, `turn:d2` a reveal.
"""

from fractions import Fraction

import pytest
from oracle.blackjack import Round
from oracle.blackjack_dealer import dealer_distribution
from oracle.blackjack_notation import DK, PLAIN, go, table

from protocols.cards import DECK


def test_a_box_is_dealt_by_its_number_not_by_its_place_in_the_list() -> None:
    assert go(Round(DK, (4, 2)), "2.1.1=5S 4.1.1=TH d1=7C 2.1.2=6D").due() == "box4.hand1.card2"


def test_the_second_card_goes_over_to_the_new_hand() -> None:
    text = "1.1.1=TS d1=9C 1.1.2=KH d2=TD! 1.1:split 1.1.2=9S 1.2.2=3H 1.1:stand 1.2:stand turn:d2"
    first, second = table(DK, text).result().hands
    assert (" ".join(map(str, first.cards)), " ".join(map(str, second.cards))) == ("TS 9S", "KH 3H")


def test_a_result_says_what_was_doubled_and_what_is_soft() -> None:
    text = "1.1.1=AS 2.1.1=9S d1=9C 1.1.2=2H 2.1.2=8S d2=TD! 1.1:double 1.1.3=5S 2.1:stand turn:d2"
    first, second = table(DK, text).result().hands
    assert (first.total, first.soft, first.doubled) == (18, True, True)
    assert (second.total, second.soft, second.doubled) == (17, False, False)


# -- the dealer alone

PUBLISHED = {  # per cent, all standing on 17, full shoe
    6: "17 14.525 18 13.926 19 13.368 20 17.953 21 7.287 blackjack 4.749 bust 28.192",
    8: "17 14.522 18 13.932 19 13.363 20 17.971 21 7.284 blackjack 4.745 bust 28.184",
}


@pytest.mark.parametrize("decks", PUBLISHED)
def test_the_dealer_ends_as_often_as_published(decks: int) -> None:
    found = dealer_distribution(decks)
    figures = PUBLISHED[decks].split()
    assert {name: f"{float(100 * share):.3f}" for name, share in found.items()} == dict(
        zip(figures[::2], figures[1::2], strict=True)
    )
    assert sum(found.values()) == 1
    blackjack = Fraction(2 * 4 * decks * 16 * decks, 52 * decks * (52 * decks - 1))
    assert found["blackjack"] == blackjack


# -- what is refused


def test_a_round_has_one_to_seven_different_boxes() -> None:
    for boxes in ((), (0,), (8,), (2, 2)):
        with pytest.raises(ValueError, match="boxes"):
            Round(DK, boxes)


def test_no_card_is_taken_where_none_is_due() -> None:
    played = table(DK, f"{PLAIN} d2=AS!")
    with pytest.raises(ValueError, match="no card is due"):
        played.card(DECK[0])
