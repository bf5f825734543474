"""Single moments of rounds: what the oracle says is due and legal there."""

from dataclasses import replace

import pytest
from oracle.blackjack_notation import DK, GR, PLAIN, RU, TWO_SPLITS, legal, long_slot, table

# -- what is legal at one point: (house, steps so far, card due, choices)

ACE_UP = "1.1.1=TS 2.1.1=AH d1=AC 1.1.2=6H 2.1.2=KD"
DARK = "1.1.1=5S 2.1.1=TH d1=6C 1.1.2=6D 2.1.2=7S 1.1:dark"
POINTS = {
    "nothing during the first deal": (DK, "1.1.1=TS d1=AC", "1.1.2", ""),
    "no decision before the hole card is sealed": (DK, PLAIN, "d2", ""),
    "then the first hand's": (DK, f"{PLAIN} d2=AS!", None, "1.1:hit 1.1:stand 1.1:double"),
    "a hit waits for its card": (DK, f"{PLAIN} d2=AS! 1.1:hit", "1.1.3", ""),
    "a third card ends double": (DK, f"{PLAIN} d2=AS! 1.1:hit 1.1.3=2S", None, "1.1:hit 1.1:stand"),
    "the next box after a bust": (
        DK,
        f"{PLAIN} d2=AS! 1.1:hit 1.1.3=9S",
        None,
        "2.1:hit 2.1:stand 2.1:double 2.1:split",
    ),
    "at the end the reveal, nothing else": (
        DK,
        f"{PLAIN} d2=AS! 1.1:stand 2.1:stand",
        None,
        "turn:d2",
    ),
    "no peek, no insurance with a ten up": (
        DK,
        "1.1.1=TS d1=KC 1.1.2=6H d2=AS!",
        None,
        "1.1:hit 1.1:stand 1.1:double",
    ),
    "insurance runs as soon as the boxes have two cards, before the hole card": (
        DK,
        ACE_UP,
        "d2",
        "1.1:insurance 2.1:insurance close",
    ),
    "then a box with blackjack may insure too": (
        DK,
        f"{ACE_UP} d2=5S!",
        None,
        "1.1:insurance 2.1:insurance close",
    ),
    "no peek and no decision while it runs; once a box": (
        DK,
        f"{ACE_UP} d2=5S! 1.1:insurance",
        None,
        "2.1:insurance close",
    ),
    "closed before the hole card: it has to come first": (DK, f"{ACE_UP} close", "d2", ""),
    "after it the peek, before any decision": (DK, f"{ACE_UP} d2=5S! close", None, "peek"),
    "peeked once, no": (
        DK,
        f"{ACE_UP} d2=5S! close peek",
        None,
        "1.1:hit 1.1:stand 1.1:double",
    ),
    "peeked, yes": (DK, f"{ACE_UP} d2=TD! close peek", None, "turn:d2"),
    "only blackjacks: nothing waits for the peek": (
        DK,
        "2.1.1=AH d1=AC 2.1.2=KD d2=5S! close",
        None,
        "peek turn:d2",
    ),
    "only blackjacks: the reveal waits for the end of insurance": (
        DK,
        "2.1.1=AH d1=AC 2.1.2=KD d2=5S!",
        None,
        "2.1:insurance close",
    ),
    "no hole card: insurance closes and play begins, an insured box may surrender": (
        RU,
        f"{ACE_UP} 1.1:insurance close",
        None,
        "1.1:hit 1.1:stand 1.1:double 1.1:surrender",
    ),
    "a blackjack is offered even money, cannot insure and cannot surrender": (
        RU,
        ACE_UP,
        None,
        "1.1:insurance 1.1:surrender 2.1:even_money close",
    ),
    "a surrendered box cannot insure": (
        RU,
        f"{ACE_UP} 1.1:surrender 2.1:even_money",
        None,
        "close",
    ),
    "no dealer's second before insurance is closed": (
        RU,
        f"{ACE_UP} 1.1:surrender",
        None,
        "2.1:even_money close",
    ),
    "any box may surrender, one plays": (
        RU,
        PLAIN,
        None,
        "1.1:hit 1.1:stand 1.1:double 1.1:surrender 2.1:surrender",
    ),
    "a hand that has asked may not surrender, another still may": (
        RU,
        f"{PLAIN} 1.1:hit",
        "1.1.3",
        "2.1:surrender",
    ),
    "after a third card none may": (
        RU,
        f"{PLAIN} 1.1:hit 1.1.3=2C",
        None,
        "1.1:hit 1.1:stand",
    ),
    "a hand that stood has played": (
        RU,
        f"{PLAIN} 1.1:stand",
        None,
        "2.1:hit 2.1:stand 2.1:double 2.1:split 2.1:surrender",
    ),
    "a split hand may not surrender": (RU, f"{TWO_SPLITS} 1.1:split", "1.1.2", ""),
    "a split's second card is a third card of the table": (
        RU,
        "1.1.1=8S 2.1.1=9S d1=7C 1.1.2=8H 2.1.2=7H 1.1:split 1.1.2=2C",
        None,
        "1.1:hit 1.1:stand 1.1:double 1.1:dark",
    ),
    "dark where the hand cannot bust: hard 11": (
        RU,
        "1.1.1=5S d1=7C 1.1.2=6H",
        None,
        "1.1:hit 1.1:stand 1.1:double 1.1:dark 1.1:surrender",
    ),
    "dark where the hand cannot bust: soft": (
        RU,
        "1.1.1=AS d1=7C 1.1.2=9H",
        None,
        "1.1:hit 1.1:stand 1.1:double 1.1:dark 1.1:surrender",
    ),
    "not dark on hard 12": (
        RU,
        "1.1.1=5S d1=7C 1.1.2=7H",
        None,
        "1.1:hit 1.1:stand 1.1:double 1.1:surrender",
    ),
    "a dark card cannot be turned before it lies": (RU, DARK, "1.1.3", "2.1:surrender"),
    "then any time": (
        RU,
        f"{DARK} 1.1.3=TD!",
        None,
        "turn:1.1.3 2.1:hit 2.1:stand 2.1:double",
    ),
    "while the dealer draws": (RU, f"{DARK} 1.1.3=TD! 2.1:stand d2=4S", "d3", "turn:1.1.3"),
    "no double after a split": (
        DK,
        f"{TWO_SPLITS} d2=TC! 1.1:split 1.1.2=3S 1.2.2=8C",
        None,
        "1.1:hit 1.1:stand",
    ),
    "no second split": (
        GR,
        f"{TWO_SPLITS} d2=TC! 1.1:split 1.1.2=8C",
        None,
        "1.1:hit 1.1:stand 1.1:double",
    ),
    "no double at all": (
        replace(DK, double="no"),
        f"{PLAIN} d2=AS!",
        None,
        "1.1:hit 1.1:stand",
    ),
    "equal rank only": (
        replace(RU, split_on="rank", surrender=False),
        "1.1.1=TS d1=7C 1.1.2=KH",
        None,
        "1.1:hit 1.1:stand 1.1:double",
    ),
    "four hands, no fifth": (
        RU,
        f"{TWO_SPLITS} 1.1:split 1.1.2=8C 1.1:split 1.1.2=8H 1.1:split 1.1.2=8S",
        None,
        "1.1:hit 1.1:stand 1.1:double",
    ),
    "aces that may be split again, one card each": (
        replace(RU, split_aces_once=False),
        "1.1.1=AS d1=7C 1.1.2=AH 1.1:split 1.1.2=AD",
        None,
        "1.1:stand 1.1:split",
    ),
    "split aces that are played on": (
        replace(RU, split_aces_one_card=False),
        "1.1.1=AS d1=7C 1.1.2=AH 1.1:split 1.1.2=AD",
        None,
        "1.1:hit 1.1:stand 1.1:double 1.1:dark",
    ),
    "both hands get their card before a re-split": (
        replace(DK, splits_allowed=2),
        f"{TWO_SPLITS} d2=TC! 1.1:split 1.1.2=8C",
        "1.2.2",
        "",
    ),
    "the re-split hands too": (
        replace(DK, splits_allowed=2),
        f"{TWO_SPLITS} d2=TC! 1.1:split 1.1.2=8C 1.2.2=5C 1.1:split 1.1.2=2C",
        "1.3.2",
        "",
    ),
    "a split 21 is no blackjack and may be doubled where it does not stand by itself": (
        replace(RU, auto_stand_on_21=False),
        "1.1.1=TS d1=7C 1.1.2=TH 1.1:split 1.1.2=AD",
        None,
        "1.1:hit 1.1:stand 1.1:double 1.1:dark",
    ),
    "21 gets hit and stand where it does not stand by itself": (
        replace(RU, auto_stand_on_21=False),
        "1.1.1=5S d1=7C 1.1.2=6H 1.1:hit 1.1.3=TD",
        None,
        "1.1:hit 1.1:stand",
    ),
    "a first card dealt down: all waits for it, but for the dealer's own second": (
        replace(GR, dealer_first_card="down_then_revealed"),
        "1.1.1=TS d1=AC! 1.1.2=6H",
        "d2",
        "turn:d1",
    ),
    "and still, when that has come": (
        replace(GR, dealer_first_card="down_then_revealed"),
        "1.1.1=TS d1=AC! 1.1.2=6H d2=5S!",
        None,
        "turn:d1",
    ),
    "a first card dealt down without a hole card: the dealer's second waits for it too": (
        replace(RU, dealer_first_card="down_then_revealed"),
        "1.1.1=AS d1=KC! 1.1.2=KH",
        None,
        "turn:d1",
    ),
    "surrender waits for the hole card": (replace(DK, surrender=True), PLAIN, "d2", ""),
    "surrender waits for it while insurance runs, insurance does not": (
        replace(DK, surrender=True),
        ACE_UP,
        "d2",
        "1.1:insurance 2.1:insurance close",
    ),
    "no insurance at all": (replace(DK, insurance=False), f"{ACE_UP} d2=5S!", None, "peek"),
    "a hole card and no peek": (
        replace(DK, peek="none"),
        f"{ACE_UP} d2=TS! close",
        None,
        "1.1:hit 1.1:stand 1.1:double",
    ),
    "no hole card, nothing to peek at": (
        replace(RU, peek="ace_up", surrender=False),
        f"{ACE_UP} close",
        None,
        "1.1:hit 1.1:stand 1.1:double",
    ),
    "no hole card and no blackjack paid at once: it waits under a ten or an ace": (
        replace(RU, blackjacks_paid_at_once=False),
        "1.1.1=AS d1=TC 1.1.2=KH",
        "d2",
        "",
    ),
    "under a nine no second card of the dealer's can change it": (
        replace(RU, blackjacks_paid_at_once=False),
        "1.1.1=AS d1=9C 1.1.2=KH",
        None,
        "",
    ),
}


@pytest.mark.parametrize("name", POINTS)
def test_what_is_due_and_legal_at_a_point(name: str) -> None:
    house, text, due, choices = POINTS[name]
    played = table(house, text)
    assert played.due() == (long_slot(due) if due else None)
    assert legal(played) == set(choices.split())
