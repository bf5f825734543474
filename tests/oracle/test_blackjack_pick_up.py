"""In which order the cards of a round leave the table, worked out by hand from the books."""

import pytest
from oracle.blackjack_house import House
from oracle.blackjack_notation import DK, GR, LV, RU, TWO_SPLITS, table
from oracle.blackjack_pick_up import by_hand, pick_up

ROUNDS = {
    "DK 3.6: the dealer's first, the boxes from right to left": (
        DK,
        "2.1.1=5S 4.1.1=TH d1=7C 2.1.2=6D 4.1.2=9S d2=TD! 2.1:stand 4.1:stand turn:d2",
        "dealer box4 box2",
    ),
    "DK 3.6: a bust hand lies until the end": (
        DK,
        ("1.1.1=TS 2.1.1=9S d1=7C 1.1.2=6H 2.1.2=9H d2=TS! 1.1:hit 1.1.3=9S 2.1:stand turn:d2"),
        "dealer box2 box1",
    ),
    "LV 3.6: though all are bust": (
        LV,
        (
            "1.1.1=TS 2.1.1=TD d1=7C 1.1.2=6H 2.1.2=6D d2=TS!"
            " 1.1:hit 1.1.3=9S 2.1:hit 2.1.3=9D turn:d2"
        ),
        "dealer box2 box1",
    ),
    "GR 3.7: the same, the second hand of a split before the first": (
        GR,
        (
            f"{TWO_SPLITS} d2=TC! 1.1:split 1.1.2=3S 1.1:hit 1.1.3=9H 1.1:stand 1.2.2=TS 1.2:stand"
            " turn:d2 d3=3H"
        ),
        "dealer box1.split box1",
    ),
    "DK 3.6: a blackjack is paid at the end and lies there": (
        DK,
        "1.1.1=AS 2.1.1=9S d1=7C 1.1.2=KH 2.1.2=9H d2=TS! 2.1:stand turn:d2",
        "dealer box2 box1",
    ),
    "RU: the dealer's on top, the boxes from right to left": (
        RU,
        "1.1.1=TS 3.1.1=9S d1=7C 1.1.2=8H 3.1.2=9H 1.1:stand 3.1:stand d2=TS",
        "box3 box1 dealer",
    ),
    "RU: a bust hand leaves at once": (
        RU,
        "1.1.1=TS 2.1.1=9S d1=7C 1.1.2=6H 2.1.2=9H 1.1:hit 1.1.3=9S 2.1:stand d2=TS",
        "box1 box2 dealer",
    ),
    "RU: blackjacks paid at once leave from right to left": (
        RU,
        "1.1.1=AS 2.1.1=9S 3.1.1=AD d1=7C 1.1.2=KH 2.1.2=9H 3.1.2=KD 2.1:stand d2=TS",
        "box3 box1 box2 dealer",
    ),
    "RU: an unpaid blackjack lies until the dealer's second card": (
        RU,
        "1.1.1=AS 2.1.1=9S d1=TC 1.1.2=KH 2.1.2=9H 2.1:stand d2=7S",
        "box2 box1 dealer",
    ),
    "RU: even money leaves when it is paid": (
        RU,
        "1.1.1=AS 2.1.1=9S d1=AC 1.1.2=KH 2.1.2=9H 1.1:even_money close 2.1:stand d2=7S",
        "box1 box2 dealer",
    ),
    "RU: a surrendered hand lies until the end, as no clause takes it": (
        RU,
        "1.1.1=TS 2.1.1=9S d1=TC 1.1.2=6H 2.1.2=9H 1.1:surrender 2.1:stand d2=7S",
        "box2 box1 dealer",
    ),
    "RU: split-out cards first in their box": (
        RU,
        (
            f"{TWO_SPLITS.replace(' d1', ' 2.1.1=9S d1')} 2.1.2=9H 1.1:split 1.1.2=8C 1.1:split"
            " 1.1.2=TS 1.1:stand 1.3.2=9S 1.3:stand 1.2.2=TD 1.2:stand 2.1:stand d2=TC d3=2C"
        ),
        "box2 box1.split box1 dealer",
    ),
    "RU: a bust split-out hand leaves at once": (
        RU,
        f"{TWO_SPLITS} 1.1:split 1.1.2=TS 1.1:stand 1.2.2=6D 1.2:hit 1.2.3=TD d2=TC d3=2C",
        "box1.split box1 dealer",
    ),
}


@pytest.mark.parametrize("name", ROUNDS)
def test_cards_leave_the_table_in_the_order_of_the_house(name: str) -> None:
    house, text, order = ROUNDS[name]
    played = table(house, text)
    assert played.over
    assert " ".join(place for place, _ in pick_up(played)) == order


@pytest.mark.parametrize("house", [DK, RU])
def test_every_card_is_taken_once(house: House) -> None:
    text = "1.1.1=TS 2.1.1=9S d1=7C 1.1.2=6H 2.1.2=9H {}1.1:hit 1.1.3=9S 2.1:stand {}"
    played = table(house, text.format(*(("d2=TS! ", "turn:d2") if house is DK else ("", "d2=TS"))))
    slots = [slot for _, cards in pick_up(played) for slot in cards]
    assert sorted(slots) == [
        *("box1.hand1.card1", "box1.hand1.card2", "box1.hand1.card3"),
        *("box2.hand1.card1", "box2.hand1.card2", "dealer.1", "dealer.2"),
    ]


def test_cards_in_a_hand_and_split_out_hands_have_no_order() -> None:
    listed = ("dealer.2", "dealer.1", "box1.hand3.card1", "box1.hand2.card1", "box1.hand1.card1")
    assert by_hand(listed) == (
        ("dealer", frozenset({"dealer.1", "dealer.2"})),
        ("box1.split", frozenset({"box1.hand2.card1", "box1.hand3.card1"})),
        ("box1", frozenset({"box1.hand1.card1"})),
    )
