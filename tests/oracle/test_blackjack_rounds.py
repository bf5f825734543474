"""Whole rounds, worked out by hand from the rule book: what the oracle makes of them."""

from dataclasses import replace

import pytest
from oracle.blackjack_notation import DK, GR, LV, RU, TWO_SPLITS, ended, table

# -- whole rounds: (house, steps, how it ended)

ROUNDS = {
    "deal order: boxes, dealer, boxes, hole card; dealer stands on 17": (
        DK,
        "2.1.1=5S 4.1.1=TH d1=7C 2.1.2=6D 4.1.2=9S d2=TD! 2.1:stand 4.1:stand turn:d2",
        "dealer 17, 2.1 11 lose, 4.1 19 win",
    ),
    "dealer draws to 16": (
        DK,
        "1.1.1=TS d1=6H 1.1.2=8D d2=TC! 1.1:stand turn:d2 d3=2S",
        "dealer 18, 1.1 18 push",
    ),
    "dealer draws as often as it takes, an ace falling from eleven to one": (
        DK,
        "1.1.1=TS d1=2H 1.1.2=8D d2=AC! 1.1:stand turn:d2 d3=2S d4=KS d5=AD d6=5C",
        "dealer 21, 1.1 18 lose",
    ),
    "dealer busts, the bust hand has lost before": (
        DK,
        "1.1.1=TS 2.1.1=TD d1=6H 1.1.2=8D 2.1.2=5D d2=TC! 1.1:stand 2.1:hit 2.1.3=7S turn:d2 d3=KS",
        "dealer 26, 1.1 18 win, 2.1 22 lose",
    ),
    "a blackjack gets no decision, and a dealer's 21 of three cards does not reach it": (
        DK,
        "1.1.1=AS 2.1.1=9S d1=6H 1.1.2=KH 2.1.2=9D d2=5C! 2.1:stand turn:d2 d3=TS",
        "dealer 21, 1.1 21 blackjack, 2.1 18 lose",
    ),
    "ten up: no peek, the dealer's blackjack surfaces at the reveal; blackjacks push": (
        DK,
        "1.1.1=AS 2.1.1=5S d1=TC 1.1.2=KH 2.1.2=6D d2=AD! 2.1:hit 2.1.3=TH turn:d2",
        "dealer blackjack, 1.1 21 push, 2.1 21 lose",
    ),
    "only blackjacks: the hole card is turned, and no further card changes a hand": (
        DK,
        "1.1.1=AS d1=6C 1.1.2=KH d2=TD! turn:d2",
        "dealer 16, 1.1 21 blackjack",
    ),
    "only busts: the hole card is turned, the dealer does not draw": (
        GR,
        "1.1.1=TS d1=6C 1.1.2=6H d2=6D! 1.1:hit 1.1.3=6S turn:d2",
        "dealer 12, 1.1 22 lose",
    ),
    "soft 17 stands": (
        DK,
        "1.1.1=TS d1=6C 1.1.2=8H d2=AD! 1.1:stand turn:d2",
        "dealer 17, 1.1 18 win",
    ),
    "soft 17 draws where the field says so, hard 17 does not": (
        replace(GR, soft_17="draw"),
        "1.1.1=TS d1=6C 1.1.2=8H d2=AD! 1.1:stand turn:d2 d3=TH",
        "dealer 17, 1.1 18 win",
    ),
    "soft 18 stands there too": (
        replace(GR, soft_17="draw"),
        "1.1.1=TS d1=7C 1.1.2=8H d2=AD! 1.1:stand turn:d2",
        "dealer 18, 1.1 18 push",
    ),
    "a second card to both hands, first hand first, then play": (
        LV,
        (
            f"{TWO_SPLITS} d2=TC! 1.1:split 1.1.2=3S 1.2.2=2C 1.1:hit 1.1.3=9H 1.1:stand 1.2:stand"
            " turn:d2 d3=TH"
        ),
        "dealer 26, 1.1 20 win, 1.2 10 win",
    ),
    "first hand finished, then the second gets its second card": (
        GR,
        (
            f"{TWO_SPLITS} d2=TC! 1.1:split 1.1.2=3S 1.1:hit 1.1.3=9H 1.1:stand 1.2.2=TS 1.2:stand"
            " turn:d2 d3=3H"
        ),
        "dealer 19, 1.1 20 win, 1.2 18 lose",
    ),
    "ten and king are equal in value": (
        DK,
        "1.1.1=TS d1=9C 1.1.2=KH d2=TD! 1.1:split 1.1.2=9S 1.2.2=TH 1.1:stand 1.2:stand turn:d2",
        "dealer 19, 1.1 19 push, 1.2 20 win",
    ),
    "a re-split hand comes directly after its parent: played 1, 3, 4, 2; four hands at most": (
        RU,
        (
            f"{TWO_SPLITS} 1.1:split 1.1.2=8C 1.1:split 1.1.2=TS 1.1:stand"
            " 1.3.2=8H 1.3:split 1.3.2=9S 1.3:stand 1.4.2=8S 1.4:hit 1.4.3=5D"
            " 1.2.2=TD 1.2:stand d2=TC d3=2C"
        ),
        "dealer 18, 1.1 18 push, 1.3 17 lose, 1.4 21 win, 1.2 18 push",
    ),
    "split aces get one card each; ace and ten on a split hand is 21": (
        DK,
        "1.1.1=AS d1=6C 1.1.2=AH d2=5D! 1.1:split 1.1.2=KS 1.2.2=9H turn:d2 d3=TH",
        "dealer 21, 1.1 21 push, 1.2 20 lose",
    ),
    "a dealer's blackjack beats a split 21": (
        DK,
        "1.1.1=TS d1=KC 1.1.2=TH d2=AD! 1.1:split 1.1.2=AS 1.2.2=9H 1.2:stand turn:d2",
        "dealer blackjack, 1.1 21 lose, 1.2 19 lose",
    ),
    "split aces hand by hand, and aces split once": (
        RU,
        "1.1.1=AS d1=6C 1.1.2=AH 1.1:split 1.1.2=AD 1.2.2=9H d2=TS d3=3H",
        "dealer 19, 1.1 12 lose, 1.2 20 win",
    ),
    "a double gets exactly one card, bust or not": (
        DK,
        (
            "1.1.1=TS 2.1.1=5D d1=6C 1.1.2=6H 2.1.2=5S d2=TD! 1.1:double 1.1.3=6D"
            " 2.1:double 2.1.3=2C turn:d2 d3=5H"
        ),
        "dealer 21, 1.1 22 lose, 2.1 12 lose",
    ),
    "a double on a split hand": (
        GR,
        (
            f"{TWO_SPLITS} d2=TC! 1.1:split 1.1.2=3S 1.1:double 1.1.3=9H 1.2.2=2H"
            " 1.2:double 1.2.3=KD turn:d2 d3=TD"
        ),
        "dealer 26, 1.1 20 win, 1.2 20 win",
    ),
    "a dark double is turned when a later box asks": (
        RU,
        (
            "1.1.1=5S 2.1.1=TH d1=6C 1.1.2=6D 2.1.2=7S 1.1:dark 1.1.3=TD! turn:1.1.3 2.1:stand"
            " d2=TS d3=AD"
        ),
        "dealer 17, 1.1 21 win, 2.1 17 push",
    ),
    "a dark double is turned at the end": (
        RU,
        "1.1.1=AS d1=6C 1.1.2=6D 1.1:dark 1.1.3=TD! d2=TS d3=KH turn:1.1.3",
        "dealer 26, 1.1 17 win",
    ),
    "no hole card: the second card comes after the boxes, face up": (
        RU,
        "1.1.1=TS d1=9C 1.1.2=8D 1.1:stand d2=8H",
        "dealer 17, 1.1 18 win",
    ),
    "no hole card and only busts: the round ends without the dealer's second": (
        RU,
        "1.1.1=TS d1=9C 1.1.2=6D 1.1:hit 1.1.3=KS",
        "dealer 9, 1.1 26 lose",
    ),
    "surrender, the whole table, in any order": (
        RU,
        (
            "1.1.1=TS 2.1.1=9S 3.1.1=8S d1=TC 1.1.2=6H 2.1.2=7H 3.1.2=8H 3.1:surrender"
            " 1.1:surrender 2.1:surrender"
        ),
        "dealer 10, 1.1 16 surrender, 2.1 16 surrender, 3.1 16 surrender",
    ),
    "a surrender stays one against a dealer's blackjack": (
        RU,
        "1.1.1=TS 2.1.1=9S d1=TC 1.1.2=6H 2.1.2=9H 1.1:surrender 2.1:stand d2=AS",
        "dealer blackjack, 1.1 16 surrender, 2.1 18 lose",
    ),
    "surrender with an ace up, while insurance runs": (
        RU,
        "1.1.1=TS 2.1.1=9S d1=AC 1.1.2=6H 2.1.2=9H 1.1:surrender close 2.1:stand d2=7S",
        "dealer 18, 1.1 16 surrender, 2.1 18 push",
    ),
    "a blackjack is paid at once under nine or less; the dealer needs no second card": (
        RU,
        "1.1.1=AS d1=9C 1.1.2=KH",
        "dealer 9, 1.1 21 blackjack",
    ),
    "a blackjack paid at once does not keep the dealer drawing, the other hand does": (
        RU,
        "1.1.1=AS 2.1.1=TH d1=2C 1.1.2=KH 2.1.2=TD 2.1:stand d2=TS d3=AH d4=4C",
        "dealer 17, 1.1 21 blackjack, 2.1 20 win",
    ),
    "an unpaid blackjack waits for the dealer's second under a ten, and no third follows": (
        RU,
        "1.1.1=AS d1=TC 1.1.2=KH d2=2S",
        "dealer 12, 1.1 21 blackjack",
    ),
    "an unpaid blackjack pushes": (
        RU,
        "1.1.1=AS 2.1.1=TH d1=TC 1.1.2=KH 2.1.2=6D 2.1:hit 2.1.3=TS d2=AD",
        "dealer blackjack, 1.1 21 push, 2.1 26 lose",
    ),
    "even money: paid, and alone it ends the round once insurance is closed": (
        RU,
        "1.1.1=AS d1=AC 1.1.2=KH 1.1:even_money close",
        "dealer 11, 1.1 21 even_money",
    ),
    "even money refused: the blackjack waits for the second card": (
        RU,
        "1.1.1=AS d1=AC 1.1.2=KH close d2=TS",
        "dealer blackjack, 1.1 21 push",
    ),
    "a live insurance wants the second card although its hand is bust; no third follows": (
        RU,
        "1.1.1=TS d1=AC 1.1.2=6H 1.1:insurance close 1.1:hit 1.1.3=KH d2=2S",
        "dealer 13, 1.1 26 lose",
    ),
    "insured, peeked, yes: the reveal at once and no decision is played": (
        DK,
        (
            "1.1.1=TS 2.1.1=AH d1=AC 1.1.2=6H 2.1.2=KD d2=KH! 2.1:insurance 1.1:insurance"
            " close peek turn:d2"
        ),
        "dealer blackjack, 1.1 16 lose, 2.1 21 push",
    ),
    "nobody insured, peeked all the same, no: the round is played": (
        DK,
        "1.1.1=TS d1=AC 1.1.2=9H d2=8H! close peek 1.1:stand turn:d2",
        "dealer 19, 1.1 19 push",
    ),
    "insurance may be closed before the hole card has come": (
        DK,
        "1.1.1=TS d1=AC 1.1.2=9H close d2=8H! peek 1.1:stand turn:d2",
        "dealer 19, 1.1 19 push",
    ),
    "a first card dealt down is turned after the boxes' second cards, then insurance runs": (
        replace(GR, dealer_first_card="down_then_revealed"),
        "1.1.1=TS d1=AC! 1.1.2=9H turn:d1 d2=7H! 1.1:insurance close peek 1.1:stand turn:d2",
        "dealer 18, 1.1 19 win",
    ),
    "it may be turned after the dealer's own second too": (
        replace(GR, dealer_first_card="down_then_revealed"),
        "1.1.1=TS d1=9C! 1.1.2=9H d2=7H! turn:d1 1.1:stand turn:d2 d3=5C",
        "dealer 21, 1.1 19 lose",
    ),
    "21 moves on by itself": (
        GR,
        "1.1.1=5S 2.1.1=TH d1=7C 1.1.2=6D 2.1.2=9S d2=TD! 1.1:hit 1.1.3=TS 2.1:stand turn:d2",
        "dealer 17, 1.1 21 win, 2.1 19 win",
    ),
    "21 may draw where it does not": (
        replace(RU, auto_stand_on_21=False),
        "1.1.1=5S d1=7C 1.1.2=6D 1.1:hit 1.1.3=TS 1.1:hit 1.1.4=2C",
        "dealer 7, 1.1 23 lose",
    ),
}


@pytest.mark.parametrize("name", ROUNDS)
def test_a_round_worked_out_by_hand(name: str) -> None:
    house, text, end = ROUNDS[name]
    played = table(house, text)
    assert played.over
    assert ended(played) == end
    assert (played.due(), played.legal()) == (None, frozenset())


@pytest.mark.parametrize("name", ROUNDS)
def test_a_round_is_over_at_its_last_step_and_not_before(name: str) -> None:
    house, text, _ = ROUNDS[name]
    played = table(house, " ".join(text.split()[:-1]))
    assert not played.over
    with pytest.raises(ValueError, match="not over"):
        played.result()
